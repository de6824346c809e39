"""For each job: three things to do, of which a worker dies over the second."""

import dataclasses
import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from strawberry import ID

from app.core.clock import instant
from app.domains.characters import keys as character_keys
from app.domains.characters.inputs import DeleteCharacterGoalInput
from app.domains.community import keys as community_keys
from app.domains.community.inputs import DeleteCompanyInput
from app.domains.community.service import companies_to_finish
from app.domains.goals.inputs import DeleteTaskInput
from app.domains.goals.service import unfinished_removals
from app.domains.notifications.types import OutgoingMessage, SendingStatus
from app.domains.people import keys as people_keys
from app.domains.people.inputs import DeleteAccountInput
from app.domains.people.service.accounts import unfinished_deletions
from app.domains.plans.inputs import AddNodeInput, CommitValuesInput, ValuesOperationInput
from app.domains.plans.types import NodeType
from app.domains.quests import keys as quest_keys
from app.domains.quests.inputs import SubmitQuestInput
from app.domains.quests.types import FailedReward, FailedRewardStatus, QuestStatus
from app.table.writes import Put
from tests.api import PASSWORD, Person
from tests.characters.operations import add, goal_of, new_goal, record, see
from tests.community.test_company_goals import put
from tests.community.test_market import new_company, new_offer
from tests.goals.operations import balance, goal, read, task
from tests.jobs.blocking_proxy import BlockedWrites
from tests.jobs.job_case import CaseContext, JobCase, eventually
from tests.notifications.operations import TEST, UPDATE_SETTINGS, inbox, outgoing, with_hook
from tests.plans.operations import commit
from tests.quests.missing_counters import remove_counters, restore_counters
from tests.quests.operations import create, grants, history, stats, stored, submitted
from tests.quests.operations import do as act
from tests.remote_fixtures import later
from tests.remote_servers import Answer, hiscores
from tests.tracking.test_metrics import log as log_value
from tests.tracking.test_metrics import new_metric, won


