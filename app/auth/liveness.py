"""Caches which sessions and accounts are alive, so that not every request reads the table.

After SECONDS the table is asked again: a session ended by another process is refused by then."""

from collections import OrderedDict

from app.core.caller import Caller
from app.core.clock import Clock, epoch_seconds

SECONDS = 30
MOST_REMEMBERED = 10_000


class LivenessCache:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._alive_until: OrderedDict[str, int] = OrderedDict()
        self._ended_until: OrderedDict[str, int] = OrderedDict()

    def is_alive(self, caller: Caller) -> bool:
        return self._alive_until.get(_name(caller), 0) > epoch_seconds(self._clock.now())

    def mark_alive(self, caller: Caller) -> None:
        """Ignored if the session ended while the table was read: the answer is outdated."""
        now = epoch_seconds(self._clock.now())
        if self._ended_until.get(_name(caller), 0) <= now:
            _remember(self._alive_until, _name(caller), now + SECONDS)

    def mark_ended(self, name: str) -> None:
        """A session or account that ended in this process is refused at once."""
        self._alive_until.pop(name, None)
        _remember(self._ended_until, name, epoch_seconds(self._clock.now()) + SECONDS)


def _remember(times: OrderedDict[str, int], name: str, until: int) -> None:
    times[name] = until
    times.move_to_end(name)
    if len(times) > MOST_REMEMBERED:
        times.popitem(last=False)


def _name(caller: Caller) -> str:
    return caller.session_id or caller.user_id
