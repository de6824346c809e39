"""The reads about people that decide something: filters, merges, walks through partitions."""

from app.domains.people.repository.account_items import AccountItems, place_of
from app.domains.people.repository.people import PeopleRepository

__all__ = ["AccountItems", "PeopleRepository", "place_of"]
