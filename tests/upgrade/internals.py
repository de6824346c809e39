"""What these tests use of the application beside its HTTP interface: a rename is one line here."""

from typing import Any

import app.main
import app.migration  # noqa: F401  (both register every entity)
from app import demo
from app.core.errors import AppError
from app.core.record import STORED_AS as STORED_AS
from app.core.record import Record
from app.domains.people.service.accounts import grant_group
from app.events.publish_rules import PUBLISH_RULES
from app.jobs.runner import run_due
from app.migration import Migration
from app.resources import Resources, open_resources
from app.settings import Settings
from app.table.codec import attributes_of, decode, decoder_of, encode
from app.table.definition import create_table
from app.table.entity import ENTITIES
from app.table.gateway import Gateway
from app.table.writes import item_of
from app.web.schema import export_schema

__all__ = [
    "ENTITIES",
    "PUBLISH_RULES",
    "AppError",
    "Gateway",
    "Migration",
    "Resources",
    "Settings",
    "attributes_of",
    "create_table",
    "decode",
    "decoded",
    "demo",
    "export_schema",
    "grant_group",
    "item_of",
    "open_resources",
    "run_due",
    "stored_form",
]

Item = dict[str, Any]


def decoded(item: Item) -> Record:
    """The record that an item holds."""
    record: Record = decoder_of(ENTITIES[item["entityType"]["S"]].cls)(item)
    return record


def stored_form(kind: str, attributes: dict[str, object]) -> Item:
    """The item of a record that is given by its stored attributes."""
    wire = {name: encode(value) for name, value in attributes.items()}
    return item_of(decoded({"entityType": {"S": kind}, **wire}))
