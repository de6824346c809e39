"""How much work a field is for the server, besides the values it adds to the answer."""

from graphql import (
    GraphQLField,
    GraphQLSchema,
    OperationDefinitionNode,
    get_named_type,
)

# One unit is about 20 µs of processor time, as a value of the answer is. A field with a resolver
# of its own reads at least one record.
READS_ONE = 5
# Fields that read many records for one answer. Measured with a user of some hundred records.
READS_MANY = {
    "Query.__schema": 2_000,
    "Query.__type": 200,
    "Query.dashboard": 400,
    "Query.exportData": 4_000,
    "Query.node": 20,
    "Query.byTag": 100,
    "Query.area": 200,
    "Query.urgentTasks": 200,
    "Query.search": 400,
    "Query.popularSkills": 100,
    "Query.changes": 100,
    "Query.valuesTree": 200,
    "Query.valuesChildren": 100,
    "Query.valuesDiff": 400,
    "Query.weeklyReview": 400,
    "Query.dailyPlan": 50,
    "Query.planDiff": 100,
    "Query.suggestBlocks": 100,
    "ValuesTree.markdown": 100,
    "ValuesTree.mermaid": 100,
    "User.stats": 20,
    "Goal.progress": 20,
    "Goal.rollUp": 100,
    "Goal.milestones": 20,
    "Goal.projects": 20,
    "Goal.metrics": 20,
    "Goal.habits": 20,
    "Project.health": 20,
    "Project.goals": 20,
    "Task.dependsOn": 20,
    "Task.blocks": 20,
    "Task.goals": 20,
    "Task.projects": 20,
    "Habit.streak": 20,
    "Habit.longestStreak": 20,
    "Habit.strength": 20,
    "Metric.streak": 20,
    "Metric.trend": 20,
    "Metric.insights": 200,
    "CharacterGoal.forecast": 20,
}
# An id is looked for among all kinds of records.
READS_PER_ID = {"Query.nodes": 20}


class FieldWork:
    """Without a schema every field counts 1, as a value of the answer does."""

    def __init__(self, schema: GraphQLSchema | None = None) -> None:
        self._schema = schema

    def root_type(self, operation: OperationDefinitionNode) -> str:
        root = self._schema.get_root_type(operation.operation) if self._schema else None
        return root.name if root else ""

    def type_of(self, parent: str, field: str) -> str:
        definition = self._definition(parent, field)
        return get_named_type(definition.type).name if definition else ""

    def once(self, parent: str, field: str) -> int:
        """For each time the field is resolved."""
        many = READS_MANY.get(f"{parent}.{field}")
        if many is not None:
            return many
        definition = self._definition(parent, field)
        return READS_ONE if definition and _has_async_resolver(definition) else 1

    def per_row(self, parent: str, field: str) -> int:
        """For each row of its answer."""
        return READS_PER_ID.get(f"{parent}.{field}", 0)

    def _definition(self, parent: str, field: str) -> GraphQLField | None:
        kind = self._schema.type_map.get(parent) if self._schema else None
        fields: dict[str, GraphQLField] = getattr(kind, "fields", {})
        return fields.get(field)


def _has_async_resolver(field: GraphQLField) -> bool:
    definition = (field.extensions or {}).get("strawberry-definition")
    resolver = getattr(definition, "base_resolver", None)
    return bool(resolver and resolver.is_async)
