"""Stored items in the shape of this release: python -m app migrate."""

from app.migration.run import Migration, MigrationReport

__all__ = ["Migration", "MigrationReport"]
