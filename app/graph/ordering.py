"""The direction of a list whose order a client chooses."""

from enum import Enum
from typing import Annotated

import strawberry


@strawberry.enum(description="The direction of an order. Records without the value come last.")
class OrderDirection(Enum):
    ASC = strawberry.enum_value(
        "ASC", description="The earliest, most important or lowest value first; titles from A."
    )
    DESC = strawberry.enum_value("DESC", description="The other way round.")


DirectionArgument = Annotated[
    OrderDirection, strawberry.argument(description="The direction of orderBy. ASC if left out.")
]
