"""What one can do with points and rewards."""

from app.domains.rewards.service.rewards import Rewards
from app.domains.rewards.service.wallets import Earning, Wallets

__all__ = ["Earning", "Rewards", "Wallets"]
