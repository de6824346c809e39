"""Keys of the migration's progress."""

from app.migration.types import MigrationProgress
from app.table.entity import Entity, Key

PROGRESS = Entity(
    "MigrationProgress", MigrationProgress, pk="MIGRATION", sk="SEGMENT#{segment}", secret=True
)


def progress_of_segment(segment: int) -> Key[MigrationProgress]:
    """How far the migration is in one segment of the table"""
    return PROGRESS.key(segment=segment)
