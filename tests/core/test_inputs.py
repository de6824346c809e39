"""A mutation's argument: absent and null stay apart, faults are named by their path."""

from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, StringConstraints

from app.core.errors import BadInput
from app.core.inputs import Input
from app.core.text import ShortText, TagNames

UNSET: Any = strawberry.UNSET


@strawberry.enum
class Color(Enum):
    RED = "red"
    BLUE = "blue"


@strawberry.input
class PartInput(Input):
    long_name: ShortText | None = UNSET
    size: Annotated[int, Field(ge=0, le=10)] | None = UNSET


@strawberry.input
class ThingInput(Input):
    title: ShortText
    note: Annotated[str, StringConstraints(max_length=5)] | None = UNSET
    tags: TagNames | None = UNSET
    color: Color | None = UNSET
    price: Decimal | None = UNSET
    main_part: PartInput | None = UNSET
    other_parts: list[PartInput] | None = UNSET


@strawberry.input
class OtherThingInput(ThingInput):
    pass


def refusal(thing: ThingInput) -> BadInput:
    with pytest.raises(BadInput) as refused:
        thing.validate()
    return refused.value


def faults(thing: ThingInput) -> list[dict[str, str]]:
    listed = refusal(thing).info["fields"]
    assert isinstance(listed, list)
    return listed


def test_given_holds_what_was_sent_and_null_as_none() -> None:
    assert ThingInput(title="a").sent_fields() == {"title": "a"}
    assert ThingInput(title="a", note=None).sent_fields() == {"title": "a", "note": None}


def test_checking_keeps_absent_and_null_apart() -> None:
    absent = ThingInput(title="a").validate()
    null = ThingInput(title="a", note=None).validate()
    assert absent.note is UNSET
    assert null.note is None


def test_checking_keeps_absent_and_null_apart_further_down() -> None:
    thing = ThingInput(title="a", main_part=PartInput(size=None)).validate()
    assert isinstance(thing.main_part, PartInput)
    assert thing.main_part.sent_fields() == {"size": None}


def test_checking_normalises() -> None:
    thing = ThingInput(
        title="  a ", tags=["#B", "b"], other_parts=[PartInput(long_name=" x ")]
    ).validate()
    assert (thing.title, thing.tags) == ("a", ["b"])
    assert thing.other_parts == [PartInput(long_name="x")]


def test_checking_leaves_the_original_alone() -> None:
    original = ThingInput(title="  a ", tags=["#B"])
    original.validate()
    assert (original.title, original.tags) == ("  a ", ["#B"])


@pytest.mark.parametrize(
    ("thing", "field"),
    [
        (ThingInput(title=" "), "input.title"),
        (ThingInput(title="a", note="123456"), "input.note"),
        (ThingInput(title="a", tags=["a", "#"]), "input.tags.1"),
        (ThingInput(title="a", main_part=PartInput(size=11)), "input.mainPart.size"),
        (ThingInput(title="a", main_part=PartInput(long_name="")), "input.mainPart.longName"),
        (
            ThingInput(title="a", other_parts=[PartInput(), PartInput(size=-1)]),
            "input.otherParts.1.size",
        ),
    ],
)
def test_a_fault_is_named_by_its_path(thing: ThingInput, field: str) -> None:
    refused = refusal(thing)
    assert refused.info["field"] == field
    assert refused.message.startswith(f"{field}: ")


def test_all_faults_are_listed() -> None:
    thing = ThingInput(title="", note="123456", main_part=PartInput(size=11))
    assert [each["field"] for each in faults(thing)] == [
        "input.title",
        "input.note",
        "input.mainPart.size",
    ]


def test_a_flood_of_faults_is_cut() -> None:
    assert len(faults(ThingInput(title="a", other_parts=[PartInput(size=11)] * 500))) == 20


def test_a_fault_does_not_repeat_what_was_sent() -> None:
    refused = refusal(ThingInput(title="a", note="hunter2 hunter2"))
    assert "hunter2" not in str((refused.message, refused.info))


def test_a_message_is_made_for_people() -> None:
    assert refusal(ThingInput(title="a", tags=["#"])).message == (
        "input.tags.0: a tag has 1 to 40 visible characters"
    )


THINGS = [
    ThingInput(title="a"),
    ThingInput(title="b"),
    ThingInput(title="a", note=None),
    ThingInput(title="a", note=""),
    ThingInput(title="a", note="None"),
    ThingInput(title="a", note="null"),
    ThingInput(title="a", tags=None),
    ThingInput(title="a", tags=[]),
    ThingInput(title="a", tags=["x", "y"]),
    ThingInput(title="a", tags=["y", "x"]),
    ThingInput(title="a", tags=["x,y"]),
    ThingInput(title="a", color=Color.RED),
    ThingInput(title="a", color=Color.BLUE),
    ThingInput(title="a", price=Decimal("0.1")),
    ThingInput(title="a", price=Decimal("0.10000000000000000001")),
    ThingInput(title="a", main_part=None),
    ThingInput(title="a", main_part=PartInput()),
    ThingInput(title="a", main_part=PartInput(size=None)),
    ThingInput(title="a", main_part=PartInput(size=1)),
    ThingInput(title="a", main_part=PartInput(long_name="1")),
    ThingInput(title="a", other_parts=[PartInput(size=1)]),
    ThingInput(title="a", other_parts=[PartInput(size=1), PartInput()]),
    ThingInput(title="a", other_parts=[PartInput(), PartInput(size=1)]),
    OtherThingInput(title="a"),
]


def test_different_inputs_have_different_fingerprints() -> None:
    """Null and absent among them: they ask for different things."""
    assert len({thing.fingerprint() for thing in THINGS}) == len(THINGS)


FIELDS: dict[str, Any] = {
    "title": "a",
    "note": None,
    "tags": ["x"],
    "color": Color.RED,
    "price": Decimal("1.5"),
    "main_part": PartInput(size=1, long_name="n"),
}


@given(st.permutations(list(FIELDS)))
def test_the_order_of_fields_does_not_matter(order: list[str]) -> None:
    thing = ThingInput(**{name: FIELDS[name] for name in order})
    assert thing.fingerprint() == ThingInput(**FIELDS).fingerprint()


@given(st.text(max_size=5), st.text(max_size=5))
def test_equal_inputs_have_equal_fingerprints(one: str, two: str) -> None:
    thing = ThingInput(title=one, note=two)
    swapped = ThingInput(title=two, note=one)
    assert thing.fingerprint() == ThingInput(note=two, title=one).fingerprint()
    assert (swapped.fingerprint() == thing.fingerprint()) is (one == two)
