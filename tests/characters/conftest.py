"""The server of these tests calls the remote servers of tests/remote_servers.py."""

from tests.remote_fixtures import *  # noqa: F403
