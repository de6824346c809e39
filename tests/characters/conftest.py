"""The server of these tests has a far side."""

from tests.outside import (
    ada,
    api,
    bob,
    far_side,
    mail_box,
    outside_settings,
    resources,
    rest,
    server,
    table,
)

__all__ = [
    "ada",
    "api",
    "bob",
    "far_side",
    "mail_box",
    "outside_settings",
    "resources",
    "rest",
    "server",
    "table",
]
