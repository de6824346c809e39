"""The operations on a day's plan, as the client sent them, applied to a day."""

import re
from collections.abc import Sequence
from dataclasses import replace

import strawberry
from strawberry.utils.str_converters import to_camel_case

from app.core.clock import instant, parse_instant
from app.core.errors import AppError, BadInput, LimitExceeded, NotFound
from app.core.inputs import Input
from app.domains.plans.errors import ActionTwice
from app.domains.plans.inputs import (
    AddTodoInput,
    BlockInput,
    MoveBlockInput,
    MoveTodoInput,
    PlanOperationInput,
    RemoveBlockInput,
    RemoveTodoInput,
    UpdateBlockInput,
    UpdateTodoInput,
)
from app.domains.plans.inputs.field_types import MOST_IN_A_DAY
from app.domains.plans.rules.applying import NewId
from app.domains.plans.rules.plan_commits import block_from_input, todo_from_input
from app.domains.plans.types import Block, DayPlan, Todo

NEVER_NULL = ("classification", "estimated_pomodoros")
PLACE_IN_DAY = re.compile(r"input\.(todos|blocks)\.(\d+)(.*)")


def with_block_ids(
    requests: Sequence[PlanOperationInput], new_id: NewId
) -> list[PlanOperationInput]:
    """With an id for every new block that has none: an error can then be traced to it."""
    return [
        replace(each, add_block=replace(each.add_block, id=strawberry.ID(new_id())))
        if isinstance(each.add_block, BlockInput) and not isinstance(each.add_block.id, str)
        else each
        for each in requests
    ]


def apply_plan_operations(day: DayPlan, requests: Sequence[PlanOperationInput]) -> DayPlan:
    """The day afterwards, unchecked. An error says which operation it is about."""
    for index, request in enumerate(requests):
        try:
            day = _apply(day, _one_of(request))
        except AppError as error:
            error.info["operation"] = index
            error.info["field"] = _place(index, request, str(error.info.get("field", "input")))
            raise
    if max(len(day.todos), len(day.blocks)) > MOST_IN_A_DAY:
        raise LimitExceeded(f"A day has at most {MOST_IN_A_DAY} todos and {MOST_IN_A_DAY} blocks.")
    return day


def _place(index: int, request: PlanOperationInput, field: str) -> str:
    """`field`: relative to the operation, such as input.actionId."""
    names = [to_camel_case(name) for name in request.values()]
    operation = f"input.operations.{index}"
    return f"{operation}.{names[0]}{field.removeprefix('input')}" if len(names) == 1 else operation


def _one_of(request: PlanOperationInput) -> Input:
    given = list(request.values().values())
    if len(given) != 1:
        raise BadInput(
            "An operation is exactly one of addTodo, updateTodo, moveTodo, removeTodo, addBlock, "
            "updateBlock, moveBlock and removeBlock."
        )
    operation: Input = given[0]
    return operation


def _apply(day: DayPlan, request: Input) -> DayPlan:
    match request:
        case AddTodoInput():
            return _add_todo(day, request)
        case UpdateTodoInput():
            return _with_todo(day, _updated_todo(_todo_in(day, request.action_id), request))
        case MoveTodoInput():
            return _insert(
                _without_todo(day, request.action_id),
                _todo_in(day, request.action_id),
                request.position,
            )
        case RemoveTodoInput():
            return _remove_todo(day, request.action_id)
        case BlockInput():
            return replace(day, blocks=(*day.blocks, block_from_input(request, str(request.id))))
        case UpdateBlockInput() | MoveBlockInput():
            return _with_block(day, _changed_block(_block_in(day, request.id), request))
        case RemoveBlockInput():
            gone = _block_in(day, request.id)
            return replace(day, blocks=tuple(each for each in day.blocks if each != gone))
    raise BadInput("This operation is not known.")


def _todo_in(day: DayPlan, action_id: str) -> Todo:
    todo = day.todo(action_id)
    if todo is None:
        raise NotFound("todo in the plan of this day")
    return todo


def _block_in(day: DayPlan, block_id: str) -> Block:
    found = next((each for each in day.blocks if each.id == block_id), None)
    if found is None:
        raise NotFound("block in the plan of this day")
    return found


def _add_todo(day: DayPlan, request: AddTodoInput) -> DayPlan:
    if day.todo(request.action_id):
        raise ActionTwice(request.action_id, "input.actionId")
    position = request.position if isinstance(request.position, int) else len(day.todos)
    return _insert(day, todo_from_input(request), position)


def _insert(day: DayPlan, todo: Todo, position: int) -> DayPlan:
    todos = list(day.todos)
    todos.insert(position, todo)
    return replace(day, todos=tuple(todos))


def _without_todo(day: DayPlan, action_id: str) -> DayPlan:
    return replace(day, todos=tuple(each for each in day.todos if each.action_id != action_id))


def _remove_todo(day: DayPlan, action_id: str) -> DayPlan:
    _todo_in(day, action_id)
    blocks = tuple(each for each in day.blocks if each.action_id != action_id)
    return replace(_without_todo(day, action_id), blocks=blocks)


def _updated_todo(todo: Todo, request: UpdateTodoInput) -> Todo:
    changes = request.changes(NEVER_NULL)
    changes.pop("action_id")
    if classification := changes.get("classification"):
        changes["classification"] = classification.value
    return replace(todo, **changes)


def _with_todo(day: DayPlan, todo: Todo) -> DayPlan:
    todos = (todo if each.action_id == todo.action_id else each for each in day.todos)
    return replace(day, todos=tuple(todos))


def _changed_block(block: Block, request: UpdateBlockInput | MoveBlockInput) -> Block:
    if isinstance(request, UpdateBlockInput):
        title = block.title if request.title is strawberry.UNSET else request.title
        return replace(block, title=title)
    start, end = request.start_time_iso, request.end_time_iso
    if not isinstance(end, str):
        length = parse_instant(block.end) - parse_instant(block.start)
        end = instant(parse_instant(start) + length)
    return replace(block, start=start, end=end)


def _with_block(day: DayPlan, block: Block) -> DayPlan:
    return replace(day, blocks=tuple(block if each.id == block.id else each for each in day.blocks))


def name_operation(
    error: AppError, day: DayPlan, requests: Sequence[PlanOperationInput]
) -> AppError:
    """The same error of a check of the whole day, about the operation that led to it."""
    place = PLACE_IN_DAY.fullmatch(str(error.info.get("field")))
    if place is None:
        return error
    kind, number, rest = place[1], int(place[2]), place[3]
    of = day.todos[number].action_id if kind == "todos" else day.blocks[number].id
    for index, request in enumerate(requests):
        (sent,) = request.values().values()
        if of in (getattr(sent, "action_id", None), getattr(sent, "id", None)):
            error.info |= {"operation": index, "field": _place(index, request, f"input{rest}")}
    return error
