"""A tab that GraphiQL opens at the first visit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent, indent


@dataclass(frozen=True, kw_only=True)
class Tab:
    title: str
    about: str
    query: str
    variables: Mapping[str, object] = field(default_factory=dict)

    @property
    def document(self) -> str:
        note = f"{self.title}\n\n{dedent(self.about).strip()}"
        comment = indent(note, "# ", lambda _line: True).replace("# \n", "#\n")
        return f"{comment}\n\n{dedent(self.query).strip()}"
