"""
AppError
├── AlreadyClaimed          ALREADY_CLAIMED       by another user, or the last seat is taken
├── WrongStatus             QUEST_STATUS          names the mutations that are possible
├── QuestExpired            QUEST_EXPIRED         its creator may extend it
├── OwnQuest                OWN_QUEST             own quests cannot be claimed
├── ClaimLimit              CLAIM_LIMIT           submit or unclaim one first
├── TooEarly                TOO_EARLY             says from when on
├── AlreadyAttested         ALREADY_ATTESTED      once per user and quest
├── InvalidWalletSignature  BAD_SIGNATURE         not of this wallet, chain, quest or submission
├── NoWalletAddress         NO_WALLET_ADDRESS     prove one before signing with it
├── NoCategory              BAD_INPUT             take one of questCategories, or none
├── CategoryNameTaken       CONFLICT              take that category, or another name
├── CategoryInUse           CATEGORY_IN_USE       quests are in it
├── RewardUndeliverable     REWARD_UNDELIVERABLE  internal: it is stored and retried
└── AlreadyPaid             ALREADY_PAID          internal: the grant exists
"""

from collections.abc import Sequence

from app.core.errors import AppError, BadInput, Conflict
from app.domains.quests.types import QuestCategory


class AlreadyClaimed(AppError):
    code = "ALREADY_CLAIMED"

    def __init__(self, message: str = "This quest is claimed already. Choose another one.") -> None:
        super().__init__(message)


class WrongStatus(AppError):
    code = "QUEST_STATUS"

    def __init__(self, status: str, message: str, possible: Sequence[str] = ()) -> None:
        super().__init__(message, status=status, possible=list(possible))


class QuestExpired(AppError):
    code = "QUEST_EXPIRED"

    def __init__(self) -> None:
        super().__init__("This quest has expired. Only its creator can extend it.")


class OwnQuest(AppError):
    code = "OWN_QUEST"

    def __init__(self) -> None:
        super().__init__("This quest is your own. Others may claim it.")


class ClaimLimit(AppError):
    code = "CLAIM_LIMIT"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"You have {most} claimed quests. Submit or unclaim one of them first.", limit=most
        )


class TooEarly(AppError):
    code = "TOO_EARLY"

    def __init__(self, when: str) -> None:
        super().__init__(
            f"The performer has time until {when}. Release the quest then.",
            when=when,
        )


class AlreadyAttested(AppError):
    code = "ALREADY_ATTESTED"

    def __init__(self, message: str = "You have attested this work already.") -> None:
        super().__init__(message)


class InvalidWalletSignature(AppError):
    code = "BAD_SIGNATURE"

    def __init__(self) -> None:
        super().__init__(
            "This is not a signature of your wallet over the requested data. Request the data "
            "again, sign exactly that, and send 0x and 130 hex digits.",
            field="input.signature",
        )


class NoWalletAddress(AppError):
    code = "NO_WALLET_ADDRESS"

    def __init__(self) -> None:
        super().__init__("Prove a wallet address with setWalletAddress first.")


class NoCategory(BadInput):
    def __init__(self) -> None:
        super().__init__(
            "There is no such category. Use one of questCategories, or none.",
            field="input.categoryId",
        )


class CategoryNameTaken(Conflict):
    def __init__(self, other: QuestCategory) -> None:
        super().__init__(
            f"There is a category {other.name} already; letter case makes no difference. Use that "
            "one, or choose another name.",
            field="input.name",
            categoryId=other.id,
        )


class CategoryInUse(AppError):
    code = "CATEGORY_IN_USE"

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} quests are in this category. It can be deleted when it has none; it can be "
            "renamed at any time.",
            questCount=count,
        )


class RewardUndeliverable(AppError):
    code = "REWARD_UNDELIVERABLE"

    def __init__(self, user_id: str) -> None:
        super().__init__(
            "The account cannot take the reward: it is deleted, or its counter is full."
        )
        self.user_id = user_id


class AlreadyPaid(AppError):
    code = "ALREADY_PAID"

    def __init__(self) -> None:
        super().__init__("This reward was paid before.")
