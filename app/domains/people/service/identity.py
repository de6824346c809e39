"""Embedded identity: accounts with a password, and sessions with rotating refresh tokens."""

import hashlib
import hmac
from functools import partial

from app.core.clock import epoch_seconds, instant
from app.core.errors import NotFound, RateLimited, StaleVersion, Unauthenticated
from app.core.scalars import AWSTimestamp
from app.core.text import normalize_email
from app.domains.people import keys
from app.domains.people.errors import IdentityElsewhere, WrongCredentials
from app.domains.people.inputs import (
    ChangePasswordInput,
    RefreshSessionInput,
    SignInInput,
    SignUpInput,
)
from app.domains.people.repository import PeopleRepository
from app.domains.people.rules import (
    RefreshVerdict,
    is_caller_alive,
    is_session_alive,
    judge_refresh,
    new_profile,
    parse_refresh_token,
    seconds_locked,
    with_failure,
)
from app.domains.people.service.profiles import Profiles
from app.domains.people.types import (
    Credential,
    RefreshToken,
    Session,
    SignedInSession,
    User,
    UserStatus,
)
from app.domains.service import Decision, Service, uses
from app.table.conditions import absent, attr, version_is
from app.table.writes import Check, Delete, Put, Write, put_if_absent, put_if_unchanged


