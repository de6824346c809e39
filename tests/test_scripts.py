"""The scripts that write generated files, run in a copy of the project."""

import shutil
import subprocess
from pathlib import Path

import pytest

from app.key_chart import key_chart
from app.web.schema import export_schema

STALE = "stale"


@pytest.fixture
def project_copy(root: Path, tmp_path: Path) -> Path:
    shutil.copytree(root / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "scripts", tmp_path / "scripts")
    (tmp_path / "scripts" / "install").write_text("#!/bin/sh\n")
    (tmp_path / ".venv").symlink_to(root / ".venv")
    return tmp_path


def run(project: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [project / "scripts" / script, *arguments]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)


def test_export_schema_writes_the_file_and_names_it(project_copy: Path) -> None:
    (project_copy / "schema.graphql").write_text(STALE)
    finished = run(project_copy, "export-schema")
    assert (project_copy / "schema.graphql").read_text() == export_schema()
    assert (finished.stdout, finished.stderr) == ("", "Wrote schema.graphql.\n")


def test_print_keys_writes_the_file_and_names_it(project_copy: Path) -> None:
    (project_copy / "app" / "KEYS.md").write_text(STALE)
    finished = run(project_copy, "print-keys")
    assert (project_copy / "app" / "KEYS.md").read_text() == key_chart()
    assert (finished.stdout, finished.stderr) == ("", "Wrote app/KEYS.md.\n")


def test_another_file_may_be_named(project_copy: Path) -> None:
    (project_copy / "schema.graphql").write_text(STALE)
    run(project_copy, "export-schema", "--output", "other.graphql")
    assert (project_copy / "other.graphql").read_text() == export_schema()
    assert (project_copy / "schema.graphql").read_text() == STALE
