"""Runs one operation: parsed and validated once per text, then executed under a deadline."""

import asyncio
import dataclasses
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any, Self

import strawberry
from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationType,
    create_source_event_stream,
    execute,
    get_operation_ast,
    specified_rules,
    validate,
)
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from app.core.caller import Access
from app.core.errors import OutcomeUnknown, Unavailable
from app.core.scalars import CleanLiterals
from app.graph.context import Context
from app.web.body import Params
from app.web.compiled import Plans
from app.web.cost import cost_breach, query_cost, worst_cost
from app.web.denial import way_of
from app.web.limits import COUNTLESS, Limits, limits_rule, parse_query

# A parsed document takes up to 300 times its text: these are 150 MB at most.
MOST_KEPT = 500_000
LONGEST_KEPT = 20_000
LEAST_COUNTED = 500


BeforeEach = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """`worst`: the cost whatever the variables; past the limit, each request is priced."""

    document: DocumentNode | None
    errors: tuple[GraphQLError, ...] = ()
    worst: int = 0
    plans: Plans = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`refused`: nothing was executed, as the request itself is wrong."""

    data: dict[str, Any] | None = None
    errors: list[GraphQLError] | None = None
    refused: bool = False


class MutationByGet(Exception):
    """Only POST may change anything."""


class NoSubscription(Exception):
    """Where only subscriptions are taken."""


class Stream:
    """A subscription that has begun: each event's answer, as whoever subscribed may see it."""

    def __init__(self, executor: Any, source: Any, seconds: float) -> None:
        self._executor = executor
        self._source = source
        self._seconds = seconds
        self.before_each: BeforeEach | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Outcome:
        event = await self._source.__anext__()
        if self.before_each:
            await self.before_each()
        try:
            async with asyncio.timeout(self._seconds):
                result = self._executor.build_per_event_executor(event).execute_operation(False)
                result = await result if isawaitable(result) else result
        except TimeoutError:
            # Not as an answer without data: AppSync's clients drop those without a word.
            raise Unavailable(
                "An event took too long to answer, so this subscription has ended. Ask for less, "
                "subscribe again, then read what you missed."
            ) from None
        return Outcome(result.data, result.errors)

    async def aclose(self) -> None:
        await self._source.aclose()


