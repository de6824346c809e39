"""Records of which only a part was read: what was left out cannot be taken for empty, and such a
record cannot be written."""

from typing import Any, TypeVar

R = TypeVar("R")
_CLASSES: dict[tuple[type, frozenset[str]], type] = {}


class NotRead(Exception):
    """A mistake of ours: the table was not asked for this."""


class Partial:
    """Among the bases of every class whose records lack something."""


class _LeftOut:
    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, record: object, owner: type) -> Any:
        if record is None:
            return self
        raise NotRead(f"{owner.__name__}.{self.name} was left out when the record was read.")

    def __set__(self, record: object, value: object) -> None:
        raise NotRead(f"{type(record).__name__}.{self.name} was left out; it cannot be set.")


def partial(cls: type[R], left_out: frozenset[str]) -> type[R]:
    """The class without these fields. dataclasses.replace works on its records too."""
    if not left_out:
        return cls
    key = (cls, left_out)
    if key not in _CLASSES:
        _CLASSES[key] = _without(cls, left_out)
    return _CLASSES[key]


def _without(cls: Any, left_out: frozenset[str]) -> type:
    fields = cls.__dataclass_fields__
    kept = {name: field for name, field in fields.items() if name not in left_out}

    def init(self: Any, **values: object) -> None:
        self.__dict__.update({name: value for name, value in values.items() if name in kept})

    content = {name: _LeftOut() for name in left_out}
    own = {"__module__": cls.__module__, "__dataclass_fields__": kept, "__init__": init}
    return type(cls.__name__, (Partial, cls), {**content, **own})
