"""Commands while a server runs on the same data folder: they use its engine."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jwt
import pytest

from app.demo import EMAIL, PASSWORD
from app.table.engine import read_running
from tests.api import PASSWORD as GIVEN
from tests.api import Api
from tests.operations.programs import Program, command
from tests.test_scripts import project_copy as project_copy
from tests.web.processes import ServerProcess

SIGN_IN = """mutation ($input: SignInInput!) {
  signIn(input: $input) { accessToken user { id nickname email } } }"""
CSV = "metric,loggedAt,value\nWeight,2026-01-02T08:00:00Z,71.5\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("data"), DEMO="false") as server:
        yield server


def beside(server: ServerProcess, *arguments: str) -> str:
    """What the command tells. It must succeed, and the server must go on."""
    names = ("DATA_DIR", "DEMO", "PASSWORD_MEMORY_KIB")
    done = command(*arguments, **{name: server.environment[name] for name in names})
    assert done.returncode == 0, done.stderr
    server.is_up()
    return (done.stderr + done.stdout).strip()


async def test_grant_takes_effect_at_the_running_server(running: ServerProcess) -> None:
    async with Api(running.url) as api:
        ada = await api.sign_up()
        assert beside(running, "grant", ada.email, "moderators") == f"{ada.nickname}: moderators"
        session = await api.gql(SIGN_IN, input={"email": ada.email, "password": GIVEN})
        token = session["signIn"]["accessToken"]
        claims = jwt.decode(token, options={"verify_signature": False})
        assert claims["cognito:groups"] == ["moderators"]


async def test_seed_makes_the_demo_user(running: ServerProcess) -> None:
    assert EMAIL in beside(running, "seed")
    async with Api(running.url) as api:
        signed_in = await api.gql(SIGN_IN, input={"email": EMAIL, "password": PASSWORD})
    assert signed_in["signIn"]["user"]["id"]


async def test_logs_come_and_go(running: ServerProcess, tmp_path: Path) -> None:
    async with Api(running.url) as api:
        ada = await api.sign_up()
        await ada.gql('mutation { createMetric(input: {name: "Weight", unit: "kg"}) { id } }')
        (tmp_path / "logs.csv").write_text(CSV)
        beside(running, "import-logs", str(tmp_path / "logs.csv"), "--email", ada.email)
        found = await ada.gql("{ metrics { items { logs { items { value } } } } }")
        assert found["metrics"]["items"] == [{"logs": {"items": [{"value": "71.5"}]}}]
        assert ",71.5," in beside(running, "export-logs", "--email", ada.email)


def test_table_and_migration(running: ServerProcess) -> None:
    assert beside(running, "create-table").endswith("in use already, with the right definition.")
    assert "Traceback" not in beside(running, "migrate")


def test_a_worker_runs_beside_it_and_after_its_restart(
    running: ServerProcess, tmp_path: Path
) -> None:
    work = Program([sys.executable, "-m", "app", "worker"], tmp_path, running.environment)
    before = read_running(Path(running.environment["DATA_DIR"]))
    with work:
        work.wait_for("The worker is running.")
        running.stop()
        running.__enter__()
        assert work.process.poll() is None
        work.process.send_signal(signal.SIGTERM)
        assert work.process.wait(30) == 0
    after = read_running(Path(running.environment["DATA_DIR"]))
    assert before is not None
    assert after is not None
    assert (after.url, after.pid == before.pid) == (before.url, False)


def test_a_second_server_is_refused_with_the_name_of_the_first(running: ServerProcess) -> None:
    holder = read_running(Path(running.environment["DATA_DIR"]))
    assert holder is not None
    done = command("serve", DATA_DIR=running.environment["DATA_DIR"], PORT="0")
    assert done.returncode == 1
    assert done.stderr.strip().split("\n") == [
        f"{running.environment['DATA_DIR']} is in use by process {holder.pid} (python -m app "
        "serve): stop it, or set another DATA_DIR."
    ]


def test_the_script_works_outside_the_virtual_environment(
    project_copy: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In a folder of the caller, whose relative paths are meant."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    bash = shutil.which("bash") or "/bin/bash"
    subprocess.run(
        [bash, project_copy / "scripts" / "app", "print-keys", "--output", "keys.md"],
        cwd=elsewhere,
        env={"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")},
        check=True,
        capture_output=True,
    )
    assert (elsewhere / "keys.md").read_text() == (project_copy / "app" / "KEYS.md").read_text()
