"""Where people are stored, and the questions that can be asked about them."""

from app.core.record import Node
from app.core.text import normal_email, normal_nickname
from app.domains.people.types import (
    Credential,
    Departure,
    EmailLock,
    LoginAttempts,
    NicknameLock,
    SignedInSession,
    User,
    UserStats,
)
from app.table.entity import Entity, Key, Query

USER = Entity(
    User,
    pk="USER#{id}",
    sk="PROFILE#{id}",
    gsi1=("USER#{id}", "ENTITY#User#{created_at}"),
    gsi2=("NICK#{nickname_key}", "PROFILE#{id}"),
    gsi3=("EMAIL#{email_key}", "PROFILE#{id}"),
    gsi4=("ACCOUNTS#DELETING", "{deleting_since}#{id}"),
)
USER_STATS = Entity(UserStats, pk="USER#{user_id}", sk="USER#{user_id}")
EMAIL_LOCK = Entity(EmailLock, pk="EMAIL#{email}", sk="UNIQUE#USER")
NICKNAME_LOCK = Entity(NicknameLock, pk="NICK#{nickname}", sk="UNIQUE#USER")
CREDENTIAL = Entity(Credential, pk="USER#{user_id}", sk="CREDENTIAL#{kind}", secret=True)
SESSION = Entity(SignedInSession, pk="USER#{user_id}", sk="SESSION#{id}", secret=True)
DEPARTURE = Entity(
    Departure,
    pk="DEPARTED#{user_id}",
    sk="DEPARTED",
    gsi4=("ACCOUNTS#DEPARTED", "{sweep_after}#{user_id}"),
    secret=True,
)
LOGIN_ATTEMPTS = Entity(LoginAttempts, pk="LOGIN#{pair}", sk="ATTEMPT#COUNT", secret=True)


def user(user_id: str) -> Key[User]:
    """Someone's profile by id"""
    return USER.key(id=user_id)


def stats_of_user(user_id: str) -> Key[UserStats]:
    """Someone's quest counters"""
    return USER_STATS.key(user_id=user_id)


def user_by_nickname(nickname: str) -> Query[User]:
    """Who has this nickname"""
    return USER.within("GSI2", nickname_key=normal_nickname(nickname))


def user_by_email(email: str) -> Query[User]:
    """Who has this email"""
    return USER.within("GSI3", email_key=normal_email(email))


def nickname_lock(nickname: str) -> Key[NicknameLock]:
    """Is this nickname free"""
    return NICKNAME_LOCK.key(nickname=normal_nickname(nickname))


def email_lock(email: str) -> Key[EmailLock]:
    """Is this email free; whose account is it"""
    return EMAIL_LOCK.key(email=normal_email(email))


def password_of_user(user_id: str) -> Key[Credential]:
    """The password's hash"""
    return CREDENTIAL.key(user_id=user_id, kind="PASSWORD")


def session(user_id: str, session_id: str) -> Key[SignedInSession]:
    """Is this session alive"""
    return SESSION.key(user_id=user_id, id=session_id)


def sessions_of_user(user_id: str) -> Query[SignedInSession]:
    """Someone's sessions"""
    return SESSION.within(user_id=user_id)


def login_attempts(pair: str) -> Key[LoginAttempts]:
    """How often a password was tried lately"""
    return LOGIN_ATTEMPTS.key(pair=pair)


def timeline(user_id: str, entity_type: str, newest_first: bool = True) -> Query[Node]:
    """Someone's things of one type, by the time they were made"""
    prefix = f"ENTITY#{entity_type}#"
    partition = USER.within("GSI1", id=user_id).pk
    return Query(None, partition, "GSI1", prefix, newest_first=newest_first)


def accounts_being_deleted() -> Query[User]:
    """Whose deletion has begun and not ended"""
    return USER.within("GSI4")


def departure(user_id: str) -> Key[Departure]:
    """Was this account deleted"""
    return DEPARTURE.key(user_id=user_id)


def departures_to_sweep() -> Query[Departure]:
    """Deleted accounts whose partition is looked at once more"""
    return DEPARTURE.within("GSI4")