class Executor:
    def __init__(
        self,
        schema: strawberry.Schema,
        *,
        limits: Limits,
        seconds: float,
        introspection: bool,
        suggestions: bool,
    ) -> None:
        self._schema: GraphQLSchema = schema._schema
        self._limits = limits
        self._seconds = seconds
        self._introspection = introspection
        self._suggestions = suggestions
        rules = (
            limits_rule(limits),
            CleanLiterals,
            *specified_rules,
            MaybeNullValidationRule,
            OneOfInputValidationRule,
        )
        self._rules = {True: rules, False: (*rules, NoSchemaIntrospectionCustomRule)}
        self._kept: OrderedDict[tuple[str, bool], Prepared] = OrderedDict()
        self._kept_size = 0

    async def run(self, params: Params, context: Context, *, only_queries: bool = False) -> Outcome:
        prepared = self._checked(params, context)
        document, kind = prepared.document, _kind(prepared, params)
        if document is None or prepared.errors:
            return Outcome(errors=list(prepared.errors), refused=True)
        if kind is OperationType.SUBSCRIPTION:
            return _refused("Subscriptions run over a WebSocket, not over HTTP.")
        if only_queries and kind not in (None, OperationType.QUERY):
            raise MutationByGet
        return await self._execute(document, params, context, prepared.plans)

    async def start(
        self,
        params: Params,
        context: Context,
        *,
        only_subscriptions: bool = False,
        before_each: "BeforeEach | None" = None,
    ) -> "Outcome | Stream":
        """Over a socket: a subscription that has begun, or the answer to anything else."""
        prepared = self._checked(params, context)
        document, kind = prepared.document, _kind(prepared, params)
        if document is None or prepared.errors:
            return Outcome(errors=list(prepared.errors), refused=True)
        if kind is not OperationType.SUBSCRIPTION:
            if only_subscriptions:
                raise NoSubscription
            return await self._execute(document, params, context, prepared.plans)
        begun = await self._subscribe(document, params, context, prepared.plans)
        if isinstance(begun, Stream):
            begun.before_each = before_each
        return begun

    def _checked(self, params: Params, context: Context) -> Prepared:
        signed_in = context.caller.access is Access.USER
        prepared = self._prepare(params.query, self._introspection or signed_in)
        breach = None if prepared.errors else self._too_costly(prepared, params)
        return dataclasses.replace(prepared, errors=(breach,)) if breach else prepared

    async def _subscribe(
        self, document: DocumentNode, params: Params, context: Context, plans: Plans
    ) -> "Outcome | Stream":
        way = way_of(context.caller, plans)
        executor = way.pop("executor_class").build(
            self._schema,
            document,
            None,
            context,
            params.variables,
            params.operation_name,
            max_coercion_errors=5,
            hide_suggestions=not self._suggestions,
            **way,
        )
        if isinstance(executor, list):
            return Outcome(errors=executor, refused=True)
        async with asyncio.timeout(self._seconds):
            source = create_source_event_stream(executor)
            source = await source if isawaitable(source) else source
        if isinstance(source, ExecutionResult):
            return Outcome(errors=source.errors, refused=True)
        return Stream(executor, source, self._seconds)

    def _prepare(self, text: str, introspection: bool) -> Prepared:
        key = (text, introspection)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        prepared = self._parsed_and_validated(text, introspection)
        if len(text) <= LONGEST_KEPT:
            self._kept[key] = prepared
            self._kept_size += _size(text)
            while self._kept_size > MOST_KEPT:
                (oldest, _), _ = self._kept.popitem(last=False)
                self._kept_size -= _size(oldest)
        return prepared

    def _too_costly(self, prepared: Prepared, params: Params) -> GraphQLError | None:
        if prepared.document is None or prepared.worst <= self._limits.cost:
            return None
        cost = query_cost(prepared.document, params.operation_name, params.variables)
        return cost_breach(cost, self._limits)

    def _parsed_and_validated(self, text: str, introspection: bool) -> Prepared:
        try:
            document = parse_query(text, self._limits.tokens, self._limits.characters)
        except GraphQLError as error:
            return Prepared(None, (error,))
        errors = validate(
            self._schema,
            document,
            self._rules[introspection],
            max_errors=5,
            hide_suggestions=not self._suggestions,
        )
        # 0: there are several operations, and only the request says which.
        worst = 0 if errors else worst_cost(document, None) or COUNTLESS
        return Prepared(document, tuple(_as_validation(error) for error in errors), worst)

    async def _execute(
        self, document: DocumentNode, params: Params, context: Context, plans: Plans
    ) -> Outcome:
        operation = get_operation_ast(document, params.operation_name)
        try:
            async with asyncio.timeout(self._seconds):
                result = await self._result(document, params, context, plans)
        except TimeoutError:
            changes = operation and operation.operation is OperationType.MUTATION
            late = OutcomeUnknown() if changes else Unavailable("This took too long. Ask for less.")
            return Outcome(errors=[GraphQLError(late.message, original_error=late)])
        never_began = result.data is None and all(not e.path for e in result.errors or [])
        return Outcome(result.data, result.errors, refused=never_began)

    async def _result(
        self, document: DocumentNode, params: Params, context: Context, plans: Plans
    ) -> ExecutionResult:
        result: ExecutionResult | Awaitable[ExecutionResult] = execute(
            self._schema,
            document,
            context_value=context,
            variable_values=params.variables,
            operation_name=params.operation_name,
            **way_of(context.caller, plans),
            max_coercion_errors=5,
            hide_suggestions=not self._suggestions,
        )
        return await result if isawaitable(result) else result


def _kind(prepared: Prepared, params: Params) -> OperationType | None:
    if prepared.document is None:
        return None
    operation = get_operation_ast(prepared.document, params.operation_name)
    return operation.operation if operation else None


def _size(text: str) -> int:
    return max(len(text), LEAST_COUNTED)


def _refused(message: str) -> Outcome:
    error = GraphQLError(message, extensions={"code": "GRAPHQL_VALIDATION_FAILED"})
    return Outcome(errors=[error], refused=True)


def _as_validation(error: GraphQLError) -> GraphQLError:
    error.extensions = {"code": "GRAPHQL_VALIDATION_FAILED"} | (error.extensions or {})
    return error
