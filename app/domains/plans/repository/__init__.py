"""The reads about values and plans that take more than one key, and the items of a tree."""

from app.domains.plans.repository.plans import PlansRepository
from app.domains.plans.repository.tree_items import items_of_tree
from app.domains.plans.repository.values import ValuesRepository

__all__ = ["PlansRepository", "ValuesRepository", "items_of_tree"]
