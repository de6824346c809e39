"""Writes are values. Each may carry a condition and the error that its failure means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from app.core.errors import AppError, Conflict, NotFound, StaleVersion
from app.core.record import Record
from app.table.codec import Wire, decoder_of, encode_fields, values_if_absent
from app.table.conditions import Condition, Placeholders, absent, present, version_is
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
    """Changes attributes by stored name; `add` is atomic, so concurrent additions all count.

    `first`: the attributes of a new item, which are not changed in an existing one; the record's
    defaults are added. Without it (or a condition) the item must exist.
    """

    key: Key[R]
    put: Mapping[str, object] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, object] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    when: Condition | None = None
    otherwise: Otherwise | None = None

    def __post_init__(self) -> None:
        """Index keys are computed from whole records: to change a part of one, use Put."""
        indexed = {*self.put, *self.add, *self.remove} & self.key.entity.indexed_attributes
        if indexed:
            raise TypeError(
                f"{sorted(indexed)} are parts of index keys: write the record with Put."
            )

    def request(self, table: str) -> Wire:
        names = Placeholders()
        parameters = {
            "TableName": table,
            "Key": wire_key(self.key),
            "UpdateExpression": self._expression(names),
        }
        when = self.when or (None if self.first else present())
        return {"Update": _conditional(parameters, when, names)}

    def _expression(self, names: Placeholders) -> str:
        sets = [f"{names.name(a)} = {names.value(v)}" for a, v in self.put.items() if v is not None]
        for attribute, value in self._first_attributes().items():
            name = names.name(attribute)
            sets.append(f"{name} = if_not_exists({name}, {names.value(value)})")
        adds = [f"{names.name(a)} {names.value(v)}" for a, v in self.add.items()]
        cleared = [attribute for attribute, value in self.put.items() if value is None]
        removes = [names.name(attribute) for attribute in (*self.remove, *cleared)]
        clauses = (("SET", sets), ("ADD", adds), ("REMOVE", removes))
        return " ".join(f"{word} {', '.join(each)}" for word, each in clauses if each)

    def _first_attributes(self) -> dict[str, object]:
        """An item that begins with an Update is stored as whole as one that is Put."""
        if not self.first:
            return {}
        cls: Any = self.key.entity.cls
        defaults = values_if_absent(cls)
        changed = {*self.put, *self.add, *self.remove}
        return {
            "entityType": self.key.entity.name,
            **{name: value for name, value in defaults.items() if name not in changed},
            **self.first,
        }


@dataclass(frozen=True, slots=True)
class Delete(Generic[R]):
    """`record`: its last state, for the event about the deletion."""

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


def put_if_absent(record: Record, otherwise: Otherwise) -> Put[Any]:
    return Put(record, when=absent(), otherwise=otherwise)


def put_if_unchanged(record: R, old: R, what: str) -> Put[R]:
    """Puts the changed record if its version is still that of `old`."""
    return Put(record, when=version_is(old.version), otherwise=stale(what))


def delete_if_unchanged(record: R, what: str) -> Delete[R]:
    """Deletes the record if its version is still the same."""
    key = entity_of(record).key_of(record)
    return Delete(key, when=version_is(record.version), otherwise=stale(what), record=record)


def stale(what: str) -> Callable[[Record | None], AppError]:
    return lambda now: StaleVersion(what, now.version) if now else NotFound(what)


def failure(write: Write, old_item: Wire | None) -> AppError | None:
    """The error of this write's failed condition; `old_item` is the current item."""
    if write.otherwise is None:
        return Conflict(
            "This record was changed or deleted meanwhile. Read it again, then repeat the request."
        )
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


def _conditional(
    parameters: Wire, when: Condition | None, names: Placeholders | None = None
) -> Wire:
    names = names or Placeholders()
    if when is not None:
        parameters["ConditionExpression"] = when.render(names)
        parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return parameters | names.parameters()
