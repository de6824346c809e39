"""Embedded identity: accounts with a password, and sessions that are renewed by rotating tokens."""

import hashlib
import hmac
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from app.core.caller import Caller
from app.core.clock import epoch, instant, moment_of
from app.core.errors import Conflict, NotFound, RateLimited, Unauthenticated
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
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import absent, attr, version_is
from app.table.writes import Check, Delete, Put, Update, Write, create, replace

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
        await self.resources.limiter.count("sign-ins", self.caller.address, limit=30, seconds=60)
        user_id = await self.repository.owner_of_email(request.email)
        pair = self._pair(request.email)
        credential = await self._check_password(user_id, request.password, pair)
        user = await self.repository.user(user_id or "-")
        if user is None or user.status is UserStatus.deleting:
            raise WrongCredentials
        user, returning = self._welcome_back(user)
        session, stored = self._new_session(user)
        await self.table.write(
            Put(stored),
            Delete(keys.login_attempts(pair)),
            Check(keys.password_of_user(user.id), version_is(credential), WrongCredentials()),
            *returning,
        )
        return session

    def _welcome_back(self, user: User) -> tuple[User, list[Write]]:
        """The session is written only if nothing ended all sessions meanwhile."""
        if user.status is not UserStatus.deactivated:
            same = attr("generation").equals(user.generation)
            return user, [Check(keys.user(user.id), same, WrongCredentials())]
        active = user.evolve(self.now, status=UserStatus.active)
        return active, [replace(active, user, "profile")]

    async def refresh(self, request: RefreshSessionInput) -> Session:
        """The same token gives the same answer for a minute, so that a lost answer does no harm."""
        user_id, session_id, turn = self._opened(request.refresh_token)
        try:
            return await self.commit(partial(self._refresh, user_id, session_id, turn))
        except NotFound:
            raise ended() from None

    async def _refresh(self, user_id: str, session_id: str, turn: int) -> Decision[Session]:
        user, session, _ = await self.repository.standing(user_id, session_id)
        if user is None or session is None or not self._is_alive(user, session):
            raise ended()
        if turn == session.turn:
            answer, renewed = self._new_session(user, session)
            return Decision(answer, [replace(renewed, session, "session")])
        recently = self.resources.clock.now() - moment_of(session.refreshed_at) < GRACE
        if turn == session.turn - 1 and recently:
            return Decision(self._tokens_of(user, session))
        await self.end_session(session)
        raise Unauthenticated("This refresh token was used before. Sign in again.")

    def _is_alive(self, user: User, session: SignedInSession) -> bool:
        return (
            user.status is UserStatus.active
            and session.generation == user.generation
            and session.ttl > epoch(self.resources.clock.now())
        )

    async def sign_out(self) -> bool:
        """For a token of an outside issuer: all its tokens up to now are refused here."""
        if self.caller.session_id:
            await self._end(self.caller.user_id, self.caller.session_id)
            return True
        user = await self.profiles.me()
        await self.table.write(
            replace(user.evolve(self.now, signed_out_at=self.now), user, "profile")
        )
        self.resources.standing.forget(user.id)
        return True

    async def end_session(self, session: SignedInSession) -> None:
        await self._end(session.user_id, session.id)

    async def _end(self, user_id: str, session_id: str) -> None:
        await self.table.write(Delete(keys.session(user_id, session_id)))
        self.resources.standing.forget(session_id)

    async def change_password(self, request: ChangePasswordInput) -> User:
        """Ends every other session, in the same write: whoever knew the old password is out."""
        self._must_be_embedded()
        old = await self.profiles.me()
        version = await self.check_password(request.current_password)
        credential = await self._credential(old.id, request.new_password, version + 1)
        user = old.evolve(self.now, generation=old.generation + 1)
        mine = await self.table.get(keys.session(old.id, self.caller.session_id or "-"))
        kept = [Put(mine.evolve(self.now, generation=user.generation))] if mine else []
        await self.table.write(
            replace(user, old, "profile"),
            Put(credential, when=version_is(version), otherwise=WrongCredentials()),
            *kept,
        )
        self.forget_sessions(await self.repository.sessions_of_user(old.id))
        return user

    def forget_sessions(self, sessions: Iterable[SignedInSession]) -> None:
        for session in sessions:
            if session.id != self.caller.session_id:
                self.resources.standing.forget(session.id)

    async def check_password(self, password: str) -> int:
        user = await self.profiles.me()
        return await self._check_password(user.id, password, self._pair(user.email or user.id))

    async def _check_password(self, user_id: str | None, password: str, pair: str) -> int:
        """The version of the password that was right."""
        async with self.resources.passwords.one_at_a_time(pair):
            await self._refuse_while_locked(pair)
            credential = await self.repository.password_of_user(user_id) if user_id else None
            hashed = credential.password_hash if credential else None
            matches = await self.resources.passwords.matches(password, hashed)
            if credential is None or not matches:
                await self._count_failure(pair)
                raise WrongCredentials
            return credential.version

    async def has_password(self) -> bool:
        return await self.repository.password_of_user(self.caller.user_id) is not None

    async def is_alive(self) -> bool:
        """Is the caller's token still good? Who is new from outside has no account yet."""
        caller = self.caller
        user, session, departure = await self.repository.standing(caller.user_id, caller.session_id)
        if caller.session_id:
            return user is not None and session is not None and self._is_alive(user, session)
        ends = [departure.created_at if departure else None, user.signed_out_at if user else None]
        issued = caller.issued_at or 0
        if any(issued <= epoch(moment_of(end)) for end in ends if end):
            return False
        return user is None or user.status is not UserStatus.deleting

    def _must_be_embedded(self) -> None:
        if not self.resources.settings.embedded_identity:
            raise IdentityElsewhere

    async def _credential(self, user_id: str, password: str, version: int = 1) -> Credential:
        return Credential(
            created_at=self.now,
            updated_at=self.now,
            version=version,
            user_id=user_id,
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
            id=old.id if old else self.resources.ids.new(),
            user_id=user.id,
            generation=user.generation,
            turn=old.turn + 1 if old else 0,
            refreshed_at=instant(now),
            ttl=epoch(now) + self.resources.settings.session_days * 86_400,
        )
        return self._tokens_of(user, stored), stored

    def _tokens_of(self, user: User, session: SignedInSession) -> Session:
        token = self.resources.tokens.issue(
            user_id=user.id,
            session_id=session.id,
            groups=user.groups,
            now=self.resources.clock.now(),
        )
        proof = self._proof(session.id, session.turn)
        return Session(
            access_token=token.text,
            refresh_token=f"{user.id}.{session.id}.{session.turn}.{proof}",
            expires_at=AWSTimestamp(token.expires_at),
            user=user,
        )

    def _proof(self, session_id: str, turn: int) -> str:
        """Worked out from the server's secret, so that nothing that could be stolen is stored."""
        key = self.resources.secret.derive("refresh tokens")
        return hmac.new(key, f"{session_id}.{turn}".encode(), "sha256").hexdigest()

    def _opened(self, refresh_token: str) -> tuple[str, str, int]:
        parts = refresh_token.split(".")
        if len(parts) != 4 or not parts[2].isascii() or not parts[2].isdigit():
            raise ended()
        user_id, session_id, turn, proof = parts
        if not hmac.compare_digest(proof.encode(), self._proof(session_id, int(turn)).encode()):
            raise ended()
        return user_id, session_id, int(turn)

    def _pair(self, email: str) -> str:
        """Address and email together: neither can lock out the other, and neither is readable."""
        pair = f"{self.caller.address}\n{normal_email(email)}"
        return hashlib.sha256(pair.encode()).hexdigest()

    async def _refuse_while_locked(self, pair: str) -> None:
        now = epoch(self.resources.clock.now())
        attempts = await self.table.get(keys.login_attempts(pair))
        if attempts and attempts.count >= MOST_FAILURES and attempts.ttl > now:
            raise RateLimited("attempts to sign in", attempts.ttl - now)

    async def _count_failure(self, pair: str) -> None:
        """In the open window, or as the first of a new one."""
        now = epoch(self.resources.clock.now())
        key, ttl = keys.login_attempts(pair), now + LOCK_SECONDS
        try:
            await self.table.update(
                Update(
                    key,
                    put={"updatedAt": self.now},
                    add={"count": 1, "version": 1},
                    first={"pair": pair, "createdAt": self.now, "ttl": ttl},
                    when=absent() | attr("ttl").above(now),
                    otherwise=Conflict("the window has passed"),
                )
            )
        except Conflict:
            first = LoginAttempts(
                created_at=self.now, updated_at=self.now, pair=pair, count=1, ttl=ttl
            )
            await self.table.write(Put(first))


def ended() -> Unauthenticated:
    return Unauthenticated("This session has ended. Sign in again.")
