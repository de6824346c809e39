"""The command: python -m app."""

from app.cli import backups, checking, data, printing, serving
from app.cli.command import app

__all__ = ["app", "backups", "checking", "data", "printing", "serving"]
