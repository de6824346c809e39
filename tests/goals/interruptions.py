"""Services whose process stops at a chosen call to the table."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from app.core.caller import acting_for
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.servers import RunningServer


class Stopped(BaseException):
    """The process stops."""


class StoppingClient:
    """A client of the table that stops before or after its n-th call."""

    def __init__(self, client: Any, at: int, *, before: bool) -> None:
        self._client, self._left, self._before = client, at, before

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._client, name)

        async def call_and_count(**parameters: Any) -> Any:
            self._left -= 1
            if self._left == 0 and self._before:
                raise Stopped
            answer = await call(**parameters)
            if self._left == 0:
                raise Stopped
            return answer

        return call_and_count


ServicesOf = Callable[[Person, Gateway], Services]


@pytest.fixture
def services(server: RunningServer) -> ServicesOf:
    """The services of a person, with a gateway of the test."""
    resources = server.app.state.resources

    def services_of(person: Person, gateway: Gateway) -> Services:
        mine = dataclasses.replace(resources, table=gateway)
        return Services(mine, acting_for(person.id))

    return services_of
