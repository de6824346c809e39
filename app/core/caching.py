"""Objects that make what they offer when it is first asked for."""

from functools import cached_property


class Caching:
    def let_go(self) -> None:
        """When the work is done: what knows this again, through what was made of it, is a ring of
        references, and those are freed by a search for garbage alone."""
        for name in list(vars(self)):
            if isinstance(getattr(type(self), name, None), cached_property):
                delattr(self, name)
