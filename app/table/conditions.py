"""Conditions on stored attributes, as values: attr("status").equals("OPEN") | absent()."""

from dataclasses import dataclass
from typing import Any

from app.table.codec import Wire, encode


class Placeholders:
    """The placeholders of one request: names and values are never part of the expression text."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Wire] = {}

    def name(self, attribute: str) -> str:
        return self.names.setdefault(attribute, f"#n{len(self.names)}")

    def value(self, value: object) -> str:
        return self.wire_value(encode(value))

    def wire_value(self, value: Wire) -> str:
        """A value that is in wire format already."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = value
        return placeholder

    def parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {}
        if self.names:
            names = {placeholder: name for name, placeholder in self.names.items()}
            parameters["ExpressionAttributeNames"] = names
        if self.values:
            parameters["ExpressionAttributeValues"] = self.values
        return parameters


@dataclass(frozen=True, slots=True)
class Condition:
    """`text` has {a} for the attribute and {v} for the value."""

    attribute: str = ""
    text: str = ""
    value: object = None
    operands: tuple["Condition", ...] = ()
    operator: str = " AND "

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(operands=(self, other))

    def __or__(self, other: "Condition") -> "Condition":
        return Condition(operands=(self, other), operator=" OR ")

    def render(self, names: Placeholders) -> str:
        if self.operands:
            rendered = (each.render(names) for each in self.operands)
            return f"({self.operator.join(rendered)})"
        value = names.value(self.value) if "{v}" in self.text else ""
        return self.text.format(a=names.name(self.attribute), v=value)


@dataclass(frozen=True, slots=True)
class attr:
    """An attribute by its stored name."""

    name: str

    def equals(self, value: object) -> Condition:
        return Condition(self.name, "{a} = {v}", value)

    def differs(self, value: object) -> Condition:
        return Condition(self.name, "{a} <> {v}", value)

    def below(self, value: object) -> Condition:
        return Condition(self.name, "{a} < {v}", value)

    def above(self, value: object) -> Condition:
        return Condition(self.name, "{a} > {v}", value)

    def at_least(self, value: object) -> Condition:
        return Condition(self.name, "{a} >= {v}", value)

    def at_most(self, value: object) -> Condition:
        return Condition(self.name, "{a} <= {v}", value)

    def contains(self, value: object) -> Condition:
        return Condition(self.name, "contains({a}, {v})", value)

    def present(self) -> Condition:
        return Condition(self.name, "attribute_exists({a})")

    def absent(self) -> Condition:
        return Condition(self.name, "attribute_not_exists({a})")


def absent() -> Condition:
    """The item does not exist."""
    return attr("PK").absent()


def present() -> Condition:
    return attr("PK").present()


def version_is(version: int) -> Condition:
    """Version 0: an item from before versions, which has none."""
    if version == 0:
        return present() & (attr("version").absent() | attr("version").equals(0))
    return attr("version").equals(version)
