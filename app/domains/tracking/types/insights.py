"""What is found in the logs of a metric."""

from decimal import Decimal
from enum import Enum
from typing import Any

import orjson
import strawberry

from app.core.enums import enum_type
from app.core.record import Node, computed
from app.core.scalars import AWSJSON, AWSDateTime


@enum_type(
    "What kind of finding an insight is.",
    pattern="A weekday that differs, or a trend.",
    anomaly="A value far from the usual ones.",
    correlation="Another metric that moves with it.",
    prediction="When the target is reached, if it goes on so.",
)
class InsightType(Enum):
    pattern = "pattern"
    anomaly = "anomaly"
    correlation = "correlation"
    prediction = "prediction"


@strawberry.type(description="Found in the logs. Kept for one day or until the logs change.")
class MetricInsight(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID = strawberry.field(description="The metric.")
    type: InsightType = strawberry.field(description="What kind of finding it is.")
    summary: str = strawberry.field(description="One sentence in English.")
    confidence: Decimal = strawberry.field(description="0 to 1.")
    content: strawberry.Private[dict[str, Any]]
    cached_at: AWSDateTime = strawberry.field(description="When it was computed.")
    expires_at: AWSDateTime = strawberry.field(
        description="When it is computed anew at the latest."
    )
    basis: strawberry.Private[str]
    ttl: strawberry.Private[int]

    @computed(
        name="content", description="The numbers, as a JSON object; its fields depend on the type."
    )
    def shown_content(self) -> AWSJSON:
        text = orjson.dumps(self.content, default=float, option=orjson.OPT_SORT_KEYS)
        return AWSJSON(text.decode())
