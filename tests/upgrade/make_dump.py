"""Makes the dump of a release: python -m tests.upgrade.make_dump FILE, at its commit.

The demo data, and beside them at least one record of every kind, made over HTTP. Those that are
gone when their request has ended are written by put().
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.api import PASSWORD, Person
from tests.engines import ENGINES
from tests.remote_servers import Answer, RemoteServer, hiscores
from tests.upgrade.dumps import scan, write_dump
from tests.upgrade.internals import ENTITIES, demo, grant_group, stored_form
from tests.upgrade.world import MADE_AT, SIGN_IN, TODAY, World, do, running_world, settings_for

STAMP = "2035-03-05T09:00:00.000Z"
INSIGHTS = """query ($id: ID!) { metric(id: $id) { insights { items { id } } } }"""


async def fill(world: World) -> None:
    dana = await world.sign_in(demo.EMAIL, demo.PASSWORD)
    ada = await sign_up(world, "ada")
    judge = await make_judge(world)
    await world.run_jobs()
    await make_account_records(world, dana)
    await make_goal_records(world, dana)
    await make_tracking_records(dana)
    await make_reward_records(dana)
    await make_room_records(world, dana, ada, judge)
    await make_assist_records(dana, ada)
    await make_company_records(dana, ada)
    await make_shares(dana, ada)
    await make_quest_records(world, dana, ada, judge)
    await make_character_records(world, dana)
    await make_plan_records(world, dana)
    await make_notification_records(world, dana)
    await make_changes(dana)
    await put(world, "MigrationProgress", segment=0, shape="0" * 16, counts={"Goal": [1, 0]})


async def sign_up(world: World, name: str) -> Person:
    return await world.api.sign_up(email=f"{name}@example.com", nickname=name)


async def put(world: World, kind: str, /, **attributes: object) -> None:
    """As if the server had died between the transactions of a request."""
    stamps = {"createdAt": STAMP, "updatedAt": STAMP, "version": 1}
    item = stored_form(kind, stamps | attributes)
    await world.table.client.put_item(TableName=world.table.table, Item=item)


async def make_judge(world: World) -> Person:
    judge = await sign_up(world, "judge")
    for group in ("moderators", "admins"):
        work = grant_group(world.resources, judge.email, group, remove=False)
        await world.server.run(work)
    return await world.sign_in(judge.email)


async def make_account_records(world: World, dana: Person) -> None:
    gone = await sign_up(world, "gone")
    await do(gone, "deleteAccount", confirmNickname="gone", password=PASSWORD)
    wrong = {"email": dana.email, "password": "not this one"}
    await dana.refused(SIGN_IN, input=wrong)
    profile = {"bio": "Lives by the river.", "country": "PT", "language": "pt", "pronouns": "she"}
    await do(dana, "updateProfile", **profile, birthDate="1990-05-17", tags=["running"])


async def make_goal_records(world: World, dana: Person) -> None:
    for link in ({"habitId": "demo-reading"}, {"metricId": "demo-weight"}):
        await do(dana, "linkToGoal", goalId="demo-fit", **link)
    await do(dana, "linkToGoal", goalId="demo-fit", projectId="demo-kitchen")
    criterion = {"text": "At the target", "linkedMetricId": "demo-weight"}
    await do(dana, "addCriterion", goalId="demo-fit", **criterion)
    texts = {"description": "For the wall", "notes": "Not white", "subCategory": "Kitchen"}
    await do(dana, "updateGoal", id="demo-race", **texts)
    await do(dana, "updateProject", id="demo-kitchen", **texts)
    task = {"id": "tiles", "title": "Choose tiles", "tags": ["kitchen"], **texts}
    await do(dana, "createTask", **task, idempotencyKey="tiles")
    await do(dana, "completeTask", id="demo-long-run")
    await do(dana, "createTask", id="doomed", title="Doomed", goalIds=["demo-fit"])
    await do(dana, "deleteTask", id="doomed")
    left = {"userId": dana.id, "kind": "TASK", "id": "doomed"}
    await put(world, "Removal", **left, goalIds=["demo-fit"], taskIds=[])


async def make_tracking_records(dana: Person) -> None:
    await do(dana, "logMetric", metricId="demo-weight", value="75.5", notes="After the feast")
    await do(dana, "logHabit", "date", habitId="demo-sugar", kind="MISSED", notes="The feast")
    band = {"targetValue": "7.5", "targetBand": "0.5", "thresholdLow": "5"}
    await do(dana, "createMetric", id="sleep", name="Sleep", customUnit="hours in bed", **band)
    every = {"frequency": "Custom", "intervalDays": 3, "description": "Not too much"}
    await do(dana, "createHabit", id="fern", name="Water the fern", **every)
    found = await dana.gql(INSIGHTS, id="demo-weight")
    assert found["metric"]["insights"]["items"]


async def make_reward_records(dana: Person) -> None:
    await do(dana, "adjustWallet", "balance", amount=2000, reason="A good month")
    wanted = {"title": "A day at the sea", "pointCost": 300, "maxRedemptionsPerDay": 2}
    reward = await do(dana, "createReward", **wanted)
    await do(dana, "redeemReward", rewardId=reward["id"], idempotencyKey="sea")
    again = await do(dana, "redeemReward", rewardId=reward["id"])
    await do(dana, "refundRedemption", redemptionId=again["id"])
    await do(dana, "buyFreeze", "balance")


async def make_room_records(world: World, dana: Person, ada: Person, judge: Person) -> None:
    room = {"roomId": "demo-hall"}
    loud = await sign_up(world, "loud")
    for person in (ada, loud):
        await do(person, "joinRoom", **room)
    sent = await do(ada, "sendMessage", **room, text="I bring the cake.")
    await do(ada, "editMessage", **room, messageId=sent["id"], text="I bring two cakes.")
    reply = {"replyToId": sent["id"], "expiresIn": 3600}
    await do(dana, "sendMessage", **room, text="With cherries?", **reply)
    noise = await do(loud, "sendMessage", **room, text="Buy my boat!")
    report = {**room, "messageId": noise["id"], "reason": "Advertising"}
    await do(ada, "reportMessage", "status", **report)
    await do(dana, "reportMessage", "status", **report)
    decision = {"reporterId": dana.id, "messageId": noise["id"], "remove": True}
    await do(judge, "resolveReport", "status", **decision)
    await do(dana, "removeFromRoom", **room, userId=loud.id, reason="Only sells boats")


async def make_assist_records(dana: Person, ada: Person) -> None:
    subject = {"subjectKind": "GOAL", "subjectId": "demo-fit", "helperIds": [ada.id]}
    thread = await do(dana, "openAssistThread", title="Which shoes?", **subject)
    place = {"threadId": thread["id"]}
    sent = await do(ada, "sendAssistMessage", **place, text="Light ones.")
    better = {"messageId": sent["id"], "text": "Light ones, half a size up."}
    await do(ada, "editAssistMessage", **place, **better)
    await do(dana, "resolveAssistThread", **place)
    await do(dana, "rateHelp", **place, userId=ada.id, rating=5, comment="They fit.")


async def make_company_records(dana: Person, ada: Person) -> None:
    company = {"companyId": (await do(ada, "createCompany", name="River Sports"))["id"]}
    await do(ada, "addToCompany", **company, userId=dana.id)
    await do(dana, "addGoalToCompany", "goalId", **company, goalId="demo-fit")
    await do(ada, "createOffer", **company, title="Shoes at half price", tags=["running"])


async def make_shares(dana: Person, ada: Person) -> None:
    await do(
        dana, "shareWith", "kind", userId=ada.id, kind="HABIT", id="demo-reading", note="Ask me"
    )
    goal = await do(ada, "createGoal", id="ada-choir", title="Sing in a choir")
    await do(ada, "shareWith", "kind", userId=dana.id, kind="GOAL", id=goal["id"])


async def make_quest_records(world: World, dana: Person, ada: Person, judge: Person) -> None:
    category = await do(judge, "createQuestCategory", name="Errands")
    words = {"title": "Walk the dog", "description": "Once around the harbour."}
    rewards = {"defaultRewards": {"xp": 50, "reputation": 2}}
    await do(ada, "createQuestTemplate", **words, **rewards, categoryId=category["id"])
    quest = words | {"rewardXp": 50, "rewardReputation": 2, "categoryId": category["id"]}
    names = ("walk-open", "walk-claimed", "walk-submitted", "walk-owed", "walk-disputed")
    for id in names:
        more = {"id": id, "expiresAt": "2035-04-05T09:00:00Z", "idempotencyKey": id}
        await do(ada, "createQuest", **quest, **more)
    for id in names[1:]:
        await do(dana, "claimQuest", questId=id, goalId="demo-fit")
    for id in names[2:]:
        await do(dana, "submitQuest", questId=id, submission="He slept all evening.")
    await attest_unpaid(world, dana, ada, "walk-owed")
    await do(ada, "disputeQuest", questId="walk-disputed", reason="The dog was never outside.")
    await put_errand(world, dana, "walk-submitted")
    await return_attested(dana, ada, quest | {"id": "walk-twice"})


async def attest_unpaid(world: World, dana: Person, ada: Person, quest_id: str) -> None:
    """Without the performer's counters the rewards cannot be paid at once."""
    place = {"S": f"USER#{dana.id}"}
    table = {"TableName": world.table.table}
    away = await world.table.client.delete_item(
        **table, Key={"PK": place, "SK": place}, ReturnValues="ALL_OLD"
    )
    await do(ada, "attestQuest", questId=quest_id, rating=5, comments="Thank you.")
    await world.table.client.put_item(**table, Item=away["Attributes"])


