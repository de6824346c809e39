"""The metrics of this process, or of all processes of one server."""

import os

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest, multiprocess


def metrics_text() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
