"""A table that an earlier release wrote is read, listed and changed by this one."""

import json
from typing import Any

import pytest

from tests.api import PASSWORD, Failed, Person
from tests.upgrade.dumps import Dump, scan
from tests.upgrade.internals import ENTITIES, Item, Migration, decode, decoded, demo, item_of
from tests.upgrade.world import TODAY, World, do

ROOM = {"roomId": "demo-hall"}
# Of each list of one's own: the kind of record, and what of it is shown beside its id.
LISTS = {
    "characterGoals": ("CharacterGoal", "targetAttribute"),
    "characters": ("Character", "name"),
    "goals": ("Goal", "title"),
    "habits": ("Habit", "name"),
    "logbook": ("LogbookEntry", "title"),
    "metrics": ("Metric", "name"),
    "notifications": ("Notification", "title"),
    "projects": ("Project", "name"),
    "rewards": ("Reward", "title"),
    "tasks": ("Task", "title"),
}
SINGLE = {
    "characterGoal": ("CharacterGoal", "targetAttribute"),
    "company": ("Company", "name"),
    "goal": ("Goal", "title"),
    "habit": ("Habit", "name"),
    "metric": ("Metric", "name"),
    "offer": ("Offer", "title"),
    "project": ("Project", "name"),
    "quest": ("Quest", "title"),
    "reward": ("Reward", "title"),
    "room": ("Room", "name"),
    "task": ("Task", "title"),
    "user": ("User", "nickname"),
}


async def sign_in_dana(world: World) -> Person:
    return await world.sign_in(demo.EMAIL, demo.PASSWORD)


async def sign_in_ada(world: World) -> Person:
    return await world.sign_in("ada@example.com")


async def sign_in_judge(world: World) -> Person:
    return await world.sign_in("judge@example.com")


async def read_all(person: Person, field: str, shown: str, **arguments: object) -> list[Any]:
    """All items of a list, which must fit on one page."""
    given = "".join(f", {name}: {value}" for name, value in arguments.items())
    query = f"{{ {field}(limit: 100{given}) {{ items {{ {shown} }} nextToken }} }}"
    page = (await person.gql(query))[field]
    assert page["nextToken"] is None
    return list(page["items"])


async def names_in(person: Person, field: str, shown: str, **arguments: object) -> list[str]:
    return sorted(str(each[shown]) for each in await read_all(person, field, shown, **arguments))


async def read_one(person: Person, field: str, shown: str, id: str) -> Any:
    query = f"query ($id: ID!) {{ {field}(id: $id) {{ {shown} }} }}"
    return (await person.gql(query, id=id))[field]


async def refusal(person: Person, name: str, **wanted: object) -> str:
    """The code of the error that a change must give."""
    with pytest.raises(Failed) as failed:
        await do(person, name, "__typename", **wanted)
    return failed.value.code


async def experience_of(person: Person) -> int:
    return int(
        (await person.gql("{ me { stats { experiencePoints } } }"))["me"]["stats"][
            "experiencePoints"
        ]
    )


async def balance_of(person: Person) -> int:
    return int((await person.gql("{ wallet { balance } }"))["wallet"]["balance"])


# The items themselves


def is_kept(old: Any, new: Any) -> bool:
    """What has a default may have been added, also inside; nothing else may differ."""
    if isinstance(old, dict):
        return all(name in new and is_kept(value, new[name]) for name, value in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(is_kept, old, new))
    return bool(old == new)


def without_version(item: Item) -> Item:
    """An upgrade raises it."""
    return {name: value for name, value in item.items() if name != "version"}


def with_folded_area(item: Item) -> Item:
    """Since release 0.1 the letter case of a life area does not count in its key."""
    user, area, name = item.get("GSI3PK", {}).get("S", "").partition("#AREA#")
    return item | ({"GSI3PK": {"S": f"{user}{area}{name.casefold()}"}} if area else {})


def test_the_dump_holds_every_kind_and_all_are_known(dump: Dump) -> None:
    assert dump.kinds <= ENTITIES.keys()
    assert len(dump.kinds) >= 102


