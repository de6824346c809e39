"""What one can do with quests."""

from app.domains.quests.service.addresses import WalletAddresses
from app.domains.quests.service.board import Quests
from app.domains.quests.service.catalogue import QuestCatalogue
from app.domains.quests.service.claims import Claims
from app.domains.quests.service.departure import QuestDeparture
from app.domains.quests.service.payouts import Payouts
from app.domains.quests.service.reviews import Reviews

__all__ = [
    "Claims",
    "Payouts",
    "QuestCatalogue",
    "QuestDeparture",
    "Quests",
    "Reviews",
    "WalletAddresses",
]
