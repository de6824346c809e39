"""The server under a clock that goes wrong by so many seconds: shifted_server.py SECONDS.

All other settings come from the environment, as for `python -m app serve`.
"""

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.main import create_app
from app.settings import Settings
from app.web.server import build_server


class ShiftedClock:
    def __init__(self, shift: timedelta) -> None:
        self._shift = shift

    def now(self) -> datetime:
        return datetime.now(UTC) + self._shift


async def serve(shift: timedelta) -> None:
    settings = Settings()
    app = create_app(settings, ShiftedClock(shift))
    server = build_server(app, settings, on_started=lambda: None)
    async with app.router.lifespan_context(app):
        await server.serve()


if __name__ == "__main__":
    asyncio.run(serve(timedelta(seconds=float(sys.argv[1]))))
