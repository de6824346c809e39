"""Root fields: each says who may use it, and its input is checked before the resolver runs."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import strawberry
from strawberry.extensions import FieldExtension
from strawberry.extensions.field_extension import AsyncExtensionResolver
from strawberry.types import get_object_definition

from app.core.caller import Access
from app.core.errors import BadInput, Forbidden, Unauthenticated
from app.core.inputs import Input
from app.graph.context import Context, Info
from app.graph.directives import PUBLIC

Guard = Callable[[Context], Awaitable[None]]
F = TypeVar("F", bound=Callable[..., Any])

LONGEST_LIST = 100
SIGN_IN = "Sign in first: send the access token as the Authorization header."


async def anyone(context: Context) -> None:
    """No credentials needed."""


async def readers(context: Context) -> None:
    """An API key or a signed-in user."""
    if context.caller.access is Access.ANONYMOUS:
        raise Unauthenticated(SIGN_IN)


async def newcomers(context: Context) -> None:
    """A signed-in user, who may have no profile yet."""
    if context.caller.access is Access.API_KEY:
        raise Forbidden("An API key may only read what is public. Sign in.")
    if context.caller.id is None:
        raise Unauthenticated(SIGN_IN)


async def signed_in(context: Context) -> None:
    await newcomers(context)
    await context.ensure_profile()


async def moderators(context: Context) -> None:
    await signed_in(context)
    context.caller.must_be_moderator()


async def admins(context: Context) -> None:
    await signed_in(context)
    context.caller.must_be_admin()


class Gate(FieldExtension):
    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    async def resolve_async(
        self, next_: AsyncExtensionResolver, source: Any, info: Info, **arguments: Any
    ) -> Any:
        await self.guard(info.context)
        for name, value in arguments.items():
            if isinstance(value, Input):
                arguments[name] = value.checked()
            elif isinstance(value, list) and len(value) > LONGEST_LIST:
                raise BadInput(f"At most {LONGEST_LIST} at once.", field=name)
        return await next_(source, info, **arguments)


def extends(target: type) -> Callable[[type], type]:
    """Adds a domain's fields to a type of a domain below, which need not know of it."""

    def add(cls: type) -> type:
        definition = get_object_definition(target, strict=True)
        definition.fields += get_object_definition(cls, strict=True).fields
        return cls

    return add


def query(guard: Guard = signed_in, *, description: str | None = None) -> Callable[[F], F]:
    field: Callable[[F], F] = strawberry.field(
        extensions=[Gate(guard)],
        metadata={"guard": guard.__name__},
        description=description,
        directives=PUBLIC if guard in (anyone, readers) else (),
    )
    return field


mutation = query
