"""Keys of people: one entity per record, one function per access pattern."""

from app.core.record import Node
from app.core.text import normalize_email, normalize_nickname
from app.domains.people.types import (
    AccountTombstone,
    Credential,
    EmailLock,
    LoginAttempts,
    NicknameLock,
    NicknameSkeletonLock,
    SignedInSession,
    User,
    UserStats,
)
from app.table.entity import Entity, Key, RangeQuery

USER = Entity(
    "User",
    User,
    pk="USER#{id}",
    sk="PROFILE#{id}",
    gsi1=("USER#{id}", "ENTITY#User#{created_at}"),
    gsi2=("NICK#{nickname_key}", "PROFILE#{id}"),
    gsi3=("EMAIL#{email_key}", "PROFILE#{id}"),
    gsi4=("ACCOUNTS#DELETING", "{deleting_since}#{id}"),
)
USER_STATS = Entity("UserStats", UserStats, pk="USER#{user_id}", sk="USER#{user_id}")
EMAIL_LOCK = Entity("EmailLock", EmailLock, pk="EMAIL#{email}", sk="UNIQUE#USER")
NICKNAME_LOCK = Entity("NicknameLock", NicknameLock, pk="NICK#{nickname}", sk="UNIQUE#USER")
NICKNAME_SKELETON_LOCK = Entity(
    "NicknameSkeletonLock",
    NicknameSkeletonLock,
    pk="NICK_SKELETON#{skeleton}",
    sk="UNIQUE#USER",
)
CREDENTIAL = Entity(
    "Credential", Credential, pk="USER#{user_id}", sk="CREDENTIAL#{kind}", secret=True
)
SESSION = Entity(
    "SignedInSession", SignedInSession, pk="USER#{user_id}", sk="SESSION#{id}", secret=True
)
TOMBSTONE = Entity(
    "Departure",
    AccountTombstone,
    pk="DEPARTED#{user_id}",
    sk="DEPARTED",
    gsi4=("ACCOUNTS#DEPARTED", "{sweep_after}#{user_id}"),
    secret=True,
)
LOGIN_ATTEMPTS = Entity(
    "LoginAttempts", LoginAttempts, pk="LOGIN#{pair}", sk="ATTEMPT#COUNT", secret=True
)


def user(user_id: str) -> Key[User]:
    """A user's profile by id"""
    return USER.key(id=user_id)


def stats_of_user(user_id: str) -> Key[UserStats]:
    """A user's quest counters"""
    return USER_STATS.key(user_id=user_id)


def user_by_nickname(nickname: str) -> RangeQuery[User]:
    """The user with a nickname"""
    return USER.within("GSI2", nickname_key=normalize_nickname(nickname))


def user_by_email(email: str) -> RangeQuery[User]:
    """The user with an email"""
    return USER.within("GSI3", email_key=normalize_email(email))


def nickname_lock(nickname: str) -> Key[NicknameLock]:
    """Whether a nickname is taken"""
    return NICKNAME_LOCK.key(nickname=normalize_nickname(nickname))


def nickname_skeleton_lock(skeleton: str) -> Key[NicknameSkeletonLock]:
    """Whether a nickname looks like one that is taken, and whose"""
    return NICKNAME_SKELETON_LOCK.key(skeleton=skeleton)


def email_lock(email: str) -> Key[EmailLock]:
    """Whether an email is taken, and by which account"""
    return EMAIL_LOCK.key(email=normalize_email(email))


def password_of_user(user_id: str) -> Key[Credential]:
    """A user's password hash"""
    return CREDENTIAL.key(user_id=user_id, kind="PASSWORD")


def session(user_id: str, session_id: str) -> Key[SignedInSession]:
    """Whether a session is alive"""
    return SESSION.key(user_id=user_id, id=session_id)


def sessions_of_user(user_id: str) -> RangeQuery[SignedInSession]:
    """A user's sessions"""
    return SESSION.within(user_id=user_id)


def login_attempts(pair: str) -> Key[LoginAttempts]:
    """How often a password was tried lately, by address and email"""
    return LOGIN_ATTEMPTS.key(pair=pair)


def timeline(user_id: str, entity_type: str, newest_first: bool = True) -> RangeQuery[Node]:
    """A user's records of one type, by time of creation"""
    prefix = f"ENTITY#{entity_type}#"
    partition = USER.within("GSI1", id=user_id).pk
    return RangeQuery(None, partition, "GSI1", prefix, newest_first=newest_first)


def accounts_being_deleted() -> RangeQuery[User]:
    """Accounts whose deletion has begun and not ended"""
    return USER.within("GSI4")


def tombstone(user_id: str) -> Key[AccountTombstone]:
    """Whether an account was deleted"""
    return TOMBSTONE.key(user_id=user_id)


def tombstones_to_sweep() -> RangeQuery[AccountTombstone]:
    """Deleted accounts whose partitions are erased once more"""
    return TOMBSTONE.within("GSI4")
