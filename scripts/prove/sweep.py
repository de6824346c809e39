"""The server dies at every database call of every mutation.

    scripts/prove/sweep [--short]

Runs the tests of all domains with the plugin tests/prove/crash_sweep.py: each mutation that they
send is interrupted before and after each of its database calls and repeated with the same
idempotencyKey. A violation is a test that fails. Fails, too, if a mutation of the schema was not
swept or nothing was done. --short: some files of each domain.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.web.schema import build_schema  # noqa: E402
from tests.prove.crash_sweep import takes_key  # noqa: E402

DOMAINS = (
    *("characters", "community", "goals", "notifications", "people"),
    *("plans", "quests", "rewards", "tracking"),
)
SHORT = (
    "tests/rewards/test_rewards.py",
    "tests/rewards/test_wallet.py",
    "tests/goals/test_removals.py",
    "tests/community/test_rooms.py",
    "tests/plans/test_commits.py",
)
console = Console(highlight=False, width=120)


def swept_mutations() -> set[str]:
    root = build_schema()._schema.mutation_type
    assert root
    return {name for name in root.fields if takes_key(name)}


def run(paths: list[str], report: Path) -> tuple[int, str]:
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.prove.crash_sweep"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"--sweep-report={report}", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def failures(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    groups = [list(SHORT)] if options.short else [[f"tests/{each}"] for each in DOMAINS]
    points: dict[str, int] = {}
    crashes = requests = 0
    violations: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, paths in enumerate(groups):
            report = Path(folder) / f"{number}.json"
            code, output = run(paths, report)
            violations += failures(output) or ([f"{paths}: pytest gave {code}"] if code else [])
            found = json.loads(report.read_text())
            requests += found["requests"]
            crashes += sum(found["crashes"].values())
            for name, most in found["points"].items():
                points[name] = max(points.get(name, 0), most)
    missing = set() if options.short else swept_mutations() - points.keys()
    for each in violations:
        console.print(each, markup=False)
    console.print(
        f"{len(points)} mutations swept, {requests} requests, {crashes} crashes, "
        f"{sum(points.values())} crash points, {len(violations)} violations; "
        f"not swept: {', '.join(sorted(missing)) or 'none'}"
    )
    return 1 if violations or missing or not crashes else 0


if __name__ == "__main__":
    sys.exit(main())
