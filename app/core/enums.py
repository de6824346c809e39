"""Enums of the schema: every value is described where it is defined."""

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

import strawberry
from strawberry.types.enum import StrawberryEnumDefinition

E = TypeVar("E", bound=type[Enum])


def enum_type(description: str, **values: str) -> Callable[[E], E]:
    """`strawberry.enum` with a description for every value:

        @enum_type("How urgent it is.", LOW="It can wait.", HIGH="It cannot.")
        class Urgency(Enum): ...

    `strawberry.enum_value` would do it in the class, but type checkers then take its definition for
    the value of the member.
    """

    def define(cls: E) -> E:
        if values.keys() != cls.__members__.keys():
            odd = values.keys() ^ cls.__members__.keys()
            raise TypeError(f"{cls.__name__}: describe each value once: {', '.join(sorted(odd))}")
        defined = strawberry.enum(cls, description=description)
        definition: StrawberryEnumDefinition = defined.__strawberry_definition__  # type: ignore[attr-defined]
        for value in definition.values:
            value.description = values[value.name]
        return defined

    return define
