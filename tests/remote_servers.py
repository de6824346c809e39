"""HTTP and SMTP servers that stand for the remote services which Guildhall calls."""

import json
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    hang_up: bool = False


class RemoteServer:
    """Answers each path with its prepared answers in order; the last one repeats."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self._answers: dict[str, list[Answer]] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, path: str, *answers: Answer) -> None:
        with self._lock:
            self._answers[path] = list(answers)

    def at(self, path: str) -> list[Received]:
        with self._lock:
            return [each for each in self.received if each.path == path]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, request: Received) -> Answer:
        with self._lock:
            self.received.append(request)
            prepared = self._answers.get(request.path) or [Answer()]
            return prepared.pop(0) if len(prepared) > 1 else prepared[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        remote_server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._do()

            def do_GET(self) -> None:
                self._do()

            def _do(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = remote_server.take(
                    Received(self.command, parts.path, parse_qs(parts.query), headers, body)
                )
                if answer.before:
                    answer.before()
                if answer.hang_up:
                    self.connection.close()
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: object) -> None:
                return

        return Handler


class MailServer:
    """An SMTP server that accepts every message, unless `refuses` is set."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, str]] = []
        self.refuses = False
        self._server = _SmtpServer(("127.0.0.1", 0), _Mail)
        self._server.daemon_threads = True
        self._server.box = self

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def to(self, receiver: str) -> list[str]:
        return [text for address, text in self.letters if address == receiver]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _SmtpServer(socketserver.ThreadingTCPServer):
    box: MailServer


class _Mail(socketserver.StreamRequestHandler):
    server: _SmtpServer
    receiver = ""

    def handle(self) -> None:
        self._say("220 mail")
        while line := self.rfile.readline().decode().strip():
            self._say(self._answer(line))
            if line.upper() == "QUIT":
                return

    def _answer(self, line: str) -> str:
        word = line.upper()
        if word.startswith("RCPT TO:"):
            self.receiver = line.partition("<")[2].partition(">")[0]
        if word == "DATA":
            self._say("354 go on")
            self.server.box.letters.append((self.receiver, self._text()))
        return "550 no" if self.server.box.refuses and word.startswith("MAIL") else "250 ok"

    def _text(self) -> str:
        lines: list[str] = []
        while (line := self.rfile.readline().decode().rstrip("\r\n")) != ".":
            lines.append(line)
        return "\n".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


def hiscores(
    skills: dict[str, tuple[int, int, int]], activities: dict[str, tuple[int, int]] | None = None
) -> bytes:
    """index_lite.json as the game writes it: rank, level and xp of skills, rank and score else."""
    rows = [
        {"id": number, "name": name, "rank": rank, "level": level, "xp": xp}
        for number, (name, (rank, level, xp)) in enumerate(skills.items())
    ]
    others = [
        {"id": number, "name": name, "rank": rank, "score": score}
        for number, (name, (rank, score)) in enumerate((activities or {}).items())
    ]
    return json.dumps({"name": "x", "skills": rows, "activities": others}).encode()
