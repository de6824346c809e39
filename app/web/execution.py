"""Executes one operation of a prepared document under a deadline."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable
from typing import Any, Self

import strawberry
from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    create_source_event_stream,
    get_operation_ast,
)
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from app.core.caller import Access, Caller
from app.core.errors import AppError, OutcomeUnknown, Unavailable
from app.graph.context import Context
from app.web.body import Params
from app.web.compiled import CompiledExecutionContext, SelectionPlans
from app.web.cost import cost_breach, query_cost
from app.web.denied_fields import deny_fields
from app.web.documents import DocumentCache, PreparedDocument
from app.web.fairness import HEAVY_COST, FairShare, share_key
from app.web.input_errors import variable_errors
from app.web.introspection import Introspection, is_introspection
from app.web.limits import Limits
from app.web.results import OperationResult
from app.web.root_guards import RootGuards
from app.web.variables import LONG_VISITS, VariableLimits
from app.web.work import FieldWork
from app.web.worker_thread import in_worker_thread

SUBSCRIPTION_BY_POST = (
    "A subscription needs a connection that stays open: a WebSocket at this address (the protocol "
    "of npm's graphql-ws, or AppSync's, also at /graphql/realtime), or this request with the "
    "header Accept: text/event-stream."
)
BeforeEach = Callable[[], Awaitable[None]]
AnswerInTurn = Callable[[Callable[[], Awaitable[OperationResult]]], Awaitable[OperationResult]]
BYTES_PER_COST = 16
LARGE_REQUEST = HEAVY_COST * BYTES_PER_COST


class MutationByGet(Exception):
    """Only POST may change anything."""


class NotASubscription(Exception):
    """A query or mutation came where only subscriptions are accepted."""


class ResponseStream:
    """A subscription under way: executes the operation once for each event of the source stream."""

    def __init__(
        self,
        executor: Any,
        source: Any,
        *,
        answer_in_turn: AnswerInTurn,
        seconds: float,
        before_each: BeforeEach | None,
    ) -> None:
        self._executor = executor
        self._source = source
        self._answer_in_turn = answer_in_turn
        self._seconds = seconds
        self._before_each = before_each

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> OperationResult:
        event = await self._source.__anext__()
        if self._before_each:
            await self._before_each()
        return await self._answer_in_turn(partial(self._answer, event))

    async def _answer(self, event: object) -> OperationResult:
        try:
            async with asyncio.timeout(self._seconds):
                result = self._executor.build_per_event_executor(event).execute_operation(False)
                result = await result if isawaitable(result) else result
        except TimeoutError:
            # A result without data would not do: AppSync's clients ignore those silently.
            raise Unavailable(
                "An event took too long to answer, so this subscription has ended. Ask for less, "
                "subscribe again, then read what you missed."
            ) from None
        return OperationResult(result.data, result.errors)

    async def aclose(self) -> None:
        await self._source.aclose()


class Executor:
    """`compiled` turns compiled selection sets on (app/web/compiled.py)."""

    def __init__(
        self,
        schema: strawberry.Schema,
        *,
        limits: Limits,
        seconds: float,
        introspection: bool,
        suggestions: bool,
        compiled: bool = True,
    ) -> None:
        self._schema: GraphQLSchema = schema._schema
        self._limits = limits
        self._seconds = seconds
        self._introspection = introspection
        self._suggestions = suggestions
        self._compiled = compiled
        self.share = FairShare(seconds / 2)
        self._work = FieldWork(self._schema)
        self.documents = DocumentCache(self._schema, limits, self._work, suggestions=suggestions)
        self._introspections = Introspection(self._schema)
        self._root_guards = RootGuards(self._schema)
        self._variable_limits = VariableLimits(self._schema)

    async def run(
        self, params: Params, context: Context, *, only_queries: bool = False
    ) -> OperationResult:
        """A query or mutation, over HTTP."""
        prepared = await self._prepare(params, context)
        if prepared.document is None or prepared.errors:
            return OperationResult(errors=list(prepared.errors), is_request_error=True)
        operation_type = prepared.operation_type(params.operation_name)
        context.operation_kind = operation_type.value if operation_type else ""
        context.operation_name = prepared.name_of_operation(params.operation_name)
        if operation_type is OperationType.SUBSCRIPTION:
            return _request_error(SUBSCRIPTION_BY_POST)
        if only_queries and operation_type not in (None, OperationType.QUERY):
            raise MutationByGet
        return await self._execute_in_turn(prepared.document, prepared, params, context)

    async def start(
        self,
        params: Params,
        context: Context,
        *,
        only_subscriptions: bool = False,
        before_each: BeforeEach | None = None,
    ) -> OperationResult | ResponseStream:
        """Any operation, over a socket or an event stream: a subscription gives a stream, anything
        else its result. `before_each` runs before each event is executed and may end the stream."""
        prepared = await self._prepare(params, context)
        if prepared.document is None or prepared.errors:
            return OperationResult(errors=list(prepared.errors), is_request_error=True)
        if prepared.operation_type(params.operation_name) is OperationType.SUBSCRIPTION:
            return await self._subscribe(
                prepared.document, params, context, prepared.plans, before_each
            )
        if only_subscriptions:
            raise NotASubscription
        return await self._execute_in_turn(prepared.document, prepared, params, context)

    async def _prepare(self, params: Params, context: Context) -> PreparedDocument:
        prepared = await self._prepare_document(params.query, context.caller)
        threshold = min(HEAVY_COST, self._limits.cost)
        if prepared.document is None or prepared.worst_cost <= threshold:
            return prepared
        cost = query_cost(prepared.document, params.operation_name, params.variables, self._work)
        breach = cost_breach(cost, self._limits)
        return dataclasses.replace(prepared, cost=cost, errors=(breach,) if breach else ())

    async def _prepare_document(self, text: str, caller: Caller) -> PreparedDocument:
        introspection = self._introspection or caller.access is Access.USER
        found = self.documents.find(text, introspection=introspection)
        if found is not None:
            return found
        prepare = partial(self.documents.prepare, text, introspection=introspection)
        return await self.share.run_heavy(share_key(caller), prepare)

    async def _execute_in_turn(
        self,
        document: DocumentNode,
        prepared: PreparedDocument,
        params: Params,
        context: Context,
    ) -> OperationResult:
        cost = prepared.cost + params.size // BYTES_PER_COST
        execute = partial(self._execute, document, params, context, prepared.plans)
        return await self.share.run(share_key(context.caller), cost, execute)

    async def _build(
        self, document: DocumentNode, params: Params, context: Context, plans: SelectionPlans
    ) -> Any:
        """graphql-core's executor of the operation, with its variables coerced; or the result, if
        it is refused before."""
        operation = get_operation_ast(document, params.operation_name)
        visits = 0
        if operation is not None:
            refused = self._root_guards.refusal(document, operation, context.caller)
            if refused is not None:
                return refused
            try:
                visits = await self._visits(operation, params)
            except AppError as error:
                return OperationResult(
                    errors=[GraphQLError(error.message, original_error=error)],
                    is_request_error=True,
                )
        options = self._execution_options(context.caller, plans)
        build = partial(
            options.pop("executor_class").build,
            self._schema,
            document,
            None,
            context,
            params.variables,
            params.operation_name,
            **options,
        )
        executor = await in_worker_thread(build) if visits > LONG_VISITS else build()
        if isinstance(executor, list):
            explain = partial(self._variable_errors, operation, params)
            errors = await in_worker_thread(explain) if visits > LONG_VISITS else explain()
            return OperationResult(errors=errors or executor, is_request_error=True)
        return executor

    def _variable_errors(
        self, operation: OperationDefinitionNode | None, params: Params
    ) -> list[GraphQLError]:
        if operation is None:
            return []
        return variable_errors(
            self._schema, operation, params.variables or {}, suggestions=self._suggestions
        )

    async def _visits(self, operation: OperationDefinitionNode, params: Params) -> int:
        if params.size > LARGE_REQUEST:
            return await in_worker_thread(
                self._variable_limits.measure, operation, params.variables
            )
        return self._variable_limits.measure(operation, params.variables)

    async def _subscribe(
        self,
        document: DocumentNode,
        params: Params,
        context: Context,
        plans: SelectionPlans,
        before_each: BeforeEach | None,
    ) -> OperationResult | ResponseStream:
        executor = await self._build(document, params, context, plans)
        if isinstance(executor, OperationResult):
            return dataclasses.replace(executor, is_request_error=True)
        async with asyncio.timeout(self._seconds):
            source = create_source_event_stream(executor)
            source = await source if isawaitable(source) else source
        if isinstance(source, ExecutionResult):
            return OperationResult(errors=source.errors, is_request_error=True)
        return ResponseStream(
            executor,
            source,
            answer_in_turn=partial(self.share.run_event, share_key(context.caller)),
            seconds=self._seconds,
            before_each=before_each,
        )

    async def _execute(
        self, document: DocumentNode, params: Params, context: Context, plans: SelectionPlans
    ) -> OperationResult:
        operation = get_operation_ast(document, params.operation_name)
        if operation is not None and is_introspection(operation):
            return await self._introspections.answer(params.query, document, params.operation_name)
        try:
            async with asyncio.timeout(self._seconds):
                executor = await self._build(document, params, context, plans)
                if isinstance(executor, OperationResult):
                    return executor
                result: ExecutionResult | Awaitable[ExecutionResult] = executor.execute_operation()
                result = await result if isawaitable(result) else result
        except TimeoutError:
            changes = operation and operation.operation is OperationType.MUTATION
            late = OutcomeUnknown() if changes else Unavailable("This took too long. Ask for less.")
            return OperationResult(errors=[GraphQLError(late.message, original_error=late)])
        never_began = result.data is None and all(not e.path for e in result.errors or [])
        return OperationResult(result.data, result.errors, is_request_error=never_began)

    def _execution_options(self, caller: Caller, plans: SelectionPlans) -> dict[str, Any]:
        """How graphql-core executes this caller's operation: with compiled selection sets, unless
        they are off or an authorizer denies fields to the caller, who needs a check per field."""
        options: dict[str, Any] = {
            "executor_class": StrawberryGraphQLCoreExecutionContext,
            "max_coercion_errors": 5,
            "hide_suggestions": not self._suggestions,
        }
        if caller.denied:
            options["middleware"] = deny_fields(caller.denied)
        elif self._compiled:
            options |= {"executor_class": CompiledExecutionContext, "plans": plans}
        return options


def _request_error(message: str) -> OperationResult:
    error = GraphQLError(message, extensions={"code": "GRAPHQL_VALIDATION_FAILED"})
    return OperationResult(errors=[error], is_request_error=True)
