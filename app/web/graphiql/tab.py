"""A tab that GraphiQL opens at the first visit.

Its example works for everyone, also for a new user and again: a mutation creates what it changes,
under an id that the page makes for each user (NEW_ID), and with it as its idempotencyKey.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent, indent
from typing import Any

# Stand for what the page makes anew for each user: an id, and a name that nobody has.
NEW_ID = "0" * 32
NEW_NAME = "ada00000000"


@dataclass(frozen=True, kw_only=True)
class Tab:
    title: str
    about: str
    query: str
    variables: Mapping[str, object] = field(default_factory=dict)

    def variables_with(self, new_id: str) -> dict[str, Any]:
        """As the page fills them in, where `new_id` is the id that it has made."""
        text = json.dumps(dict(self.variables))
        found: dict[str, Any] = json.loads(
            text.replace(NEW_ID, new_id).replace(NEW_NAME, f"ada{new_id[:8]}")
        )
        return found

    @property
    def document(self) -> str:
        note = f"{self.title}\n\n{dedent(self.about).strip()}"
        comment = indent(note, "# ", lambda _line: True).replace("# \n", "#\n")
        return f"{comment}\n\n{dedent(self.query).strip()}"
