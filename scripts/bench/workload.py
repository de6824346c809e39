"""What is measured: one user's goals and tasks, made by Guildhall's services, and the questions."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import strawberry
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import SecretStr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.core.caller import acting_for, anonymous
from app.core.scalars import AWSDate, AWSEmail
from app.domains.goals.inputs import CreateGoalInput, CreateTaskInput
from app.domains.goals.types import GoalStatus, Priority, TimeHorizon
from app.domains.people.inputs import SignUpInput
from app.resources import open_resources
from app.services import Services
from app.settings import Settings

GOALS, TASKS_A_GOAL = 20, 10
ISSUER = "http://guildhall.bench"
SECRET = "known to everyone: only for this measurement"

TASK_FIELDS = """
  id title description area subCategory priority status size dueDate dueAt scheduledDate
  isRecurring pointValue pointsAwarded notes tags goalIds createdAt updatedAt version
"""
TASK = f"query Task($id: ID!) {{ task(id: $id) {{ {TASK_FIELDS} }} }}"
TASKS = f"query Tasks {{ tasks(limit: 100) {{ items {{ {TASK_FIELDS} }} }} }}"
GOALS_AND_TASKS = """
query Goals {
  goals(limit: 20) {
    items {
      id title description area priority status targetDate cachedProgress tags
      tasks(limit: 10) { items { id title status priority size dueDate tags } }
    }
  }
}
"""
UPDATE = """
mutation Update($input: UpdateTaskInput!) { updateTask(input: $input) { id title notes } }
"""


@dataclass(frozen=True, slots=True)
class Data:
    """Where it is, and what a server needs to know of whoever asks."""

    endpoint: str
    table: str
    region: str
    token: str
    public_key: str
    task_ids: list[str]
    issuer: str = ISSUER
    secret: str = SECRET


@dataclass(frozen=True, slots=True)
class Case:
    """`variables` of each connection, by its number: no two ask for the same task."""

    name: str
    query: str
    variables: Callable[[Data, int], dict[str, Any]] = lambda data, number: {}

    def body(self, data: Data, number: int) -> bytes:
        return orjson.dumps({"query": self.query, "variables": self.variables(data, number)})


CASES = (
    Case("task", TASK, lambda data, number: {"id": data.task_ids[number * 6]}),
    Case("tasks", TASKS),
    Case("goals", GOALS_AND_TASKS),
    Case(
        "updateTask",
        UPDATE,
        # Past what the other queries show of notes and versions: their answers stay the same.
        lambda data, number: {"input": {"id": data.task_ids[100 + number], "notes": "Changed."}},
    ),
)


async def filled(endpoint: str) -> Data:
    settings = Settings(
        _env_file=None,
        endpoint_url=endpoint,
        secret_key=SecretStr(SECRET),
        public_url=ISSUER,
        access_token_seconds=86_400,
    )
    async with open_resources(settings) as resources:
        session = await Services(resources, anonymous("bench")).identity.sign_up(
            SignUpInput(
                email=AWSEmail("bench@guildhall.example"),
                nickname="bench",
                password="only for measuring",
            ).validate()
        )
        services = Services(resources, acting_for(session.user.id))
        for number in range(GOALS):
            await _goal(services, number)
        key = resources.secret.signing_key().public_key()
        pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return Data(
        endpoint=endpoint,
        table=settings.table_name,
        region=settings.aws_region,
        token=session.access_token,
        public_key=pem.decode(),
        task_ids=[f"task-{number:03}" for number in range(GOALS * TASKS_A_GOAL)],
    )


async def _goal(services: Services, number: int) -> None:
    goal = CreateGoalInput(
        id=strawberry.ID(f"goal-{number:02}"),
        title=f"Goal {number}: be fit enough to enjoy every stair in São Paulo",
        description="What it is about, in a sentence that is neither long nor short.",
        area="Health",
        time_horizon=TimeHorizon.Yearly,
        status=GoalStatus.Active,
        target_date=AWSDate("2030-06-30"),
        tags=["running", "mornings"],
    )
    await services.goals.create(goal.validate())
    for place in range(TASKS_A_GOAL):
        await services.tasks.create(_task(number, number * TASKS_A_GOAL + place))


def _task(goal: int, number: int) -> CreateTaskInput:
    return CreateTaskInput(
        id=strawberry.ID(f"task-{number:03}"),
        title=f"Task {number}: long run along the river",
        description="Slowly for an hour, then a little faster, then home “for breakfast”.",
        area="Health",
        sub_category="Running" if number % 2 else None,
        priority=list(Priority)[number % 4],
        size=15 + number % 60,
        due_date=AWSDate(f"2030-0{1 + number % 9}-15"),
        scheduled_date=AWSDate("2030-01-10") if number % 3 else None,
        notes="Water, shoes, keys; not the telephone." if number % 5 else None,
        tags=["running", f"week-{number % 4}"],
        goal_ids=[strawberry.ID(f"goal-{goal:02}")],
    ).validate()
