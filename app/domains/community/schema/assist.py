"""Assist threads in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.community.inputs import (
    DeleteAssistMessageInput,
    EditAssistMessageInput,
    JoinAssistThreadInput,
    LeaveAssistThreadInput,
    MarkAssistThreadReadInput,
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

AssistScopeArgument = Annotated[AssistScope, strawberry.argument(description="MINE if left out.")]


@strawberry.type
class AssistQuery:
    @query(description="A thread you take part in, or an open public one; else null.")
    async def assist_thread(self, info: Info, id: strawberry.ID) -> AssistThread | None:
        return await info.context.assist.thread(id)

    @query(description="Newest first.")
    async def assist_threads(
        self,
        info: Info,
        scope: AssistScopeArgument = AssistScope.MINE,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[AssistThread]:
        fetch = partial(info.context.assist.threads, scope)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class AssistMutation:
    @mutation(description="Asks for help with one record, which the participants may read.")
    async def open_assist_thread(self, info: Info, input: OpenAssistThreadInput) -> AssistThread:
        return await info.context.assist.open(input)

    @mutation(description="Joins an open public thread as a helper. Joining again changes nothing.")
    async def join_assist_thread(self, info: Info, input: JoinAssistThreadInput) -> AssistThread:
        return await info.context.assist.join(input)

    @mutation(description="Leaves a thread as a helper. Its opener cannot leave.")
    async def leave_assist_thread(self, info: Info, input: LeaveAssistThreadInput) -> AssistThread:
        return await info.context.assist.leave(input)

    @mutation(description="For the opener: removes a helper, who can no longer read the thread.")
    async def remove_from_assist_thread(
        self, info: Info, input: RemoveFromAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.remove(input)

    @mutation(
        description="At most 30 messages a minute. A repeated request with the same idempotencyKey "
        "sends nothing."
    )
    async def send_assist_message(self, info: Info, input: SendAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.send(input)

    @mutation(
        description="Your own message, for 15 minutes, at most 20 times. Earlier texts are kept."
    )
    async def edit_assist_message(self, info: Info, input: EditAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.edit(input)

    @mutation(
        description="Your own message, also in a resolved thread. Its texts are erased; its "
        "place in the list stays."
    )
    async def delete_assist_message(self, info: Info, input: DeleteAssistMessageInput) -> AssistMsg:
        return await info.context.assist_messages.delete(input)

    @mutation(
        description="Moves your read marker forward, also in a resolved thread. It never moves "
        "back. Sending a message moves it, too."
    )
    async def mark_assist_thread_read(
        self, info: Info, input: MarkAssistThreadReadInput
    ) -> AssistThread:
        return await info.context.assist_messages.mark_read(input)

    @mutation(description="For the opener: from now on the thread can only be read.")
    async def resolve_assist_thread(
        self, info: Info, input: ResolveAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.resolve(input)

    @mutation(description="For the opener: messages can be sent again.")
    async def reopen_assist_thread(
        self, info: Info, input: ReopenAssistThreadInput
    ) -> AssistThread:
        return await info.context.assist.reopen(input)

    @mutation(
        description="For the opener of a resolved thread. A second rating replaces the first."
    )
    async def rate_help(self, info: Info, input: RateHelpInput) -> AssistThread:
        return await info.context.assist.rate(input)
