"""Whose session or account was seen alive a moment ago: asked again after half a minute at most."""

from collections import OrderedDict

from app.core.caller import Caller
from app.core.clock import Clock, epoch

SECONDS = 30
MOST_REMEMBERED = 10_000


class Standing:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._alive_until: OrderedDict[str, int] = OrderedDict()
        self._ended_until: OrderedDict[str, int] = OrderedDict()

    def is_known(self, caller: Caller) -> bool:
        return self._alive_until.get(_name(caller), 0) > epoch(self._clock.now())

    def remember(self, caller: Caller) -> None:
        """Unless it ended while the table was being asked: then the answer is old."""
        now = epoch(self._clock.now())
        if self._ended_until.get(_name(caller), 0) <= now:
            _keep(self._alive_until, _name(caller), now + SECONDS)

    def forget(self, name: str) -> None:
        """A session or account that ended in this process is refused at once."""
        self._alive_until.pop(name, None)
        _keep(self._ended_until, name, epoch(self._clock.now()) + SECONDS)


def _keep(times: OrderedDict[str, int], name: str, until: int) -> None:
    times[name] = until
    times.move_to_end(name)
    if len(times) > MOST_REMEMBERED:
        times.popitem(last=False)


def _name(caller: Caller) -> str:
    return caller.session_id or caller.user_id
