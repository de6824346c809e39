"""
AppError
├── InsufficientPoints  INSUFFICIENT_POINTS  says the balance, if there is one
└── WalletFull          LIMIT_EXCEEDED       no wallet holds more than two thousand million
"""

from app.core.errors import AppError, LimitExceeded


class InsufficientPoints(AppError):
    code = "INSUFFICIENT_POINTS"

    def __init__(self, needed: int, balance: int) -> None:
        super().__init__(
            f"This takes {needed} points, and you have {balance}. Earn some more first.",
            needed=needed,
            balance=balance,
        )


class WalletFull(LimitExceeded):
    def __init__(self) -> None:
        super().__init__("Your wallet cannot hold so many points.")
