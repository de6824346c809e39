"""Documents, parsed and validated once per text and kept in a cache of bounded size."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationType,
    get_operation_ast,
    specified_rules,
    validate,
)
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from app.core.scalars import CleanLiterals
from app.web.compiled import SelectionPlans
from app.web.cost import worst_cost
from app.web.input_errors import with_literal_problem
from app.web.limits import COUNT_CAP, Limits, limits_rule, parse_query
from app.web.worker_thread import in_worker_thread

# A parsed document takes up to 300 times the memory of its text: 150 MB at most.
CACHED_CHARACTERS = 500_000
LONGEST_CACHED = 20_000
# Parsing and validating takes about 10 µs a character.
LONG_TEXT = 500
# A short text counts as this many characters, for what each entry takes besides.
SMALLEST_COUNTED = 500


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """`worst_cost` holds for all variables. If it exceeds the limit, every request is estimated
    with its own variables."""

    document: DocumentNode | None
    errors: tuple[GraphQLError, ...] = ()
    worst_cost: int = 0
    plans: SelectionPlans = field(default_factory=dict)

    def operation_type(self, operation_name: str | None) -> OperationType | None:
        """None if the document is not valid or does not say which operation is meant."""
        if self.document is None:
            return None
        operation = get_operation_ast(self.document, operation_name)
        return operation.operation if operation else None


class DocumentCache:
    def __init__(self, schema: GraphQLSchema, limits: Limits, *, suggestions: bool) -> None:
        self._schema = schema
        self._limits = limits
        self._suggestions = suggestions
        rules = (
            limits_rule(limits),
            CleanLiterals,
            *specified_rules,
            MaybeNullValidationRule,
            OneOfInputValidationRule,
        )
        self._rules = {True: rules, False: (*rules, NoSchemaIntrospectionCustomRule)}
        self._documents: OrderedDict[tuple[str, bool], PreparedDocument] = OrderedDict()
        self._characters = 0

    async def prepare(self, text: str, *, introspection: bool) -> PreparedDocument:
        key = (text, introspection)
        if key in self._documents:
            self._documents.move_to_end(key)
            return self._documents[key]
        if len(text) > LONG_TEXT:
            prepared = await in_worker_thread(self._parse_and_validate, text, introspection)
        else:
            prepared = self._parse_and_validate(text, introspection)
        if len(text) <= LONGEST_CACHED and key not in self._documents:
            self._documents[key] = prepared
            self._characters += _counted_characters(text)
            self._evict()
        return prepared

    def _evict(self) -> None:
        while self._characters > CACHED_CHARACTERS:
            (oldest, _), _ = self._documents.popitem(last=False)
            self._characters -= _counted_characters(oldest)

    def _parse_and_validate(self, text: str, introspection: bool) -> PreparedDocument:
        try:
            document = parse_query(text, self._limits.tokens, self._limits.characters)
        except GraphQLError as error:
            return PreparedDocument(None, (error,))
        errors = validate(
            self._schema,
            document,
            self._rules[introspection],
            max_errors=5,
            hide_suggestions=not self._suggestions,
        )
        # 0: there are several operations, and only the request says which one runs.
        worst = 0 if errors else worst_cost(document, None) or COUNT_CAP
        return PreparedDocument(document, tuple(self._explain(document, errors)), worst)

    def _explain(
        self, document: DocumentNode, errors: list[GraphQLError]
    ) -> Iterator[GraphQLError]:
        for error in errors:
            yield _with_code(
                with_literal_problem(self._schema, document, error, suggestions=self._suggestions)
            )


def _counted_characters(text: str) -> int:
    return max(len(text), SMALLEST_COUNTED)


def _with_code(error: GraphQLError) -> GraphQLError:
    error.extensions = {"code": "GRAPHQL_VALIDATION_FAILED"} | (error.extensions or {})
    return error
