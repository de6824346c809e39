"""Logs: one JSON object per line in production, coloured lines in development; no secrets."""

import logging
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger

from app.settings import Settings

LONGEST_VALUE = 2_000
LONGEST_TRACE = 20_000


def _truncate(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Limits the length of values, which may come from a client."""
    for name, value in event.items():
        longest = LONGEST_TRACE if name == "exception" else LONGEST_VALUE
        if isinstance(value, str) and len(value) > longest:
            event[name] = value[:longest] + "…"
    return event


def configure_logs(settings: Settings) -> None:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    plain = sys.stderr.isatty() and settings.development
    # The default formatter prints local variables, and so passwords.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    finish: list[structlog.typing.Processor] = (
        [_truncate, console]
        if plain
        else [structlog.processors.format_exc_info, _truncate, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[*shared, *finish],
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *finish],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
