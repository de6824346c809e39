"""Life areas, subcategories and tags of a user's records, counted."""

from collections import Counter
from collections.abc import Mapping, Sequence

from app.core.text import fold_case
from app.domains.goals.rules.grouping import first_spellings
from app.domains.goals.types import (
    AreaCount,
    Goal,
    Project,
    SubCategoryCount,
    TagCount,
    Task,
)
from app.domains.tracking.types import Habit, Metric

RecordInArea = Goal | Task | Project | Metric | Habit
# By the names of the fields of AreaCount.
RecordsByKind = Mapping[str, Sequence[RecordInArea]]


def count_areas(records: RecordsByKind) -> list[AreaCount]:
    every = [each for kind in records.values() for each in kind if each.area]
    names = first_spellings((each.area, each.created_at) for each in every)
    counts = {
        kind: Counter(fold_case(each.area) for each in found if each.area)
        for kind, found in records.items()
    }
    return [
        AreaCount(
            name=names[area],
            total=sum(count[area] for count in counts.values()),
            goals=counts["goals"][area],
            tasks=counts["tasks"][area],
            projects=counts["projects"][area],
            metrics=counts["metrics"][area],
            habits=counts["habits"][area],
            sub_categories=_sub_categories(
                [each for each in every if each.area and fold_case(each.area) == area]
            ),
        )
        for area in sorted(names)
    ]


def _sub_categories(records: Sequence[RecordInArea]) -> list[SubCategoryCount]:
    names = first_spellings((each.sub_category, each.created_at) for each in records)
    counts = Counter(fold_case(each.sub_category) for each in records if each.sub_category)
    return [SubCategoryCount(name=names[key], total=counts[key]) for key in sorted(names)]


def count_tags(goals: Sequence[Goal], tasks: Sequence[Task]) -> list[TagCount]:
    of_goals = Counter(tag for each in goals for tag in each.tags)
    of_tasks = Counter(tag for each in tasks for tag in each.tags)
    return [
        TagCount(
            name=tag, total=of_goals[tag] + of_tasks[tag], goals=of_goals[tag], tasks=of_tasks[tag]
        )
        for tag in sorted({*of_goals, *of_tasks})
    ]
