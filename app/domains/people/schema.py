"""People in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSJSON, AWSEmail
from app.domains.people import rules
from app.domains.people.inputs import (
    ChangePasswordInput,
    CreateProfileInput,
    DeleteAccountInput,
    RefreshSessionInput,
    SignInInput,
    SignUpInput,
    UpdateProfileInput,
)
from app.domains.people.types import (
    LevelProgress,
    Session,
    User,
    UserStats,
)
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.guards import anyone, newcomers, readers
from app.graph.paging import Limit, NextToken, Page, page


@fields_of(UserStats)
class UserStatsFields(UserStats):
    @computed(description="floor(√(experiencePoints / 100)) + 1")
    def level(self) -> int:
        return rules.level(self.experience_points)

    @computed(description="Why this is the level, and how far the next one is.")
    def level_progress(self) -> LevelProgress:
        return rules.level_progress(self.experience_points)


@fields_of(User)
class UserFields(User):
    @computed(description="Counters of quests and rewards.")
    async def stats(self, info: Info) -> UserStats:
        return await info.context.profiles.stats(self.id)


Types = Annotated[
    list[str] | None,
    strawberry.argument(description="Type names in any letter case, e.g. MILESTONE. null: all."),
]


@strawberry.type
class PeopleQuery:
    @query(description="The signed-in user.")
    async def me(self, info: Info) -> User:
        return await info.context.profiles.me()

    @query(readers, description="A user's public profile; null if there is none.")
    async def user(self, info: Info, id: strawberry.ID) -> User | None:
        return await info.context.profiles.user(id)

    @query(readers, description="Ignores letter case. null if there is none.")
    async def user_by_nickname(self, info: Info, nickname: str) -> User | None:
        return await info.context.profiles.user_by_nickname(nickname)

    @query(description="Finds yourself; moderators find everyone. null otherwise.")
    async def user_by_email(self, info: Info, email: AWSEmail) -> User | None:
        return await info.context.profiles.user_by_email(email)

    @query(
        anyone,
        description="false also if the nickname looks like one that is taken, or is reserved. At "
        "most 30 times a minute.",
    )
    async def nickname_available(self, info: Info, nickname: str) -> bool:
        return await info.context.profiles.is_nickname_free(nickname)

    @query(anyone, description="At most 30 times a minute.")
    async def email_available(self, info: Info, email: AWSEmail) -> bool:
        return await info.context.profiles.is_email_free(email)

    @query(
        description="Your records by creation time, newest first. A quest appears as a "
        "QuestListing: your role in it, and the quest."
    )
    async def timeline(
        self, info: Info, types: Types = None, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Node]:
        fetch = partial(info.context.profiles.timeline, types)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="All your data, as a JSON object of lists by type.")
    async def export_data(self, info: Info) -> AWSJSON:
        return await info.context.accounts.export()


NO_RECEIPT_OF_TOKENS = (
    "Takes no idempotencyKey: its answer holds tokens, which are shown once and not stored."
)


@strawberry.type
class PeopleMutation:
    @mutation(anyone, description=f"Creates an account and signs it in. {NO_RECEIPT_OF_TOKENS}")
    async def sign_up(self, info: Info, input: SignUpInput) -> Session:
        return await info.context.identity.sign_up(input)

    @mutation(
        anyone, description=f"After 5 failures, refused for 15 minutes. {NO_RECEIPT_OF_TOKENS}"
    )
    async def sign_in(self, info: Info, input: SignInInput) -> Session:
        return await info.context.identity.sign_in(input)

    @mutation(
        anyone,
        description="Exchanges a refresh token for new tokens. The same token gives the same "
        f"answer for a minute, in case the first one was lost. {NO_RECEIPT_OF_TOKENS}",
    )
    async def refresh_session(self, info: Info, input: RefreshSessionInput) -> Session:
        return await info.context.identity.refresh(input)

    @mutation(
        description="Ends this session. Its tokens are refused from now on. Takes no "
        "idempotencyKey: repeated, it is refused, for there is no session any more."
    )
    async def sign_out(self, info: Info) -> bool:
        return await info.context.identity.sign_out()

    @mutation(
        description="Ends every other session. Takes no idempotencyKey: its input holds passwords, "
        "of which no trace is stored. Repeated, it is refused as the old password is wrong."
    )
    async def change_password(self, info: Info, input: ChangePasswordInput) -> User:
        return await info.context.identity.change_password(input)

    @mutation(newcomers, description="For users of an outside issuer, to choose a nickname.")
    async def create_profile(self, info: Info, input: CreateProfileInput) -> User:
        return await info.context.profiles.create_profile(input)

    @mutation(description="Changes the fields of your profile that are sent; null clears one.")
    async def update_profile(self, info: Info, input: UpdateProfileInput) -> User:
        return await info.context.profiles.update_profile(input)

    @mutation(
        description="Hides your profile and ends your sessions, until you sign in again. Takes no "
        "idempotencyKey: repeated, it is refused, for there is no session any more."
    )
    async def deactivate_account(self, info: Info) -> User:
        return await info.context.accounts.deactivate()

    @mutation(
        description="Erases the account and everything in it. This cannot be undone. A quest for "
        "which others submitted work stays, without your name. Takes no idempotencyKey: nothing of "
        "the account is kept. An erasure that was interrupted is finished by the server."
    )
    async def delete_account(self, info: Info, input: DeleteAccountInput) -> User:
        return await info.context.accounts.delete(input)
