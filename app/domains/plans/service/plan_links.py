"""What a plan says of an action follows the values: done on a day, or open again, in one write."""

from collections.abc import Sequence

from app.core.clock import local_day, parse_instant, to_day
from app.core.scalars import AWSDate
from app.domains.people.service import Profiles
from app.domains.plans.rules.plan_links import (
    CompletionChange,
    completion_changes,
    with_completions,
)
from app.domains.plans.service.plan_commits import PlanChange, PlanCommits, StoredPlan
from app.domains.plans.types import PlanReason, Tree
from app.domains.service import uses
from app.table.transaction import room_for

# Revision, head, draft, and the mark of a day that had no plan.
WRITES_PER_PLAN = 4


class PlanLinks(PlanCommits):
    profiles = uses(Profiles)

    async def store_changes(self, before: Tree, after: Tree, *, besides: int) -> list[StoredPlan]:
        """The changed plans, newest days first, as many as fit into one transaction with `besides`
        other writes. A plan that is left out warns of the difference (ACTION_REOPENED)."""
        by_day: dict[str, list[CompletionChange]] = {}
        for change in completion_changes(before, after):
            day = change.day or await self._day_of(change)
            by_day.setdefault(day, []).append(change)
        days = sorted(by_day, reverse=True)[: room_for(WRITES_PER_PLAN, besides=besides)]
        found = [await self.store_day(AWSDate(day), by_day[day]) for day in days]
        return [each for each in found if each]

    async def store_day(
        self, date: AWSDate, changes: Sequence[CompletionChange]
    ) -> StoredPlan | None:
        """None if the plan says so already."""
        head = await self.head(date)
        before = (await self.plan_at(date, head.revision if head else None)).to_day()
        after = with_completions(before, changes)
        if after == before:
            return None
        reason = PlanReason.completion
        return await self.store(
            PlanChange(date=date, head=head, before=before, after=after, reason=reason)
        )

    async def _day_of(self, change: CompletionChange) -> str:
        """Of a completion that was stored without its day: by the user's calendar."""
        me = await self.profiles.me()
        return to_day(
            local_day(
                parse_instant(change.was_at or self.now),
                time_zone=me.time_zone or "UTC",
                day_start_hour=me.day_start_hour or 0,
            )
        )
