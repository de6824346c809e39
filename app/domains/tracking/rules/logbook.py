"""Decisions about logbook entries: search, merge, links."""

from collections.abc import Iterator, Mapping
from typing import Any

from strawberry.utils.str_converters import to_camel_case

from app.core.errors import BadInput
from app.core.text import to_search_text
from app.domains.tracking.errors import EntryDiffers
from app.domains.tracking.types import LogbookEntry

# The field of each kind of link, and the name of the linked entity.
LINKED_ENTITIES = {
    "linked_task_ids": "Task",
    "linked_goal_ids": "Goal",
    "linked_habit_ids": "Habit",
    "linked_project_ids": "Project",
}
LONGEST_SEARCH = 100


def search_words(search: str | None) -> list[str]:
    if search is not None and len(search) > LONGEST_SEARCH:
        raise BadInput(f"search has at most {LONGEST_SEARCH} characters.", field="search")
    return to_search_text(search or "").split()


def has_all_words(entry: LogbookEntry, words: list[str]) -> bool:
    text = to_search_text(f"{entry.title or ''}\n{entry.notes or ''}")
    return all(word in text for word in words)


def merged_fields(old: LogbookEntry, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Adds what was absent; a value that would be lost is a conflict."""
    merged: dict[str, Any] = {}
    for name, value in sent.items():
        before = getattr(old, name)
        if name in LINKED_ENTITIES:
            merged[name] = list(dict.fromkeys([*before, *value]))
        elif before is None:
            merged[name] = value
        elif value not in (None, before):
            raise EntryDiffers(to_camel_case(name), old.version)
    return merged


def new_links(sent: Mapping[str, Any], old: LogbookEntry | None) -> Iterator[tuple[str, str]]:
    """The entity name and the id of every record that is newly linked."""
    for field, entity in LINKED_ENTITIES.items():
        before = getattr(old, field) if old else []
        yield from ((entity, each) for each in sent.get(field, []) if each not in before)


def link_field(kind: str) -> str:
    return f"linked_{kind.lower()}_ids"
