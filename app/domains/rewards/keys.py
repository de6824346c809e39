"""Where points and rewards are stored, and the questions that can be asked about them."""

from app.domains.rewards.types import Wallet, WalletTransaction
from app.table.entity import Entity, Key, Query

WALLET = Entity(Wallet, pk="USER#{user_id}", sk="WALLET")
WALLET_TRANSACTION = Entity(
    WalletTransaction, pk="USER#{user_id}", sk="WALLET_TXN#{created_at}#{id}"
)


def wallet(user_id: str) -> Key[Wallet]:
    """Someone's points"""
    return WALLET.key(user_id=user_id)


def transactions_of_wallet(user_id: str) -> Query[WalletTransaction]:
    """Every change of someone's points, newest first"""
    return WALLET_TRANSACTION.within(user_id=user_id, newest_first=True)
