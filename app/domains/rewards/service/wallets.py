"""The wallet. Its writes are handed to other services, so that a payment and its cause are one
transaction."""

from dataclasses import asdict
from typing import Any

from app.core.errors import AppError, StaleVersion
from app.domains.people.service.ports import NewAccounts
from app.domains.people.types import User
from app.domains.rewards import keys
from app.domains.rewards.errors import (
    EnoughFreezes,
    InsufficientPoints,
    NoFreeze,
    PriceChanged,
    WalletFull,
)
from app.domains.rewards.inputs import AdjustWalletInput, BuyFreezeInput
from app.domains.rewards.rules import FREEZE_COST, MOST_FREEZES, MOST_POINTS
from app.domains.rewards.types import (
    Earning,
    PointsMovement,
    Spending,
    TransactionType,
    Wallet,
    WalletTransaction,
)
from app.domains.service import Decision
from app.table.conditions import Condition, attr
from app.table.writes import Otherwise, Update, Write, put_if_absent


class Wallets(NewAccounts):
    """A transaction may contain only one `take_back` or `spend`, because each checks the balance
    alone. Several `earn` add up."""

    async def wallet(self) -> Wallet:
        found = await self.table.load(keys.wallet(self.caller.user_id))
        return found or Wallet(**self.stamp())

    async def adjust(self, request: AdjustWalletInput) -> Wallet:
        async def decide() -> Decision[WalletTransaction]:
            amount = request.amount
            movement = PointsMovement(
                user_id=self.caller.user_id, points=abs(amount), reason=request.reason
            )
            entry = self._entry(movement, amount, TransactionType.manual)
            return Decision(entry, [self._adjustment(amount), _put(entry)])

        await self.once(request, WalletTransaction, decide)
        return await self.wallet()

    def _adjustment(self, amount: int) -> Write:
        user_id = self.caller.user_id
        if amount > 0:
            return self._incoming(user_id, amount, {"balance": amount, "lifetimeEarned": amount})
        return self._outgoing(user_id, -amount, {"balance": amount, "lifetimeSpent": -amount})

    async def buy_freeze(self, request: BuyFreezeInput) -> Wallet:
        if isinstance(request.expected_cost, int) and request.expected_cost != FREEZE_COST:
            raise PriceChanged(FREEZE_COST)

        async def decide() -> Decision[WalletTransaction]:
            spending = Spending(user_id=self.caller.user_id, points=FREEZE_COST, reason="A freeze")
            entry = self._entry(spending, -FREEZE_COST, TransactionType.spent)
            return Decision(entry, [self._freeze_purchase(), _put(entry)])

        await self.once(request, WalletTransaction, decide)
        return await self.wallet()

    def _freeze_purchase(self) -> Write:
        held = attr("freezes")
        room = held.absent() | held.below(MOST_FREEZES)

        def refusal(wallet: Wallet | None) -> AppError:
            if wallet and wallet.freezes >= MOST_FREEZES:
                return EnoughFreezes(MOST_FREEZES)
            return InsufficientPoints(FREEZE_COST, wallet.balance if wallet else 0)

        return self._change(
            self.caller.user_id,
            {"balance": -FREEZE_COST, "lifetimeSpent": FREEZE_COST, "freezes": 1},
            when=attr("balance").at_least(FREEZE_COST) & room,
            otherwise=refusal,
        )

    # Writes for the transactions of other services; an empty list for 0 points.

    def use_freezes(self, user_id: str, number: int) -> list[Write]:
        if not number:
            return []
        held = attr("freezes").at_least(number)
        return [self._change(user_id, {"freezes": -number}, when=held, otherwise=NoFreeze())]

    def writes_for(self, user: User) -> list[Write]:
        """An empty wallet: part of the sign-up's transaction."""
        empty = {
            "balance": 0,
            "lifetimeEarned": 0,
            "lifetimeSpent": 0,
            "createdAt": user.created_at,
        }
        return [self._change(user.id, {}, first=empty)]

    def earn(self, *earnings: Earning) -> list[Write]:
        """Earnings of one user: one change of the wallet, and one transaction item for each."""
        paid = [each for each in earnings if each.points]
        if not paid:
            return []
        (user_id,) = {each.user_id for each in paid}
        total = sum(_checked(each.points) for each in paid)
        change = self._incoming(user_id, total, {"balance": total, "lifetimeEarned": total})
        entries = (self._entry(each, each.points, TransactionType.earned) for each in paid)
        return [change, *map(_put, entries)]

    def take_back(self, earning: Earning) -> list[Write]:
        """Reverses an earning: a negative transaction. Refused if the points are spent."""
        points = _checked(earning.points)
        if not points:
            return []
        adds = {"balance": -points, "lifetimeEarned": -points}
        entry = self._entry(earning, -points, TransactionType.earned)
        change = self._outgoing(earning.user_id, points, adds, action="Reopening takes back")
        return [change, _put(entry)]

    def correct(self, *corrections: Earning) -> list[Write]:
        """Takes back earnings of one user that were paid by mistake: `points` of each, which may be
        0 if the points are spent; its transaction explains it. StaleVersion if the balance has
        fallen meanwhile."""
        if not corrections:
            return []
        (user_id,) = {each.user_id for each in corrections}
        total = sum(_checked(each.points) for each in corrections)
        change = self._change(
            user_id,
            {"balance": -total, "lifetimeEarned": -total},
            when=attr("balance").at_least(total),
            otherwise=StaleVersion("wallet", None),
        )
        entries = [self._entry(each, -each.points, TransactionType.earned) for each in corrections]
        return [*([change] if total else []), *map(_put, entries)]

    def spend(self, spending: Spending) -> list[Write]:
        points = _checked(spending.points)
        if not points:
            return []
        adds = {"balance": -points, "lifetimeSpent": points}
        entry = self._entry(spending, -points, TransactionType.spent)
        return [self._outgoing(spending.user_id, points, adds), _put(entry)]

    def refund(self, spending: Spending) -> list[Write]:
        """Reverses a spending: a positive transaction of the type spent."""
        points = _checked(spending.points)
        if not points:
            return []
        adds = {"balance": points, "lifetimeSpent": -points}
        entry = self._entry(spending, points, TransactionType.spent)
        return [self._change(spending.user_id, adds), _put(entry)]

    def _incoming(self, user_id: str, points: int, adds: dict[str, int]) -> Write:
        earned = attr("lifetimeEarned")
        room = earned.absent() | earned.at_most(MOST_POINTS - points)
        return self._change(user_id, adds, when=room, otherwise=WalletFull())

    def _outgoing(
        self, user_id: str, points: int, adds: dict[str, int], *, action: str = "This costs"
    ) -> Write:
        enough = attr("balance").at_least(points)

        def refusal(wallet: Wallet | None) -> InsufficientPoints:
            return InsufficientPoints(points, wallet.balance if wallet else 0, action=action)

        return self._change(user_id, adds, when=enough, otherwise=refusal)

    def _change(
        self,
        user_id: str,
        adds: dict[str, int],
        *,
        first: dict[str, Any] | None = None,
        when: Condition | None = None,
        otherwise: Otherwise | None = None,
    ) -> Update[Wallet]:
        initial = {"userId": user_id, "createdAt": self.now}
        return Update(
            keys.wallet(user_id),
            put={"updatedAt": self.now},
            add={**adds, "version": 1},
            first=initial | (first or {}),
            when=when,
            otherwise=otherwise,
        )

    def _entry(
        self, movement: PointsMovement, amount: int, kind: TransactionType
    ) -> WalletTransaction:
        """`amount`: the points with their sign."""
        cause = asdict(movement)
        del cause["points"]
        return WalletTransaction(
            id=self.new_id(),
            created_at=self.now,
            updated_at=self.now,
            amount=amount,
            type=kind,
            **cause,
        )


def _checked(points: int) -> int:
    if points < 0:
        raise ValueError("points are counted from 0")
    return points


def _put(entry: WalletTransaction) -> Write:
    return put_if_absent(entry, otherwise=WalletFull())
