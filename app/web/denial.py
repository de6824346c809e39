"""Fields that an authorizer denies to one caller: null, with an error, as AppSync does it."""

from typing import Any

from graphql import MiddlewareManager
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from app.core.caller import Caller
from app.core.errors import Forbidden
from app.web.compiled import CompiledExecutionContext, Plans


def way_of(caller: Caller, plans: Plans) -> dict[str, Any]:
    """How this caller's operations are executed: compiled, unless each field must be looked at."""
    if not caller.denied:
        return {"executor_class": CompiledExecutionContext, "plans": plans}

    def look(resolve: Any, source: Any, info: Any, **arguments: Any) -> Any:
        if f"{info.parent_type.name}.{info.field_name}" in caller.denied:
            raise Forbidden(
                f"Not Authorized to access {info.field_name} on type {info.parent_type.name}"
            )
        return resolve(source, info, **arguments)

    return {
        "executor_class": StrawberryGraphQLCoreExecutionContext,
        "middleware": MiddlewareManager(look),
    }
