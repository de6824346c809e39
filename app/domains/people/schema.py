"""People in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import Node
from app.core.scalars import AWSJSON, AWSEmail
from app.domains.people.inputs import (
    ChangePasswordInput,
    CreateProfileInput,
    DeleteAccountInput,
    RefreshSessionInput,
    SignInInput,
    SignUpInput,
    UpdateProfileInput,
)
from app.domains.people.types import Session, User
from app.graph.context import Info
from app.graph.fields import anyone, mutation, newcomers, query, readers
from app.graph.paging import Limit, NextToken, Page, page

Types = Annotated[
    list[str] | None,
    strawberry.argument(description="Only these, in any letter case, e.g. MILESTONE; null: all."),
]


@strawberry.type
class PeopleQuery:
    @query(description="The signed-in user.")
    async def me(self, info: Info) -> User:
        return await info.context.profiles.me()

    @query(readers, description="Someone's public profile; null if there is none.")
    async def user(self, info: Info, id: strawberry.ID) -> User | None:
        return await info.context.profiles.user(id)

    @query(readers, description="The letter case does not matter.")
    async def user_by_nickname(self, info: Info, nickname: str) -> User | None:
        return await info.context.profiles.user_by_nickname(nickname)

    @query(description="Only yourself, unless you are a moderator; null for all others.")
    async def user_by_email(self, info: Info, email: AWSEmail) -> User | None:
        return await info.context.profiles.user_by_email(email)

    @query(anyone, description="May be asked 30 times a minute.")
    async def nickname_available(self, info: Info, nickname: str) -> bool:
        return await info.context.profiles.is_nickname_free(nickname)

    @query(anyone, description="May be asked 30 times a minute.")
    async def email_available(self, info: Info, email: AWSEmail) -> bool:
        return await info.context.profiles.is_email_free(email)

    @query(
        description="What you made, newest first, of all types or of some. A quest stands here as "
        "a QuestListing: your part in it, and the quest."
    )
    async def timeline(
        self, info: Info, types: Types = None, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Node]:
        fetch = partial(info.context.profiles.timeline, types)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Everything you have here, as a JSON object of lists by type.")
    async def export_data(self, info: Info) -> AWSJSON:
        return await info.context.accounts.export()


@strawberry.type
class PeopleMutation:
    @mutation(anyone, description="Makes an account and signs it in.")
    async def sign_up(self, info: Info, input: SignUpInput) -> Session:
        return await info.context.identity.sign_up(input)

    @mutation(anyone, description="After 5 failures, refused for 15 minutes.")
    async def sign_in(self, info: Info, input: SignInInput) -> Session:
        return await info.context.identity.sign_in(input)

    @mutation(anyone, description="A new access token, and a new refresh token for the old one.")
    async def refresh_session(self, info: Info, input: RefreshSessionInput) -> Session:
        return await info.context.identity.refresh(input)

    @mutation(description="Ends this session: its tokens are refused from now on.")
    async def sign_out(self, info: Info) -> bool:
        return await info.context.identity.sign_out()

    @mutation(description="Ends every other session.")
    async def change_password(self, info: Info, input: ChangePasswordInput) -> User:
        return await info.context.identity.change_password(input)

    @mutation(
        newcomers, description="For users of an outside issuer who want to choose a nickname."
    )
    async def create_profile(self, info: Info, input: CreateProfileInput) -> User:
        return await info.context.profiles.create_profile(input)

    @mutation()
    async def update_profile(self, info: Info, input: UpdateProfileInput) -> User:
        return await info.context.profiles.update_profile(input)

    @mutation(description="Hides you and ends your sessions, until you sign in again.")
    async def deactivate_account(self, info: Info) -> User:
        return await info.context.accounts.deactivate()

    @mutation(
        description="Erases the account and everything in it, for good. A quest for which others "
        "handed in work stays, without your name."
    )
    async def delete_account(self, info: Info, input: DeleteAccountInput) -> User:
        return await info.context.accounts.delete(input)
