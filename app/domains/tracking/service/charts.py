"""Charts of a metric or a habit as SVG, for the owner or by a signed URL."""

import asyncio
import hashlib
import hmac
from datetime import timedelta
from urllib.parse import urlencode

from app.core.clock import Clock, epoch_seconds, to_day
from app.core.errors import NotFound
from app.core.scalars import AWSURL
from app.domains.people.types import UserStatus
from app.domains.service import uses
from app.domains.tracking.rules.charts import YEAR, ChartContent, curve_of, heat_map_of
from app.domains.tracking.service.base import TrackingService
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import ChartKind
from app.resources import Resources

VALID_FOR = timedelta(days=1)
HOUR = 3600
CHARTS_A_MINUTE = 60


class ChartUrls:
    """Signed URLs: everyone who has one may see that chart until it expires."""

    def __init__(self, key: bytes, clock: Clock, base: str) -> None:
        self._key = key
        self._clock = clock
        self._base = base

    @classmethod
    def of(cls, resources: Resources) -> "ChartUrls":
        key = resources.secret.derive("chart addresses")
        return cls(key, resources.clock, resources.settings.address)

    def signed_url(self, kind: ChartKind, record_id: str, user_id: str) -> AWSURL:
        # Rounded up to the hour, so that the URL stays the same and browsers cache the picture.
        end = epoch_seconds(self._clock.now() + VALID_FOR)
        expires = str(-(-end // HOUR) * HOUR)
        signature = self._signature(kind, record_id, user_id, expires)
        query = urlencode({"user": user_id, "expires": expires, "signature": signature})
        return AWSURL(f"{self._base}/charts/{kind.value}/{record_id}.svg?{query}")

    def is_valid(
        self, kind: ChartKind, record_id: str, *, user: str, expires: str, signature: str
    ) -> bool:
        expected = self._signature(kind, record_id, user, expires)
        if not hmac.compare_digest(expected.encode(), signature.encode()):
            return False
        return int(expires) > epoch_seconds(self._clock.now())

    def _signature(self, kind: ChartKind, record_id: str, user_id: str, expires: str) -> str:
        text = "\n".join((kind.value, record_id, user_id, expires))
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


class Charts(TrackingService):
    metrics = uses(Metrics)
    habits = uses(Habits)

    def url(self, kind: ChartKind, record_id: str) -> AWSURL:
        return ChartUrls.of(self.resources).signed_url(kind, record_id, self.caller.user_id)

    async def draw(self, kind: ChartKind, record_id: str) -> bytes:
        """As SVG."""
        await self.resources.limiter.count(
            "charts", self.caller.user_id, limit=CHARTS_A_MINUTE, seconds=60
        )
        if (await self.profiles.me()).status is not UserStatus.active:
            raise NotFound(kind.value)
        content = await self._content(kind, record_id)
        # In a thread, because drawing takes a tenth of a second.
        return await asyncio.to_thread(_draw, content)

    async def _content(self, kind: ChartKind, record_id: str) -> ChartContent:
        today = await self.today()
        since = to_day(today - YEAR)
        if kind is ChartKind.metric:
            metric = await self.metrics.require(record_id)
            metric_logs = await self.repository.every_log_of_metric(metric.id, since)
            return curve_of(metric, metric_logs, today)
        habit = await self.habits.require(record_id)
        return heat_map_of(habit, await self.repository.every_log_of_habit(habit.id, since), today)


def _draw(content: ChartContent) -> bytes:
    # Imported in the thread: the library takes a second to load.
    from app.domains.tracking.rules.drawing import draw

    return draw(content)
