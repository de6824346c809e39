"""The command: python -m app."""

from app.cli import checking, data, printing, serving
from app.cli.command import app

__all__ = ["app", "checking", "data", "printing", "serving"]
