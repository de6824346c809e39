"""What clients send about people."""

from typing import Annotated

import strawberry
from pydantic import Field, StringConstraints

from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSEmail
from app.core.text import Area, Line, Nickname, Paragraph, Tags, WebAddress, Zone

Password = Annotated[str, StringConstraints(min_length=8, max_length=256)]
Secret = Annotated[str, StringConstraints(max_length=512)]
Country = Annotated[str, StringConstraints(to_upper=True, pattern=r"^[A-Za-z]{2}$")]
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$")]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
# Other people's browsers follow it: nothing that they would run.
DayStartHour = Annotated[int, Field(ge=0, le=6)]


@strawberry.input
class SignUpInput(Input):
    email: AWSEmail
    nickname: Nickname = strawberry.field(
        description="3 to 30 letters, digits, or _ - . and unique whatever the letter case."
    )
    password: Password = strawberry.field(description="8 to 256 characters.")
    full_name: Line | None = strawberry.UNSET
    display_name: Line | None = strawberry.UNSET
    time_zone: Zone | None = strawberry.field(
        default=strawberry.UNSET, description="IANA name, e.g. Europe/Lisbon. UTC if left out."
    )


@strawberry.input
class SignInInput(Input):
    email: AWSEmail
    password: Secret


@strawberry.input
class RefreshSessionInput(Input):
    refresh_token: Secret


@strawberry.input(description="null clears a preference; what is left out stays as it is.")
class PreferencesInput(Input):
    theme: Word | None = strawberry.UNSET
    default_area: Area | None = strawberry.UNSET
    notifications: bool | None = strawberry.UNSET


@strawberry.input
class CreateProfileInput(Input):
    nickname: Nickname
    full_name: Line | None = strawberry.UNSET
    display_name: Line | None = strawberry.UNSET
    time_zone: Zone | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateProfileInput(Input):
    nickname: Nickname | None = strawberry.UNSET
    email: AWSEmail | None = strawberry.UNSET
    full_name: Line | None = strawberry.UNSET
    display_name: Line | None = strawberry.UNSET
    birth_date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="You must be 13 at least."
    )
    country: Country | None = strawberry.UNSET
    language: Language | None = strawberry.UNSET
    gender: Word | None = strawberry.UNSET
    pronouns: Word | None = strawberry.UNSET
    bio: Paragraph | None = strawberry.field(
        default=strawberry.UNSET, description="Up to 2,000 characters."
    )
    avatar_url: WebAddress | None = strawberry.field(
        default=strawberry.UNSET, description="It begins with https:// or http://."
    )
    tags: Tags | None = strawberry.UNSET
    time_zone: Zone | None = strawberry.UNSET
    day_start_hour: DayStartHour | None = strawberry.UNSET
    preferences: PreferencesInput | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if the profile has another."
    )


@strawberry.input
class ChangePasswordInput(Input):
    current_password: Secret
    new_password: Password


@strawberry.input
class DeleteAccountInput(Input):
    confirm_nickname: str = strawberry.field(
        description="Your nickname, to show that it is meant. There is no way back."
    )
    password: Secret | None = strawberry.field(
        default=strawberry.UNSET, description="Needed if you sign in with a password."
    )
