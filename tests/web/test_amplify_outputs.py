"""amplify_outputs.json, and the directives of the schema that Amplify's tools read."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from graphql import GraphQLError, build_schema, parse, validate

from app.settings import ROOT, Settings
from app.web.amplify.outputs import amplify_outputs
from app.web.schema import build_schema as our_schema
from app.web.schema import export_schema


def outputs(**settings: object) -> dict[str, Any]:
    return amplify_outputs(Settings(_env_file=None, **settings))  # type: ignore[arg-type]


def test_the_command_prints_it() -> None:
    environment = {"PATH": os.environ["PATH"], "PUBLIC_URL": "https://api.example"}
    command = [sys.executable, "-m", "app", "amplify-outputs"]
    printed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    data = json.loads(printed.stdout)["data"]
    assert data["url"] == "https://api.example/graphql"
    assert data["default_authorization_type"] == "AMAZON_COGNITO_USER_POOLS"
    assert data["authorization_types"] == ["API_KEY"]
    assert data["api_key"] == "da2-guildhall-development"


def test_a_user_pool_is_named() -> None:
    found = outputs(cognito_user_pool_id="eu-west-1_abc", cognito_client_ids=["one", "two"])
    assert found["auth"] == {
        "aws_region": "eu-west-1",
        "user_pool_id": "eu-west-1_abc",
        "user_pool_client_id": "one",
    }


def test_modes_follow_the_settings() -> None:
    data = outputs(iam_keys=["a:b"], authorizer_url="http://x", api_keys=["da2-own"])["data"]
    assert data["authorization_types"] == ["API_KEY", "AWS_IAM", "AWS_LAMBDA"]


def selection(introspection: dict[str, Any], kind: str | dict[str, str]) -> str:
    """As Amplify writes it: everything, as deep as it goes. A cycle would never end."""
    if isinstance(kind, str) or "enum" in kind:
        return ""
    ((word, name),) = kind.items()
    fields = introspection[f"{word}s"][name]["fields"].values()
    parts = [
        f"{each['name']} {selection(introspection, each['type'])}"
        for each in fields
        if "association" not in each
    ]
    return "{ " + " ".join(parts or ["__typename"]) + " }"


def argument(described: dict[str, Any]) -> str:
    kind = described["type"]
    named = kind if isinstance(kind, str) else next(iter(kind.values()))
    base = named + ("!" if described["isRequired"] else "")
    if not described["isArray"]:
        return base
    return f"[{base}]" + ("" if described["isArrayNullable"] else "!")


@pytest.mark.parametrize("kind", ["queries", "mutations", "subscriptions"])
def test_every_operation_makes_a_valid_document(kind: str) -> None:
    introspection = outputs()["data"]["model_introspection"]
    schema = our_schema()._schema
    word = {"queries": "query", "mutations": "mutation", "subscriptions": "subscription"}[kind]
    errors: dict[str, list[GraphQLError]] = {}
    for name, operation in introspection[kind].items():
        given = operation.get("arguments", {})
        outer = ", ".join(f"${key}: {argument(each)}" for key, each in given.items())
        inner = ", ".join(f"{key}: ${key}" for key in given)
        fields = selection(introspection, operation["type"])
        call = f"{name}({inner})" if inner else name
        text = f"{word} {'Named(' + outer + ')' if outer else ''} {{ {call} {fields} }}"
        if found := validate(schema, parse(text)):
            errors[name] = found
    assert errors == {}
    assert introspection[kind]


def test_subscriptions_name_mutations_of_the_same_type() -> None:
    schema = our_schema()
    mutations = schema._schema.mutation_type
    subscriptions = schema._schema.subscription_type
    assert mutations
    assert subscriptions
    wrong = []
    for name, field in subscriptions.fields.items():
        definition = field.extensions["strawberry-definition"]
        for directive in definition.directives:
            for mutation in getattr(directive, "mutations", []):
                if str(mutations.fields[mutation].type).rstrip("!") != str(field.type):
                    wrong.append(f"{name}: {mutation}")
    assert wrong == []


def test_the_exported_schema_with_its_directives_is_whole() -> None:
    text = export_schema()
    assert "@aws_subscribe(mutations: [" in text
    build_schema(text)
