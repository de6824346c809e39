"""
AppError
├── InsufficientPoints  INSUFFICIENT_POINTS  says needed and balance
├── CoolingDown         COOLDOWN             within its cooldown; says nextAvailableAt
├── DailyLimit          DAILY_LIMIT          redeemed as often as allowed; says nextAvailableAt
├── NotActive           NOT_ACTIVE           the record is archived
├── AlreadyRefunded     ALREADY_REFUNDED     each redemption is refunded once
├── NoFreeze            NO_FREEZE            buy one first: buyFreeze
├── EnoughFreezes       ENOUGH_FREEZES       two are held already
├── PriceChanged        CONFLICT             expectedCost is not the price; says currentCost
└── WalletFull          LIMIT_EXCEEDED       lifetimeEarned would pass 2,000,000,000
"""

from app.core.errors import AppError, Conflict, LimitExceeded
from app.core.scalars import AWSDateTime


class InsufficientPoints(AppError):
    code = "INSUFFICIENT_POINTS"

    def __init__(self, needed: int, balance: int, *, action: str = "This costs") -> None:
        super().__init__(
            f"{action} {needed} points, and you have {balance}. Earn more points first.",
            needed=needed,
            balance=balance,
        )


class CoolingDown(AppError):
    code = "COOLDOWN"

    def __init__(self, until: AWSDateTime) -> None:
        super().__init__(
            f"This reward is cooling down. It is available again at {until}.",
            nextAvailableAt=until,
        )
        self.until = until


class DailyLimit(AppError):
    code = "DAILY_LIMIT"

    def __init__(self, until: AWSDateTime | None) -> None:
        again = f"It is available again at {until}." if until else "Its limit is 0 a day."
        super().__init__(
            f"This reward has reached its daily limit. {again}",
            nextAvailableAt=until,
        )
        self.until = until


class NotActive(AppError):
    code = "NOT_ACTIVE"

    def __init__(self, what: str) -> None:
        super().__init__(f"This {what} is archived. Set its status to Active first.")


class AlreadyRefunded(AppError):
    code = "ALREADY_REFUNDED"

    def __init__(self) -> None:
        super().__init__("This redemption is refunded already.")


class NoFreeze(AppError):
    code = "NO_FREEZE"

    def __init__(self) -> None:
        super().__init__("You hold no freeze. Buy one with buyFreeze.")


class EnoughFreezes(AppError):
    code = "ENOUGH_FREEZES"

    def __init__(self, most: int) -> None:
        super().__init__(f"You hold {most} freezes already. That is the maximum.")


class PriceChanged(Conflict):
    def __init__(self, cost: int) -> None:
        super().__init__(
            f"This costs {cost} points now. Repeat with this expectedCost if you still want it.",
            currentCost=cost,
        )


class WalletFull(LimitExceeded):
    def __init__(self) -> None:
        super().__init__("A wallet holds at most 2,000,000,000 earned points.")
