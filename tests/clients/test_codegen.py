"""`amplify codegen` on `export-schema --appsync`: it takes the file, and the server its results."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from graphql import parse, validate

from app.settings import ROOT, Settings
from app.web.cost import query_cost
from app.web.limits import Limits, first_breach
from app.web.schema import build_schema
from tests.api import Person
from tests.clients.node import HERE, run_node

GENERATORS = ("@aws-amplify/graphql-docs-generator", "@aws-amplify/graphql-types-generator")


@pytest.fixture(scope="module")
def appsync_schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("codegen") / "schema.graphql"
    command = [sys.executable, "-m", "app", "export-schema", "--appsync", "-o", str(file)]
    subprocess.run(command, cwd=ROOT, env={"PATH": os.environ["PATH"]}, check=True)
    return file


@pytest.fixture(scope="module")
async def generated(appsync_schema: Path) -> dict[str, Any]:
    printed = await run_node(HERE / "codegen.mjs", appsync_schema, packages=GENERATORS)
    result: dict[str, Any] = json.loads(printed)
    return result


@pytest.mark.parametrize("depth", ["2", "3"])
def test_every_statement_is_valid(generated: dict[str, Any], depth: str) -> None:
    schema, statements = build_schema()._schema, generated["byDepth"][depth]
    roots = (schema.query_type, schema.mutation_type, schema.subscription_type)
    assert set(statements) == {name for root in roots if root for name in root.fields}
    found = {name: validate(schema, parse(text)) for name, text in statements.items()}
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_at_the_usual_depth_no_statement_exceeds_a_limit(generated: dict[str, Any]) -> None:
    limits = Limits(tokens=Settings(_env_file=None).max_tokens)
    refused = []
    for name, text in generated["byDepth"]["2"].items():
        document = parse(text, max_lexical_tokens=limits.tokens)
        if first_breach(document, limits) or query_cost(document, None, {}) > limits.cost:
            refused.append(name)
    assert refused == []


async def test_the_server_answers_them(generated: dict[str, Any], ada: Person) -> None:
    statements = generated["byDepth"]["3"]
    fields = {"name": "Weight", "targetValue": "71.5"}
    made = (await ada.gql(statements["createMetric"], input=fields))["createMetric"]
    assert (made["__typename"], made["targetValue"]) == ("Metric", "71.5")
    listed = await ada.gql(
        statements["listMetrics"], filter={"targetValue": {"gt": "71.4"}}, limit=3
    )
    assert [each["id"] for each in listed["listMetrics"]["items"]] == [made["id"]]
    node = (await ada.gql(statements["node"], id=made["id"]))["node"]
    assert (node["id"], node["__typename"]) == (made["id"], "Metric")


def test_decimals_are_strings_and_the_file_says_so(
    generated: dict[str, Any], appsync_schema: Path
) -> None:
    text = appsync_schema.read_text()
    assert "# - Decimal is String" in text
    assert "scalar " not in text
    metric = generated["types"].split("export type Metric = {")[1].split("};")[0]
    assert "  targetValue?: string | null,\n" in metric
