"""Programs beside the server, as an operator runs them: HAProxy, the worker, other commands."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from app.settings import ROOT
from tests.engines import unavailable

PROXY_CONFIGURATION = """
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 10s
  option forwardfor
  option redispatch
  retries 3

frontend guildhall
  bind 127.0.0.1:{port}
  default_backend servers

backend servers
  balance roundrobin
  option httpchk GET /ready
  default-server check inter 100ms fall 2 rise 1
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


class Program:
    """A child process; its output is kept in `written`."""

    def __init__(
        self,
        command: Sequence[str],
        output: Path,
        environment: dict[str, str],
        folder: Path = ROOT,
    ) -> None:
        """`output`: the folder for what it writes; `folder`: where it runs."""
        self.command = command
        self.folder = folder
        self.written = output / "output"
        self.environment = environment

    def __enter__(self) -> Self:
        with self.written.open("ab") as written:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.environment, stdout=written, stderr=written
            )
        return self

    def wait_for(self, text: str) -> None:
        """Until it has written this."""
        for _ in range(1_200):
            if text in self.written.read_text():
                return
            assert self.process.poll() is None, self.written.read_text()
            time.sleep(0.05)
        raise AssertionError(f"{text!r} was not written: {self.written.read_text()}")

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)


def haproxy(folder: Path, urls: Sequence[str]) -> tuple[Program, str]:
    """The proxy before these servers, and its address."""
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/sbin")
    if program is None:
        unavailable("there is no haproxy")
    port = free_port()
    servers = [f"  server s{n} {url.removeprefix('http://')}" for n, url in enumerate(urls)]
    file = folder / "haproxy.cfg"
    file.write_text(PROXY_CONFIGURATION.format(port=port) + "\n".join(servers) + "\n")
    return Program([program, "-db", "-f", str(file)], folder, {}), f"http://127.0.0.1:{port}"


def command(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """python -m app, to its end."""
    environment = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", "HOME": "/nonexistent"}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
