"""Takes back what release 0.1 paid for milestones that no day of a metric has reached."""

from dataclasses import replace
from functools import partial

from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning
from app.domains.service import Decision, uses
from app.domains.tracking import keys
from app.domains.tracking.rules import days, repairs
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.rules.repairs import Correction
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import Metric, MetricLog, MetricState, OpenDay
from app.table.writes import Delete, Put, Write, put_if_unchanged

# Of one transaction, each with its wallet transaction; the next one takes the rest.
MOST_AT_ONCE = 20


class MetricRepairs(TrackingService):
    metrics = uses(Metrics)
    wallets = uses(Wallets)

    async def repair(self, metric: Metric) -> Metric:
        """The metric with the mark that its milestones are checked, which the caller writes. It is
        safe to repeat: each transaction leaves fewer wrong milestones."""
        is_changed = False
        while True:
            async with LOCKS.hold(metric.id):
                changed = await self.commit(partial(self._repair, metric.id))
            if changed is None:
                break
            is_changed = True
        if is_changed:
            await self.metrics.refresh_goals(metric.id)
        return replace(metric, milestones_by_day=True)

    async def _repair(self, metric_id: str) -> Decision[Metric | None]:
        """None: nothing was to be changed."""
        metric = await self.metrics.find(metric_id)
        if metric is None or metric.state is None:
            return Decision(None)
        logs = await self.repository.every_log_of_metric(metric.id)
        state = rules.state_from_logs(log.logged_value for log in logs)
        wrong = await self._corrections(metric, state, logs) if state else []
        if not wrong and state == metric.state:
            return Decision(None)
        gone = {each.milestone.id for each in wrong if not each.kept}
        new = metric.evolve(
            self.now,
            state=state,
            milestone_ids=[each for each in metric.milestone_ids if each not in gone],
            **await self._closing_fields(metric, state),
        )
        return Decision(
            new,
            [
                put_if_unchanged(new, metric, "metric"),
                *map(_milestone_write, wrong),
                *self.wallets.correct(*(self._earning(metric, each) for each in wrong)),
            ],
        )

    async def _corrections(
        self, metric: Metric, state: MetricState, logs: list[MetricLog]
    ) -> list[Correction]:
        won = [each async for each in self.table.query_all(keys.milestones_of_metric(metric.id))]
        logged = days.logged_days(log.logged_value for log in logs)
        wrong = repairs.wrong_milestones(metric, state, logged, logs, won, await self.today())
        balance = (await self.wallets.wallet()).balance
        return repairs.corrections(wrong[:MOST_AT_ONCE], balance)

    async def _closing_fields(self, metric: Metric, state: MetricState | None) -> dict[str, object]:
        """Release 0.1 did not note open days."""
        if metric.state is None or metric.state.first_day is not None or state is None:
            return {}
        today = await self.today()
        present = [day for day in state.days if not days.is_over(day.date, today)]
        return await self.metrics.closing_fields(metric.id, [OpenDay(day) for day in present])

    def _earning(self, metric: Metric, correction: Correction) -> Earning:
        return Earning(
            user_id=self.caller.user_id,
            points=correction.taken,
            reason=repairs.correction_reason(metric, correction),
            metric_id=metric.id,
            reference=correction.milestone.id,
        )


def _milestone_write(correction: Correction) -> Write:
    corrected = correction.corrected_milestone
    return (
        Put(corrected) if corrected else Delete(keys.METRIC_MILESTONE.key_of(correction.milestone))
    )
