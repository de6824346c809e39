"""Records to DynamoDB's wire form and back, by one generated function per class.

Generated, because boto3's TypeDeserializer and a constructor cost ten times as much.
Readers are tolerant: an attribute that is not there has the field's default.
"""

import dataclasses
import types
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from strawberry.utils.str_converters import to_camel_case

from app.core.record import UNLESS_STORED, Record
from app.table.partial import NotRead, Partial

R = TypeVar("R")
Wire = dict[str, Any]


class CorruptItem(Exception):
    """A stored item lacks what its class cannot do without, or holds something else there."""


def encode(value: object) -> Wire:
    """One value in wire form."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case Enum():
            return {"S": value.value}
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


def encode_fields(record: object) -> Wire:
    """A record's own attributes; what is None is left out."""
    if isinstance(record, Partial):
        raise NotRead(f"Only a part of this {type(record).__name__} was read: it is not written.")
    return {
        attribute: encode(value)
        for name, attribute in attributes_of(type(record))
        if (value := getattr(record, name)) is not None
    }


_ATTRIBUTES: dict[type, list[tuple[str, str]]] = {}


def attributes_of(cls: Any) -> list[tuple[str, str]]:
    """Of each field, its name here and in the table."""
    if cls not in _ATTRIBUTES:
        fields = [field.name for field in dataclasses.fields(cls) if field.init]
        _ATTRIBUTES[cls] = [(name, to_camel_case(name)) for name in fields]
    return _ATTRIBUTES[cls]


def decode(value: Wire) -> Any:
    """One value of unknown shape: what JSON would hold."""
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


_DECODERS: dict[type, Callable[[Mapping[str, Wire]], Any]] = {}


def decoder_of(cls: type[R]) -> Callable[[Mapping[str, Wire]], R]:
    if cls not in _DECODERS:
        _DECODERS[cls] = _compile(cls)
    return _DECODERS[cls]


def _compile(cls: type[R]) -> Callable[[Mapping[str, Wire]], R]:
    hints = get_type_hints(cls, include_extras=False)
    scope: dict[str, Any] = {"cls": cls, "new": object.__new__, "mend": _mend}
    lines = ["def read(item):", " get = item.get", " record = new(cls)", " d = record.__dict__"]
    lines.append(" try:\n  pass")
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.init:
            lines += _field_lines(field, hints[field.name], scope)
    lines += [" except KeyError:", "  return mend(cls, item, d)", " return record"]
    exec("\n".join(lines), scope)
    read: Callable[[Mapping[str, Wire]], R] = scope["read"]
    return read


def _mend(cls: type[R], item: Mapping[str, Wire], read: Mapping[str, object]) -> R:
    """Other writers store NULL where we store nothing: then it is read as if it were not there."""
    kept = {name: value for name, value in item.items() if "NULL" not in value}
    if len(kept) < len(item):
        return decoder_of(cls)(kept)
    wrong = next(attribute for name, attribute in attributes_of(cls) if name not in read)
    raise CorruptItem(f"{cls.__name__}: {wrong} is missing or is not what it should be")


def _field_lines(field: "dataclasses.Field[Any]", hint: object, scope: dict[str, Any]) -> list[str]:
    attribute = to_camel_case(field.name)
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
        scope[f"default_{field.name}"] = field.metadata.get(UNLESS_STORED, field.default)
        return f"default_{field.name}"
    return "None" if _is_optional(hint) else ""


def _is_optional(hint: object) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _without_none(hint: object) -> Any:
    if _is_optional(hint):
        return next(each for each in get_args(hint) if each is not type(None))
    return hint


def _expression(hint: Any, value: str, scope: dict[str, Any]) -> str:
    """The Python text that reads `value`, a wire value, as `hint`."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    if get_origin(hint) is list:
        return f"[{_item_expression(get_args(hint)[0], scope)} for e in {value}['L']]"
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
