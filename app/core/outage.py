"""Logs that a service is away once, and that it is back once."""

import structlog

log = structlog.get_logger()


class Outage:
    """Shared by everything in a process that uses the service at `address`."""

    def __init__(self, service: str, address: str) -> None:
        self._service = service
        self._address = address
        self._ongoing = False

    def begin(self, error: Exception) -> None:
        if not self._ongoing:
            self._ongoing = True
            log.warning(
                "service does not answer, retrying",
                service=self._service,
                address=self._address,
                error=repr(error)[:200],
            )

    def end(self) -> None:
        if self._ongoing:
            self._ongoing = False
            log.warning("service is back", service=self._service, address=self._address)
