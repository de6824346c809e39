"""Writes are values. Each may carry a condition and the error that its failure means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from app.core.errors import AppError, Conflict, NotFound, StaleVersion
from app.core.record import Record
from app.table.codec import Wire, decoder_of, encode_fields
from app.table.conditions import Condition, Names, absent, present, version_is
from app.table.entity import Key, R, entity_of

Otherwise = AppError | Callable[[Any], AppError]


@dataclass(frozen=True, slots=True)
class Put(Generic[R]):
    record: R
    when: Condition | None = None
    otherwise: Otherwise | None = None

    @property
    def key(self) -> Key[R]:
        return entity_of(self.record).key_of(self.record)

    def request(self, table: str) -> Wire:
        return {"Put": _conditional({"TableName": table, "Item": item_of(self.record)}, self.when)}


@dataclass(frozen=True, slots=True)
class Update(Generic[R]):
    """Changes attributes in place, by stored name; `add` loses no concurrent change.

    `first` is for what an item starts with: without it (or a condition) the item must be there.
    """

    key: Key[R]
    put: Mapping[str, object] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, object] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    when: Condition | None = None
    otherwise: Otherwise | None = None

    def __post_init__(self) -> None:
        """An index key is worked out from whole records: changing a part of it needs a Put."""
        moved = {*self.put, *self.add, *self.remove} & self.key.entity.indexed_attributes
        if moved:
            raise TypeError(f"{sorted(moved)} stand in index keys: write the record with Put.")

    def request(self, table: str) -> Wire:
        names = Names()
        parameters = {
            "TableName": table,
            "Key": wire_key(self.key),
            "UpdateExpression": self._expression(names),
        }
        when = self.when or (None if self.first else present())
        return {"Update": _conditional(parameters, when, names)}

    def _expression(self, names: Names) -> str:
        sets = [f"{names.name(a)} = {names.value(v)}" for a, v in self.put.items() if v is not None]
        first = self.first and {"entityType": self.key.entity.name, **self.first}
        for attribute, value in first.items():
            name = names.name(attribute)
            sets.append(f"{name} = if_not_exists({name}, {names.value(value)})")
        adds = [f"{names.name(a)} {names.value(v)}" for a, v in self.add.items()]
        emptied = [attribute for attribute, value in self.put.items() if value is None]
        removes = [names.name(attribute) for attribute in (*self.remove, *emptied)]
        clauses = (("SET", sets), ("ADD", adds), ("REMOVE", removes))
        return " ".join(f"{word} {', '.join(each)}" for word, each in clauses if each)


@dataclass(frozen=True, slots=True)
class Delete(Generic[R]):
    """`record`: as it last was, for those who are told that it is gone."""

    key: Key[R]
    when: Condition | None = None
    otherwise: Otherwise | None = None
    record: R | None = None

    def request(self, table: str) -> Wire:
        parameters = {"TableName": table, "Key": wire_key(self.key)}
        return {"Delete": _conditional(parameters, self.when)}


@dataclass(frozen=True, slots=True)
class Check(Generic[R]):
    key: Key[R]
    when: Condition
    otherwise: Otherwise

    def request(self, table: str) -> Wire:
        parameters = {"TableName": table, "Key": wire_key(self.key)}
        return {"ConditionCheck": _conditional(parameters, self.when)}


Write = Put[Any] | Update[Any] | Delete[Any] | Check[Any]


def create(record: Record, otherwise: Otherwise) -> Put[Any]:
    return Put(record, when=absent(), otherwise=otherwise)


def replace(record: R, old: R, what: str) -> Put[R]:
    """The changed record, if nobody changed it since `old` was read."""
    return Put(record, when=version_is(old.version), otherwise=stale(what))


def remove(record: R, what: str) -> Delete[R]:
    """The end of the record, if nobody changed it since it was read."""
    key = entity_of(record).key_of(record)
    return Delete(key, when=version_is(record.version), otherwise=stale(what), record=record)


def stale(what: str) -> Callable[[Record | None], AppError]:
    return lambda now: StaleVersion(what, now.version) if now else NotFound(what)


def failure(write: Write, old_item: Wire | None) -> AppError | None:
    """The error that this write's failed condition means, told the item as it is."""
    if write.otherwise is None:
        return Conflict("This was changed or removed meanwhile. Read it again, then repeat.")
    if isinstance(write.otherwise, AppError):
        return write.otherwise
    return write.otherwise(decoder_of(write.key.entity.cls)(old_item) if old_item else None)


def item_of(record: Record) -> Wire:
    entity = entity_of(record)
    key = entity.key_of(record)
    texts = {"PK": key.pk, "SK": key.sk, "entityType": entity.name} | entity.index_keys_of(record)
    return {name: {"S": text} for name, text in texts.items()} | encode_fields(record)


def wire_key(key: Key[Any]) -> Wire:
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}}


def _conditional(parameters: Wire, when: Condition | None, names: Names | None = None) -> Wire:
    names = names or Names()
    if when is not None:
        parameters["ConditionExpression"] = when.render(names)
        parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return parameters | names.parameters()
