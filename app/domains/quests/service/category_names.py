"""Names of categories: unique without regard to letter case.

The index finds who has a name, also categories of the release before, which have no lock. Requests
for one name at the same time conflict on its lock. A lock counts only while its category has that
name: servers of the release before rename and delete categories without their locks.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.errors import StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.quests import keys
from app.domains.quests.errors import CategoryNameTaken
from app.domains.quests.types import CategoryNameLock, QuestCategory
from app.table.conditions import absent, attr
from app.table.gateway import Gateway
from app.table.writes import Delete, Put, Write

RACED = StaleVersion("category", None)


@dataclass(frozen=True, slots=True)
class CategoryNames:
    table: Gateway
    now: AWSDateTime

    async def reserve(self, category: QuestCategory) -> list[Write]:
        """Raises CategoryNameTaken if another category has the name."""
        lock = await self.table.get(keys.category_name(category.name_key))
        if other := await self._other_with_name(category, lock):
            raise CategoryNameTaken(other)
        if lock and lock.category_id == category.id:
            return []
        unchanged = attr("categoryId").equals(lock.category_id) if lock else absent()
        return [Put(self._lock(category), when=unchanged, otherwise=RACED)]

    async def release(self, category: QuestCategory) -> list[Write]:
        lock = await self.table.get(keys.category_name(category.name_key))
        if lock is None or lock.category_id != category.id:
            return []
        is_own = attr("categoryId").equals(category.id)
        return [Delete(keys.category_name(category.name_key), when=is_own, otherwise=RACED)]

    async def _other_with_name(
        self, category: QuestCategory, lock: CategoryNameLock | None
    ) -> QuestCategory | None:
        listed = self.table.query_all(keys.categories_named(category.name_key))
        ids = {each.id async for each in listed} | ({lock.category_id} if lock else set())
        found = await self.table.get_many([keys.category(each) for each in sorted(ids)])
        return next(iter(_same_name(category, found)), None)

    def _lock(self, category: QuestCategory) -> CategoryNameLock:
        return CategoryNameLock(
            created_at=self.now,
            updated_at=self.now,
            name_key=category.name_key,
            category_id=category.id,
        )


def _same_name(
    category: QuestCategory, found: Iterable[QuestCategory | None]
) -> Iterable[QuestCategory]:
    return (
        each
        for each in found
        if each and each.id != category.id and each.name_key == category.name_key
    )