def test_every_item_is_written_as_it_was_read(dump: Dump) -> None:
    old = map(with_folded_area, dump.items)
    changed = [item for item in old if not is_kept(item, item_of(decoded(item)))]
    assert changed == []


async def test_a_start_changes_nothing(dump: Dump, world: World) -> None:
    assert await scan(world.table) == dump.items


# Lists and single records


async def check_lists(dump: Dump, dana: Person, raised: frozenset[str] = frozenset()) -> None:
    """`raised`: the ids of records whose version a migration has raised."""
    for field, (kind, shown) in LISTS.items():
        found = await read_all(dana, field, f"id {shown} version")
        stored = dump.all(kind, userId=dana.id)
        wanted = [{name: each[name] for name in ("id", shown, "version")} for each in stored]
        for each in (*found, *wanted):
            each["version"] = None if each["id"] in raised else each["version"]
        assert sorted(found, key=lambda each: each["id"]) == wanted, field


async def test_lists_of_ones_own(dump: Dump, untouched: World) -> None:
    await check_lists(dump, await sign_in_dana(untouched))


@pytest.mark.parametrize("field", SINGLE)
async def test_single_records(field: str, dump: Dump, untouched: World) -> None:
    kind, shown = SINGLE[field]
    dana = await sign_in_dana(untouched)
    stored = [each for each in dump.all(kind) if each.get("userId", dana.id) == dana.id]
    for each in stored:
        found = await read_one(dana, field, f"id {shown} createdAt", each["id"])
        assert found == {name: each[name] for name in ("id", shown, "createdAt")}
    assert stored


