"""Old items in the present shape: python -m app migrate."""

from app.migration.run import Migration, Report

__all__ = ["Migration", "Report"]
