"""Queries and mutations of values and plans."""

import strawberry

from app.domains.plans.schema import fields as fields
from app.domains.plans.schema.plans import DailyPlansMutation, DailyPlansQuery
from app.domains.plans.schema.values import ValuesMutation, ValuesQuery

__all__ = ["PlansMutation", "PlansQuery"]


@strawberry.type
class PlansQuery(ValuesQuery, DailyPlansQuery):
    pass


@strawberry.type
class PlansMutation(ValuesMutation, DailyPlansMutation):
    pass
