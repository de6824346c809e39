"""A mutation's argument: pydantic checks what the annotations say; absent and null stay apart."""

import dataclasses
import hashlib
from collections.abc import Callable, Iterable
from typing import Any, NotRequired, Self, get_type_hints

import orjson
import strawberry
from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema
from strawberry.utils.str_converters import to_camel_case
from typing_extensions import TypedDict

from app.core.errors import BadInput

NO_CHANGE = frozenset({"id", "expected_version", "idempotency_key"})


class Input:
    def given(self) -> dict[str, Any]:
        """What the client sent, by Python name; an explicit null is there as None."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = {field.name: getattr(self, field.name) for field in fields}
        return {name: value for name, value in values.items() if value is not strawberry.UNSET}

    def changes(self, never_null: Iterable[str]) -> dict[str, Any]:
        """What the client wants changed; `never_null` names what may be changed but not cleared."""
        wanted = {name: value for name, value in self.given().items() if name not in NO_CHANGE}
        for name in never_null:
            if name in wanted and wanted[name] is None:
                field = to_camel_case(name)
                raise BadInput(f"{field} cannot be null.", field=f"input.{field}")
        return wanted

    @classmethod
    def said(cls, given: Self | None, **alone: object) -> Self:
        """For a mutation that takes its one word as an argument, too."""
        ((name, value),) = alone.items()
        if (value is None) == (given is None):
            raise BadInput(f"Give {name}, either by itself or in input.", field=name)
        return given or cls(**alone).checked()

    def checked(self) -> Self:
        try:
            checked: Self = _adapter(type(self)).validate_python(self)
        except ValidationError as problems:
            raise _bad_input(problems) from None
        return checked

    def fingerprint(self) -> str:
        """The same for the same input, whatever the order of its fields."""
        text = orjson.dumps(self, default=_plain, option=orjson.OPT_SORT_KEYS | _AS_DICT)
        return hashlib.sha256(type(self).__name__.encode() + text).hexdigest()

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        hints = get_type_hints(cls, include_extras=True)
        shape = {field.name: NotRequired[hints[field.name]] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        fields = handler.generate_schema(TypedDict(cls.__name__, shape))  # type: ignore[operator]

        def build(value: Input, check: Callable[[object], dict[str, Any]]) -> Input:
            return cls(**check(value.given()))

        return core_schema.no_info_wrap_validator_function(build, fields)


_AS_DICT = orjson.OPT_PASSTHROUGH_DATACLASS


def _plain(value: object) -> object:
    return value.given() if isinstance(value, Input) else str(value)


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
    return str(problem["msg"]).removeprefix("Value error, ")[:300]
