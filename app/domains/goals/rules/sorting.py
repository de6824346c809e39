"""Orders of a list that no index has: its records are read, sorted and cut into pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.core.record import Node

N = TypeVar("N", bound=Node)
SortValue = str | float
# A cursor: the value and the id of the last record of the page before.
AFTER = "after"


@dataclass(frozen=True, slots=True)
class SortOrder(Generic[N]):
    """By value, then by id. Records without the value come last, in either direction."""

    value_of: Callable[[N], SortValue | None]
    is_descending: bool = False

    def page(
        self, records: Iterable[N], *, limit: int, start: dict[str, Any] | None
    ) -> tuple[list[N], dict[str, Any] | None]:
        """One page, and the cursor of the next one. A record that was changed or deleted since does
        not disturb the others."""
        rows = self._sorted(records)
        if start is not None:
            rows = [row for row in rows if self._is_after(row, *start[AFTER])]
        more = len(rows) > limit
        rows = rows[:limit]
        cursor = {AFTER: [rows[-1][0], rows[-1][1].id]} if more else None
        return [record for _, record in rows], cursor

    def _sorted(self, records: Iterable[N]) -> list[tuple[Any, N]]:
        rows: list[tuple[Any, N]] = [(self.value_of(each), each) for each in records]
        valued = [row for row in rows if row[0] is not None]
        valued.sort(key=lambda row: (row[0], row[1].id), reverse=self.is_descending)
        others = sorted((row for row in rows if row[0] is None), key=lambda row: row[1].id)
        return [*valued, *others]

    def _is_after(self, row: tuple[Any, N], value: Any, id: str) -> bool:
        own, record = row
        if own is None or value is None:
            return own is None and (value is not None or record.id > id)
        if self.is_descending:
            return bool((own, record.id) < (value, id))
        return bool((own, record.id) > (value, id))
