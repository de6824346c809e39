"""The audits of GraphQL over HTTP that come with npm's graphql-http: all 61 must pass."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.engines import NODE_MODULES, unavailable

AUDITS = 61


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if not found:
        unavailable("the audit of GraphQL over HTTP needs Node, and there is none")
    if not (NODE_MODULES / "graphql-http").is_dir():
        unavailable("npm's graphql-http is not installed (scripts/install dev)")
    return found


def audit(node: str, url: str) -> list[dict[str, Any]]:
    script = Path(__file__).with_name("audit.mjs")
    done = subprocess.run(
        [node, script, f"{url}/graphql"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)
    return results


def test_every_audit_is_ok(node: str, server_url: str) -> None:
    results = audit(node, server_url)
    failing = [
        f"{each['id']} {each['name']}: {each['reason']}"
        for each in results
        if each["status"] != "ok"
    ]
    assert failing == []
    assert len(results) == AUDITS
