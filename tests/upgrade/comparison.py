"""What one release knew and the next does not."""

from typing import Any

ROOTS = ("Query", "Mutation", "Subscription")
# Changed on purpose, as CHANGELOG.md says: experience goes beyond the largest Int. A Float takes
# and gives the same JSON numbers.
FLOATS_NOW = frozenset(
    {
        "schema.types.CharacterGoal.fields.targetValue.type",
        "schema.types.CharacterGoal.fields.targetXp.type",
        "schema.types.Forecast.fields.neededPerDay.type",
        "schema.types.Forecast.fields.remaining.type",
        "schema.types.ProgressRecord.fields.progressValue.type",
        "schema.inputs.CreateCharacterGoalInput.targetValue",
        "schema.inputs.RecordProgressInput.progressValue",
        "schema.inputs.UpdateCharacterGoalInput.targetValue",
    }
)
Names = dict[str, Any]
Place = tuple[str, ...]


def losses(old: Any, new: Any, path: Place = ()) -> list[str]:
    """What was there and is not any more, or is something else. What was added does not matter,
    unless callers who do not know of it are refused. A default of null says what its absence
    says."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [*missing(old, new, path), *changed(old, new, path), *demanded(old, new, path)]
    if isinstance(old, list) and isinstance(new, list):
        return [f"{dotted(path)}: no {each}" for each in old if each not in new]
    intended = (is_nullable_now, is_folded_now, is_float_now)
    if old in (new, f"{new} = null") or any(each(old, new, path) for each in intended):
        return []
    return [f"{dotted(path)}: {old} became {new}"]


def missing(old: Names, new: Names, path: Place) -> list[str]:
    return [f"{dotted(path)}: no {name}" for name in old if name not in new]


def changed(old: Names, new: Names, path: Place) -> list[str]:
    both = [name for name in old if name in new]
    return [loss for name in both for loss in losses(old[name], new[name], (*path, name))]


def demanded(old: Names, new: Names, path: Place) -> list[str]:
    """A new argument or input field without which a request is refused."""
    if "arguments" not in path[-1:] and path[:2] != ("schema", "inputs"):
        return []
    added = {name: kind for name, kind in new.items() if name not in old}
    required = [name for name, kind in added.items() if isinstance(kind, str) and kind[-1] == "!"]
    return [f"{dotted(path)}: {name} is required" for name in required]


def is_nullable_now(old: Any, new: Any, path: Place) -> bool:
    """A field of a root may become nullable: then one failure does not empty the whole answer."""
    in_root = path[:2] == ("schema", "types") and path[2:3] and path[2] in ROOTS
    return bool(in_root) and path[-1] == "type" and old == f"{new}!"


def is_folded_now(old: Any, new: Any, path: Place) -> bool:
    """The letter case of a part of an index key may cease to count, if lists also read the old key
    and a migration writes the new one."""
    in_index = path[0] == "entities" and path[2:3] == ("keys",) and path[-1] != "table"
    return in_index and isinstance(new, str) and old == new.replace(":folded}", "}")


def is_float_now(old: Any, new: Any, path: Place) -> bool:
    return dotted(path) in FLOATS_NOW and new == str(old).replace("Int", "Float")


def dotted(path: Place) -> str:
    return ".".join(path) or "(all)"
