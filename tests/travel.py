"""Moves the clock. People sign in again, because their tokens expire."""

from datetime import datetime

from tests.api import PASSWORD, Person
from tests.servers import TestClock

SIGN_IN = """
mutation ($email: AWSEmail!, $password: String!) {
  signIn(input: {email: $email, password: $password}) {
    accessToken refreshToken expiresAt user { id nickname email }
  }
}
"""


async def travel(clock: TestClock, moment: datetime, *people: Person) -> None:
    """Freezes the clock at `moment`."""
    clock.freeze(moment)
    for person in people:
        answer = await person.api.gql(SIGN_IN, email=person.email, password=PASSWORD)
        person.session = answer["signIn"]
