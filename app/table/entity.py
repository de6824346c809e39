"""Keys as data: one Entity per record, from whose templates every key and every query is built."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from string import Formatter
from typing import Any, Generic, TypeVar

from strawberry.utils.str_converters import to_camel_case

from app.core.errors import BadInput
from app.core.record import Record

R = TypeVar("R", bound=Record)
R_co = TypeVar("R_co", bound=Record, covariant=True)

# DynamoDB's limits, in bytes.
LONGEST_PARTITION_KEY, LONGEST_SORT_KEY = 2048, 1024
LAST_CHARACTER = "\U0010ffff"
INDEXES = ("GSI1", "GSI2", "GSI3", "GSI4", "GSI5", "GSI6")

Fields = frozenset[str]
WHOLE: Fields = frozenset()

ENTITIES: dict[str, "Entity[Any]"] = {}
# Where else than in USER#<user> lies what a user has: export and erasure begin there too.
ROOTS: list["Template"] = []


class Template:
    """'TASK#{id}': literal text and named parts. A part never contains the separator.

    'STATUS#{status}[#{shard}]': what stands in the brackets is left out if its part is missing.
    """

    def __init__(self, text: str, longest: int = LONGEST_PARTITION_KEY) -> None:
        self.text = text
        self.longest = longest
        plain, _, optional = text.removesuffix("]").partition("[")
        self.steps = _steps(plain)
        self.ending = _steps(optional)
        self.parts = [name for _, name in (*self.steps, *self.ending) if name]
        self.optional = frozenset(name for _, name in self.ending if name)

    def render(self, value_of: Callable[[str], object]) -> str | None:
        """None when a part is missing: that is what makes an index sparse."""
        built = _filled(self.steps, value_of)
        if built is None:
            return None
        return self._fitting(built + (_filled(self.ending, value_of) or ""))

    def whole(self, value_of: Callable[[str], object]) -> str:
        """The key of something that must have one."""
        built = self.render(value_of)
        if built is None:
            raise BadPart
        return built

    def prefix(self, parts: Mapping[str, object]) -> str:
        """As far as the given parts reach: always up to a separator, never inside a part."""
        built = ""
        for literal, name in self.steps:
            built += literal
            if name:
                if parts.get(name) is None:
                    break
                built += part(parts[name])
        return self._fitting(built)

    def _fitting(self, built: str) -> str:
        if len(built.encode()) > self.longest:
            raise BadPart
        return built


def _steps(text: str) -> list[tuple[str, str | None]]:
    return [(literal, name) for literal, name, _, _ in Formatter().parse(text)]


def _filled(steps: list[tuple[str, str | None]], value_of: Callable[[str], object]) -> str | None:
    built = ""
    for literal, name in steps:
        built += literal
        if name:
            value = value_of(name)
            if value is None:
                return None
            built += part(value)
    return built


class BadPart(BadInput):
    def __init__(self) -> None:
        super().__init__(
            "An id or name here is empty, too long or has a sign that is not allowed (#)."
        )


def part(value: object) -> str:
    text = str(value.value) if isinstance(value, Enum) else str(value)
    if not text or "#" in text or not text.isprintable():
        raise BadPart
    return text


@dataclass(frozen=True, slots=True)
class Key(Generic[R_co]):
    """`left_out`: fields that are not read, if the reader can do without them."""

    entity: "Entity[R_co]"
    pk: str
    sk: str
    left_out: Fields = WHOLE

    def without(self, fields: Fields) -> "Key[R_co]":
        return replace(self, left_out=fields)


@dataclass(frozen=True, slots=True)
class Query(Generic[R_co]):
    """A run of sort keys in one partition, of the table or of an index."""

    entity: "Entity[R_co] | None"
    pk: str
    index: str | None = None
    begins: str = ""
    between: tuple[str, str] | None = None
    newest_first: bool = False
    left_out: Fields = WHOLE

    def without(self, fields: Fields) -> "Query[R_co]":
        return replace(self, left_out=fields)

    def keys_only(self) -> "Query[R_co]":
        """For rows that only lead to records, which are read again from the table. Where a part of
        the key is worked out, whole rows."""
        if self.entity is None:
            return self
        pairs = (self.entity.templates[name] for name in {"", self.index or ""})
        parts = {part for pair in pairs for template in pair for part in template.parts}
        fields = frozenset(each.name for each in dataclasses.fields(self.entity.cls))
        return self.without(fields - parts) if parts <= fields else self


@dataclass(frozen=True, eq=False)
class Entity(Generic[R]):
    """`owns`: the partition of things that exist only as long as this record does. `heavy`: long
    texts, which are not read for who does not ask for them."""

    cls: type[R]
    pk: str
    sk: str
    gsi1: tuple[str, str] | None = None
    gsi2: tuple[str, str] | None = None
    gsi3: tuple[str, str] | None = None
    gsi4: tuple[str, str] | None = None
    gsi5: tuple[str, str] | None = None
    gsi6: tuple[str, str] | None = None
    owns: str | None = None
    secret: bool = False
    heavy: Fields = WHOLE
    templates: dict[str, tuple[Template, Template]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pairs = {"": (self.pk, self.sk)} | {
            name: pair for name in INDEXES if (pair := getattr(self, name.lower()))
        }
        compiled = {
            name: (Template(pk), Template(sk, LONGEST_SORT_KEY)) for name, (pk, sk) in pairs.items()
        }
        object.__setattr__(self, "templates", compiled)
        fields = {each.name for each in dataclasses.fields(self.cls)}
        if not self.heavy <= fields:
            raise TypeError(f"{self.name} has no {sorted(self.heavy - fields)}.")
        if self.name in ENTITIES:
            raise TypeError(f"There is an entity {self.name} already.")
        ENTITIES[self.name] = self

    @property
    def name(self) -> str:
        return self.cls.__name__

    def key(self, **parts: object) -> Key[R]:
        pk, sk = self.templates[""]
        value_of = {**dict.fromkeys(pk.optional), **parts}.__getitem__
        return Key(self, pk.whole(value_of), sk.whole(value_of))

    def key_of(self, record: R) -> Key[R]:
        return self.key(**{name: getattr(record, name) for name in self._parts})

    @property
    def _parts(self) -> list[str]:
        pk, sk = self.templates[""]
        return pk.parts + sk.parts

    def index_keys_of(self, record: R) -> dict[str, str]:
        keys: dict[str, str] = {}
        for name in self.templates:
            if name:
                keys |= self.index_key_of(record, name)
        return keys

    def index_key_of(self, record: R, index: str) -> dict[str, str]:
        """Nothing, if the record does not stand in the index."""
        pk, sk = self.templates[index]
        partition = pk.render(lambda part: getattr(record, part))
        order = sk.render(lambda part: getattr(record, part))
        if partition is None or order is None:
            return {}
        return {f"{index}PK": partition, f"{index}SK": order}

    def within(self, index: str = "", *, newest_first: bool = False, **parts: object) -> Query[R]:
        """Everything of this kind that shares the given parts of its key; None is not given."""
        pk, sk = self.templates[index]
        if unknown := parts.keys() - {*pk.parts, *sk.parts}:
            raise TypeError(f"The key of {self.name} has no {sorted(unknown)}.")
        # With all parts given it is one key: as a prefix it would also find those that go on.
        whole = all(parts.get(name) is not None for name in {*sk.parts} - sk.optional)
        text = sk.whole(parts.get) if whole else sk.prefix(parts)
        return Query(
            self,
            pk.whole({**dict.fromkeys(pk.optional), **parts}.__getitem__),
            index or None,
            begins="" if whole else text,
            between=(text, text) if whole else None,
            newest_first=newest_first,
        )

    def span(
        self,
        index: str = "",
        *,
        since: str | None = None,
        until: str | None = None,
        newest_first: bool = False,
        **parts: object,
    ) -> Query[R]:
        """From one time or day to another, both whole: until 2026-01-31 includes that day.
        Open at the end, it still stops before words such as LATEST."""
        run = self.within(index, newest_first=newest_first, **parts)
        low = run.begins + (part(since) if since else "") or "0"
        high = run.begins + (part(until) if until else "9") + LAST_CHARACTER
        # From later to earlier lies nothing: no key ends with the last character.
        return replace(run, begins="", between=(min(low, high), high))

    @property
    def indexed_attributes(self) -> frozenset[str]:
        names = {
            name
            for index, pair in self.templates.items()
            if index
            for template in pair
            for name in template.parts
        }
        return frozenset(to_camel_case(name) for name in names)

    def owned_partition(self, record: R) -> str | None:
        return Template(self.owns).render(lambda name: getattr(record, name)) if self.owns else None


def position_of(record: Record, index: str | None) -> dict[str, str]:
    """Where a reader of this index, or of the table, stands after this record."""
    entity = entity_of(record)
    key = entity.key_of(record)
    place = entity.index_key_of(record, index) if index else {}
    return {"PK": key.pk, "SK": key.sk} | place


def entity_of(record: R) -> Entity[R]:
    return ENTITIES[type(record).__name__]


def root(template: str) -> None:
    """Declares a partition of a user, by a template with {user_id}."""
    ROOTS.append(Template(template))
