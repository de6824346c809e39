"""The neighbour, in a process of its own: asks for their profile every 10 ms for some seconds.

    probe.py HOST PORT TOKEN SECONDS

Prints two lists as JSON, in milliseconds: how long each answer took, and how much longer than asked
each pause lasted. The second is what the machine adds, whatever the server does.
"""

import http.client
import json
import sys
import time

PAUSE = 0.01
ME = json.dumps({"query": "{ me { id } }"})


def probe(host: str, port: int, token: str, seconds: float) -> dict[str, list[float]]:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    headers = {"authorization": token, "content-type": "application/json"}
    waits: list[float] = []
    delays: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        connection.request("POST", "/graphql", ME, headers)
        answer = connection.getresponse().read()
        ended = time.perf_counter()
        waits.append((ended - began) * 1000)
        if b'"errors"' in answer:
            raise SystemExit(f"The neighbour was refused: {answer.decode()}")
        time.sleep(PAUSE)
        delays.append((time.perf_counter() - ended - PAUSE) * 1000)
    return {"waits": waits, "delays": delays}


if __name__ == "__main__":
    host, port, token, seconds = sys.argv[1:]
    sys.stdout.write(json.dumps(probe(host, int(port), token, float(seconds))))
