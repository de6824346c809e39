"""Assist threads in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.community.inputs import (
    DeleteAssistMessageInput,
    EditAssistMessageInput,
    JoinAssistThreadInput,
    LeaveAssistThreadInput,
    OpenAssistThreadInput,
    RateHelpInput,
    RemoveFromAssistThreadInput,
    ReopenAssistThreadInput,
    ResolveAssistThreadInput,
    SendAssistMessageInput,
)
from app.domains.community.types import AssistMsg, AssistScope, AssistThread
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page

Scope = Annotated[AssistScope, strawberry.argument(description="MINE if left out.")]


@strawberry.type
class AssistQuery:
    @query(description="A thread you take part in, or an open public one; null for all others.")
    async def assist_thread(self, info: Info, id: strawberry.ID) -> AssistThread | None:
        return await info.context.assist.thread(id)

    @query(description="Newest first.")
    async def assist_threads(
        self,
        info: Info,
        scope: Scope = AssistScope.MINE,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[AssistThread]:
        fetch = partial(info.context.assist.threads, scope)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class AssistMutation:
    @mutation(description="Asks for help with one record, which those who join may read.")
    async def open_assist_thread(self, info: Info, input: OpenAssistThreadInput) -> AssistThread:
        return await info.context.assist.open(input)

    @mutation(description="As a helper in a public thread that is open; again is once.")
    async def join_assist_thread(self, info: Info, input: JoinAssistThreadInput) -> AssistThread:
        return await info.context.assist.join(input)

    @mutation(description="As a helper.")
    async def leave_assist_thread(self, info: Info, input: LeaveAssistThreadInput) -> AssistThread:
        return await info.context.assist.leave(input)

    @mutation(description="For who opened it: a helper sees nothing of it any more.")
    async def remove_from_assist_thread(
        self, info: Info, input: RemoveFromAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.remove(input)

    @mutation(
        description="At most 30 a minute. With an idempotencyKey, a repeated request sends "
        "nothing more."
    )
    async def send_assist_message(self, info: Info, input: SendAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.send(input)

    @mutation(description="Your own, for 15 minutes and at most 20 times; earlier texts are kept.")
    async def edit_assist_message(self, info: Info, input: EditAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.edit(input)

    @mutation(
        description="Your own, also in a resolved thread: its texts are erased, its place stays."
    )
    async def delete_assist_message(self, info: Info, input: DeleteAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.delete(input)

    @mutation(description="For who opened it: from now on it can only be read.")
    async def resolve_assist_thread(
        self, info: Info, input: ResolveAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.resolve(input)

    @mutation(description="For who opened it.")
    async def reopen_assist_thread(
        self, info: Info, input: ReopenAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.reopen(input)

    @mutation(description="For who opened it, once it is resolved; again replaces the rating.")
    async def rate_help(self, info: Info, input: RateHelpInput) -> AssistThread:
        return await info.context.assist.rate(input)
