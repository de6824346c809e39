"""Keys as data: every key and every query is built from the templates of an Entity."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from string import Formatter
from typing import Any, Generic, TypeVar

from app.core.errors import BadInput
from app.core.record import Record
from app.core.text import fold_case
from app.table.codec import attribute_of

R = TypeVar("R", bound=Record)
R_co = TypeVar("R_co", bound=Record, covariant=True)

# DynamoDB's limits, in bytes.
LONGEST_PARTITION_KEY, LONGEST_SORT_KEY = 2048, 1024
LAST_CHARACTER = "\U0010ffff"
INDEXES = ("GSI1", "GSI2", "GSI3", "GSI4", "GSI5", "GSI6")

FieldNames = frozenset[str]
LiteralAndName = tuple[str, str | None]
NO_FIELDS: FieldNames = frozenset()

# By stored name and by class.
ENTITIES: dict[str, "Entity[Any]"] = {}
_BY_CLASS: dict[type, "Entity[Any]"] = {}
# Further partitions of a user beside USER#<user>: export and erasure read them too.
USER_PARTITIONS: list["Template"] = []


class Template:
    """'TASK#{id}': literal text and named parts. A part never contains the separator.

    'STATUS#{status}[#{shard}]': the text in brackets is left out if its part is missing.
    'AREA#{area:folded}': the letter case of the part does not count.
    """

    def __init__(self, text: str, longest: int = LONGEST_PARTITION_KEY) -> None:
        self.text = text
        self.longest = longest
        required, _, optional = text.removesuffix("]").partition("[")
        self.required_parts = _parse(required)
        self.optional_parts = _parse(optional)
        self.parts = [name for _, name in (*self.required_parts, *self.optional_parts) if name]
        self.optional = frozenset(name for _, name in self.optional_parts if name)
        self.folded = frozenset(re.findall(r"{(\w+):folded}", text))

    def render(self, value_of: Callable[[str], object]) -> str | None:
        """None if a part is missing: then the record has no entry in the index (sparse index)."""
        built = self._fill(self.required_parts, value_of)
        if built is None:
            return None
        return self._check_length(built + (self._fill(self.optional_parts, value_of) or ""))

    def render_required(self, value_of: Callable[[str], object]) -> str:
        """The key; a missing part is an error."""
        built = self.render(value_of)
        if built is None:
            raise InvalidKeyPart
        return built

    def prefix(self, parts: Mapping[str, object]) -> str:
        """The key up to the first part that is not given. It always ends at a separator."""
        built = ""
        for literal, name in self.required_parts:
            built += literal
            if name:
                if parts.get(name) is None:
                    break
                built += self._part(name, parts[name])
        return self._check_length(built)

    def _fill(self, parts: list[LiteralAndName], value_of: Callable[[str], object]) -> str | None:
        built = ""
        for literal, name in parts:
            built += literal
            if name:
                value = value_of(name)
                if value is None:
                    return None
                built += self._part(name, value)
        return built

    def _part(self, name: str, value: object) -> str:
        part = key_part(value)
        return key_part(fold_case(part)) if name in self.folded else part

    def _check_length(self, built: str) -> str:
        if len(built.encode()) > self.longest:
            raise InvalidKeyPart
        return built


def _parse(text: str) -> list[LiteralAndName]:
    return [(literal, name) for literal, name, _, _ in Formatter().parse(text)]


class InvalidKeyPart(BadInput):
    def __init__(self) -> None:
        super().__init__(
            "An id or name is empty, is too long or contains a character that is not allowed (#)."
        )


def key_part(value: object) -> str:
    text = str(value.value) if isinstance(value, Enum) else str(value)
    if not text or "#" in text or not text.isprintable():
        raise InvalidKeyPart
    return text


@dataclass(frozen=True, slots=True)
class Key(Generic[R_co]):
    """`left_out`: fields that are not read."""

    entity: "Entity[R_co]"
    pk: str
    sk: str
    left_out: FieldNames = NO_FIELDS

    def without(self, fields: FieldNames) -> "Key[R_co]":
        return replace(self, left_out=fields)


@dataclass(frozen=True, slots=True)
class RangeQuery(Generic[R_co]):
    """A range of sort keys in one partition of the table or of an index."""

    entity: "Entity[R_co] | None"
    pk: str
    index: str | None = None
    begins: str = ""
    between: tuple[str, str] | None = None
    newest_first: bool = False
    left_out: FieldNames = NO_FIELDS

    def without(self, fields: FieldNames) -> "RangeQuery[R_co]":
        return replace(self, left_out=fields)

    def keys_only(self) -> "RangeQuery[R_co]":
        """Reads only the key parts, for rows whose records are then loaded from the table. If a key
        part is computed, reads whole rows."""
        if self.entity is None:
            return self
        pairs = (self.entity.templates[name] for name in {"", self.index or ""})
        parts = {name for pair in pairs for template in pair for name in template.parts}
        fields = frozenset(each.name for each in dataclasses.fields(self.entity.cls))
        return self.without(fields - parts) if parts <= fields else self


@dataclass(frozen=True, eq=False)
class Entity(Generic[R]):
    """`name`: stored as entityType. It never changes, also if the class is renamed.
    `owns`: the partition whose records exist only as long as this record.
    `heavy`: long texts, which a list reads only if the client selects them."""

    name: str
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
    heavy: FieldNames = NO_FIELDS
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
            raise TypeError(f"{self.name} has no fields {sorted(self.heavy - fields)}.")
        if self.name in ENTITIES:
            raise TypeError(f"Entity name {self.name} is in use already.")
        ENTITIES[self.name] = _BY_CLASS[self.cls] = self

    def key(self, **parts: object) -> Key[R]:
        pk, sk = self.templates[""]
        value_of = {**dict.fromkeys(pk.optional), **parts}.__getitem__
        return Key(self, pk.render_required(value_of), sk.render_required(value_of))

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
        """Empty if the record has no entry in the index."""
        pk, sk = self.templates[index]
        partition = pk.render(lambda name: getattr(record, name))
        sort = sk.render(lambda name: getattr(record, name))
        if partition is None or sort is None:
            return {}
        return {f"{index}PK": partition, f"{index}SK": sort}

    def within(
        self, index: str = "", *, newest_first: bool = False, **parts: object
    ) -> RangeQuery[R]:
        """The records of this kind whose keys have the given parts; None means not given."""
        pk, sk = self.templates[index]
        if unknown := parts.keys() - {*pk.parts, *sk.parts}:
            raise TypeError(f"The key of {self.name} has no {sorted(unknown)}.")
        # All parts make one exact key; as a prefix it would also match longer keys.
        exact = all(parts.get(name) is not None for name in {*sk.parts} - sk.optional)
        text = sk.render_required(parts.get) if exact else sk.prefix(parts)
        return RangeQuery(
            self,
            pk.render_required({**dict.fromkeys(pk.optional), **parts}.__getitem__),
            index or None,
            begins="" if exact else text,
            between=(text, text) if exact else None,
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
    ) -> RangeQuery[R]:
        """The records between two times or days, both inclusive: until 2026-01-31 includes all of
        that day. Without `until`, the range ends before sort keys that begin with a letter, such
        as LATEST."""
        query = self.within(index, newest_first=newest_first, **parts)
        low = query.begins + (key_part(since) if since else "") or "0"
        high = query.begins + (key_part(until) if until else "9") + LAST_CHARACTER
        # If since is after until, the range is empty: no key ends with LAST_CHARACTER.
        return replace(query, begins="", between=(min(low, high), high))

    @property
    def indexed_attributes(self) -> frozenset[str]:
        names = {
            name
            for index, pair in self.templates.items()
            if index
            for template in pair
            for name in template.parts
        }
        stored = {each.name: attribute_of(each) for each in dataclasses.fields(self.cls)}
        return frozenset(stored.get(name, name) for name in names)

    def owned_partition(self, record: R) -> str | None:
        return Template(self.owns).render(lambda name: getattr(record, name)) if self.owns else None


def position_after(record: Record, index: str | None) -> dict[str, str]:
    """The position of a reader of this index, or of the table, after this record."""
    entity = entity_of(record)
    key = entity.key_of(record)
    index_key = entity.index_key_of(record, index) if index else {}
    return {"PK": key.pk, "SK": key.sk} | index_key


def position_within(query: RangeQuery[Any], record: Record) -> dict[str, str]:
    """As position_after, in the partition that was queried: another release may have stored the
    record there by another key."""
    partition = {f"{query.index}PK": query.pk} if query.index else {}
    return position_after(record, query.index) | partition


def entity_of(record: R) -> Entity[R]:
    return _BY_CLASS[type(record)]


def entity_for(cls: type[R]) -> Entity[R]:
    return _BY_CLASS[cls]


def declare_user_partition(template: str) -> None:
    """Declares a further partition of each user, by a template with {user_id}."""
    USER_PARTITIONS.append(Template(template))
