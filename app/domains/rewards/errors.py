"""
AppError
├── InsufficientPoints  INSUFFICIENT_POINTS  says how many it takes and how many there are
├── CoolingDown         COOLDOWN             redeemed a short while ago; says nextAvailableAt
├── DailyLimit          DAILY_LIMIT          redeemed often enough today; says nextAvailableAt
├── NotActive           NOT_ACTIVE           archived: not for use
├── AlreadyRefunded     ALREADY_REFUNDED
├── NoFreeze            NO_FREEZE            buy one first: buyFreeze
├── EnoughFreezes       ENOUGH_FREEZES       no more than two are held
├── PriceChanged        CONFLICT             the reward costs something else now; says currentCost
└── WalletFull          LIMIT_EXCEEDED       no wallet holds more than two thousand million
"""

from app.core.errors import AppError, Conflict, LimitExceeded
from app.core.scalars import AWSDateTime


class InsufficientPoints(AppError):
    code = "INSUFFICIENT_POINTS"

    def __init__(self, needed: int, balance: int) -> None:
        super().__init__(
            f"This takes {needed} points, and you have {balance}. Earn some more first.",
            needed=needed,
            balance=balance,
        )


class CoolingDown(AppError):
    code = "COOLDOWN"

    def __init__(self, until: AWSDateTime) -> None:
        super().__init__(
            f"You have had this a short while ago. It is there again at {until}.",
            nextAvailableAt=until,
        )


class DailyLimit(AppError):
    code = "DAILY_LIMIT"

    def __init__(self, until: AWSDateTime | None) -> None:
        again = f"It is there again at {until}." if until else "Its limit is 0 a day."
        super().__init__(
            f"You have had this as often as you allow yourself in a day. {again}",
            nextAvailableAt=until,
        )


class NotActive(AppError):
    code = "NOT_ACTIVE"

    def __init__(self, what: str) -> None:
        super().__init__(f"This {what} is archived. Set its status to Active first.")


class AlreadyRefunded(AppError):
    code = "ALREADY_REFUNDED"

    def __init__(self) -> None:
        super().__init__("The points for this have come back to you already.")


class NoFreeze(AppError):
    code = "NO_FREEZE"

    def __init__(self) -> None:
        super().__init__("You hold no freeze. Buy one with buyFreeze.")


class EnoughFreezes(AppError):
    code = "ENOUGH_FREEZES"

    def __init__(self, most: int) -> None:
        super().__init__(f"You hold {most} freezes already, and there cannot be more.")


class PriceChanged(Conflict):
    def __init__(self, cost: int) -> None:
        super().__init__(
            f"This costs {cost} points now. Repeat with this expectedCost if you still want it.",
            currentCost=cost,
        )


class WalletFull(LimitExceeded):
    def __init__(self) -> None:
        super().__init__("Your wallet cannot hold so many points.")
