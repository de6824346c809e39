"""search: one field over all of the caller's own records."""

from typing import Annotated, Any

import strawberry

from app.core.errors import BadInput
from app.core.record import Node
from app.core.scalars import AWSDate
from app.core.search import MOST_WORDS, search_words
from app.domains.plans.types import TreeNode
from app.graph.context import Info
from app.graph.fields import query
from app.graph.paging import Limit, NextToken, Page, page
from app.search import MOST_READ, Found, SearchKind
from app.table.gateway import Position, Rows

LONGEST_QUERY = 200
SearchText = Annotated[
    str,
    strawberry.argument(
        description=f"1 to {LONGEST_QUERY} characters. The first {MOST_WORDS} words count. "
        "All of them must occur, each as the beginning of a word; letter case and accents do not "
        "matter."
    ),
]
SearchKinds = Annotated[
    list[SearchKind] | None,
    strawberry.argument(description="Only these kinds; null or empty: all."),
]


@strawberry.type(description="A record in which the words occur.")
class SearchHit:
    kind: SearchKind = strawberry.field(description="What it is.")
    id: strawberry.ID = strawberry.field(
        description="Its id; of a LOGBOOK entry its day, of a todo in a PLAN its action."
    )
    title: str | None = strawberry.field(description="Its title or name; null: it has none.")
    snippet: str = strawberry.field(description="The text around the first word that was found.")
    score: int = strawberry.field(
        description="How well it fits. A word counts more in a title than in notes, and more as a "
        "whole or first word."
    )
    date: AWSDate | None = strawberry.field(
        description="The day of a LOGBOOK entry or PLAN; null for other kinds."
    )
    record: Node | None = strawberry.field(
        description="The record itself; null for VALUE and PLAN."
    )
    tree_node: TreeNode | None = strawberry.field(
        description="The node of the values tree; null for other kinds than VALUE."
    )


def _hit(found: Found) -> SearchHit:
    record = found.record
    date = getattr(record, "date", None)
    return SearchHit(
        kind=found.kind,
        id=strawberry.ID(date or "" if found.kind is SearchKind.LOGBOOK else record.id),
        title=getattr(record, "title", None) or getattr(record, "name", None),
        snippet=found.match.snippet,
        score=found.match.score,
        date=date,
        record=record if isinstance(record, Node) else None,
        tree_node=record if isinstance(record, TreeNode) else None,
    )


@strawberry.type
class SearchQuery:
    @query(
        description="Searches your own records, the best first. A request reads at most "
        f"{MOST_READ:,} records, the newest: if there are more, a page may be short or empty, and "
        "nextToken goes on with older ones."
    )
    async def search(
        self,
        info: Info,
        text: SearchText,
        kinds: SearchKinds = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[SearchHit]:
        if not search_words(text) or len(text) > LONGEST_QUERY:
            rule = f"text must have a word, and at most {LONGEST_QUERY} characters."
            raise BadInput(rule, field="text")

        async def read(*, limit: int, start: Position | None) -> Rows[Any]:
            rows = await info.context.search.search(text, kinds or (), limit=limit, start=start)
            return Rows(list(map(_hit, rows.items)), rows.next)

        return await page(info, read, limit=limit, next_token=next_token)
