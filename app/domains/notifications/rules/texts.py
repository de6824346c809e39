"""The words of a message, made safe for where they go."""

import re
from collections.abc import Iterable, Sequence

LONGEST_TITLE, LONGEST_BODY = 120, 1_800
LONGEST_DISCORD_CONTENT = 2_000
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def title_line(text: str) -> str:
    """One line: a subject with a line break would be another header of the mail."""
    return _cut(" ".join(CONTROLS.sub(" ", text).split()), LONGEST_TITLE)


def plain_body(text: str) -> str:
    return _cut(CONTROLS.sub(" ", text), LONGEST_BODY)


def discord_content(title: str, body: str) -> str:
    return _cut(f"{title}\r\n{body}", LONGEST_DISCORD_CONTENT)


def code_text(code: str, minutes: int) -> str:
    return (
        f"{code} is your code for Guildhall. It is good for {minutes} minutes. "
        "If you did not ask for it, do nothing."
    )


def daily_reminder_title(count: int) -> str:
    return "One thing is due today" if count == 1 else f"{count} things are due today"


def due_reminder_title(titles: Sequence[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{len(titles)} tasks are due"


def bullet_list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
