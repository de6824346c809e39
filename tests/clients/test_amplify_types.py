"""The types of Amplify's client: a front end in TypeScript, compiled with --strict and run."""

import json
from pathlib import Path

import pytest

from tests.clients.node import HERE, run_node
from tests.clients.scripts import play
from tests.clients.servers import ClientServer
from tests.engines import NODE_MODULES

COMPILER_OPTIONS = {
    "strict": True,
    "noUnusedLocals": True,
    "skipLibCheck": True,
    "target": "es2022",
    "module": "nodenext",
    "resolveJsonModule": True,
    "rewriteRelativeImportExtensions": True,
    "types": [],
}
PACKAGES = ("aws-amplify", "@aws-amplify/data-schema", "ws")


@pytest.fixture
def front(amplify_outputs: Path) -> Path:
    """The folder of a front end, with what the command prints."""
    folder = amplify_outputs.parent
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": COMPILER_OPTIONS}))
    (folder / "node_modules").symlink_to(NODE_MODULES)
    return folder


async def compile_typescript(folder: Path) -> None:
    compiler = NODE_MODULES / "typescript" / "bin" / "tsc"
    await run_node(compiler, "--project", folder, packages=("typescript",))


async def test_a_typed_front_end_compiles_and_runs(tls_server: ClientServer, front: Path) -> None:
    (front / "main.ts").write_text((HERE / "amplify_types.ts").read_text())
    await compile_typescript(front)
    async with tls_server.api() as own:
        person = await own.sign_up()
    received = await play(front / "main.js", tls_server, person, packages=PACKAGES)
    nested = received.pop("nested")
    assert (nested["inner"], nested["same"]) == ("Linked", True)
    (found,) = nested["found"]
    assert (found["title"], found["parent"]) == ("Part", {"title": "Whole"})
    assert [each["title"] for each in found["tasks"]] == ["Linked"]
    assert received == {
        "create": {"title": "Typed", "status": "NotStarted", "points": 90},
        "onCreate": {"same": True},
        "onTaskChanged": {"title": "Typed"},
        "list": {"titles": ["Typed"], "nextToken": None},
        "index": {"titles": ["Typed"], "errors": None},
        "selection": {"data": {"title": "Typed", "recurrenceRule": None}, "frequency": None},
        "update": {"notes": "n", "version": 1},
        "lazy": {
            "lazyTasks": ["Linked"],
            "lazyGoal": "Part",
            "lazyParent": "Whole",
            "lazyChildren": ["Part"],
        },
        "updateKeepsItsParent": {"same": True},
        "decimal": {"target": "71.5"},
        "query": {"titles": ["Typed", "Linked"]},
        "mutation": {"status": "Done"},
        "delete": {"same": True},
    }
