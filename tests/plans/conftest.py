"""Services on the server's table, for what cannot be shown through HTTP."""

import dataclasses
from collections.abc import Callable

import pytest

from app.core.caller import acting_for
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.servers import RunningServer


@pytest.fixture
def resources(server: RunningServer, table: Gateway) -> Resources:
    running: Resources = server.app.state.resources
    return dataclasses.replace(running, table=table)


@pytest.fixture
def services(resources: Resources) -> Callable[[Person], Services]:
    """Each time as a new request."""
    return lambda person: Services(resources, acting_for(person.id))