async def return_attested(dana: Person, ada: Person, quest: dict[str, Any]) -> None:
    await do(ada, "createQuest", **quest, dualAttestation=True)
    place = {"questId": quest["id"]}
    await do(dana, "claimQuest", **place)
    await do(dana, "submitQuest", **place, submission="Once around.")
    await do(dana, "attestQuest", **place, rating=4)
    await do(ada, "requestChanges", **place)


async def put_errand(world: World, dana: Person, quest_id: str) -> None:
    at = {"PK": {"S": f"QUEST#{quest_id}"}, "SK": {"S": f"PERFORMER#{dana.id}"}}
    seat = (await world.table.client.get_item(TableName=world.table.table, Key=at))["Item"]
    task_id = seat["taskId"]["S"]
    errand = {"userId": dana.id, "taskId": task_id, "questId": quest_id}
    await put(world, "QuestErrand", **errand, turn="DONE", why="The quest was submitted.")


async def make_character_records(world: World, dana: Person) -> None:
    name = "Dana of Hall"
    await do(dana, "refreshCharacter", "name", name=name)
    wanted = {"characterName": name, "targetAttribute": "Mining", "targetType": "level"}
    goal = await do(dana, "createCharacterGoal", **wanted, targetValue=80)
    await do(dana, "deleteCharacterGoal", id=goal["id"])
    remains = {"userId": dana.id, "goalId": goal["id"], "characterKey": "dana of hall"}
    await put(world, "GoalRemains", **remains)
    await put(world, "CharacterRemains", userId=dana.id, characterKey="gone")


