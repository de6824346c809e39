"""Metrics, logs, the dashboard and the alert rules."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY

import app.cli
from app.web import request_log
from tests.api import Api, Failed, Person
from tests.engines import unavailable
from tests.operations.programs import Program, free_port
from tests.web.processes import ServerProcess

FOLDER = Path(app.cli.__file__).parents[2] / "scripts" / "monitoring"
METRIC = re.compile(r"guildhall_[a-z_]+")


def existing_metrics() -> set[str]:
    families = list(REGISTRY.collect())
    series = {sample.name for each in families for sample in each.samples}
    # A metric with labels has no series before it is used.
    suffixes = {
        "counter": ["_total"],
        "histogram": ["", "_bucket", "_count", "_sum"],
        "gauge": [""],
    }
    return series | {
        f"{each.name}{end}" for each in families for end in suffixes.get(each.type, [])
    }


@pytest.mark.parametrize("name", ["alerts.yml", "dashboard.json"])
def test_every_metric_that_is_named_exists(name: str) -> None:
    named = set(METRIC.findall((FOLDER / name).read_text())) - {"guildhall_"}
    assert len(named) > 5
    assert named - existing_metrics() == set()


def test_the_dashboard_is_whole() -> None:
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    assert len({each["id"] for each in panels}) == len(panels) == 14
    assert all(target["expr"] for each in panels for target in each["targets"])


def test_promtool_accepts_the_rules() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        unavailable("there is no promtool")
    done = subprocess.run(
        [promtool, "check", "rules", FOLDER / "alerts.yml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "SUCCESS: 7 rules found" in done.stdout) == (0, True), done.stderr


def value(text: str, series: str) -> float:
    found = [line for line in text.splitlines() if line.startswith(f"{series} ")]
    return float(found[0].rpartition(" ")[2]) if found else 0


async def test_operations_are_counted_by_name_kind_and_code(api: Api, ada: Person) -> None:
    async def counted(code: str, kind: str) -> float:
        text = (await api.http.get("/metrics")).text
        labels = f'code="{code}",kind="{kind}",operation="Monitored"'
        return value(text, f"guildhall_operations_total{{{labels}}}")

    async def ask(query: str) -> None:
        body = {"query": query, "operationName": "Monitored"}
        await api.http.post("/graphql", json=body, headers=ada.headers)

    await ask("query Monitored { me { id } }")
    await ask('query Monitored { task(id: "none") { id } }')
    await ask('mutation Monitored { deleteTask(input: {id: "none"}) { id } }')
    await ask("query Monitored { nonsense }")
    assert await counted("OK", "query") == 2
    assert await counted("NOT_FOUND", "mutation") == 1
    assert await counted("GRAPHQL_VALIDATION_FAILED", "") == 1


def test_names_of_operations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_log, "_names", set())
    names = [request_log.bounded_name(f"Op{n}") for n in range(request_log.MOST_NAMES + 5)]
    assert names.count("other") == 5
    assert request_log.bounded_name("Op0") == "Op0"
    monkeypatch.setattr(request_log, "_names", set())
    assert [request_log.bounded_name(each) for each in (None, "", "no name", "x" * 61)] == [
        "unnamed",
        "unnamed",
        "other",
        "other",
    ]


async def test_a_request_is_logged_with_who_what_and_whence(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, DEMO="false", TRUSTED_PROXIES="127.0.0.1") as server:
        async with Api(server.url) as api:
            ada = await api.sign_up()
            forwarded = ada.headers | {"x-forwarded-for": "192.0.2.7"}
            await api.http.post(
                "/graphql",
                json={"query": "query Mine { me { id } }", "operationName": "Mine"},
                headers=forwarded,
            )
            with pytest.raises(Failed):
                await api.gql("{ me { id } }")
        lines = [each for each in server.events() if each["event"] == "request"]
    seen = [[each[name] for name in ("operation", "kind", "code", "user")] for each in lines]
    assert seen == [
        ["SignUp", "mutation", "OK", None],
        ["Mine", "query", "OK", ada.id],
        ["unnamed", "query", "UNAUTHENTICATED", None],
    ]
    assert lines[1]["address"] == "192.0.2.7"
    text = server.written.read_text()
    assert ada.session["accessToken"] not in text
    assert "correct horse" not in text


def test_a_worker_has_health_and_metrics_of_its_own(tmp_path: Path) -> None:
    port = free_port()
    base = ServerProcess(tmp_path, DEMO="false", WORKER_PORT=str(port)).environment
    with Program([sys.executable, "-m", "app", "worker"], tmp_path, base) as work:
        work.wait_for("The worker is running.")
        url = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{url}/health").json() == {"status": "alive"}
        assert httpx.get(f"{url}/ready").json() == {"status": "ready"}
        assert "guildhall_job_runs_total" in httpx.get(f"{url}/metrics").text
        assert httpx.post(f"{url}/graphql").status_code == 404
        work.process.terminate()
        assert work.process.wait(30) == 0
