"""Jobs of metrics."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.tracking.service import metrics_to_close
from app.domains.tracking.types import Metric
from app.jobs.job import Job, failures_of, raise_if_failed
from app.resources import Resources
from app.services import Services

AT_ONCE = 10
BATCH = 100


async def close_metric_days(resources: Resources) -> None:
    """Milestones and alerts that need the value of a whole day, after the user's midnight."""

    async def close(metric: Metric) -> None:
        await Services(resources, acting_for(metric.user_id)).metric_days.close(metric.id)

    failures: list[Exception] = []
    batch: list[Metric] = []
    async for metric in metrics_to_close(resources):
        batch.append(metric)
        if len(batch) == BATCH:
            failures += await failures_of(batch, close, at_once=AT_ONCE)
            batch = []
    failures += await failures_of(batch, close, at_once=AT_ONCE)
    raise_if_failed(failures)


JOBS = [Job(name="close-metric-days", every=timedelta(minutes=1), run=close_metric_days)]
