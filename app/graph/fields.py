"""Root fields with a guard and checked inputs; fields that a domain's schema adds to a record."""

from collections.abc import Callable
from typing import Any, TypeVar

import strawberry
from strawberry.extensions import FieldExtension
from strawberry.extensions.field_extension import AsyncExtensionResolver
from strawberry.types import get_object_definition
from strawberry.types.base import StrawberryObjectDefinition, StrawberryOptional
from strawberry.types.field import StrawberryField

from app.core.errors import BadInput
from app.core.inputs import Input
from app.graph.context import Info
from app.graph.descriptions import (
    describe_arguments,
    describe_input_fields,
    describe_root_field,
)
from app.graph.directives import ADMINS, MODERATORS, PUBLIC, mark_public_types
from app.graph.guards import Guard, admins, anyone, moderators, readers, signed_in

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

MAX_LIST_LENGTH = 100
GUARD = "guard"
DIRECTIVES = {anyone: PUBLIC, readers: PUBLIC, moderators: MODERATORS, admins: ADMINS}


class GuardExtension(FieldExtension):
    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def apply(self, field: StrawberryField) -> None:
        """Strawberry's hook. A query or mutation that fails is null, so that its siblings still
        answer: an error in one must not hide a record that another has just created."""
        if not (field.is_subscription or isinstance(field.type, StrawberryOptional)):
            field.type = StrawberryOptional(field.type)
        describe_root_field(field)

    async def resolve_async(
        self, next_: AsyncExtensionResolver, source: Any, info: Info, **arguments: Any
    ) -> Any:
        await self.guard(info.context)
        for name, value in arguments.items():
            if isinstance(value, Input):
                arguments[name] = value.validate()
            elif isinstance(value, list) and len(value) > MAX_LIST_LENGTH:
                raise BadInput(f"At most {MAX_LIST_LENGTH} at once.", field=name)
        return await next_(source, info, **arguments)


_ADDED_FIELDS: dict[type, list[StrawberryField]] = {}


def fields_of(record: type) -> Callable[[type[T]], type[T]]:
    """Adds fields to a record that need a service: relations and values computed on demand.
    They are methods of a class that extends the record, so that `self` is the record:

        @fields_of(Goal)
        class GoalFields(Goal):
            @computed(description="Its milestones by percentage.")
            async def milestones(self, info: Info) -> list[Milestone]: ...
    """

    def add(cls: type[T]) -> type[T]:
        stored = {field.python_name for field in get_object_definition(record, strict=True).fields}
        fields = get_object_definition(strawberry.type(cls), strict=True).fields
        own = [field for field in fields if field.python_name not in stored]
        _ADDED_FIELDS.setdefault(record, []).extend(own)
        return cls

    return add


def fields_with_added(record: type) -> list[StrawberryField]:
    """The fields that a record stores, then those that `fields_of` adds."""
    return [*get_object_definition(record, strict=True).fields, *_added_fields(record)]


def _added_fields(cls: type) -> list[StrawberryField]:
    return [each for base in reversed(cls.__mro__) for each in _ADDED_FIELDS.get(base, ())]


class GraphSchema(strawberry.Schema):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        mark_public_types(self._schema)

    def get_fields(self, type_definition: StrawberryObjectDefinition) -> list[StrawberryField]:
        """Strawberry's hook, also for generic types, whose fields only the definition knows."""
        if type_definition.is_input:
            return describe_input_fields(type_definition)
        fields = (*type_definition.fields, *_added_fields(type_definition.origin))
        return [describe_arguments(field) for field in fields]


def query(guard: Guard = signed_in, *, description: str | None = None) -> Callable[[F], F]:
    field: Callable[[F], F] = strawberry.field(
        extensions=[GuardExtension(guard)],
        metadata={GUARD: guard.name},
        description=description,
        directives=DIRECTIVES.get(guard, ()),
    )
    return field


mutation = query
