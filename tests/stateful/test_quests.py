"""Quests played at random by five people, one of them a moderator, against a plain model."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar, TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.core.caller import MODERATORS, Access, Caller
from app.core.clock import instant
from app.core.errors import AppError
from app.domains.people import keys as people_keys
from app.domains.people.rules import new_profile
from app.domains.people.types import UserStats
from app.domains.quests import keys
from app.domains.quests.inputs import (
    AttestQuestInput,
    CancelQuestInput,
    ClaimQuestInput,
    CreateQuestInput,
    DisputeQuestInput,
    ExtendQuestInput,
    ReleaseQuestInput,
    RequestChangesInput,
    ResolveDisputeInput,
    StartQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
)
from app.domains.quests.rules.quest import MOST_CLAIMS, RELEASE_AFTER
from app.domains.quests.rules.rewards import equal_shares
from app.domains.quests.types import Quest, QuestStatus
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.quests.operations import resources_of
from tests.servers import RunningServer, TestClock

T = TypeVar("T")
XP, REPUTATION = 100, 7
S = QuestStatus
PEOPLE = range(5)
JUDGE = 4
roles = st.sampled_from(["creator", "performer", "stranger", "judge"])


RELEASE_HOURS = RELEASE_AFTER / timedelta(hours=1)


@dataclass
class Model:
    """What a quest should be, kept by hand."""

    creator: int
    seats: int
    in_full: bool
    dual: bool
    status: QuestStatus = S.OPEN
    team: list[int] = field(default_factory=list)
    slots: set[int] = field(default_factory=set)
    said: set[int] = field(default_factory=set)
    expires: float | None = None
    claimed: float = 0.0
    stale: float | None = None

    def vacate(self, status: QuestStatus) -> None:
        self.status, self.team, self.slots, self.stale = status, [], set(), None

    def tick(self, now: float) -> None:
        """What the clock does."""
        if self.status not in (S.OPEN, S.CLAIMED):
            return
        if self.expires is not None and self.expires <= now:
            self.vacate(S.EXPIRED)
        elif self.status is S.CLAIMED and self.stale is not None and self.stale <= now:
            self.vacate(S.OPEN)

    def agreed(self) -> bool:
        return self.creator in self.said and (
            not self.dual or any(person in self.said for person in self.team)
        )


class Game(RuleBasedStateMachine):
    resources: ClassVar[Resources]
    clock: ClassVar[TestClock]
    loop: ClassVar[asyncio.AbstractEventLoop]
    met: ClassVar[set[str]] = set()
    quests = Bundle("quests")

    def __init__(self) -> None:
        super().__init__()
        self.name = uuid4().hex[:12]
        self.models: dict[str, Model] = {}
        self.xp = dict.fromkeys(PEOPLE, 0)
        self.reputation = dict.fromkeys(PEOPLE, 0)
        self.hours = 0.0
        self.start = self.clock.now()
        self.clock.freeze(self.start)

    def run_in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def id_of(self, person: int) -> str:
        return f"{self.name}-{person}"

    def services(self, person: int) -> Services:
        groups = frozenset({MODERATORS}) if person == JUDGE else frozenset()
        caller = Caller(access=Access.USER, id=self.id_of(person), groups=groups)
        return Services(self.resources, caller)

    @initialize()
    def people_sign_up(self) -> None:
        for person in PEOPLE:
            profiles = self.services(person).profiles
            user = new_profile(self.id_of(person), profiles.now, {"nickname": self.id_of(person)})
            self.run_in_loop(self.resources.table.write(*profiles.account_writes(user)))

    def attempt(self, name: str, work: Coroutine[Any, Any, Quest], expected: bool) -> bool:
        refusal: AppError | None = None
        try:
            self.run_in_loop(work)
        except AppError as error:
            refusal = error
        assert expected is (refusal is None), (name, refusal)
        self.met.add(f"{name} refused" if refusal else name)
        return refusal is None

    def model(self, quest: str) -> Model:
        found = self.models[quest]
        found.tick(self.hours)
        return found

    def whoever(self, role: str, model: Model) -> int:
        """Mostly somebody who may do it: else almost everything would be refused."""
        others = [each for each in PEOPLE[:JUDGE] if each not in (model.creator, *model.team)]
        match role:
            case "creator":
                return model.creator
            case "performer" if model.team:
                return model.team[-1]
            case "judge":
                return JUDGE
            case _:
                return others[0] if others else JUDGE

    def open_claims(self, person: int) -> int:
        for each in self.models.values():
            each.tick(self.hours)
        return sum(person in each.slots for each in self.models.values())

    @precondition(lambda self: len(self.models) < 3)
    @rule(
        target=quests,
        person=st.sampled_from(PEOPLE[:JUDGE]),
        seats=st.integers(1, 3),
        in_full=st.booleans(),
        dual=st.booleans(),
        hours=st.none() | st.integers(1, 400),
    )
    def offer(self, person: int, seats: int, in_full: bool, dual: bool, hours: int | None) -> Any:
        until = None if hours is None else self.hours + hours
        request = CreateQuestInput(
            title="A quest",
            description="Something to do.",
            reward_xp=XP,
            reward_reputation=REPUTATION,
            max_performers=seats,
            individual_rewards=in_full,
            dual_attestation=dual,
            expires_at=None if until is None else self.moment(until),
        )
        quest = self.run_in_loop(self.services(person).quests.create(request.validate()))
        self.models[quest.id] = Model(person, seats, in_full, dual, expires=until)
        return multiple(str(quest.id))

    def moment(self, hours: float) -> Any:
        return instant(self.start + timedelta(hours=hours))

    @rule(quest=quests, role=roles)
    def claim(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        mine = person in model.team and model.status in (S.OPEN, S.CLAIMED)
        free = model.status is S.OPEN and person != model.creator
        expected = mine or (free and self.open_claims(person) < MOST_CLAIMS)
        request = ClaimQuestInput(quest_id=quest)  # type: ignore[arg-type]
        done = self.attempt("claim", self.services(person).quest_claims.claim(request), expected)
        if done and not mine:
            model.team.append(person)
            model.slots.add(person)
            if len(model.team) == model.seats:
                self.begin(model)

    def begin(self, model: Model) -> None:
        model.status, model.claimed = S.CLAIMED, self.hours
        model.stale = self.hours + self.resources.settings.stale_claim_hours

    @rule(quest=quests, role=roles)
    def begin_early(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        expected = model.status is S.OPEN and person == model.creator and bool(model.team)
        request = StartQuestInput(quest_id=quest)  # type: ignore[arg-type]
        if self.attempt("start", self.services(person).quest_claims.start(request), expected):
            self.begin(model)

    @rule(quest=quests, role=roles)
    def unclaim(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        expected = person in model.team and model.status in (S.OPEN, S.CLAIMED)
        request = UnclaimQuestInput(quest_id=quest)  # type: ignore[arg-type]
        if self.attempt("unclaim", self.services(person).quest_claims.unclaim(request), expected):
            model.team.remove(person)
            model.slots.discard(person)
            model.status, model.stale = S.OPEN, None

    @rule(quest=quests, role=roles)
    def release(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        patient = self.hours - model.claimed >= 72
        expected = person == model.creator and model.status is S.CLAIMED and patient
        request = ReleaseQuestInput(quest_id=quest)  # type: ignore[arg-type]
        if self.attempt("release", self.services(person).quest_claims.release(request), expected):
            model.vacate(S.OPEN)

    @rule(quest=quests, role=roles)
    def submit(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        expected = person in model.team and model.status is S.CLAIMED
        request = SubmitQuestInput(quest_id=quest, submission="Done")  # type: ignore[arg-type]
        if self.attempt("submit", self.services(person).quest_claims.submit(request), expected):
            model.status, model.slots = S.PENDING_REVIEW, set()

    @rule(quest=quests, role=roles)
    def want_changes(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        first = person == model.creator and person not in model.said
        expected = first and model.status is S.PENDING_REVIEW
        request = RequestChangesInput(quest_id=quest)  # type: ignore[arg-type]
        reviews = self.services(person).quest_reviews
        if self.attempt("request changes", reviews.request_changes(request), expected):
            self.give_back(model)

    def give_back(self, model: Model) -> None:
        """The performers get time again, and no attestation counts for the next submission."""
        model.status, model.said = S.CLAIMED, set()
        model.stale = self.hours + self.resources.settings.stale_claim_hours
        if model.expires is not None:
            model.expires = max(model.expires, self.hours + RELEASE_HOURS)

    @rule(quest=quests, role=roles)
    def attest(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        may = person == model.creator or (model.dual and person in model.team)
        expected = may and person not in model.said and model.status is S.PENDING_REVIEW
        request = AttestQuestInput(quest_id=quest, rating=3)  # type: ignore[arg-type]
        if self.attempt("attest", self.services(person).quest_reviews.attest(request), expected):
            model.said.add(person)
            if model.agreed():
                self.complete(model)

    def complete(self, model: Model) -> None:
        model.status = S.COMPLETE
        count = len(model.team)
        for purse, amount in ((self.xp, XP), (self.reputation, REPUTATION)):
            shares = [amount] * count if model.in_full else equal_shares(amount, count)
            for person, share in zip(model.team, shares, strict=True):
                purse[person] += share

    @rule(quest=quests, role=roles)
    def dispute(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        party = person in (model.creator, *model.team)
        expected = party and model.status is S.PENDING_REVIEW
        request = DisputeQuestInput(quest_id=quest, reason="x" * 20)  # type: ignore[arg-type]
        if self.attempt("dispute", self.services(person).quest_reviews.dispute(request), expected):
            model.status = S.DISPUTED

    @rule(quest=quests, role=roles, outcome=st.sampled_from(list(S)))
    def resolve(self, quest: str, role: str, outcome: QuestStatus) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        fair = person == JUDGE and JUDGE not in (model.creator, *model.team)
        ends = outcome in (S.COMPLETE, S.CLAIMED, S.CANCELLED)
        expected = fair and ends and model.status is S.DISPUTED
        request = ResolveDisputeInput(quest_id=quest, outcome=outcome)  # type: ignore[arg-type]
        reviews = self.services(person).quest_reviews
        if self.attempt("resolve", reviews.resolve(request), expected):
            if outcome is S.COMPLETE:
                self.complete(model)
            elif outcome is S.CLAIMED:
                self.give_back(model)
            else:
                model.status = S.CANCELLED

    @rule(quest=quests, role=roles)
    def cancel(self, quest: str, role: str) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        expected = person == model.creator and model.status is S.OPEN
        request = CancelQuestInput(quest_id=quest)  # type: ignore[arg-type]
        if self.attempt("cancel", self.services(person).quests.cancel(request), expected):
            model.vacate(S.CANCELLED)

    @rule(quest=quests, role=roles, hours=st.integers(1, 400))
    def extend(self, quest: str, role: str, hours: int) -> None:
        model = self.model(quest)
        person = self.whoever(role, model)
        until = self.hours + hours
        unlimited = self.hours + RELEASE_HOURS if model.team else self.hours
        longer = until >= (unlimited if model.expires is None else model.expires)
        changeable = model.status in (S.OPEN, S.CLAIMED, S.EXPIRED)
        expected = person == model.creator and changeable and longer
        request = ExtendQuestInput(quest_id=quest, expires_at=self.moment(until))  # type: ignore[arg-type]
        if self.attempt("extend", self.services(person).quests.extend(request), expected):
            model.expires = until
            if model.status is S.EXPIRED:
                model.status = S.OPEN

    @rule(quest=quests)
    def go_on(self, quest: str) -> None:
        """One step ahead: at random alone, hardly a quest would come to its end."""
        model = self.model(quest)
        match model.status:
            case S.OPEN:
                self.claim(quest=quest, role="stranger")
            case S.CLAIMED:
                self.submit(quest=quest, role="performer")
            case S.PENDING_REVIEW:
                self.attest(quest=quest, role=self.next_to_attest(model))
            case S.DISPUTED:
                self.resolve(quest=quest, role="judge", outcome=S.COMPLETE)
            case S.EXPIRED:
                self.extend(quest=quest, role="creator", hours=100)

    def next_to_attest(self, model: Model) -> str:
        return "performer" if model.creator in model.said else "creator"

    @rule(quest=quests)
    def go_on_and_on(self, quest: str) -> None:
        for _ in range(4):
            self.go_on(quest=quest)

    @rule(hours=st.sampled_from([1, 24, 73, 337]))
    def time_passes(self, hours: int) -> None:
        self.hours += hours
        self.clock.freeze(self.start + timedelta(hours=self.hours))

    @rule(quest=quests)
    def the_worker_comes_by(self, quest: str) -> None:
        services = self.services(self.models[quest].creator)
        self.run_in_loop(services.quests.apply_deadlines(quest))

    @invariant()
    def quests_are_as_they_should_be(self) -> None:
        for quest_id in self.models:
            model = self.model(quest_id)
            seen = self.run_in_loop(self.services(0).quests.quest(quest_id))
            assert seen is not None
            assert seen.status is model.status
            assert seen.performers == [self.id_of(person) for person in model.team]
            assert seen.performer_id == next(iter(seen.performers), None)

    @invariant()
    def everyone_has_what_they_earned(self) -> None:
        for person in PEOPLE:
            key = people_keys.stats_of_user(self.id_of(person))
            stats: UserStats | None = self.run_in_loop(self.resources.table.get(key))
            if stats is not None:
                earned = (stats.experience_points, stats.reputation)
                assert earned == (self.xp[person], self.reputation[person])

    def teardown(self) -> None:
        """At the end: slots, seats and lists agree with the quests that are stored."""
        for quest_id, model in self.models.items():
            self.run_in_loop(self.services(model.creator).quests.apply_deadlines(quest_id))
        for person in PEOPLE:
            slots = self.run_in_loop(self.all_of(keys.claim_slots(self.id_of(person))))
            held = {q for q in self.models if person in self.model(q).slots}
            assert {each.quest_id for each in slots} == held
        for quest_id in self.models:
            seats = self.run_in_loop(self.all_of(keys.seats_of_quest(quest_id)))
            team = {self.id_of(person) for person in self.model(quest_id).team}
            assert {each.user_id for each in seats} == team
        self.clock.reset()

    async def all_of(self, query: Any) -> list[Any]:
        return [each async for each in self.resources.table.query_all(query)]


@pytest.fixture
def game(server: RunningServer, table: Gateway, clock: TestClock) -> type[Game]:
    Game.resources = resources_of(server, table)
    Game.clock = clock
    Game.met.clear()
    return Game


async def test_quests_are_what_the_model_says(game: type[Game]) -> None:
    game.loop = asyncio.get_running_loop()
    options = settings(
        max_examples=25,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    await asyncio.to_thread(run_state_machine_as_test, game, settings=options)
    # A run counts only if it came far.
    assert {"claim", "submit", "attest", "attest refused"} <= game.met
