"""The wallet. Its writes are handed to other services, so that a payment and its cause are one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import strawberry

from app.core.caller import Caller
from app.core.errors import AppError
from app.core.scalars import AWSDateTime
from app.domains.rewards import keys
from app.domains.rewards.errors import (
    EnoughFreezes,
    InsufficientPoints,
    NoFreeze,
    PriceChanged,
    WalletFull,
)
from app.domains.rewards.inputs import AdjustWalletInput, BuyFreezeInput
from app.domains.rewards.repository import RewardsRepository
from app.domains.rewards.rules import FREEZE_COST, MOST_FREEZES, MOST_POINTS
from app.domains.rewards.types import TransactionType, Wallet, WalletTransaction
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import Condition, attr
from app.table.gateway import Position, Rows
from app.table.writes import Otherwise, Update, Write, create


@dataclass(frozen=True, slots=True, kw_only=True)
class Earning:
    """Points, and what they are for."""

    points: int
    reason: str
    task_id: str | None = None
    metric_id: str | None = None
    reward_id: str | None = None
    reference: str | None = None


class Wallets(Service):
    """Of what goes out (take_back, spend), one may stand in a transaction: each checks the balance
    alone. What comes in adds up, with earn_many or with several of earn."""

    def __init__(self, resources: Resources, caller: Caller) -> None:
        super().__init__(resources, caller)
        self.repository = RewardsRepository(resources.table)

    async def wallet(self) -> Wallet:
        found = await self.repository.wallet(self.caller.user_id)
        return found or Wallet(
            created_at=self.now, updated_at=self.now, user_id=self.caller.user_id
        )

    async def transactions(self, *, limit: int, start: Position | None) -> Rows[WalletTransaction]:
        return await self.repository.transactions_of_wallet(
            self.caller.user_id, limit=limit, start=start
        )

    async def adjust(self, request: AdjustWalletInput) -> Wallet:
        async def decide() -> Decision[WalletTransaction]:
            change = Earning(points=request.amount, reason=request.reason)
            entry = self._transaction(self.caller.user_id, change, TransactionType.manual)
            return Decision(entry, [*self._adjusting(request.amount), _kept(entry)])

        await self.once(request, WalletTransaction, decide)
        return await self.wallet()

    def _adjusting(self, amount: int) -> list[Write]:
        user_id = self.caller.user_id
        if amount > 0:
            return [self._incoming(user_id, amount, {"balance": amount, "lifetimeEarned": amount})]
        return [self._outgoing(user_id, -amount, {"balance": amount, "lifetimeSpent": -amount})]

    async def buy_freeze(self, request: BuyFreezeInput) -> Wallet:
        if isinstance(request.expected_cost, int) and request.expected_cost != FREEZE_COST:
            raise PriceChanged(FREEZE_COST)

        async def decide() -> Decision[WalletTransaction]:
            change = Earning(points=-FREEZE_COST, reason="A freeze")
            entry = self._transaction(self.caller.user_id, change, TransactionType.spent)
            return Decision(entry, [self._buying(), _kept(entry)])

        await self.once(request, WalletTransaction, decide)
        return await self.wallet()

    def _buying(self) -> Write:
        held = attr("freezes")
        room = held.absent() | held.below(MOST_FREEZES)

        def refused(wallet: Wallet | None) -> AppError:
            if wallet and wallet.freezes >= MOST_FREEZES:
                return EnoughFreezes(MOST_FREEZES)
            return InsufficientPoints(FREEZE_COST, wallet.balance if wallet else 0)

        return self._change(
            self.caller.user_id,
            {"balance": -FREEZE_COST, "lifetimeSpent": FREEZE_COST, "freezes": 1},
            when=attr("balance").at_least(FREEZE_COST) & room,
            otherwise=refused,
        )

    # Writes for other services' transactions. None for no points.

    def use_freezes(self, user_id: str, number: int) -> list[Write]:
        if not number:
            return []
        held = attr("freezes").at_least(number)
        return [self._change(user_id, {"freezes": -number}, when=held, otherwise=NoFreeze())]

    def wallet_for_newcomer(self, user_id: str, now: AWSDateTime) -> list[Write]:
        """An empty wallet, to be part of the sign-up."""
        empty = {"balance": 0, "lifetimeEarned": 0, "lifetimeSpent": 0, "createdAt": now}
        return [self._change(user_id, {}, first=empty)]

    def earn(
        self,
        user_id: str,
        points: int,
        *,
        reason: str,
        task_id: str | None = None,
        metric_id: str | None = None,
        reward_id: str | None = None,
        reference: str | None = None,
    ) -> list[Write]:
        earning = Earning(
            points=points,
            reason=reason,
            task_id=task_id,
            metric_id=metric_id,
            reward_id=reward_id,
            reference=reference,
        )
        return self.earn_many(user_id, [earning])

    def earn_many(self, user_id: str, earnings: Sequence[Earning]) -> list[Write]:
        """One change of the wallet, and one transaction item for each reason."""
        paid = [each for each in earnings if each.points]
        if not paid:
            return []
        total = sum(_checked(each.points) for each in paid)
        change = self._incoming(user_id, total, {"balance": total, "lifetimeEarned": total})
        return [change, *(self._entry(user_id, each, TransactionType.earned) for each in paid)]

    def take_back(
        self,
        user_id: str,
        points: int,
        *,
        reason: str,
        task_id: str | None = None,
        metric_id: str | None = None,
        reward_id: str | None = None,
        reference: str | None = None,
    ) -> list[Write]:
        """Undoes an earlier earning: a negative transaction; refused if the points are spent."""
        if not _checked(points):
            return []
        undone = Earning(
            points=-points,
            reason=reason,
            task_id=task_id,
            metric_id=metric_id,
            reward_id=reward_id,
            reference=reference,
        )
        adds = {"balance": -points, "lifetimeEarned": -points}
        return [
            self._outgoing(user_id, points, adds),
            self._entry(user_id, undone, TransactionType.earned),
        ]

    def spend(
        self,
        user_id: str,
        points: int,
        *,
        reason: str,
        reward_id: str | None = None,
        reference: str | None = None,
    ) -> list[Write]:
        if not _checked(points):
            return []
        spent = Earning(points=-points, reason=reason, reward_id=reward_id, reference=reference)
        adds = {"balance": -points, "lifetimeSpent": points}
        return [
            self._outgoing(user_id, points, adds),
            self._entry(user_id, spent, TransactionType.spent),
        ]

    def give_back(
        self,
        user_id: str,
        points: int,
        *,
        reason: str,
        reward_id: str | None = None,
        reference: str | None = None,
    ) -> list[Write]:
        """Undoes an earlier spending: a positive transaction of the type spent."""
        if not _checked(points):
            return []
        back = Earning(points=points, reason=reason, reward_id=reward_id, reference=reference)
        adds = {"balance": points, "lifetimeSpent": -points}
        return [
            self._change(user_id, adds),
            self._entry(user_id, back, TransactionType.spent),
        ]

    def _incoming(self, user_id: str, points: int, adds: dict[str, int]) -> Write:
        earned = attr("lifetimeEarned")
        room = earned.absent() | earned.at_most(MOST_POINTS - points)
        return self._change(user_id, adds, when=room, otherwise=WalletFull())

    def _outgoing(self, user_id: str, points: int, adds: dict[str, int]) -> Write:
        enough = attr("balance").at_least(points)

        def refused(wallet: Wallet | None) -> InsufficientPoints:
            return InsufficientPoints(points, wallet.balance if wallet else 0)

        return self._change(user_id, adds, when=enough, otherwise=refused)

    def _change(
        self,
        user_id: str,
        adds: dict[str, int],
        *,
        first: dict[str, Any] | None = None,
        when: Condition | None = None,
        otherwise: Otherwise | None = None,
    ) -> Update[Wallet]:
        beginning = {"userId": user_id, "createdAt": self.now}
        return Update(
            keys.wallet(user_id),
            put={"updatedAt": self.now},
            add={**adds, "version": 1},
            first=beginning | (first or {}),
            when=when,
            otherwise=otherwise,
        )

    def _entry(self, user_id: str, change: Earning, kind: TransactionType) -> Write:
        return _kept(self._transaction(user_id, change, kind))

    def _transaction(
        self, user_id: str, change: Earning, kind: TransactionType
    ) -> WalletTransaction:
        return WalletTransaction(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            user_id=user_id,
            amount=change.points,
            type=kind,
            reason=change.reason,
            task_id=_id(change.task_id),
            metric_id=_id(change.metric_id),
            reward_id=_id(change.reward_id),
            reference=change.reference,
        )


def _checked(points: int) -> int:
    if points < 0:
        raise ValueError("points are counted from 0")
    return points


def _kept(entry: WalletTransaction) -> Write:
    return create(entry, otherwise=WalletFull())


def _id(text: str | None) -> strawberry.ID | None:
    return None if text is None else strawberry.ID(text)
