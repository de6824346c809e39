"""What a user can do with points and rewards."""

from app.domains.rewards.service.rewards import Rewards
from app.domains.rewards.service.wallet_history import WalletHistory
from app.domains.rewards.service.wallets import Wallets

__all__ = ["Rewards", "WalletHistory", "Wallets"]
