"""Selection sets compiled to Python: a generated function reads all plain attributes of an object.

graphql-core spends about 4 µs on each plain attribute; a page of 100 records with 20 fields has
2,000 of them. Fields that are not plain are left to graphql-core. An object with an unexpected
value (null where none is allowed, a wrong type, an exception) is executed by graphql-core as a
whole, so that errors are exactly the same. COMPILED_EXECUTION=false turns this off.
"""

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
)
from graphql.pyutils import Path
from graphql.type.definition import GraphQLResolveInfoHelpers
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

# Scalars whose value is sent as it is, if this check holds.
TYPE_CHECKS = {
    "String": "type({v}) is str",
    "ID": "type({v}) is str",
    "Boolean": "type({v}) is bool",
    "Int": "type({v}) is int and -2147483648 <= {v} <= 2147483647",
}
FieldSet = dict[str, list[Any]]
PlanKey = tuple[object, ...]


class UnexpectedValue(Exception):
    """A value that the compiled function cannot serialize; graphql-core executes the object."""


@dataclass(frozen=True, slots=True)
class SelectionPlan:
    """`read` returns the values of all plain fields, and None in the place of each of `others`,
    which graphql-core resolves."""

    read: Callable[[Any], dict[str, Any]]
    others: FieldSet


SelectionPlans = dict[PlanKey, SelectionPlan]


class CompiledExecutionContext(StrawberryGraphQLCoreExecutionContext):
    """`plans` belongs to the parsed document and lives as long as its nodes."""

    def __init__(self, *args: Any, plans: SelectionPlans, **options: Any) -> None:
        super().__init__(*args, **options)
        self.async_helpers = _async_helpers(weakref.proxy(self))
        self._plans = plans
        self._plans_by_id: dict[int, tuple[FieldSet, SelectionPlan]] = {}

    def build_per_event_executor(self, payload: Any) -> Any:
        """Each event has field sets of its own: they must not pile up over a subscription."""
        executor: Any = super().build_per_event_executor(payload)
        executor._plans_by_id = {}
        return executor

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: FieldSet,
        position_context: Any,
    ) -> Any:
        plan = self._plan(parent_type, grouped_field_set)
        execute_fields = super().execute_fields
        try:
            values = plan.read(source_value)
        except Exception:
            return execute_fields(
                parent_type, source_value, path, grouped_field_set, position_context
            )
        if not plan.others:
            return values
        others: Any = execute_fields(parent_type, source_value, path, plan.others, position_context)
        if self.is_awaitable(others):
            return _update_when_done(values, others)
        values.update(others)
        return values

    def complete_list_value(
        self,
        return_type: GraphQLList[Any],
        field_details_list: list[Any],
        info: Any,
        path: Path,
        result: Any,
        position_context: Any,
    ) -> Any:
        values = self._read_list(return_type.of_type, field_details_list, result)
        if values is not None:
            return values
        return super().complete_list_value(
            return_type, field_details_list, info, path, result, position_context
        )

    def _read_list(self, item_type: Any, fields: list[Any], result: Any) -> list[Any] | None:
        """All items at once, if they are records and only plain fields are selected."""
        if isinstance(item_type, GraphQLNonNull):
            item_type = item_type.of_type
        if type(result) is not list or not isinstance(item_type, GraphQLObjectType):
            return None
        plan = self._plan(item_type, self.collect_subfields(item_type, fields).grouped_field_set)
        cls = _python_class(item_type)
        if plan.others or cls is None or not all(isinstance(item, cls) for item in result):
            return None
        try:
            return [plan.read(item) for item in result]
        except Exception:
            return None

    def _plan(self, parent_type: GraphQLObjectType, fields: FieldSet) -> SelectionPlan:
        # One field set serves all items of a list. It is kept with its plan, so that its id is not
        # used again while this request runs.
        known = self._plans_by_id.get(id(fields))
        if known is not None:
            return known[1]
        key = (parent_type.name, *((name, id(each[0].node)) for name, each in fields.items()))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = compile_selection(self.schema, parent_type, fields)
        self._plans_by_id[id(fields)] = (fields, plan)
        return plan


