"""Conditions on stored attributes, as values: attr("status").equals("OPEN") & absent()."""

from dataclasses import dataclass
from typing import Any

from app.table.codec import Wire, encode


class Names:
    """Collects the placeholders of one request: names and values never stand in expression text."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Wire] = {}

    def name(self, attribute: str) -> str:
        return self.names.setdefault(attribute, f"#n{len(self.names)}")

    def value(self, value: object) -> str:
        return self.stored(encode(value))

    def stored(self, value: Wire) -> str:
        """A value in wire form already."""
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
    both: tuple["Condition", ...] = ()
    word: str = " AND "

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(both=(self, other))

    def __or__(self, other: "Condition") -> "Condition":
        return Condition(both=(self, other), word=" OR ")

    def render(self, names: Names) -> str:
        if self.both:
            return "(" + self.word.join(each.render(names) for each in self.both) + ")"
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
    """No such item yet."""
    return attr("PK").absent()


def present() -> Condition:
    return attr("PK").present()


def version_is(version: int) -> Condition:
    """0: an item from before versions, as long as it has none."""
    if version == 0:
        return present() & (attr("version").absent() | attr("version").equals(0))
    return attr("version").equals(version)
