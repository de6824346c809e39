"""The servers that real clients talk to: one of each kind per test process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import ROOT, Settings
from tests.clients.servers import IAM_KEY, ClientServer, self_signed
from tests.servers import RunningServer


@pytest.fixture(scope="session")
def plain_server(
    settings: Settings, server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClientServer]:
    folder = tmp_path_factory.mktemp("plain")
    with ClientServer(folder, settings, IAM_KEYS=IAM_KEY) as running:
        yield running


@pytest.fixture(scope="session")
def tls_server(
    settings: Settings, server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClientServer]:
    folder = tmp_path_factory.mktemp("tls")
    with ClientServer(folder, settings, self_signed(folder), IAM_KEYS=IAM_KEY) as running:
        yield running


@pytest.fixture(scope="session")
def amplify_outputs(tls_server: ClientServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An amplify_outputs.json, with schema.ts beside it, as the command writes them."""
    file = tmp_path_factory.mktemp("front") / "amplify_outputs.json"
    environment = {"PATH": os.environ["PATH"], "PUBLIC_URL": tls_server.url}
    options = ["-o", str(file), "--types", str(file.with_name("schema.ts"))]
    command = [sys.executable, "-m", "app", "amplify-outputs", *options]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return file
