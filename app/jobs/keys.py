"""Keys of what the workers share."""

from app.jobs.types import Lease, Sweep
from app.table.entity import Entity, Key

LEASE = Entity("Lease", Lease, pk="LEASE#{job}", sk="LEASE")
SWEEP = Entity("Sweep", Sweep, pk="LEASE#{job}", sk="SWEEP")


def lease_of_job(job: str) -> Key[Lease]:
    """Which worker runs a job, when it last ran and when it runs next"""
    return LEASE.key(job=job)


def sweep_of_job(job: str) -> Key[Sweep]:
    """The first day on which a job may have something due"""
    return SWEEP.key(job=job)
