"""Fields that an authorizer denies to one caller: null with an error, as in AppSync."""

from collections.abc import Container
from typing import Any

from graphql import MiddlewareManager

from app.core.errors import Forbidden


def deny_fields(denied: Container[str]) -> MiddlewareManager:
    """Middleware that is called for every field. `denied` holds names such as `Task.notes`."""

    def check(resolve: Any, source: Any, info: Any, **arguments: Any) -> Any:
        if f"{info.parent_type.name}.{info.field_name}" in denied:
            raise Forbidden(
                f"Not Authorized to access {info.field_name} on type {info.parent_type.name}"
            )
        return resolve(source, info, **arguments)

    return MiddlewareManager(check)
