"""Records to wire form and back."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
import strawberry
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.record import Record
from app.core.scalars import AWSDateTime, AWSEmail, AWSTimestamp
from app.table.codec import CorruptItem, decode, decoder_of, encode, encode_fields

MADE = AWSDateTime("2026-01-10T10:00:00.000Z")
BARE: dict[str, Any] = {"createdAt": {"S": MADE}, "updatedAt": {"S": MADE}, "title": {"S": "x"}}


class Mood(Enum):
    good = "GOOD"
    bad = "BAD"


class Elsewhere:
    class Mood(Enum):
        calm = "CALM"
        wild = "WILD"


@strawberry.type
class Address:
    town: str
    floor: int | None = None


@strawberry.type
class Everything(Record):
    title: str
    count: int = 7
    done: bool = False
    price: Decimal = Decimal("1.5")
    mood: Mood = Mood.good
    other_mood: Elsewhere.Mood | None = None
    email: AWSEmail | None = None
    seen_at: AWSTimestamp | None = None
    hidden: strawberry.Private[str | None] = None
    tags: list[str] = strawberry.field(default_factory=lambda: ["new"])
    moods: list[Mood] = strawberry.field(default_factory=list)
    holes: list[int | None] = strawberry.field(default_factory=list)
    grid: list[list[int]] = strawberry.field(default_factory=list)
    address: Address | None = None
    addresses: list[Address] = strawberry.field(default_factory=list)
    prices: strawberry.Private[dict[str, Decimal]] = field(default_factory=dict)
    facts: strawberry.Private[dict[str, Any]] = field(default_factory=dict)

    @property
    def loud(self) -> str:
        return self.title.upper()


def everything(**fields: object) -> Everything:
    return Everything(**({"created_at": MADE, "updated_at": MADE, "title": "x"} | fields))  # type: ignore[arg-type]


def round_trip(record: Everything) -> Everything:
    return decoder_of(Everything)(encode_fields(record))


@pytest.mark.parametrize(
    ("attribute", "value", "wire"),
    [
        ("title", "", {"S": ""}),
        ("title", "#žluťoučký 🐎\n", {"S": "#žluťoučký 🐎\n"}),
        ("count", 0, {"N": "0"}),
        ("count", -(10**37), {"N": "-" + "1" + "0" * 37}),
        ("done", True, {"BOOL": True}),
        ("done", False, {"BOOL": False}),
        ("price", Decimal("0.10"), {"N": "0.10"}),
        ("price", Decimal("1E+5"), {"N": "1E+5"}),
        ("mood", Mood.bad, {"S": "BAD"}),
        ("email", AWSEmail("a@x.io"), {"S": "a@x.io"}),
        ("tags", [], {"L": []}),
        ("tags", ["a", ""], {"L": [{"S": "a"}, {"S": ""}]}),
        ("moods", [Mood.bad, Mood.good], {"L": [{"S": "BAD"}, {"S": "GOOD"}]}),
        ("holes", [1, None, 3], {"L": [{"N": "1"}, {"NULL": True}, {"N": "3"}]}),
        ("grid", [[1], []], {"L": [{"L": [{"N": "1"}]}, {"L": []}]}),
        ("address", Address(town="Brno"), {"M": {"town": {"S": "Brno"}}}),
        (
            "addresses",
            [Address(town="Brno", floor=2)],
            {"L": [{"M": {"town": {"S": "Brno"}, "floor": {"N": "2"}}}]},
        ),
        ("prices", {"cz": Decimal("2")}, {"M": {"cz": {"N": "2"}}}),
        (
            "facts",
            {"a": [1, None, {"b": True}]},
            {"M": {"a": {"L": [{"N": "1"}, {"NULL": True}, {"M": {"b": {"BOOL": True}}}]}}},
        ),
    ],
)
def test_each_kind_of_field_comes_back_as_it_was(
    attribute: str, value: object, wire: dict[str, Any]
) -> None:
    record = everything(**{attribute: value})
    assert encode_fields(record)[attribute] == wire
    back = getattr(round_trip(record), attribute)
    assert back == value
    assert type(back) is type(value)


def test_names_are_stored_in_camel_case_and_scalars_as_what_they_are_made_of() -> None:
    stored = encode_fields(everything(seen_at=AWSTimestamp(5), hidden="h"))
    assert stored["seenAt"] == {"N": "5"}
    assert stored["hidden"] == {"S": "h"}
    assert round_trip(everything(seen_at=AWSTimestamp(5))).seen_at == 5


def test_what_is_computed_is_not_stored() -> None:
    assert "loud" not in encode_fields(everything())


def test_none_is_not_stored_and_comes_back_as_none() -> None:
    stored = encode_fields(everything())
    assert {"email", "seenAt", "hidden", "otherMood", "address"}.isdisjoint(stored)
    assert round_trip(everything()).email is None


def test_none_where_the_default_is_something_else_does_not_last() -> None:
    """So a field that may be None for good must have None as its default."""

    @dataclass
    class Zoned:
        zone: str | None = "UTC"

    assert decoder_of(Zoned)(encode_fields(Zoned(None))) == Zoned("UTC")


def test_absent_attributes_take_the_defaults_of_their_fields() -> None:
    old = decoder_of(Everything)(BARE)
    assert old == everything(version=0)
    assert (old.count, old.price, old.mood) == (7, Decimal("1.5"), Mood.good)
    assert old.tags == ["new"]


def test_a_default_that_is_a_list_is_a_new_one_for_each_record() -> None:
    read = decoder_of(Everything)
    assert read(BARE).tags is not read(BARE).tags


def test_null_as_other_writers_store_it_counts_as_absent() -> None:
    item = BARE | {"email": {"NULL": True}, "count": {"NULL": True}}
    assert decoder_of(Everything)(item) == everything(version=0)


def test_unknown_attributes_are_ignored() -> None:
    assert decoder_of(Everything)(BARE | {"formerly": {"S": "x"}}) == everything(version=0)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"title": None}, "title"),
        ({"title": {"NULL": True}}, "title"),
        ({"createdAt": None}, "createdAt"),
        ({"count": {"S": "7"}}, "count"),
        ({"mood": {"S": "UGLY"}}, "mood"),
        ({"tags": {"L": [{"N": "1"}]}}, "tags"),
    ],
)
def test_what_a_class_cannot_do_without_makes_an_item_corrupt(
    change: dict[str, Any], wrong: str
) -> None:
    item = {name: value for name, value in (BARE | change).items() if value is not None}
    with pytest.raises(CorruptItem) as corrupt:
        decoder_of(Everything)(item)
    assert str(corrupt.value) == f"Everything: {wrong} is missing or has another type"


def test_a_corrupt_record_inside_another_is_named_too() -> None:
    with pytest.raises(CorruptItem, match=r"^Address: town is missing"):
        decoder_of(Everything)(BARE | {"address": {"M": {}}})


def test_two_types_of_one_name_are_not_mixed_up() -> None:
    back = round_trip(everything(mood=Mood.bad, other_mood=Elsewhere.Mood.wild))
    assert (back.mood, back.other_mood) == (Mood.bad, Elsewhere.Mood.wild)


def test_numbers_of_unknown_shape_stay_exact() -> None:
    texts = ["0", "-5", "0.10", "1E+5", "1e-7", "9" * 38]
    found = [decode({"N": text}) for text in texts]
    assert found == [0, -5, Decimal("0.10"), Decimal("1E+5"), Decimal("1e-7"), int("9" * 38)]


@pytest.mark.parametrize("value", [0.1, {1, 2}, b"x", object(), strawberry.UNSET])
def test_what_has_no_wire_form_is_refused_when_it_is_written(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


@dataclass
class Plain:
    """Not a Record, as most answers that are kept in a receipt."""

    id: str
    rest: list["Plain2"]


@dataclass
class Plain2:
    n: int


def test_any_dataclass_can_be_kept() -> None:
    value = Plain("a", [Plain2(1), Plain2(2)])
    assert decoder_of(Plain)(encode_fields(value)) == value


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-(10**38) + 1, 10**38 - 1)
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=4)
addresses = st.builds(Address, town=texts, floor=st.none() | integers)
json_like = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(
    st.builds(
        Everything,
        created_at=st.just(MADE),
        updated_at=st.just(MADE),
        version=st.integers(1, 10**9),
        title=texts,
        count=integers,
        done=st.booleans(),
        price=decimals,
        mood=st.sampled_from(Mood),
        other_mood=st.none() | st.sampled_from(Elsewhere.Mood),
        email=st.none() | texts,
        seen_at=st.none() | integers,
        hidden=st.none() | texts,
        tags=st.lists(texts, max_size=4),
        moods=st.lists(st.sampled_from(Mood), max_size=4),
        holes=st.lists(st.none() | integers, max_size=4),
        grid=st.lists(st.lists(integers, max_size=2), max_size=2),
        address=st.none() | addresses,
        addresses=st.lists(addresses, max_size=3),
        prices=st.dictionaries(texts, decimals, max_size=3),
        facts=st.dictionaries(texts, json_like, max_size=3),
    )
)
def test_whatever_is_written_is_read_back(record: Everything) -> None:
    back = round_trip(record)
    assert back == record
    assert encode_fields(back) == encode_fields(record)


@given(json_like)
def test_a_value_of_unknown_shape_is_read_back(value: object) -> None:
    assert decode(encode(value)) == value