def _async_helpers(context: Any) -> GraphQLResolveInfoHelpers:
    """Called through a weak reference. Bound methods, as graphql-core has them, would be a
    reference cycle that only the garbage collector frees."""
    return GraphQLResolveInfoHelpers(
        gather=lambda values: context.gather_async_work(values),
        track=lambda values: context.track_async_work(values),
    )


async def _update_when_done(values: dict[str, Any], others: Any) -> dict[str, Any]:
    values.update(await others)
    return values


def compile_selection(
    schema: GraphQLSchema, parent_type: GraphQLObjectType, fields: FieldSet
) -> SelectionPlan:
    namespace: dict[str, Any] = {"UnexpectedValue": UnexpectedValue}
    lines, entries = ["def read(o):"], []
    others: FieldSet = {}
    for number, (name, details) in enumerate(fields.items()):
        code = _field_code(schema, parent_type, details[0].node.name.value, number, namespace)
        if code is None:
            others[name] = details
            entries.append(f"{name!r}: None")
        else:
            lines += code[0]
            entries.append(f"{name!r}: {code[1]}")
    if len(others) == len(fields):
        return SelectionPlan(lambda _: dict.fromkeys(fields), others)
    exec("\n".join([*lines, f"  return {{{', '.join(entries)}}}"]), namespace)
    return SelectionPlan(namespace["read"], others)


def _field_code(
    schema: GraphQLSchema,
    parent_type: GraphQLObjectType,
    field_name: str,
    number: int,
    namespace: dict[str, Any],
) -> tuple[list[str], str] | None:
    """The statements that read the field, and the expression of its value; None if the field is not
    plain."""
    if field_name == "__typename":
        return [], repr(parent_type.name)
    field = schema.get_field(parent_type, field_name)
    attribute = field and _plain_attribute(field)
    if not field or not attribute:
        return None
    required = isinstance(field.type, GraphQLNonNull)
    kind: Any = field.type.of_type if isinstance(field.type, GraphQLNonNull) else field.type
    value = f"v{number}"
    statements = [f"  {value} = o.{attribute}"]
    if required:
        statements.append(f"  if {value} is None: raise UnexpectedValue")
    if isinstance(kind, GraphQLScalarType) and kind.name in TYPE_CHECKS:
        check = TYPE_CHECKS[kind.name].format(v=value)
        statements.append(f"  if {value} is not None and not ({check}): raise UnexpectedValue")
        return statements, value
    serialized = _serializer_call(kind, value, number, namespace)
    return (statements, f"None if {value} is None else {serialized}") if serialized else None


def _serializer_call(kind: Any, value: str, number: int, namespace: dict[str, Any]) -> str | None:
    if isinstance(kind, GraphQLScalarType | GraphQLEnumType):
        namespace[f"s{number}"] = kind.coerce_output_value
        return f"s{number}({value})"
    if isinstance(kind, GraphQLList) and str(kind) in ("[String!]", "[ID!]"):
        namespace[f"s{number}"] = _copy_texts
        return f"s{number}({value})"
    return None


def _copy_texts(values: Any) -> list[str]:
    if type(values) is not list or any(type(each) is not str for each in values):
        raise UnexpectedValue
    return list(values)


def _plain_attribute(field: GraphQLField) -> str | None:
    """The attribute of the record that this field shows, if it has no resolver and no arguments."""
    definition = (field.extensions or {}).get("strawberry-definition")
    if definition is None or not definition.is_basic_field or field.args:
        return None
    return str(definition.python_name)


def _python_class(kind: GraphQLObjectType) -> type | None:
    definition = (kind.extensions or {}).get("strawberry-definition")
    origin = getattr(definition, "origin", None)
    return origin if isinstance(origin, type) else None
