"""
AppError
└── Conflict
    └── IdTaken    CONFLICT    the id that the client chose is in use
"""

from app.core.errors import Conflict


class IdTaken(Conflict):
    def __init__(self, what: str) -> None:
        super().__init__(f"There is a {what} with this id already. Choose another.")
