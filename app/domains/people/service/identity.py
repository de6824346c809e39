"""Embedded identity: accounts with a password, and sessions that are renewed by rotating tokens."""

import hashlib
import hmac
import secrets
from datetime import timedelta

import strawberry

from app.core.caller import Caller
from app.core.clock import epoch, instant, moment_of
from app.core.errors import Conflict, RateLimited, Unauthenticated
from app.core.scalars import AWSTimestamp
from app.core.text import normal_email
from app.domains.people import keys
from app.domains.people.errors import IdentityElsewhere, WrongCredentials
from app.domains.people.inputs import (
    ChangePasswordInput,
    RefreshSessionInput,
    SignInInput,
    SignUpInput,
)
from app.domains.people.repository import PeopleRepository
from app.domains.people.service.profiles import Profiles
from app.domains.people.types import (
    Credential,
    LoginAttempts,
    Session,
    SignedInSession,
    User,
    UserStatus,
)
from app.domains.service import Service
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.writes import Delete, Put, Update, Write, create, replace

MOST_FAILURES = 5
LOCK_SECONDS = 15 * 60
# A refresh whose answer was lost on the way may be repeated for so long; later it counts as theft.
GRACE = timedelta(seconds=60)


class Identity(Service):
    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.repository = PeopleRepository(resources.table)

    async def sign_up(self, request: SignUpInput) -> Session:
        self._must_be_embedded()
        await self.resources.limiter.count("sign-ups", self.caller.address, limit=10, seconds=3600)
        fields = request.given()
        password, email = fields.pop("password"), fields.pop("email")
        user = self.profiles.newcomer(self.resources.ids.new(), email, **fields)
        credential = await self._credential(user.id, password)
        session, stored = self._new_session(user)
        await self.table.write(
            *self.profiles.first_writes(user), Put(credential), create(stored, WrongCredentials())
        )
        return session

    async def sign_in(self, request: SignInInput) -> Session:
        self._must_be_embedded()
        user_id = await self.repository.owner_of_email(request.email)
        pair = self._pair(request.email)
        await self._check_password(user_id, request.password, pair)
        user = await self.repository.user(user_id or "-")
        if user is None or user.status is UserStatus.deleting:
            raise WrongCredentials
        user, returning = self._welcome_back(user)
        session, stored = self._new_session(user)
        await self.table.write(Put(stored), Delete(keys.login_attempts(pair)), *returning)
        return session

    def _welcome_back(self, user: User) -> tuple[User, list[Write]]:
        if user.status is not UserStatus.deactivated:
            return user, []
        active = user.evolve(self.now, status=UserStatus.active)
        return active, [replace(active, user, "profile")]

    async def refresh(self, request: RefreshSessionInput) -> Session:
        user_id, session_id, secret = _opened(request.refresh_token)
        stored = await self.table.get(keys.session(user_id, session_id))
        user = await self.repository.user(user_id)
        if stored is None or user is None or stored.ttl <= epoch(self.resources.clock.now()):
            raise Unauthenticated("This session has ended. Sign in again.")
        if not self._is_current(stored, secret):
            await self.end_session(stored)
            raise Unauthenticated("This refresh token was used before. Sign in again.")
        session, renewed = self._new_session(user, stored)
        await self.table.write(replace(renewed, stored, "session"))
        return session

    def _is_current(self, stored: SignedInSession, secret: str) -> bool:
        given = _hash(secret)
        if hmac.compare_digest(given, stored.refresh_hash):
            return True
        recently = self.resources.clock.now() - moment_of(stored.refreshed_at) < GRACE
        return recently and hmac.compare_digest(given, stored.previous_hash or "")

    async def sign_out(self) -> bool:
        if self.caller.session_id:
            await self._end(self.caller.user_id, self.caller.session_id)
        return True

    async def end_session(self, session: SignedInSession) -> None:
        await self._end(session.user_id, session.id)

    async def _end(self, user_id: str, session_id: str) -> None:
        await self.table.write(Delete(keys.session(user_id, session_id)))
        self.resources.standing.forget(session_id)

    async def change_password(self, request: ChangePasswordInput) -> User:
        """Ends every other session: whoever knew the old password is out."""
        self._must_be_embedded()
        await self.check_password(request.current_password)
        credential = await self._credential(self.caller.user_id, request.new_password)
        await self.table.write(Put(credential))
        for session in await self.repository.sessions_of_user(self.caller.user_id):
            if session.id != self.caller.session_id:
                await self.end_session(session)
        return await self.profiles.me()

    async def check_password(self, password: str) -> None:
        user = await self.profiles.me()
        await self._check_password(user.id, password, self._pair(user.email or user.id))

    async def _check_password(self, user_id: str | None, password: str, pair: str) -> None:
        async with self.resources.passwords.one_at_a_time(pair):
            await self._refuse_while_locked(pair)
            credential = await self.repository.password_of_user(user_id) if user_id else None
            hashed = credential.password_hash if credential else None
            if not await self.resources.passwords.matches(password, hashed):
                await self._count_failure(pair)
                raise WrongCredentials

    async def has_password(self) -> bool:
        return await self.repository.password_of_user(self.caller.user_id) is not None

    async def is_alive(self) -> bool:
        """Is the caller's session still there (an outside caller: is the account active)?"""
        if self.caller.session_id:
            session = await self.repository.session(self.caller.user_id, self.caller.session_id)
            return session is not None and session.ttl > epoch(self.resources.clock.now())
        user = await self.repository.user(self.caller.user_id)
        return user is None or user.status is UserStatus.active

    def _must_be_embedded(self) -> None:
        if not self.resources.settings.embedded_identity:
            raise IdentityElsewhere

    async def _credential(self, user_id: str, password: str) -> Credential:
        return Credential(
            created_at=self.now,
            updated_at=self.now,
            user_id=user_id,
            kind="PASSWORD",
            password_hash=await self.resources.passwords.hash(password),
        )

    def _new_session(
        self, user: User, old: SignedInSession | None = None
    ) -> tuple[Session, SignedInSession]:
        now = self.resources.clock.now()
        secret = secrets.token_urlsafe(32)
        stored = SignedInSession(
            created_at=old.created_at if old else instant(now),
            updated_at=instant(now),
            version=old.version + 1 if old else 1,
            id=old.id if old else self.resources.ids.new(),
            user_id=user.id,
            refresh_hash=_hash(secret),
            previous_hash=old.refresh_hash if old else None,
            refreshed_at=instant(now),
            ttl=epoch(now) + self.resources.settings.session_days * 86_400,
        )
        token = self.resources.tokens.issue(
            user_id=user.id, session_id=stored.id, groups=user.groups, now=now
        )
        session = Session(
            access_token=token.text,
            refresh_token=f"{user.id}.{stored.id}.{secret}",
            expires_at=AWSTimestamp(token.expires_at),
            user=user,
        )
        return session, stored

    def _pair(self, email: str) -> str:
        """Address and email together: neither can lock out the other, and neither is readable."""
        return _hash(f"{self.caller.address}\n{normal_email(email)}")

    async def _refuse_while_locked(self, pair: str) -> None:
        now = epoch(self.resources.clock.now())
        attempts = await self.table.get(keys.login_attempts(pair))
        if attempts and attempts.count >= MOST_FAILURES and attempts.ttl > now:
            raise RateLimited("attempts to sign in", attempts.ttl - now)

    async def _count_failure(self, pair: str) -> None:
        now = epoch(self.resources.clock.now())
        first = LoginAttempts(
            created_at=self.now, updated_at=self.now, pair=pair, count=1, ttl=now + LOCK_SECONDS
        )
        try:
            await self.table.write(
                Put(first, when=absent() | attr("ttl").at_most(now), otherwise=Conflict("open"))
            )
        except Conflict:
            await self.table.update(
                Update(keys.login_attempts(pair), add={"count": 1, "version": 1})
            )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _opened(refresh_token: str) -> tuple[str, str, str]:
    parts = refresh_token.split(".")
    if len(parts) != 3 or not all(parts):
        raise Unauthenticated("This is not a refresh token of this server.")
    user_id, session_id, secret = parts
    return strawberry.ID(user_id), session_id, secret
