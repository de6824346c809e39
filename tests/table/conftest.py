import pytest

from app.table.entity import ENTITIES
from tests.table.things import THING


@pytest.fixture(autouse=True)
def things_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENTITIES, THING.name, THING)