async def test_lists_of_the_community(untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    assert await names_in(dana, "rooms", "name") == ["Guild hall"]
    assert await names_in(dana, "publicRooms", "name") == ["Guild hall"]
    assert await names_in(dana, "companies", "name") == ["River Sports"]
    assert await names_in(dana, "sharedWithMe", "recordId") == ["ada-choir"]
    assert await names_in(dana, "sharedByMe", "recordId") == ["demo-reading"]
    assert await names_in(dana, "assistThreads", "title") == ["Is slide 7 clear?", "Which shoes?"]
    offers = ["Day-old bread at half price", "Saturday baking course", "Shoes at half price"]
    assert await names_in(dana, "offers", "title") == offers
    tagged = await names_in(dana, "byTag", "type", tag='"running"')
    assert tagged == ["Goal", "Goal", "Offer"]


async def test_lists_of_quests(dump: Dump, untouched: World) -> None:
    dana, ada = await sign_in_dana(untouched), await sign_in_ada(untouched)
    for status in ("OPEN", "CLAIMED", "PENDING_REVIEW", "COMPLETE", "DISPUTED"):
        stored = sorted(each["id"] for each in dump.all("Quest", status=status))
        assert await names_in(dana, "quests", "id", status=status) == stored
    performed = await names_in(dana, "questsByPerformer", "id", performerId=f'"{dana.id}"')
    assert performed == sorted(each["id"] for each in dump.all("Quest", performerId=dana.id))
    created = await names_in(ada, "questsByCreator", "id", creatorId=f'"{ada.id}"')
    assert created == sorted(each["id"] for each in dump.all("Quest", creatorId=ada.id))
    assert await names_in(ada, "questTemplates", "title") == ["Walk the dog"]
    assert await names_in(ada, "questCategories", "name") == ["Errands"]


async def test_lists_of_plans(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    revisions = sorted(each["revId"] for each in dump.all("ValuesRevision"))
    assert await names_in(dana, "valuesHistory", "id") == revisions
    assert await names_in(dana, "plannedDays", "date") == ["2035-03-04", TODAY]
    planned = sorted(each["revId"] for each in dump.all("PlanRevision", date=TODAY))
    assert await names_in(dana, "planHistory", "id", date=f'"{TODAY}"') == planned
    tree = await dana.gql("{ valuesTree { nodes { id } } valuesBranches { name } }")
    head = dump.one("ValuesHead")["headRevId"]
    nodes = sorted(each["id"] for each in dump.all("TreeNode", revId=head))
    assert sorted(each["id"] for each in tree["valuesTree"]["nodes"]) == nodes
    assert tree["valuesBranches"] == [{"name": "by-the-sea"}]


async def test_lists_of_those_who_look_after_it(dump: Dump, untouched: World) -> None:
    judge = await sign_in_judge(untouched)
    assert await names_in(judge, "reports", "reason") == ["Advertising"]
    assert await names_in(judge, "failedRewards", "rewardType") == ["REPUTATION", "XP"]
    jobs = (await judge.gql("{ jobs { name lastRun lastError } }"))["jobs"]
    idle = [each["name"] for each in jobs if not each["lastRun"] or each["lastError"]]
    assert idle == sorted({each["name"] for each in jobs} - {e["job"] for e in dump.all("Lease")})


# What belongs to a record

GOAL = """
  tasks(limit: 100) { items { id } } projects { id } metrics { id } habits { id }
  children { items { id } } activity(limit: 100) { items { id } }
"""
METRIC = """
  latestValue logs(limit: 100) { items { id } } alerts { items { kind value } }
  milestones { items { id } } insights { items { id } }
"""
HALL = """
  memberCount messages(limit: 100, order: OLDEST_FIRST) { items { id text editCount isRemoved } }
  members { items { userId role } } moderationLog { items { reason } }
"""


def ids(stored: list[Item], name: str = "id") -> list[str]:
    return sorted(str(each[name]) for each in stored)


async def test_what_belongs_to_a_goal(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    goal = await read_one(dana, "goal", GOAL, "demo-fit")
    assert ids(goal["tasks"]["items"]) == ids(dump.all("GoalTask", goalId="demo-fit"), "taskId")
    assert goal["projects"] == [{"id": "demo-kitchen"}]
    assert goal["metrics"] == [{"id": "demo-weight"}]
    assert goal["habits"] == [{"id": "demo-reading"}]
    assert goal["children"]["items"] == [{"id": "demo-race"}]
    assert ids(goal["activity"]["items"]) == ids(dump.all("GoalActivity", goalId="demo-fit"))
    milestones = await read_one(dana, "goal", "milestones { id }", "demo-race")
    assert ids(milestones["milestones"]) == ids(dump.all("Milestone", goalId="demo-race"))


async def test_what_was_tracked(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    metric = await read_one(dana, "metric", METRIC, "demo-weight")
    assert metric["latestValue"] == "75.5"
    for field, kind in (("logs", "MetricLog"), ("milestones", "MetricMilestone")):
        assert ids(metric[field]["items"]) == ids(dump.all(kind, metricId="demo-weight"))
    assert metric["alerts"]["items"] == [{"kind": "High", "value": "75.5"}]
    # Beside what was found stands that nothing was, of a type.
    insights = [each for each in dump.all("MetricInsight") if "nothing" not in each["id"]]
    assert ids(metric["insights"]["items"]) == ids(insights)
    habit = await read_one(dana, "habit", "logs(limit: 100) { items { date } }", "demo-reading")
    logged = ids(dump.all("HabitLog", habitId="demo-reading"), "date")
    assert [each["date"] for each in habit["logs"]["items"]] == logged


async def test_what_was_paid(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    query = "{ wallet { balance freezes transactions(limit: 100) { items { id } } } }"
    wallet = (await dana.gql(query))["wallet"]
    stored = dump.one("Wallet", userId=dana.id)
    assert (wallet["balance"], wallet["freezes"]) == (stored["balance"], stored["freezes"])
    entries = dump.all("WalletTransaction", userId=dana.id)
    assert ids(wallet["transactions"]["items"]) == ids(entries)
    reward = dump.one("Reward", title="A day at the sea")["id"]
    had = await read_one(dana, "reward", "redemptions { items { id refundedAt } }", reward)
    wanted = [(each["id"], each.get("refundedAt")) for each in dump.all("Redemption")]
    assert (
        sorted((each["id"], each["refundedAt"]) for each in had["redemptions"]["items"]) == wanted
    )


async def test_what_was_said(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    hall = await read_one(dana, "room", HALL, "demo-hall")
    said = [each["text"] for each in hall["messages"]["items"]]
    assert said[-3:] == ["I bring two cakes.", "With cherries?", None]
    assert [each["editCount"] for each in hall["messages"]["items"]] == [0, 0, 0, 0, 1, 0, 0]
    assert [each["isRemoved"] for each in hall["messages"]["items"]] == [False] * 6 + [True]
    assert hall["memberCount"] == 3
    assert ids(hall["members"]["items"], "userId") == ids(dump.all("RoomMember"), "userId")
    assert len(hall["moderationLog"]["items"]) == len(dump.all("ModerationEntry"))
    thread = dump.one("AssistThread", title="Which shoes?")["id"]
    words = await read_one(dana, "assistThread", "status messages { items { text } }", thread)
    assert words["messages"]["items"] == [{"text": "Light ones, half a size up."}]
    assert words["status"] == "RESOLVED"


async def test_what_was_measured(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    for goal in dump.all("CharacterGoal"):
        shown = "latest { progressValue } progress(limit: 100) { items { progressValue } }"
        found = await read_one(dana, "characterGoal", shown, goal["id"])
        records = dump.all("ProgressRecord", goalId=goal["id"])
        values = [each["progressValue"] for each in records]
        assert [each["progressValue"] for each in found["progress"]["items"]] == values
        assert found["latest"]["progressValue"] == values[-1]


async def test_what_was_done_in_quests(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    shown = "history(limit: 100) { items { action } } attestations { rating comments }"
    for quest in dump.all("Quest"):
        found = await read_one(dana, "quest", shown, quest["id"])
        actions = [each["action"] for each in dump.all("QuestTransition", questId=quest["id"])]
        assert [each["action"] for each in found["history"]["items"]] == actions
        given = [(each["rating"], each.get("comments")) for each in quest["attestations"]]
        assert [(e["rating"], e["comments"]) for e in found["attestations"]] == given


def unread_marks(dump: Dump, user_id: str) -> list[Item]:
    """What was noted since the list was read: of each record its last change."""
    last: dict[tuple[str, str], Item] = {}
    for note in dump.all("ChangeNote", userId=user_id):
        for mark in note["marks"]:
            last.pop((mark["pk"], mark["sk"]), None)
            last[mark["pk"], mark["sk"]] = mark
    return list(last.values())


async def test_changes_go_on_where_they_were(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    latest = dump.one("ChangeList", place=dump.one("ChangeEnd")["place"])
    cursor = f"{latest['place']}.{len(latest['marks'])}"
    query = (
        "query ($since: String) { changes(since: $since, limit: 100) { items { type deleted } } }"
    )
    found = (await dana.gql(query, since=cursor))["changes"]["items"]
    wanted = [(mark["kind"], mark["gone"]) for mark in unread_marks(dump, dana.id)]
    assert [(each["type"], each["deleted"]) for each in found] == wanted
    assert wanted[-1] == ("LogbookEntry", False)


# Changes


async def test_an_account(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    version = dump.one("User", id=dana.id)["version"]
    wanted = {"displayName": "Dana D.", "expectedVersion": version}
    changed = await do(dana, "updateProfile", "displayName bio version", **wanted)
    assert changed == {
        "displayName": "Dana D.",
        "bio": "Lives by the river.",
        "version": version + 1,
    }
    passwords = {"currentPassword": PASSWORD, "newPassword": "another horse battery"}
    ada = await sign_in_ada(changing)
    await do(ada, "changePassword", **passwords)
    again = await changing.sign_in(ada.email, passwords["newPassword"])
    back = {"currentPassword": passwords["newPassword"], "newPassword": PASSWORD}
    assert (await do(again, "changePassword", **back))["id"] == ada.id


async def test_the_export_of_an_account(dump: Dump, untouched: World) -> None:
    dana = await sign_in_dana(untouched)
    exported = json.loads((await dana.gql("{ exportData }"))["exportData"])
    for kind in ("Goal", "Task", "Habit", "HabitLog", "MetricLog", "Notification", "Reward"):
        stored = dump.all(kind, userId=dana.id)
        assert len(exported[kind]) == len(stored), kind
    assert exported.keys() & {"Credential", "SignedInSession", "Receipt"} == set()
    assert exported["User"][0]["nickname"] == demo.NICKNAME


async def test_a_task_and_its_goal(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    points, before = dump.one("Task", id="tiles")["pointValue"], await balance_of(dana)
    done = await do(dana, "completeTask", "status pointsAwarded", id="tiles")
    assert done == {"status": "Done", "pointsAwarded": True}
    assert await balance_of(dana) == before + points
    version = dump.one("Goal", id="demo-race")["version"]
    wanted = {"id": "demo-race", "notes": "In May", "expectedVersion": version}
    goal = await do(dana, "updateGoal", "notes tags version", **wanted)
    assert goal == {"notes": "In May", "tags": ["running"], "version": version + 1}
    milestone = dump.one("Milestone", name="Half way")["id"]
    await do(dana, "deleteMilestone", goalId="demo-race", id=milestone)
    left = await read_one(dana, "goal", "milestones { name }", "demo-race")
    assert [each["name"] for each in left["milestones"]] == ["Off the sofa", "Ready"]


async def test_a_project(changing: World) -> None:
    dana = await sign_in_dana(changing)
    await do(dana, "completeTask", id="demo-measure")
    shelves = await read_one(dana, "task", "status dependsOn { done }", "demo-shelves")
    assert shelves["dependsOn"] == [{"done": True}]
    await do(dana, "deleteProject", id="demo-kitchen")
    assert await read_one(dana, "project", "id", "demo-kitchen") is None
    assert (await read_one(dana, "goal", "projects { id }", "demo-fit"))["projects"] == []


async def test_a_metric_a_habit_and_the_logbook(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    await do(dana, "logMetric", metricId="demo-weight", value="70.5")
    assert await read_one(dana, "metric", "latestValue", "demo-weight") == {"latestValue": "70.5"}
    streak = (await read_one(dana, "habit", "streak", "demo-reading"))["streak"]
    logged = await do(dana, "logHabit", "kind habit { streak }", habitId="demo-reading")
    assert logged == {"kind": "DONE", "habit": {"streak": streak + 1}}
    version = dump.one("LogbookEntry", date=TODAY)["version"]
    entry = await do(dana, "saveLogbookEntry", "title energy version", date=TODAY, energy=7)
    assert entry == {"title": "A new week", "energy": 7, "version": version + 1}
    await do(dana, "updateHabit", id="fern", status="Paused")
    assert await names_in(dana, "habits", "id", status="Paused") == ["fern"]


async def test_a_reward(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    reward, before = dump.one("Reward", title="A day at the sea")["id"], await balance_of(dana)
    wanted = {"rewardId": reward, "idempotencyKey": "sea"}
    earlier = await do(dana, "redeemReward", **wanted)
    assert earlier["id"] in ids(dump.all("Redemption")), "the answer of the earlier release"
    assert await balance_of(dana) == before
    assert await refusal(dana, "redeemReward", rewardId=reward) == "DAILY_LIMIT"
    coffee = dump.one("Reward", title="Café by the river")["id"]
    had = await do(dana, "redeemReward", "cost wallet { balance }", rewardId=coffee)
    assert had == {"cost": 150, "wallet": {"balance": before - 150}}
    await do(dana, "updateReward", id=reward, pointCost=400)
    await do(dana, "deleteReward", id=reward)
    assert "A day at the sea" not in await names_in(dana, "rewards", "title")


async def test_values_and_a_plan(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    head = dump.one("ValuesHead")["headRevId"]
    operations = [{"complete": {"id": "first-5k"}}]
    wanted = {"operations": operations, "expectedHead": head, "message": "Five kilometres"}
    commit = await do(dana, "commitValues", "revision { parentIds message }", **wanted)
    assert commit["revision"] == {"parentIds": [head], "message": "Five kilometres"}
    merged = await do(
        dana, "mergeValuesBranch", "conflicts { field } nodes { id }", name="by-the-sea"
    )
    assert merged["conflicts"] == []
    assert "surf" in ids(merged["nodes"])
    shown = "plan { todos { actionId completedAt } blocks { title } }"
    plan = (await do(dana, "completeAction", shown, actionId="bench", date=TODAY))["plan"]
    assert [each["actionId"] for each in plan["todos"] if each["completedAt"]] == ["bench"]
    plan = dump.one("PlanHead", date=TODAY)["headRevId"]
    todos = [{"actionId": "no-screens"}]
    behind = {"date": TODAY, "todos": todos, "expectedHead": plan}
    assert await refusal(dana, "commitPlan", **behind) == "CONFLICT"
    new = await do(dana, "commitPlan", "todos { actionId }", date=TODAY, todos=todos, blocks=[])
    assert new["todos"] == todos


async def test_quests(changing: World) -> None:
    dana, ada, judge = [await each(changing) for each in (sign_in_dana, sign_in_ada, sign_in_judge)]
    claimed = await do(dana, "claimQuest", "status performerId", questId="walk-open")
    assert claimed == {"status": "CLAIMED", "performerId": dana.id}
    wanted = {"questId": "walk-claimed", "submission": "Around twice."}
    assert (await do(dana, "submitQuest", "status", **wanted))["status"] == "PENDING_REVIEW"
    before = await experience_of(dana)
    done = await do(ada, "attestQuest", "status", questId="walk-submitted", rating=4)
    assert done["status"] == "COMPLETE"
    assert await experience_of(dana) == before + 50
    decision = {"questId": "walk-disputed", "outcome": "CANCELLED"}
    assert await do(judge, "resolveDispute", "status", **decision) == {"status": "CANCELLED"}


async def test_rooms(dump: Dump, changing: World) -> None:
    dana, ada = await sign_in_dana(changing), await sign_in_ada(changing)
    number = max(each["number"] for each in dump.all("Message"))
    sent = await do(dana, "sendMessage", "number text", **ROOM, text="See you there.")
    assert sent == {"number": number + 1, "text": "See you there."}
    cakes = dump.one("Message", text="I bring two cakes.")["id"]
    edit = {**ROOM, "messageId": cakes, "text": "I bring three cakes."}
    assert await do(ada, "editMessage", "text editCount", **edit) == {
        "text": "I bring three cakes.",
        "editCount": 2,
    }
    loud = await changing.sign_in("loud@example.com")
    assert await refusal(loud, "joinRoom", **ROOM) == "BANNED"
    assert await do(ada, "markRead", "unreadCount", **ROOM) == {"unreadCount": 0}


async def test_help_companies_and_shares(dump: Dump, changing: World) -> None:
    dana, ada = await sign_in_dana(changing), await sign_in_ada(changing)
    thread = {"threadId": dump.one("AssistThread", title="Which shoes?")["id"]}
    assert await do(dana, "reopenAssistThread", "status", **thread) == {"status": "OPEN"}
    await do(dana, "sendAssistMessage", **thread, text="And for the rain?")
    company = dump.one("Company", name="River Sports")["id"]
    wanted = {"id": company, "website": "https://river.example"}
    assert (await do(ada, "updateCompany", "website", **wanted))["website"] == wanted["website"]
    await do(dana, "removeGoalFromCompany", "goalId", companyId=company, goalId="demo-fit")
    mine = await read_one(dana, "company", "myGoals { items { goalId } }", company)
    assert mine["myGoals"]["items"] == []
    offer = dump.one("Offer", title="Shoes at half price")["id"]
    await do(ada, "updateOffer", id=offer, tags=["shoes"])
    assert await names_in(ada, "offers", "id", tag='"shoes"') == [offer]
    await do(dana, "unshare", "kind", userId=ada.id, kind="HABIT", id="demo-reading")
    assert await names_in(ada, "sharedWithMe", "recordId") == []


async def test_a_character(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    goal = dump.one("CharacterGoal", targetAttribute="Fishing")
    wanted = {"id": goal["id"], "targetValue": 75, "expectedVersion": goal["version"]}
    changed = await do(dana, "updateCharacterGoal", "targetValue version", **wanted)
    assert changed == {"targetValue": 75, "version": goal["version"] + 1}
    await do(dana, "recordProgress", "progressValue", goalId=goal["id"], progressValue=71)
    latest = await read_one(dana, "characterGoal", "latest { progressValue }", goal["id"])
    assert latest["latest"] == {"progressValue": 71}
    names = {"name": "Dana of Hall", "newName": "Dana Reborn"}
    renamed = await do(dana, "renameCharacter", "name goals { items { id } }", **names)
    assert renamed["name"] == "Dana Reborn"
    assert ids(renamed["goals"]["items"]) == ids(dump.all("CharacterGoal"))


async def test_notifications(dump: Dump, changing: World) -> None:
    dana = await sign_in_dana(changing)
    unread = [each for each in dump.all("Notification", userId=dana.id) if "readAt" not in each]
    assert await names_in(dana, "notifications", "id", unreadOnly="true") == ids(unread)
    await do(dana, "markNotificationsRead", ids=ids(unread))
    assert await names_in(dana, "notifications", "id", unreadOnly="true") == []
    settings = await do(dana, "updateNotificationSettings", "hour quietFrom", hour=8)
    assert settings == {"hour": 8, "quietFrom": 22}
    shown = "deliveries { channelType status }"
    sent = await do(dana, "sendTestNotification", shown, channelType="Email")
    assert sent["deliveries"] == [{"channelType": "Email", "status": "PENDING"}]


# The operator


async def kinds_in(world: World) -> set[str]:
    return {item["entityType"]["S"] for item in await scan(world.table)}


async def test_jobs_finish_what_the_earlier_release_began(world: World) -> None:
    begun = {"Removal", "GoalRemains", "QuestErrand", "ValuesDraft", "PlanDraft"}
    assert await kinds_in(world) >= begun
    world.clock.move(days=2)
    await world.run_jobs()
    assert await kinds_in(world) & begun == set()
    judge = await sign_in_judge(world)
    assert await names_in(judge, "failedRewards", "status") == ["COMPLETED", "COMPLETED"]


async def test_life_areas(dump: Dump, world: World) -> None:
    """Found by the old key and by the new one; by any spelling once they are migrated."""
    dana = await sign_in_dana(world)

    async def found(field: str, area: str) -> set[str]:
        return {each["id"] for each in await read_all(dana, field, "id", area=f'"{area}"')}

    kinds = {"tasks": "Task", "goals": "Goal", "metrics": "Metric", "habits": "Habit"}
    wanted = {
        field: {each["id"] for each in dump.all(kind, userId=dana.id, area="Health")}
        for field, kind in kinds.items()
    }
    assert {field: await found(field, "Health") for field in kinds} == wanted
    assert all(wanted.values())
    new = await do(dana, "createTask", "id area", title="New", area="HEALTH")
    assert new["area"] == "HEALTH"
    wanted["tasks"].add(new["id"])
    assert {field: await found(field, "Health") for field in kinds} == wanted
    await world.server.run(Migration(world.resources).run())
    for spelling in ("Health", "HEALTH", "health"):
        assert {field: await found(field, spelling) for field in kinds} == wanted
        everything = await read_all(dana, "area", "id", name=f'"{spelling}"')
        assert {each["id"] for each in everything} == set().union(*wanted.values())


async def test_a_migration_keeps_everything(dump: Dump, world: World) -> None:
    report = await world.server.run(Migration(world.resources).run())
    assert report.unreadable == []
    seen = sum(seen for kind, (seen, _) in report.counts.items() if kind in dump.kinds)
    assert seen == len(dump.items) - len(dump.all("MigrationProgress"))
    found = {(item["PK"]["S"], item["SK"]["S"]): item for item in await scan(world.table)}
    old = [with_folded_area(item) for item in dump.items if item["PK"]["S"] != "MIGRATION"]
    changed = [i for i in old if not is_kept(without_version(i), found[i["PK"]["S"], i["SK"]["S"]])]
    steps = dump.one("Metric", id="demo-steps")
    assert [item["SK"]["S"] for item in changed] == [steps["SK"]]
    days = found[steps["PK"], steps["SK"]]["state"]["M"]
    first = min(dump.all("MetricLog", metricId="demo-steps"), key=lambda log: log["date"])
    assert days["firstDay"]["M"]["date"] == {"S": first["date"]}
    assert {name: decode(days[name]) for name in steps["state"]} == steps["state"]
    await check_lists(dump, await sign_in_dana(world), frozenset({"demo-steps"}))
    assert (await world.server.run(Migration(world.resources).run())).changed == 0