class FinishRemovals(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        (self.ada,) = await context.people(1)
        self.doomed = [str((await task(self.ada, "doomed"))["id"]) for _ in range(3)]
        self.waiting = [await task(self.ada, "waits", dependsOnIds=[e]) for e in self.doomed]
        for each in self.doomed:
            request = DeleteTaskInput(id=ID(each))
            await context.interrupt(self.ada, lambda mine: mine.removals.delete_task, request)
        self.blocked_writes = BlockedWrites([(each,) for each in self.doomed])

    async def check(self, context: CaseContext) -> None:
        ada = await later(self.ada)
        for each in self.waiting:
            free = await read(ada, "task", each["id"])
            assert (free["status"], free["dependsOnIds"]) == ("NotStarted", [])
        for each in self.doomed:
            assert await context.sort_keys(f"TASK#{each}") == []
        assert await unfinished_removals(context.resources) == []


async def unpolled(context: CaseContext, goal: dict[str, Any], person: Person) -> None:
    """Looking it up would be another job's work."""
    place = (person.id, str(goal["characterName"]), str(goal["id"]))
    found = await context.table.get(character_keys.goal(*place))
    assert found is not None
    await context.table.write(Put(dataclasses.replace(found, poll_at=None)))


class FinishAccountDeletions(JobCase):
    """Each has a share in the count of a skill that nobody else has."""

    skill = "Necromancy"

    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        for person in self.people:
            await unpolled(context, await new_goal(person, targetAttribute=self.skill), person)
            request = DeleteAccountInput(confirm_nickname=person.nickname, password=PASSWORD)
            await context.interrupt(person, lambda mine: mine.accounts.delete, request)
        self.blocked_writes = BlockedWrites([(each.id,) for each in self.people])

    async def check(self, context: CaseContext) -> None:
        for person in self.people:
            assert await context.sort_keys(f"USER#{person.id}") == []
            assert await context.table.get(people_keys.email_lock(person.email)) is None
            assert await context.table.get(people_keys.nickname_lock(person.nickname)) is None
        assert await unfinished_deletions(context.resources) == []
        count = await context.table.get(character_keys.popular_skill(self.skill))
        assert count is not None
        assert count.count == 0


class FinishCompanyDeletions(JobCase):
    """Each has somebody in it with a goal under it, and an offer that is found by its tag."""

    async def prepare(self, context: CaseContext) -> None:
        self.admin, self.member = await context.people(2)
        self.companies = [await new_company(self.admin, self.member) for _ in range(3)]
        self.goal = str((await goal(self.member))["id"])
        self.offers = []
        for company in self.companies:
            await put(self.member, company, self.goal)
            self.offers.append(await new_offer(self.admin, company, tags=["iron"]))
            request = DeleteCompanyInput(id=ID(company))
            await context.interrupt(self.admin, lambda mine: mine.company_deletion.delete, request)
        self.blocked_writes = BlockedWrites([(each,) for each in self.companies])

    async def check(self, context: CaseContext) -> None:
        for company, offer in zip(self.companies, self.offers, strict=True):
            assert await context.sort_keys(f"COMPANY#{company}") == []
            assert await context.sort_keys(f"OFFER#{offer}") == []
        left = await context.table.count(community_keys.goals_of_company_member(self.member.id))
        assert left == 0
        assert await companies_to_finish(context.resources) == []
        assert (await read(await later(self.member), "goal", self.goal))["id"] == self.goal


class ExpireQuests(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        (self.ada,) = await context.people(1)
        until = instant(context.resources.clock.now() + timedelta(hours=1))
        self.quests = [str((await create(self.ada, expiresAt=until))["id"]) for _ in range(3)]
        self.blocked_writes = BlockedWrites([(each,) for each in self.quests])

    async def check(self, context: CaseContext) -> None:
        for each in self.quests:
            assert (await stored(context.table, each)).status is QuestStatus.EXPIRED
            actions = [step.action.value for step in await history(context.table, each)]
            assert actions == ["CREATE", "EXPIRE"]


class RetryFailedRewards(JobCase):
    """Killed when a payment is claimed and not made."""

    async def prepare(self, context: CaseContext) -> None:
        ada, *self.performers = await context.people(4)
        made = [await submitted(ada, each) for each in self.performers]
        self.quests = [str(each["id"]) for each in made]
        for person, quest_id in zip(self.performers, self.quests, strict=True):
            away = await remove_counters(context.table, person)
            await act(ada, "attestQuest", questId=quest_id, rating=5)
            await restore_counters(context.table, away)
        assert len(await self._owed(context)) == 6
        self.blocked_writes = BlockedWrites(
            [(each, '"Grant"') for each in self.quests], is_applied=False
        )

    async def _owed(self, context: CaseContext) -> list[FailedReward]:
        return [each async for each in context.table.query_all(quest_keys.failed_rewards())]

    async def wait_for_claims(self, context: CaseContext) -> None:
        claimed = [
            each
            for each in await self._owed(context)
            if each.status is FailedRewardStatus.PROCESSING
        ]
        assert len(claimed) == 1
        await context.table.write(
            *(Put(dataclasses.replace(e, next_attempt_at=context.now)) for e in claimed)
        )

    async def check(self, context: CaseContext) -> None:
        owed = await self._owed(context)
        assert {each.status for each in owed} == {FailedRewardStatus.COMPLETED}
        assert sorted(each.attempt_count for each in owed) == [2, 2, 2, 2, 2, 3]
        for person in self.performers:
            earned = await stats(await later(person))
            assert (earned["experiencePoints"], earned["reputation"]) == (100, 5)
            assert (earned["questsCompleted"], earned["attestationsReceived"]) == (1, 1)
            assert sorted((await grants(context.table, person.id)).values()) == [5, 100]


class FollowQuests(JobCase):
    """The work was handed in, and the request died before the performer's own task was done."""

    async def prepare(self, context: CaseContext) -> None:
        ada, *self.performers = await context.people(4)
        self.tasks: list[str] = []
        for person in self.performers:
            target, quest = await goal(person), await create(ada)
            await act(person, "claimQuest", questId=quest["id"], goalId=target["id"])
            found = await read(person, "goal", target["id"], "tasks { items { id } }")
            self.tasks.append(found["tasks"]["items"][0]["id"])
            request = SubmitQuestInput(quest_id=quest["id"], submission="All are green.")
            await context.interrupt(person, lambda mine: mine.quest_claims.submit, request)
        self.blocked_writes = BlockedWrites([(each,) for each in self.tasks])

    async def check(self, context: CaseContext) -> None:
        for person, task_id in zip(self.performers, self.tasks, strict=True):
            back = await later(person)
            found = await read(back, "task", task_id)
            assert (found["status"], found["pointsAwarded"]) == ("Done", True)
            assert await balance(back) == found["pointValue"] > 0
            places = await context.sort_keys(f"USER#{person.id}")
            assert [each for each in places if each.startswith("QUEST_ERRAND#")] == []


class SweepOrphanSnapshots(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        for person in self.people:
            await commit(person, {"add": {"id": "old", "nodeType": "DRIVER", "title": "Old"}})
            node = AddNodeInput(id=ID("new"), node_type=NodeType.DRIVER, title="New")
            wanted = CommitValuesInput(operations=[ValuesOperationInput(add=node)]).validate()
            await context.interrupt(person, lambda mine: mine.values.commit_values, wanted)
        self.orphans = [await self._draft_of(context, each) for each in self.people]
        for person, orphan in zip(self.people, self.orphans, strict=True):
            assert await context.sort_keys(f"U#{person.id}#VALUES#{orphan}") != []
        self.blocked_writes = BlockedWrites([(each.id,) for each in self.people])

    async def _draft_of(self, context: CaseContext, person: Person) -> str:
        (draft,) = [e for e in await context.sort_keys(f"U#{person.id}") if e.startswith("DRAFT#")]
        return draft.rpartition("#")[2]

    async def check(self, context: CaseContext) -> None:
        for person, orphan in zip(self.people, self.orphans, strict=True):
            places = await context.sort_keys(f"U#{person.id}")
            assert [each for each in places if each.startswith("DRAFT#")] == []
            assert await context.sort_keys(f"U#{person.id}#VALUES#{orphan}") == []
            tree = await (await later(person)).gql("{ valuesTree { nodes { id } } }")
            assert tree["valuesTree"]["nodes"] == [{"id": "old"}]


class PollHiscores(JobCase):
    page = hiscores({"Mining": (7, 70, 800_000), "Fishing": (9, 50, 200_000)})

    async def prepare(self, context: CaseContext) -> None:
        context.remote_server.answer("/hiscores", Answer(200, self.page))
        self.people = await context.people()
        self.names = [str((await add(each))["name"]) for each in self.people]
        self.goals = [
            [await goal_of(person, name, targetAttribute=e) for e in ("Mining", "Fishing")]
            for person, name in zip(self.people, self.names, strict=True)
        ]
        self.blocked_writes = BlockedWrites([(each.id, '"ProgressRecord"') for each in self.people])

    async def wait_until_blocked(self, context: CaseContext) -> None:
        """All three go on at once: each has its answer, and one of them has been recorded."""
        for name in self.names:
            await eventually(partial(self._is_kept, context, name))

    async def _is_kept(self, context: CaseContext, name: str) -> bool:
        page = await context.table.get(character_keys.hiscores_page(name))
        return page is not None and page.polled_at is not None

    async def check(self, context: CaseContext) -> None:
        for person, name, goals in zip(self.people, self.names, self.goals, strict=True):
            back = await later(person)
            for made, value in zip(goals, (800_000, 200_000), strict=True):
                seen = await see(back, made["id"])
                assert seen["latest"]["progressValue"] == value
                assert seen["earliest"]["timestamp"] == seen["latest"]["timestamp"]
                run = character_keys.progress_of_goal(person.id, name, made["id"])
                records = [each async for each in context.table.query_all(run)]
                assert [each.progress_value for each in records] == [value]
            asked = [
                e for e in context.remote_server.at("/hiscores") if e.query["player"] == [name]
            ]
            assert len(asked) == 1


class TellGoalNews(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        for person in self.people:
            await unpolled(context, await new_goal(person, frequency="daily"), person)
        self.blocked_writes = BlockedWrites([(each.id, '"Delivery"') for each in self.people])

    async def check(self, context: CaseContext) -> None:
        for person in self.people:
            (message,) = await inbox(await later(person))
            assert message["kind"] == "CHARACTER_GOALS"


class SweepGoalRecords(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        (self.ada,) = await context.people(1)
        self.goals = []
        for _ in range(3):
            made = await new_goal(self.ada)
            for day in (1, 2, 3):
                await record(self.ada, made["id"], day, f"2025-01-0{day}T00:00:00Z")
            request = DeleteCharacterGoalInput(id=made["id"])
            await context.interrupt(self.ada, lambda mine: mine.character_goals.delete, request)
            self.goals.append(str(made["id"]))
        assert len(await self._left(context)) == 12
        self.blocked_writes = BlockedWrites([(each,) for each in self.goals])

    async def _left(self, context: CaseContext) -> list[str]:
        places = await context.sort_keys(f"USER#{self.ada.id}")
        return [each for each in places if any(goal in each for goal in self.goals)]

    async def check(self, context: CaseContext) -> None:
        assert await self._left(context) == []


class SendNotifications(JobCase):
    """One message is claimed when the worker dies, and not sent; one more has just left, and its
    far side has not answered. Of both nobody can know: they are not sent again."""

    async def prepare(self, context: CaseContext) -> None:
        self.ada, self.bob = await context.people(2)
        self.path = await with_hook(context.resources, self.ada, context.remote_server)
        self.slow = await with_hook(context.resources, self.bob, context.remote_server)
        self.go = threading.Event()
        context.remote_server.answer(self.slow, Answer(before=self.go.wait))
        for person in (self.ada, self.ada, self.ada, self.bob):
            await person.gql(TEST, input={"channelType": "Webhook"})
        ids = [e.notification_id for e in await self._messages(context, self.ada)]
        self.blocked_writes = BlockedWrites([(each, '"SENDING"') for each in ids])

    async def wait_until_blocked(self, context: CaseContext) -> None:
        await eventually(partial(self._is_under_way, context))

    async def _is_under_way(self, context: CaseContext) -> bool:
        states = [each.status for each in await self._messages(context, self.ada)]
        return SendingStatus.SENT in states and len(context.remote_server.at(self.slow)) == 1

    async def _messages(self, context: CaseContext, person: Person) -> list[OutgoingMessage]:
        return [each for each in await outgoing(context.resources, person) if not each.is_code]

    async def wait_for_claims(self, context: CaseContext) -> None:
        self.go.set()
        for person in (self.ada, self.bob):
            claimed = [
                each
                for each in await self._messages(context, person)
                if each.status is SendingStatus.SENDING
            ]
            assert len(claimed) == 1
            await context.table.write(
                *(Put(dataclasses.replace(e, due_at=context.now)) for e in claimed)
            )

    async def check(self, context: CaseContext) -> None:
        sent = [each.json["id"] for each in context.remote_server.at(self.path)]
        found = await self._messages(context, self.ada)
        states = sorted(each.status.value for each in found)
        assert states == ["SENT", "SENT", "UNKNOWN"]
        assert sorted(sent) == sorted(
            each.id for each in found if each.status is SendingStatus.SENT
        )
        (late,) = await self._messages(context, self.bob)
        assert late.status is SendingStatus.UNKNOWN
        assert [each.json["id"] for each in context.remote_server.at(self.slow)] == [late.id]
        assert len(await inbox(await later(self.ada))) == 3


class RemindDaily(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        today = datetime.now(UTC).date().isoformat()
        for person in self.people:
            await person.gql(UPDATE_SETTINGS, input={"dailyReminder": True})
            await task(person, "Call home", dueDate=today)
        self.blocked_writes = BlockedWrites([(each.id, '"Delivery"') for each in self.people])

    async def check(self, context: CaseContext) -> None:
        for person in self.people:
            (message,) = await inbox(await later(person))
            assert "Call home" in message["body"]


class RemindDue(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        due = instant(datetime.now(UTC) - timedelta(minutes=30))
        for person in self.people:
            await person.gql(UPDATE_SETTINGS, input={"dueReminder": True})
            await task(person, "Take the bread out", dueAt=due)
        self.blocked_writes = BlockedWrites([(each.id, '"Delivery"') for each in self.people])

    async def check(self, context: CaseContext) -> None:
        for person in self.people:
            (message,) = await inbox(await later(person))
            assert (message["kind"], message["title"]) == ("REMINDER", "Take the bread out")


class CloseMetricDays(JobCase):
    async def prepare(self, context: CaseContext) -> None:
        self.people = await context.people()
        self.food = []
        for person in self.people:
            wanted = {"aggregation": "sum", "direction": "Lower", "targetValue": 2000}
            metric = await new_metric(person, **wanted)
            await log_value(person, metric, 1900)
            self.food.append(metric)
        self.blocked_writes = BlockedWrites(
            [(each.id, '"MetricMilestone"') for each in self.people]
        )

    async def check(self, context: CaseContext) -> None:
        for person, metric in zip(self.people, self.food, strict=True):
            again = await later(person)
            assert await won(again, metric) == {"target_reached-2000": 200}
            assert await balance(again) == 200


CASES: dict[str, type[JobCase]] = {
    "finish-removals": FinishRemovals,
    "finish-account-deletions": FinishAccountDeletions,
    "finish-company-deletions": FinishCompanyDeletions,
    "expire-quests": ExpireQuests,
    "retry-failed-rewards": RetryFailedRewards,
    "follow-quests": FollowQuests,
    "sweep-orphan-snapshots": SweepOrphanSnapshots,
    "poll-hiscores": PollHiscores,
    "tell-goal-news": TellGoalNews,
    "sweep-goal-records": SweepGoalRecords,
    "send-notifications": SendNotifications,
    "remind-daily": RemindDaily,
    "remind-due": RemindDue,
    "close-metric-days": CloseMetricDays,
}