class Identity(Service):
    profiles = uses(Profiles)

    @property
    def repository(self) -> PeopleRepository:
        return PeopleRepository(self.table)

    async def sign_up(self, request: SignUpInput) -> Session:
        self._must_be_embedded()
        await self.resources.limiter.count("sign-ups", self.caller.address, limit=10, seconds=3600)
        values = request.values()
        password = values.pop("password")
        user = new_profile(self.new_id(), self.now, values)
        await self.profiles.expect_free_nickname(user)
        credential = await self._credential(user.id, password)
        session, stored = self._new_session(user)
        await self.table.write(
            *self.profiles.account_writes(user),
            Put(credential),
            put_if_absent(stored, WrongCredentials()),
        )
        return session

    async def sign_in(self, request: SignInInput) -> Session:
        self._must_be_embedded()
        await self.resources.limiter.count("sign-ins", self.caller.address, limit=30, seconds=60)
        lock = await self.table.get(keys.email_lock(request.email))
        pair = self._address_and_email(request.email)
        version = await self._check_password(lock.user_id if lock else None, request.password, pair)
        user = await self.table.load(keys.user(lock.user_id)) if lock else None
        if user is None or user.status is UserStatus.deleting:
            raise WrongCredentials
        user, activation = self._activate(user)
        session, stored = self._new_session(user)
        await self.table.write(
            Put(stored),
            Delete(keys.login_attempts(pair)),
            Check(keys.password_of_user(user.id), version_is(version), WrongCredentials()),
            *activation,
        )
        return session

    def _activate(self, user: User) -> tuple[User, list[Write]]:
        """Signing in reactivates a deactivated account. The check keeps the new session from being
        written if all sessions were ended meanwhile."""
        if user.status is not UserStatus.deactivated:
            unchanged = attr("generation").equals(user.generation)
            return user, [Check(keys.user(user.id), unchanged, WrongCredentials())]
        active = user.evolve(self.now, status=UserStatus.active)
        return active, [put_if_unchanged(active, user, "profile")]

    async def refresh(self, request: RefreshSessionInput) -> Session:
        """The same token gives the same answer for a minute, in case the first answer was lost."""
        token = parse_refresh_token(request.refresh_token)
        if token is None or not self._is_genuine(token):
            raise session_ended()
        try:
            return await self.commit(partial(self._refresh, token))
        except NotFound:
            raise session_ended() from None

    async def _refresh(self, token: RefreshToken) -> Decision[Session]:
        now = self.resources.clock.now()
        state = await self.repository.account_state(token.user_id, token.session_id)
        user, session = state.user, state.session
        if user is None or session is None or not is_session_alive(user, session, now):
            raise session_ended()
        match judge_refresh(session, token.refresh_count, now):
            case RefreshVerdict.RENEW:
                answer, renewed = self._new_session(user, session)
                return Decision(answer, [put_if_unchanged(renewed, session, "session")])
            case RefreshVerdict.REPEAT:
                return Decision(self._issue_tokens(user, session))
            case RefreshVerdict.REUSED:
                await self._end_session(session.user_id, session.id)
                raise Unauthenticated("This refresh token was used before. Sign in again.")

    async def sign_out(self) -> bool:
        """With a token of an outside issuer, all its tokens issued up to now are refused."""
        if self.caller.session_id:
            await self._end_session(self.caller.user_id, self.caller.session_id)
            return True
        user = await self.profiles.me()
        await self.table.write(
            put_if_unchanged(user.evolve(self.now, signed_out_at=self.now), user, "profile")
        )
        self.resources.liveness.mark_ended(user.id)
        return True

    async def _end_session(self, user_id: str, session_id: str) -> None:
        await self.table.write(Delete(keys.session(user_id, session_id)))
        self.resources.liveness.mark_ended(session_id)

    async def change_password(self, request: ChangePasswordInput) -> User:
        """Ends every other session in the same write."""
        self._must_be_embedded()
        old = await self.profiles.me()
        version = await self.check_password(request.current_password)
        credential = await self._credential(old.id, request.new_password, version + 1)
        user = old.evolve(self.now, generation=old.generation + 1)
        current = await self.table.get(keys.session(old.id, self.caller.session_id or "-"))
        kept = [Put(current.evolve(self.now, generation=user.generation))] if current else []
        await self.table.write(
            put_if_unchanged(user, old, "profile"),
            Put(credential, when=version_is(version), otherwise=WrongCredentials()),
            *kept,
        )
        await self.mark_other_sessions_ended(old.id)
        return user

    async def mark_other_sessions_ended(self, user_id: str) -> None:
        async for session in self.table.query_all(keys.sessions_of_user(user_id)):
            if session.id != self.caller.session_id:
                self.resources.liveness.mark_ended(session.id)

    async def check_password(self, password: str) -> int:
        user = await self.profiles.me()
        pair = self._address_and_email(user.email or user.id)
        return await self._check_password(user.id, password, pair)

    async def _check_password(self, user_id: str | None, password: str, pair: str) -> int:
        """The version of the password that was right."""
        async with self.resources.passwords.attempts.hold(pair):
            await self._refuse_while_locked(pair)
            key = keys.password_of_user(user_id) if user_id else None
            credential = await self.table.get(key) if key else None
            hashed = credential.password_hash if credential else None
            matches = await self.resources.passwords.matches(password, hashed)
            if credential is None or not matches:
                await self._count_failure(pair)
                raise WrongCredentials
            return credential.version

    async def is_alive(self) -> bool:
        state = await self.repository.account_state(self.caller.user_id, self.caller.session_id)
        return is_caller_alive(self.caller, state, self.resources.clock.now())

    def _must_be_embedded(self) -> None:
        if not self.resources.settings.embedded_identity:
            raise IdentityElsewhere

    async def _credential(self, user_id: str, password: str, version: int = 1) -> Credential:
        return Credential(
            created_at=self.now,
            updated_at=self.now,
            user_id=user_id,
            version=version,
            kind="PASSWORD",
            password_hash=await self.resources.passwords.hash(password),
        )

    def _new_session(
        self, user: User, old: SignedInSession | None = None
    ) -> tuple[Session, SignedInSession]:
        now = self.resources.clock.now()
        stored = SignedInSession(
            created_at=old.created_at if old else instant(now),
            updated_at=instant(now),
            version=old.version + 1 if old else 1,
            id=old.id if old else self.new_id(),
            user_id=user.id,
            generation=user.generation,
            refresh_count=old.refresh_count + 1 if old else 0,
            refreshed_at=instant(now),
            ttl=epoch_seconds(now) + self.resources.settings.session_days * 86_400,
        )
        return self._issue_tokens(user, stored), stored

    def _issue_tokens(self, user: User, session: SignedInSession) -> Session:
        token = self.resources.tokens.issue(
            user_id=user.id,
            session_id=session.id,
            groups=user.groups,
            now=self.resources.clock.now(),
        )
        signature = self._refresh_signature(session.id, session.refresh_count)
        return Session(
            access_token=token.text,
            refresh_token=f"{user.id}.{session.id}.{session.refresh_count}.{signature}",
            expires_at=AWSTimestamp(token.expires_at),
            user=user,
        )

    def _refresh_signature(self, session_id: str, refresh_count: int) -> str:
        """Derived from the server's secret: nothing that could be stolen is stored."""
        key = self.resources.secret.derive("refresh tokens")
        return hmac.new(key, f"{session_id}.{refresh_count}".encode(), "sha256").hexdigest()

    def _is_genuine(self, token: RefreshToken) -> bool:
        expected = self._refresh_signature(token.session_id, token.refresh_count)
        return hmac.compare_digest(token.signature.encode(), expected.encode())

    def _address_and_email(self, email: str) -> str:
        """Failures are counted per pair, so that nobody can lock out another. Hashed, so that
        neither can be read."""
        pair = f"{self.caller.address}\n{normalize_email(email)}"
        return hashlib.sha256(pair.encode()).hexdigest()

    async def _refuse_while_locked(self, pair: str) -> None:
        attempts = await self.table.get(keys.login_attempts(pair))
        if seconds := seconds_locked(attempts, self.resources.clock.now()):
            raise RateLimited("attempts to sign in", seconds)

    async def _count_failure(self, pair: str) -> None:
        async def decide() -> Decision[None]:
            old = await self.table.get(keys.login_attempts(pair))
            new = with_failure(old, pair, self.resources.clock.now())
            raced = StaleVersion("attempt", None)
            unchanged = version_is(old.version) if old else absent()
            return Decision(None, [Put(new, when=unchanged, otherwise=raced)])

        await self.commit(decide)


def session_ended() -> Unauthenticated:
    return Unauthenticated("This session has ended. Sign in again.")