async def make_plan_records(world: World, dana: Person) -> None:
    times = {"startTimeIso": f"{TODAY}T14:00:00Z", "endTimeIso": f"{TODAY}T14:25:00Z"}
    block = {"blockType": "POMODORO", "actionId": "bench", "pomodoroIndex": 1, **times}
    await do(dana, "commitPlan", "date", date=TODAY, todos=[{"actionId": "bench"}], blocks=[block])
    note = {"update": {"id": "bench", "notes": "Of beech"}}
    await do(dana, "commitValues", "head", operations=[note], message="Notes")
    # Both of commits that ended before anything else of them was written.
    draft = {"userId": dana.id, "revId": "01JNP0000000000000000000AA"}
    await put(world, "ValuesDraft", **draft)
    await put(world, "PlanDraft", **draft, date=TODAY)


async def make_notification_records(world: World, dana: Person) -> None:
    settings = {"hour": 7, "quietFrom": 22, "quietTo": 6, "dailyReminder": True}
    await do(dana, "updateNotificationSettings", "hour", **settings)
    channel = {"channelType": "Email"}
    await do(dana, "setNotificationChannel", "label", **channel, identifier="dana@example.com")
    code = await sent_code(world, dana)
    await do(dana, "verifyNotificationChannel", "label", **channel, code=code)
    seen = await do(dana, "sendTestNotification", **channel)
    await do(dana, "markNotificationsRead", ids=[seen["id"]])


async def sent_code(world: World, dana: Person) -> str:
    """Out of the message that waits to be sent."""
    items = [each for each in await scan(world.table) if each["entityType"]["S"] == "Outgoing"]
    (body,) = [each["body"]["S"] for each in items if each["userId"]["S"] == dana.id]
    return str(body[:6])


async def make_changes(dana: Person) -> None:
    """A list of changes that has been read, and a change after that."""
    await dana.gql("{ changes(limit: 100) { cursor } }")
    await do(dana, "saveLogbookEntry", date=TODAY, title="A new week", mood="High")


async def make_dump(file: Path) -> None:
    with TemporaryDirectory() as folder, RemoteServer() as remote_server:
        page = hiscores({"Woodcutting": (7, 98, 12_600_000)})
        remote_server.answer("/hiscores", Answer(200, page))
        async with ENGINES["embedded"](Path(folder)) as url:
            settings = settings_for(url, Path(folder), hiscores_url=f"{remote_server.url}/hiscores")
            async with running_world(settings, MADE_AT) as world:
                await fill(world)
                items = await scan(world.table)
    missing = ENTITIES.keys() - {item["entityType"]["S"] for item in items}
    assert not missing, f"No record of {sorted(missing)}"
    write_dump(file, items)


if __name__ == "__main__":
    asyncio.run(make_dump(Path(sys.argv[1])))
