"""What one can do with quests."""

from app.domains.quests.service.account_deletion import QuestAccountDeletion
from app.domains.quests.service.catalogue import QuestCatalogue
from app.domains.quests.service.claims import QuestClaims
from app.domains.quests.service.payouts import Payouts
from app.domains.quests.service.quests import Quests
from app.domains.quests.service.reviews import Reviews
from app.domains.quests.service.wallet_addresses import WalletAddresses

__all__ = [
    "Payouts",
    "QuestAccountDeletion",
    "QuestCatalogue",
    "QuestClaims",
    "Quests",
    "Reviews",
    "WalletAddresses",
]
