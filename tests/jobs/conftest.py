"""The server of these tests has a far side."""

from tests.outside import *  # noqa: F403
