"""Documents, parsed and validated once per text and kept in a cache of bounded size."""

import re
from collections import OrderedDict
from collections.abc import Collection, Iterator
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
from graphql.validation import ASTValidationRule
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from app.core.scalars import CleanLiterals
from app.web.compiled import SelectionPlans
from app.web.cost import worst_cost
from app.web.input_errors import with_literal_problem
from app.web.limits import COUNT_CAP, Limits, limits_rule, parse_query
from app.web.work import FieldWork
from app.web.worker_thread import in_worker_thread

# A parsed document takes up to 300 times the memory of its text: 150 MB at most.
CACHED_CHARACTERS = 500_000
LONGEST_CACHED = 20_000
# Parsing and validating takes about 10 µs a character.
LONG_TEXT = 500
# Python reads no integer of more than 4,300 digits: such a literal must not meet the other rules.
LONG_NUMBER = re.compile("[0-9]{4300}")
# A short text counts as this many characters, for what each entry takes besides.
SMALLEST_COUNTED = 500


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """`worst_cost` holds for all variables. If it is high, every request is estimated with its own
    variables: `cost`."""

    document: DocumentNode | None
    errors: tuple[GraphQLError, ...] = ()
    worst_cost: int = 0
    cost: int = 0
    plans: SelectionPlans = field(default_factory=dict)

    def name_of_operation(self, operation_name: str | None) -> str | None:
        """As the document writes it: not every client sends operationName."""
        operation = get_operation_ast(self.document, operation_name) if self.document else None
        return operation.name.value if operation and operation.name else None

    def operation_type(self, operation_name: str | None) -> OperationType | None:
        """None if the document is not valid or does not say which operation is meant."""
        if self.document is None:
            return None
        operation = get_operation_ast(self.document, operation_name)
        return operation.operation if operation else None


class DocumentCache:
    def __init__(
        self, schema: GraphQLSchema, limits: Limits, work: FieldWork, *, suggestions: bool
    ) -> None:
        self._schema = schema
        self._work = work
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

    def find(self, text: str, *, introspection: bool) -> PreparedDocument | None:
        """What is kept, or quickly prepared; None if it takes long."""
        key = (text, introspection)
        if key in self._documents:
            self._documents.move_to_end(key)
            return self._documents[key]
        if len(text) > LONG_TEXT:
            return None
        return self._keep(key, self._parse_and_validate(text, introspection))

    async def prepare(self, text: str, *, introspection: bool) -> PreparedDocument:
        found = self.find(text, introspection=introspection)
        if found is not None:
            return found
        prepared = await in_worker_thread(self._parse_and_validate, text, introspection)
        return self._keep((text, introspection), prepared)

    def _keep(self, key: tuple[str, bool], prepared: PreparedDocument) -> PreparedDocument:
        text, _ = key
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
            return PreparedDocument(None, (_without_frames(error),))
        errors = self._validate(document, (CleanLiterals,)) if LONG_NUMBER.search(text) else []
        errors = errors or self._validate(document, self._rules[introspection])
        # 0: there are several operations, and only the request says which one runs.
        worst = 0 if errors else worst_cost(document, None, self._work) or COUNT_CAP
        if errors:
            return PreparedDocument(None, tuple(self._explain(document, errors)))
        return PreparedDocument(document, (), worst)

    def _validate(
        self, document: DocumentNode, rules: Collection[type[ASTValidationRule]]
    ) -> list[GraphQLError]:
        return validate(
            self._schema,
            document,
            rules,
            max_errors=5,
            hide_suggestions=not self._suggestions,
        )

    def _explain(
        self, document: DocumentNode, errors: list[GraphQLError]
    ) -> Iterator[GraphQLError]:
        for error in errors:
            yield _without_frames(
                with_literal_problem(self._schema, document, error, suggestions=self._suggestions)
            )


def _counted_characters(text: str) -> int:
    return max(len(text), SMALLEST_COUNTED)


def _without_frames(error: GraphQLError) -> GraphQLError:
    """What is kept of a refused document: neither its nodes, which take 300 times the memory of the
    text, nor the frames of a traceback, which refer to the text and to each other."""
    return GraphQLError(
        error.message,
        source=error.source,
        positions=error.positions,
        original_error=error.original_error,
        extensions={"code": "GRAPHQL_VALIDATION_FAILED"} | (error.extensions or {}),
    )
