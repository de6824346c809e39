"""Inputs of the mutations about people."""

from typing import Annotated

import strawberry
from pydantic import Field, StringConstraints

from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSEmail
from app.core.text import (
    IdempotencyKey,
    LifeArea,
    LongText,
    Nickname,
    ShortText,
    TagNames,
    TimeZoneName,
    WebAddress,
)

Password = Annotated[str, StringConstraints(min_length=8, max_length=256)]
CredentialText = Annotated[str, StringConstraints(max_length=512)]
Country = Annotated[str, StringConstraints(to_upper=True, pattern=r"^[A-Za-z]{2}$")]
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$")]
ShortWord = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
DayStartHour = Annotated[int, Field(ge=0, le=6)]


@strawberry.input
class SignUpInput(Input):
    email: AWSEmail = strawberry.field(
        description="Your e-mail address; letter case does not matter. Nobody else may have it."
    )
    nickname: Nickname = strawberry.field(
        description="3 to 30 letters, digits, or _ - . Unique, ignoring letter case and signs that "
        "look alike (Unicode UTS 39). Names such as admin and support are reserved."
    )
    password: Password = strawberry.field(
        description="Your password.",
    )
    full_name: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your name, for yourself only.",
    )
    display_name: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="The name that is shown; left out: the nickname is.",
    )
    time_zone: TimeZoneName | None = strawberry.field(
        default=strawberry.UNSET, description="IANA name, e.g. Europe/Lisbon. UTC if left out."
    )


@strawberry.input
class SignInInput(Input):
    email: AWSEmail = strawberry.field(
        description="The address that you signed up with; letter case does not matter."
    )
    password: CredentialText = strawberry.field(description="Your password.")


@strawberry.input
class RefreshSessionInput(Input):
    refresh_token: CredentialText


@strawberry.input(description="null clears a preference; an absent field stays unchanged.")
class PreferencesInput(Input):
    theme: ShortWord | None = strawberry.field(
        default=strawberry.UNSET,
        description="The colours of a front end.",
    )
    default_area: LifeArea | None = strawberry.field(
        default=strawberry.UNSET,
        description="The life area of new records, for a front end.",
    )
    notifications: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether a front end shows notifications.",
    )


@strawberry.input
class CreateProfileInput(Input):
    nickname: Nickname
    full_name: ShortText | None = strawberry.UNSET
    display_name: ShortText | None = strawberry.UNSET
    time_zone: TimeZoneName | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="null clears a field; an absent field stays unchanged.")
class UpdateProfileInput(Input):
    nickname: Nickname | None = strawberry.UNSET
    email: AWSEmail | None = strawberry.UNSET
    full_name: ShortText | None = strawberry.UNSET
    display_name: ShortText | None = strawberry.UNSET
    birth_date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="13 to 130 years ago."
    )
    country: Country | None = strawberry.UNSET
    language: Language | None = strawberry.UNSET
    gender: ShortWord | None = strawberry.UNSET
    pronouns: ShortWord | None = strawberry.UNSET
    bio: LongText | None = strawberry.UNSET
    avatar_url: WebAddress | None = strawberry.field(
        default=strawberry.UNSET, description="It begins with https:// or http://."
    )
    tags: TagNames | None = strawberry.UNSET
    time_zone: TimeZoneName | None = strawberry.UNSET
    day_start_hour: DayStartHour | None = strawberry.UNSET
    preferences: PreferencesInput | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="Refuses with CONFLICT if the profile has another version.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ChangePasswordInput(Input):
    current_password: CredentialText = strawberry.field(
        description="The password that you have now."
    )
    new_password: Password = strawberry.field(description="The password that you want.")


@strawberry.input
class DeleteAccountInput(Input):
    confirm_nickname: str = strawberry.field(
        description="Your nickname, as confirmation. Deletion cannot be undone."
    )
    password: CredentialText | None = strawberry.field(
        default=strawberry.UNSET, description="Needed if you sign in with a password."
    )
