"""Guards: who may use a root field. A refusal depends on the caller alone and needs no I/O, so that
a request can be refused before its variables are read."""

from collections.abc import Callable
from dataclasses import dataclass

from app.core.caller import Access, Caller
from app.core.errors import AppError, Forbidden, Unauthenticated
from app.graph.context import Context

SIGN_IN = "Sign in first: send the access token as the Authorization header."


@dataclass(frozen=True, slots=True)
class Guard:
    name: str
    refusal: Callable[[Caller], AppError | None]
    needs_profile: bool = True

    async def __call__(self, context: Context) -> None:
        refusal = self.refusal(context.caller)
        if refusal is not None:
            raise refusal
        if self.needs_profile:
            await context.ensure_profile()


def _refuse_nobody(caller: Caller) -> AppError | None:
    return None


def _refuse_anonymous(caller: Caller) -> AppError | None:
    return Unauthenticated(SIGN_IN) if caller.access is Access.ANONYMOUS else None


def _refuse_without_account(caller: Caller) -> AppError | None:
    if caller.access is Access.API_KEY:
        return Forbidden("An API key may only read what is public. Sign in.")
    return Unauthenticated(SIGN_IN) if caller.id is None else None


def _refuse_non_moderators(caller: Caller) -> AppError | None:
    return _refuse_without_account(caller) or (
        None if caller.is_moderator else Forbidden("This is for moderators.")
    )


def _refuse_non_admins(caller: Caller) -> AppError | None:
    return _refuse_without_account(caller) or (
        None if caller.is_admin else Forbidden("This is for admins.")
    )


anyone = Guard("anyone", _refuse_nobody, needs_profile=False)
readers = Guard("readers", _refuse_anonymous, needs_profile=False)
newcomers = Guard("newcomers", _refuse_without_account, needs_profile=False)
signed_in = Guard("signed_in", _refuse_without_account)
moderators = Guard("moderators", _refuse_non_moderators)
admins = Guard("admins", _refuse_non_admins)
GUARDS = {each.name: each for each in (anyone, readers, newcomers, signed_in, moderators, admins)}
