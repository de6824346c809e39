"""`condition` of the mutations that create, change and delete a model, as AppSync has it."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import strawberry
from strawberry.types import get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.utils.str_converters import to_snake_case

from app.core.errors import BadInput, ConditionFailed, StaleVersion
from app.graph.context import Info
from app.nodes import KINDS
from app.web.amplify.models import MODELS, Model
from app.web.filters import check_filter, choose_matching, condition, matches_filter

UNSET: Any = strawberry.UNSET
# How often a record may be changed by others between the check and the write.
MOST_ATTEMPTS = 5
DESCRIPTION = (
    "Carried out only if the record matches: CONDITION_FAILED if not. A record to be created has "
    "no values. Not together with `idempotencyKey`."
)

Mutate = Callable[[Any, Info, Any], Awaitable[Any]]


class _NoValues(dict[str, Any]):
    """What a condition sees of a record that does not exist yet."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None


def conditional_mutations(*mutations: type) -> Callable[[type], type]:
    """Gives those mutations of the models a `condition`, as fields of the class."""
    fields = {
        field.python_name: field
        for cls in mutations
        for field in get_object_definition(cls, strict=True).fields
    }

    def add(cls: type) -> type:
        for model in MODELS:
            for word in ("create", "update", "delete"):
                name = f"{word}_{to_snake_case(model.name)}"
                if name in fields:
                    setattr(cls, name, _with_condition(fields[name], model))
        return cls

    return add


def _with_condition(field: StrawberryField, model: Model) -> Any:
    assert field.base_resolver is not None
    mutate: Mutate = field.base_resolver.wrapped_func  # type: ignore[assignment]

    async def resolve(self: object, info: Info, input: Any, condition: Any = UNSET) -> Any:
        if condition is None or condition is UNSET:
            return await mutate(self, info, input)
        check_filter(condition, field="condition")
        if getattr(input, "idempotency_key", UNSET) not in (None, UNSET):
            raise BadInput("Send condition or idempotencyKey, not both.", field="condition")
        if not hasattr(input, "expected_version"):
            if not matches_filter(None, condition, combine=all, values=_NoValues()):
                raise ConditionFailed
            return await mutate(self, info, input)
        return await _mutate_unchanged(self, info, model, mutate, input, condition)

    argument = strawberry.argument(description=DESCRIPTION)
    resolve.__annotations__ |= {
        "input": mutate.__annotations__["input"],
        "condition": Annotated[condition(model.record) | None, argument],
        "return": mutate.__annotations__["return"],
    }
    return strawberry.field(
        resolver=resolve,
        extensions=field.extensions,
        metadata=field.metadata,
        description=field.description,
        directives=field.directives,
    )


async def _mutate_unchanged(
    source: object, info: Info, model: Model, mutate: Mutate, input: Any, condition: Any
) -> Any:
    """Checks the record, and changes it only if it is still the same; else checks it again."""
    chosen_by_client = input.expected_version not in (None, UNSET)
    for attempt in range(MOST_ATTEMPTS):
        record = await KINDS[model.name].find(info.context, input.id)
        if record is not None:
            await _check(info, record, condition)
            if not chosen_by_client:
                input.expected_version = record.version
        try:
            return await mutate(source, info, input)
        except StaleVersion:
            if chosen_by_client or attempt == MOST_ATTEMPTS - 1:
                raise
    raise AssertionError


async def _check(info: Info, record: Any, condition: Any) -> None:
    (matches,) = await choose_matching(info, [record], condition, combine=all)
    if not matches:
        raise ConditionFailed
