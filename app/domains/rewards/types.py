"""Points and what they buy."""

from enum import Enum
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="manual: put right by hand, with a reason.")
class TransactionType(Enum):
    earned = "earned"
    spent = "spent"
    manual = "manual"


@strawberry.type(description="One change of a wallet. All amounts together are its balance.")
class WalletTransaction(Node):
    user_id: strawberry.Private[str]
    amount: int = strawberry.field(
        description="Points: above zero they came in, below zero they went out. An earning that "
        "was taken back is below zero, a refund above."
    )
    type: TransactionType
    reason: str
    task_id: strawberry.ID | None = strawberry.field(
        default=None, description="The task that they are for."
    )
    metric_id: strawberry.ID | None = strawberry.field(
        default=None, description="The metric whose milestone they are for."
    )
    reward_id: strawberry.ID | None = strawberry.field(
        default=None, description="The reward that they bought, or that was refunded."
    )
    reference: str | None = strawberry.field(
        default=None, description="What else they are for, by its id."
    )


@strawberry.type(
    description="Your points. balance = lifetimeEarned - lifetimeSpent, never below 0."
)
class Wallet(Record):
    user_id: strawberry.Private[str]
    balance: int = strawberry.field(default=0, description="Points that you can spend.")
    lifetime_earned: int = strawberry.field(
        default=0, description="Without what was taken back, e.g. for a reopened task."
    )
    lifetime_spent: int = strawberry.field(default=0, description="Without what was refunded.")

    @computed(description="Every change of the wallet, newest first.")
    async def transactions(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[WalletTransaction]:
        fetch = info.context.wallets.transactions
        return await page(info, fetch, limit=limit, next_token=next_token)
