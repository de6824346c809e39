"""Scope, uses and ports: which services a caller has, and when they are built."""

import gc
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from app.core.caller import Access, acting_for
from app.core.errors import NotFound
from app.domains.service import Scope, Service, required, uses
from app.resources import Resources

RESOURCES: Any = Resources.__new__(Resources)
BUILT: list[str] = []


@dataclass(eq=False)
class Counted(Service):
    def __post_init__(self) -> None:
        BUILT.append(type(self).__name__)


class Ledger(Counted):
    """The lowest service."""


class ShopObserver(Service):
    """A port: a null object unless a scope connects it."""

    def on_sold(self) -> str:
        return "nothing"


class Till(Counted):
    ledger = uses(Ledger)
    observer = uses(ShopObserver)


class Cafe(Counted):
    ledger = uses(Ledger)
    till = uses(Till)


class Bookkeeping(ShopObserver):
    cafe = uses(Cafe)

    def on_sold(self) -> str:
        return "booked"


class ShopServices(Scope):
    ports: ClassVar[Mapping[type, type]] = {ShopObserver: Bookkeeping}

    cafe = uses(Cafe)


@pytest.fixture(autouse=True)
def nothing_is_built() -> None:
    BUILT.clear()


def scope_of_ada() -> Scope:
    return Scope(RESOURCES, acting_for("ada"))


def test_a_new_scope_builds_no_service() -> None:
    ShopServices(RESOURCES, acting_for("ada"))
    assert BUILT == []


def test_one_service_does_not_build_those_it_uses() -> None:
    scope_of_ada().get(Cafe)
    assert BUILT == ["Cafe"]


def test_a_used_service_is_built_at_its_first_use_and_once() -> None:
    cafe = scope_of_ada().get(Cafe)
    assert cafe.till.ledger is cafe.ledger
    assert cafe.till is cafe.till
    assert BUILT == ["Cafe", "Till", "Ledger"]


def test_a_scope_declares_services_as_a_service_does() -> None:
    services = ShopServices(RESOURCES, acting_for("ada"))
    assert services.cafe is services.get(Cafe)


def test_a_port_without_an_implementation_does_nothing() -> None:
    till = scope_of_ada().get(Till)
    assert type(till.observer) is ShopObserver
    assert till.observer.on_sold() == "nothing"


def test_a_port_is_its_implementation_in_the_same_scope() -> None:
    services = ShopServices(RESOURCES, acting_for("ada"))
    observer = services.cafe.till.observer
    assert observer.on_sold() == "booked"
    assert observer is services.get(Bookkeeping)
    assert services.get(Bookkeeping).cafe is services.cafe


def test_services_act_for_the_caller_of_their_scope() -> None:
    services = ShopServices(RESOURCES, acting_for("ada"))
    other = services.acting_for("bob")
    assert services.cafe.till.caller.user_id == "ada"
    assert (other.caller.user_id, other.caller.access) == ("bob", Access.SYSTEM)
    assert type(other) is ShopServices
    assert other.get(Cafe) is not services.cafe


def test_a_released_scope_is_freed_without_the_garbage_collector() -> None:
    scope = scope_of_ada()
    freed = weakref.ref(scope.get(Cafe).till)
    gc.disable()
    try:
        scope.release()
        assert freed() is None
    finally:
        gc.enable()


def test_a_required_record_that_is_missing_is_not_found() -> None:
    assert required("record", "goal") == "record"
    with pytest.raises(NotFound, match="goal"):
        required(None, "goal")
