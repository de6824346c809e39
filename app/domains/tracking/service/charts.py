"""Charts: pictures of a metric or a habit, for their owner or by an address that is signed."""

import asyncio
import hashlib
import hmac
from datetime import date, timedelta
from enum import Enum
from urllib.parse import urlencode

from app.core.caller import Caller
from app.core.clock import Clock, epoch
from app.core.clock import day as day_text
from app.core.errors import NotFound
from app.core.scalars import AWSURL
from app.domains.people.service import Profiles
from app.domains.people.types import UserStatus
from app.domains.tracking.rules import habits as rules
from app.domains.tracking.rules.periods import days_between
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.service.insights import days_of
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.service.pictures import Curve, HeatMap, Picture
from app.domains.tracking.service.tracker import Tracker
from app.domains.tracking.types import Habit, LogKind, Metric
from app.resources import Resources

OPEN_FOR = timedelta(days=1)
YEAR = timedelta(days=364)
CHARTS_A_MINUTE = 60


class ChartKind(Enum):
    """`values` is drawn by the domain of plans: the address is of the same kind."""

    metric = "metric"
    habit = "habit"
    values = "values"


class ChartAddresses:
    """Whoever has such an address may see that one chart, until it expires."""

    def __init__(self, key: bytes, clock: Clock, base: str) -> None:
        self._key = key
        self._clock = clock
        self._base = base

    @classmethod
    def of(cls, resources: Resources) -> "ChartAddresses":
        key = resources.secret.derive("chart addresses")
        return cls(key, resources.clock, resources.settings.address)

    def address(self, kind: ChartKind, thing_id: str, user_id: str) -> AWSURL:
        expires = str(epoch(self._clock.now() + OPEN_FOR))
        signature = self._signature(kind, thing_id, user_id, expires)
        query = urlencode({"user": user_id, "expires": expires, "signature": signature})
        return AWSURL(f"{self._base}/charts/{kind.value}/{thing_id}.svg?{query}")

    def is_open(
        self, kind: ChartKind, thing_id: str, *, user: str, expires: str, signature: str
    ) -> bool:
        right = self._signature(kind, thing_id, user, expires)
        if not hmac.compare_digest(right.encode(), signature.encode()):
            return False
        return int(expires) > epoch(self._clock.now())

    def _signature(self, kind: ChartKind, thing_id: str, user_id: str, expires: str) -> str:
        text = "\n".join((kind.value, thing_id, user_id, expires))
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


class Charts(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        metrics: Metrics,
        habits: Habits,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.metrics = metrics
        self.habits = habits

    def metric_address(self, metric_id: str) -> AWSURL:
        return self._address(ChartKind.metric, metric_id)

    def habit_address(self, habit_id: str) -> AWSURL:
        return self._address(ChartKind.habit, habit_id)

    def _address(self, kind: ChartKind, thing_id: str) -> AWSURL:
        return ChartAddresses.of(self.resources).address(kind, thing_id, self.caller.user_id)

    async def draw(self, kind: ChartKind, thing_id: str) -> bytes:
        """The picture, as SVG. Drawn in a thread: it takes a tenth of a second."""
        await self.resources.limiter.count(
            "charts", self.caller.user_id, limit=CHARTS_A_MINUTE, seconds=60
        )
        if (await self.profiles.me()).status is not UserStatus.active:
            raise NotFound(kind.value)
        if kind is ChartKind.metric:
            return await self._metric(await self.metrics.known(thing_id))
        return await self._habit(await self.habits.known(thing_id))

    async def _metric(self, metric: Metric) -> bytes:
        since = await self.today() - YEAR
        logs = await self.repository.every_log_of_metric(metric.id, day_text(since))
        days = days_of(log.as_logged for log in logs)
        levels = (metric.target_value, metric.threshold_low, metric.threshold_high)
        target, low, high = (None if each is None else float(each) for each in levels)
        curve = Curve(
            title=metric.name,
            unit=metric.custom_unit or metric.unit,
            days=[date.fromisoformat(each.date) for each in days],
            values=[float(each.value(metric.aggregation)) for each in days],
            target=target,
            low=low,
            high=high,
        )
        return await asyncio.to_thread(_drawn, curve)

    async def _habit(self, habit: Habit) -> bytes:
        today = await self.today()
        found = await self.repository.every_log_of_habit(habit.id, day_text(today - YEAR))
        logs = {date.fromisoformat(log.date): log.kind for log in found}
        days = {
            day: _shade(habit.schedule, logs, day, today)
            for day in days_between(today - YEAR, today)
        }
        return await asyncio.to_thread(_drawn, HeatMap(habit.name, today, days))


def _drawn(picture: Picture) -> bytes:
    # Loaded in the thread: the library takes a second.
    from app.domains.tracking.service.drawing import draw

    return draw(picture)


def _shade(schedule: rules.Schedule, logs: rules.Logs, day: date, today: date) -> str:
    kind = logs.get(day)
    if kind in rules.NEUTRAL:
        return "neutral"
    if schedule.counts_clean_days:
        if kind is LogKind.DONE:
            return "missed"
        return "done" if schedule.start <= day < today else "empty"
    if kind is LogKind.DONE:
        return "done"
    due = day >= schedule.start and not schedule.is_paused(day) and schedule.falls_on(day)
    return "missed" if due and day < today and not schedule.counts_periods else "empty"
