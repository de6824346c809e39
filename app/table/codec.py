"""Records to DynamoDB's wire format and back, by one generated decoder per class.

Generated: boto3's TypeDeserializer and a constructor take four times as long (decisions/014).
Decoders are tolerant: an attribute that is absent has the field's default.
"""

import dataclasses
import types
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Annotated, Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from strawberry.utils.str_converters import to_camel_case

from app.core.record import DEFAULT_IF_ABSENT, STORED_AS, Record

R = TypeVar("R")
Wire = dict[str, Any]


class NotReadError(Exception):
    """A programming error: a record that was read without some fields is about to be written."""


class NotRead(Enum):
    """The value of a field that was not read: it is neither null nor empty."""

    NOT_READ = "not read"


class CorruptItem(Exception):
    """A stored item lacks a required attribute, or the attribute has another type."""


def encode(value: object) -> Wire:
    """One value in wire format."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case Enum():
            return {"S": _stored_value(value)}
        case str():
            return {"S": value}
        case int() | Decimal():
            return {"N": str(value)}
        case list() | tuple():
            return {"L": [encode(each) for each in value]}
        case dict():
            return {"M": {key: encode(each) for key, each in value.items()}}
        case _:
            return {"M": encode_fields(value)}


def _stored_value(value: Enum) -> str:
    if isinstance(value, NotRead):
        raise NotReadError("A record that was read without some fields cannot be written.")
    return str(value.value)


def encode_fields(record: object) -> Wire:
    """The attributes of a record; a field that is None is not stored."""
    return {
        attribute: encode(value)
        for name, attribute in attributes_of(type(record))
        if (value := getattr(record, name)) is not None
    }


_ATTRIBUTES: dict[type, list[tuple[str, str]]] = {}


def attributes_of(cls: Any) -> list[tuple[str, str]]:
    """For each field: its Python name and its stored name."""
    if cls not in _ATTRIBUTES:
        fields = [field for field in dataclasses.fields(cls) if field.init]
        _ATTRIBUTES[cls] = [(field.name, attribute_of(field)) for field in fields]
    return _ATTRIBUTES[cls]


def attribute_of(field: "dataclasses.Field[Any]") -> str:
    return str(field.metadata.get(STORED_AS) or to_camel_case(field.name))


@cache
def values_if_absent(cls: Any) -> dict[str, object]:
    """By stored name: how a reader reads an attribute that the item lacks. Without those that are
    read as None."""
    values = {
        attribute_of(field): _value_if_absent(field)
        for field in dataclasses.fields(cls)
        if field.init
    }
    return {attribute: value for attribute, value in values.items() if value is not None}


def _value_if_absent(field: "dataclasses.Field[Any]") -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    if field.default is not dataclasses.MISSING:
        return field.metadata.get(DEFAULT_IF_ABSENT, field.default)
    return None


def decode(value: Wire) -> Any:
    """One value of unknown type, as JSON types."""
    kind, content = next(iter(value.items()))
    match kind:
        case "N":
            return int(content) if content.lstrip("-").isdigit() else Decimal(content)
        case "L":
            return [decode(each) for each in content]
        case "M":
            return {key: decode(each) for key, each in content.items()}
        case "NULL":
            return None
        case _:
            return content


Decoder = Callable[[Mapping[str, Wire]], R]
_DECODERS: dict[tuple[type, frozenset[str]], Decoder[Any]] = {}


def decoder_of(cls: type[R], left_out: frozenset[str] = frozenset()) -> Decoder[R]:
    """`left_out`: fields that are not read."""
    key = (cls, left_out)
    if key not in _DECODERS:
        _DECODERS[key] = _compile(cls, left_out)
    return _DECODERS[key]


def _compile(cls: type[R], left_out: frozenset[str]) -> Decoder[R]:
    hints = get_type_hints(cls, include_extras=False)
    scope: dict[str, Any] = {
        "cls": cls,
        "new": object.__new__,
        "left_out": left_out,
        "NOT_READ": NotRead.NOT_READ,
        "decode_without_nulls": _decode_without_nulls,
    }
    lines = ["def read(item):", " get = item.get", " record = new(cls)", " d = record.__dict__"]
    lines.append(" try:\n  pass")
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.name in left_out:
            lines.append(f"  d[{field.name!r}] = NOT_READ")
        elif field.init:
            lines += _field_lines(field, hints[field.name], scope)
    lines.append(" except KeyError:\n  return decode_without_nulls(cls, left_out, item, d)")
    lines.append(" return record")
    exec("\n".join(lines), scope)
    read: Decoder[R] = scope["read"]
    return read


def _decode_without_nulls(
    cls: type[R], left_out: frozenset[str], item: Mapping[str, Wire], read: Mapping[str, object]
) -> R:
    """Other writers may store NULL: it is read as an absent attribute."""
    kept = {name: value for name, value in item.items() if "NULL" not in value}
    if len(kept) < len(item):
        return decoder_of(cls, left_out)(kept)
    wrong = next(attribute for name, attribute in attributes_of(cls) if name not in read)
    raise CorruptItem(f"{cls.__name__}: {wrong} is missing or has another type")


def _field_lines(field: "dataclasses.Field[Any]", hint: object, scope: dict[str, Any]) -> list[str]:
    attribute = attribute_of(field)
    expression = _expression(_without_none(hint), "v", scope)
    missing = _default(field, hint, scope)
    if not missing:
        return [f"  v = item[{attribute!r}]", f"  d[{field.name!r}] = {expression}"]
    return [
        f"  v = get({attribute!r})",
        f"  d[{field.name!r}] = {missing} if v is None else {expression}",
    ]


def _default(field: "dataclasses.Field[Any]", hint: object, scope: dict[str, Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        scope[f"make_{field.name}"] = field.default_factory
        return f"make_{field.name}()"
    if field.default is not dataclasses.MISSING:
        scope[f"default_{field.name}"] = field.metadata.get(DEFAULT_IF_ABSENT, field.default)
        return f"default_{field.name}"
    return "None" if _is_optional(hint) else ""


def _is_optional(hint: object) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _without_none(hint: object) -> Any:
    if _is_optional(hint):
        return next(each for each in get_args(hint) if each is not type(None))
    return hint


def _expression(hint: Any, value: str, scope: dict[str, Any]) -> str:
    """The Python expression that decodes `value`, in wire format, as `hint`."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    if get_origin(hint) is list:
        return f"[{_item_expression(get_args(hint)[0], scope)} for e in {value}['L']]"
    if get_origin(hint) is tuple:
        return f"tuple([{_item_expression(get_args(hint)[0], scope)} for e in {value}['L']])"
    if get_origin(hint) is dict:
        item = _item_expression(get_args(hint)[1], scope)
        return f"{{k: {item} for k, e in {value}['M'].items()}}"
    if hint in _PLAIN:
        return _PLAIN[hint].format(value)
    return _named_expression(hint, value, scope)


def _item_expression(hint: object, scope: dict[str, Any]) -> str:
    item = _expression(_without_none(hint), "e", scope)
    return f"(None if 'NULL' in e else {item})" if _is_optional(hint) else item


_PLAIN = {str: "{}['S']", bool: "{}['BOOL']", int: "int({}['N'])"}


def _named_expression(hint: Any, value: str, scope: dict[str, Any]) -> str:
    name = f"t{len(scope)}"
    if hint is Decimal:
        scope[name] = Decimal
        return f"{name}({value}['N'])"
    if isinstance(hint, type) and issubclass(hint, Enum):
        scope[name] = hint._value2member_map_
        return f"{name}[{value}['S']]"
    if isinstance(hint, type) and (issubclass(hint, Record) or dataclasses.is_dataclass(hint)):
        scope[name] = decoder_of(hint)
        return f"{name}({value}['M'])"
    scope[name] = decode
    return f"{name}({value})"
