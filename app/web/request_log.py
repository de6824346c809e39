"""What is logged and counted of each GraphQL request. No secret is in it, and no variable."""

import re
import time
from dataclasses import dataclass, field

import structlog
from prometheus_client import Counter, Histogram

MOST_NAMES = 200
NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]{0,59}")
OK = "OK"
SECONDS = Histogram("guildhall_request_seconds", "Time of a GraphQL request", ["status"])
OPERATIONS = Counter(
    "guildhall_operations_total",
    "GraphQL operations over HTTP; code is OK or that of the first error",
    ["operation", "kind", "code"],
)
log = structlog.get_logger()
_names: set[str] = set()


def bounded_name(name: str | None) -> str:
    """Clients choose the names of operations: the first MOST_NAMES are counted apart."""
    if not name:
        return "unnamed"
    if name not in _names:
        if len(_names) >= MOST_NAMES or not NAME.fullmatch(name):
            return "other"
        _names.add(name)
    return name


@dataclass(slots=True)
class RequestLog:
    id: str
    address: str = ""
    user: str | None = None
    operation: str | None = None
    kind: str = ""
    code: str = OK
    started_at: float = field(default_factory=time.perf_counter)

    def finish(self, status: int) -> None:
        seconds = time.perf_counter() - self.started_at
        operation = bounded_name(self.operation)
        SECONDS.labels(status).observe(seconds)
        OPERATIONS.labels(operation, self.kind, self.code).inc()
        log.info(
            "request",
            id=self.id,
            status=status,
            ms=round(seconds * 1000, 1),
            operation=operation,
            kind=self.kind,
            code=self.code,
            user=self.user,
            address=self.address,
        )
