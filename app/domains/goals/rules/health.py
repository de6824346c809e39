"""How a project is doing, and why."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from app.domains.goals.rules.progress import shown
from app.domains.goals.rules.states import OPEN_PROJECTS, Health, ProjectStatus

GREEN_BEHIND = 10
YELLOW_BEHIND = 20
# Without dates: the part of the open tasks that may be overdue before it turns red.
YELLOW_OVERDUE = Fraction(1, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`expected` is null where there is no plan to compare with."""

    health: Health | None
    progress: int
    expected: int | None = None
    overdue: int = 0
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    status: ProjectStatus
    done: int
    total: int
    start: date | None
    end: date | None
    today: date
    overdue: int = 0

    @property
    def progress(self) -> int:
        return project_progress(self.done, self.total)


def project_progress(done: int, total: int) -> int:
    """`total` without what is cancelled."""
    return shown(Fraction(done, total)) if total else 0


def standing(facts: Facts) -> Standing:
    if facts.status is ProjectStatus.Completed:
        return _said(facts, Health.green, "It is completed.")
    if facts.status not in OPEN_PROJECTS or facts.status is ProjectStatus.OnHold:
        return _said(facts, None, "It is on hold or cancelled.")
    if facts.end and facts.today > facts.end:
        return _said(facts, Health.red, "Its end date is past and it is open.")
    if facts.start and facts.end:
        return _by_dates(facts, facts.start, facts.end)
    return _by_overdue_tasks(facts)


def _by_dates(facts: Facts, start: date, end: date) -> Standing:
    days, elapsed = (end - start).days, (facts.today - start).days
    share = min(max(Fraction(elapsed, days), Fraction(0)), Fraction(1)) if days else Fraction(0)
    expected = shown(share)
    behind = share * 100 - (Fraction(facts.done * 100, facts.total) if facts.total else 0)
    reason = f"{facts.progress} % is done; by now {expected} % is expected."
    if behind <= GREEN_BEHIND:
        return _said(facts, Health.green, reason, expected)
    if behind <= YELLOW_BEHIND:
        return _said(facts, Health.yellow, reason, expected)
    return _said(facts, Health.red, reason, expected)


def _by_overdue_tasks(facts: Facts) -> Standing:
    open_tasks = facts.total - facts.done
    reason = f"It has no dates; {facts.overdue} of {open_tasks} open tasks are overdue."
    if not facts.overdue:
        return _said(facts, Health.green, reason)
    few = Fraction(facts.overdue, max(open_tasks, 1)) <= YELLOW_OVERDUE
    return _said(facts, Health.yellow if few else Health.red, reason)


def _said(
    facts: Facts, health: Health | None, reason: str, expected: int | None = None
) -> Standing:
    return Standing(
        health=health,
        progress=facts.progress,
        expected=expected,
        overdue=facts.overdue,
        reason=reason,
    )
