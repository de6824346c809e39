"""Inputs of mutations: pydantic validates the annotations; absent and null are different."""

import dataclasses
import hashlib
from collections.abc import Callable, Iterable
from typing import Any, NotRequired, Protocol, Self, get_type_hints

import orjson
import strawberry
from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema
from strawberry.utils.str_converters import to_camel_case
from typing_extensions import TypedDict

from app.core.errors import BadInput

# pydantic's error types, in our words.
MESSAGES = {
    "greater_than": "must be more than {gt}.",
    "greater_than_equal": "must be at least {ge}.",
    "less_than": "must be less than {lt}.",
    "less_than_equal": "must be at most {le}.",
    "string_too_short": "must have at least {min_length} characters.",
    "string_too_long": "must have at most {max_length} characters.",
    "too_short": "must have at least {min_length} entries.",
    "too_long": "must have at most {max_length} entries.",
    "string_pattern_mismatch": "must match {pattern}.",
    "finite_number": "must be a finite number.",
}
NO_CHANGE = frozenset({"id", "expected_version", "idempotency_key"})


class Input:
    def sent_fields(self) -> dict[str, Any]:
        """The fields that the client sent, by Python name; an explicit null is None."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = {field.name: getattr(self, field.name) for field in fields}
        return {name: value for name, value in values.items() if value is not strawberry.UNSET}

    def values(self) -> dict[str, Any]:
        """The values of a new record: every field that was sent and is not null, without the
        idempotencyKey."""
        sent = self.sent_fields()
        sent.pop("idempotency_key", None)
        return {name: value for name, value in sent.items() if value is not None}

    def changes(self, never_null: Iterable[str]) -> dict[str, Any]:
        """The changes to a record; a null in one of the `never_null` fields is refused."""
        sent = self.sent_fields()
        changes = {name: value for name, value in sent.items() if name not in NO_CHANGE}
        for name in never_null:
            if name in changes and changes[name] is None:
                field = to_camel_case(name)
                raise BadInput(f"{field} cannot be null.", field=f"input.{field}")
        return changes

    @classmethod
    def from_argument_or_input(cls, request: Self | None, **argument: object) -> Self:
        """The input, or an input with this single argument: a client sends exactly one of them."""
        ((name, value),) = argument.items()
        if (value is None) == (request is None):
            raise BadInput(f"Send {name} exactly once: as an argument or in input.", field=name)
        return request or cls(**argument).validate()

    def validate(self) -> Self:
        """The same input with its values in normal form, or BadInput."""
        try:
            valid: Self = _adapter(type(self)).validate_python(self)
        except ValidationError as problems:
            raise _bad_input(problems) from None
        return valid

    def fingerprint(self) -> str:
        """A hash of the input that does not depend on the order of its fields."""
        text = orjson.dumps(self, default=_to_json, option=orjson.OPT_SORT_KEYS | _AS_DICT)
        return hashlib.sha256(type(self).__name__.encode() + text).hexdigest()

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        hints = get_type_hints(cls, include_extras=True)
        shape = {field.name: NotRequired[hints[field.name]] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        fields = handler.generate_schema(TypedDict(cls.__name__, shape))  # type: ignore[operator]

        def build(value: Input, check: Callable[[object], dict[str, Any]]) -> Input:
            return cls(**check(value.sent_fields()))

        return core_schema.no_info_wrap_validator_function(build, fields)


class IdempotentInput(Protocol):
    """An input with an idempotencyKey."""

    idempotency_key: str | None

    def fingerprint(self) -> str: ...


class VersionedInput(Protocol):
    """An input that may contain the version of the record that its sender has read."""

    expected_version: int | None


_AS_DICT = orjson.OPT_PASSTHROUGH_DATACLASS


def _to_json(value: object) -> object:
    return value.sent_fields() if isinstance(value, Input) else str(value)


_ADAPTERS: dict[type[Input], TypeAdapter[Any]] = {}


def _adapter(cls: type[Input]) -> TypeAdapter[Any]:
    if cls not in _ADAPTERS:
        _ADAPTERS[cls] = TypeAdapter(cls)
    return _ADAPTERS[cls]


def _bad_input(problems: ValidationError) -> BadInput:
    found = [(_path(problem["loc"]), _message(problem)) for problem in problems.errors()]
    field, message = found[0]
    return BadInput(
        f"{field}: {message}",
        field=field,
        fields=[{"field": field, "message": message} for field, message in found[:20]],
    )


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(["input", *(to_camel_case(str(step)) for step in location)])


def _message(problem: Any) -> str:
    template = MESSAGES.get(problem["type"])
    if template is None:
        return str(problem["msg"]).removeprefix("Value error, ")[:300]
    limits = problem.get("ctx", {})
    return "cannot be empty." if limits.get("min_length") == 1 else template.format(**limits)
