"""A tree as Markdown, as Mermaid and as an SVG picture. A node with several parents is written out
under the first one met, and only named under the others."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from app.domains.plans.rules.tree import ACTION, DRIVER, MILESTONE
from app.domains.plans.types.tree import NO_PARENT, Tree

DEEPEST_INDENT = 40
ROW, STEP, LEFT, WIDEST_TITLE = 26, 24, 16, 60
COLOURS = {DRIVER: "#5b3fd1", MILESTONE: "#0b7285", ACTION: "#2b8a3e"}
OTHER_COLOUR = "#495057"


class TreeRow(NamedTuple):
    """`is_repeat`: the node was written out further up, under another parent."""

    node: str
    depth: int
    is_repeat: bool


def tree_rows(tree: Tree) -> Iterator[TreeRow]:
    """The live nodes from top to bottom, each written out once."""
    seen: set[str] = set()
    waiting = [(each, 0) for each in reversed(tree.children_of(NO_PARENT))]
    while waiting:
        node_id, depth = waiting.pop()
        if tree.nodes[node_id].archived:
            continue
        is_repeat = node_id in seen
        yield TreeRow(node_id, depth, is_repeat)
        if not is_repeat:
            seen.add(node_id)
            waiting += [(each, depth + 1) for each in reversed(tree.children_of(node_id))]


def markdown(tree: Tree) -> str:
    text = ["# Values", ""]
    for row in tree_rows(tree):
        text += _markdown_lines(tree, row)
    return "\n".join(text).rstrip() + "\n"


def _markdown_lines(tree: Tree, row: TreeRow) -> list[str]:
    node = tree.nodes[row.node]
    if row.depth == 0:
        found = [f"## {_plain(node.title)}", ""]
        return [*found, *_quoted(node.notes), ""] if node.notes else found
    indent = "  " * min(row.depth - 1, DEEPEST_INDENT)
    box = "[x] " if node.completed_at else "[ ] "
    title = _plain(node.title)
    if row.is_repeat:
        return [f"{indent}- *{title}* (see above)"]
    words = f"**{title}**" if node.node_type == MILESTONE else title
    notes = [f"{indent}  {each}" for each in _quoted(node.notes)]
    return [f"{indent}- {box}{words}", *notes]


def _plain(text: str) -> str:
    """On one line, with Markdown's own characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))


def _quoted(text: str | None) -> list[str]:
    return [f"> {_plain(each)}" for each in (text or "").splitlines()]


def mermaid(tree: Tree) -> str:
    """A flow chart from left to right. Nodes have numbers, so no id can break the syntax."""
    live = [node for node in tree.nodes.values() if not node.archived]
    numbers = {node.id: f"n{index}" for index, node in enumerate(live)}
    text = ["flowchart LR"]
    for node in live:
        opening, closing = {DRIVER: ("([", "])"), MILESTONE: ("[", "]")}.get(
            node.node_type, ("(", ")")
        )
        done = "✓ " if node.completed_at else ""
        text.append(f'  {numbers[node.id]}{opening}"{done}{_mermaid_text(node.title)}"{closing}')
    for node in live:
        for child in tree.children_of(node.id):
            if child in numbers:
                text.append(f"  {numbers[node.id]} --> {numbers[child]}")
    return "\n".join(text) + "\n"


def _mermaid_text(title: str) -> str:
    return re.sub(r"[^\w .,:()+/!?'-]", lambda found: f"#{ord(found[0])};", " ".join(title.split()))


def svg(tree: Tree, heading: str) -> str:
    """One row per node, indented by depth, in the colour of its kind."""
    rows = list(tree_rows(tree))
    depth = max((min(row.depth, DEEPEST_INDENT) for row in rows), default=0)
    width = LEFT * 2 + depth * STEP + WIDEST_TITLE * 8
    height = ROW * (len(rows) + 2)
    drawn = "".join(_svg_row(tree, row, index + 1) for index, row in enumerate(rows))
    title = html.escape(heading)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" '
        f'font-size="14"><title>{title}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
        f'<text x="{LEFT}" y="{ROW - 7}" fill="{OTHER_COLOUR}">{title}</text>{drawn}</svg>'
    )


def _svg_row(tree: Tree, row: TreeRow, index: int) -> str:
    node = tree.nodes[row.node]
    x = LEFT + min(row.depth, DEEPEST_INDENT) * STEP
    y = ROW * index + ROW // 2
    colour = COLOURS.get(node.node_type, OTHER_COLOUR)
    title = " ".join(node.title.split())
    short = title if len(title) <= WIDEST_TITLE else f"{title[: WIDEST_TITLE - 1]}…"
    marks = f"{'✓ ' if node.completed_at else ''}{short}{' ↑' if row.is_repeat else ''}"
    weight = ' font-weight="600"' if node.node_type == DRIVER else ""
    return (
        f'<circle cx="{x + 6}" cy="{y}" r="5" fill="{colour}"/>'
        f'<text x="{x + 18}" y="{y + 5}" fill="#212529"{weight}>{html.escape(marks)}</text>'
    )
