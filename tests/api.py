"""A client as an application would write it: HTTP, JSON, a token in a header."""

from dataclasses import dataclass, field
from typing import Any, Self
from uuid import uuid4

import httpx

SIGN_UP = """
mutation SignUp($input: SignUpInput!) {
  signUp(input: $input) { accessToken refreshToken expiresAt user { id nickname email } }
}
"""
PASSWORD = "correct horse battery"


class Failed(Exception):
    """The answer had errors."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(errors)
        self.errors = errors

    @property
    def code(self) -> str:
        return str(self.errors[0]["extensions"]["code"])

    @property
    def info(self) -> dict[str, Any]:
        return dict(self.errors[0]["extensions"])


class Api:
    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(
            base_url=url, timeout=30, limits=httpx.Limits(max_connections=200)
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def post(
        self, query: str, *, headers: dict[str, str] | None = None, **variables: object
    ) -> httpx.Response:
        body = {"query": query, "variables": variables}
        return await self.http.post("/graphql", json=body, headers=headers)

    async def gql(
        self, query: str, *, headers: dict[str, str] | None = None, **variables: object
    ) -> Any:
        """The data; raises Failed if there are errors."""
        answer = (await self.post(query, headers=headers, **variables)).json()
        if answer.get("errors"):
            raise Failed(answer["errors"])
        return answer["data"]

    async def sign_up(self, **fields: object) -> "Person":
        name = f"u{uuid4().hex[:12]}"
        wanted = {"email": f"{name}@example.com", "nickname": name, "password": PASSWORD} | fields
        session = (await self.gql(SIGN_UP, input=wanted))["signUp"]
        return Person(self, session)


@dataclass
class Person:
    """Someone who is signed in."""

    api: Api
    session: dict[str, Any]
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = self.session["user"]["id"]

    @property
    def nickname(self) -> str:
        return str(self.session["user"]["nickname"])

    @property
    def email(self) -> str:
        return str(self.session["user"]["email"])

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.session['accessToken']}"}

    async def gql(self, query: str, **variables: object) -> Any:
        return await self.api.gql(query, headers=self.headers, **variables)

    async def refused(self, query: str, **variables: object) -> Failed:
        """The error that this must give."""
        try:
            answer = await self.gql(query, **variables)
        except Failed as failed:
            return failed
        raise AssertionError(f"expected an error, got {answer}")
