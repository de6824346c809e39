"""The server in a process of its own, as an operator runs it; its output is kept."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import httpx

from app.settings import ROOT

START_SECONDS = 90
FRAME = ("╭", "│", "╰")


class ServerProcess:
    def __init__(self, folder: Path, **settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.written = folder / "stderr"
        kept = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1"}
        usual = {"PORT": str(port), "DATA_DIR": str(folder), "WORKER": "false"}
        usual |= {"PASSWORD_MEMORY_KIB": "1024", "PYTHONWARNINGS": "error"}
        self.environment = kept | usual | settings

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "app", "serve"]
        with self.written.open("wb") as written:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=written, stderr=written
            )
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            # uvicorn ends in order, then dies of the signal, as its parent may expect; the parent
            # of several server processes just ends.
            assert self._process.wait(30) in (0, -signal.SIGTERM), self.written.read_text()

    @property
    def pid(self) -> int:
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(30)

    def memory(self) -> int:
        """Resident, in bytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def lines(self) -> list[str]:
        """Everything but the framed greeting."""
        text = self.written.read_text(encoding="utf-8")
        return [line for line in text.split("\n") if line and not line.startswith(FRAME)]

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines()]

    def is_up(self) -> None:
        """Raises unless it answers."""
        httpx.get(f"{self.url}/health").raise_for_status()

    def _wait(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            assert self._process.poll() is None, self.written.read_text()
            try:
                self.is_up()
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"the server did not start: {self.written.read_text()}")
