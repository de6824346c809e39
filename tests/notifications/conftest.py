"""Fixtures: a server whose Discord, gateways and webhooks are local servers."""

from tests.remote_fixtures import *  # noqa: F403
