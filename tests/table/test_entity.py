"""Keys: built from templates, injective, and apart from one another."""

import dataclasses
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, product, takewhile
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strawberry.utils.str_converters import to_camel_case

from app.core.errors import BadInput
from app.key_chart import AccessPattern, access_patterns, example_of, key_modules, pattern_name
from app.settings import ROOT
from app.table.entity import (
    ENTITIES,
    INDEXES,
    Entity,
    Key,
    RangeQuery,
    Template,
    entity_of,
    key_part,
    position_after,
)
from tests.table.things import THING, Colour, Thing, apart, key, thing

REFUSED = "An id or name is empty, is too long or contains a character that is not allowed (#)."
OWN_ATTRIBUTES = {"PK", "SK", "entityType"} | {
    f"{index}{end}" for index in INDEXES for end in ("PK", "SK")
}

# Where templates could meet but values cannot: a lower-case name never is the literal METADATA.
# Pairs of records, in order of name; access pattern and the record it will not find after all.
APART_BY_VALUE = {
    # Goals of characters have ids of ours: none is METADATA.
    ("CharacterGoal", "EarliestProgress"),
    ("CharacterGoal", "LatestProgress"),
    ("CharacterGoal", "ProgressRecord"),
}
NEVER_FOUND = {
    # STATUS#OFFER#… and STATUS#REPORT#…: no quest has such a status.
    ("community.offers_by_status", "Quest"),
    ("community.reports_by_status", "Quest"),
    ("characters.goals_of_character", "EarliestProgress"),
    ("characters.goals_of_character", "LatestProgress"),
    ("characters.goals_of_character", "ProgressRecord"),
    ("characters.progress_of_goal", "CharacterGoal"),
}

key_modules()  # imports them, so that ENTITIES is full
ALL = sorted(ENTITIES.values(), key=lambda entity: entity.name)


@pytest.mark.parametrize(
    "bad",
    ["", "#", "a#b", "u1#WALLET", "..#PROFILE", "a\0b", "a\n", "\t", "\x7f", "\x85",
     "\u2028", "\u202e", "\u200b", "\ud800", "\ufeff"],
)  # fmt: skip
def test_a_part_that_could_be_taken_for_something_else_is_refused(bad: str) -> None:
    with pytest.raises(BadInput) as refused:
        key_part(bad)
    assert (refused.value.code, refused.value.message) == ("BAD_INPUT", REFUSED)


@pytest.mark.parametrize("good", ["a", "A-z_0", " ", "a b", "é", "日本", "🐎", "..", "{id}", "%s"])
def test_a_part_may_be_any_other_text(good: str) -> None:
    assert key_part(good) == good


def test_a_part_that_is_an_enum_is_its_value_and_a_number_its_digits() -> None:
    assert (key_part(Colour.red), key_part(12)) == ("RED", "12")


def test_a_key_is_built_from_its_parts() -> None:
    built = THING.key(shelf="s", id="1")
    assert (built.pk, built.sk) == ("SHELF#s", "THING#1")
    assert THING.key_of(thing("s", "1")) == built


def test_the_letter_case_of_a_folded_part_does_not_count() -> None:
    template = Template("AREA#{area:folded}#{id}")
    assert template.parts == ["area", "id"]
    for area in ("Straße", "STRASSE", "strasse"):
        assert template.render({"area": area, "id": "Ab"}.__getitem__) == "AREA#strasse#Ab"
        assert template.prefix({"area": area}) == "AREA#strasse#"
    for bad in ("", " ", "a#b"):
        with pytest.raises(BadInput):
            template.render({"area": bad, "id": "1"}.__getitem__)


@pytest.mark.parametrize("parts", [{"shelf": None, "id": "1"}, {"shelf": "s", "id": None}])
def test_a_key_with_a_part_that_is_none_is_refused(parts: dict[str, str | None]) -> None:
    with pytest.raises(BadInput):
        THING.key(**parts)


def test_a_key_with_a_part_forgotten_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        THING.key(shelf="s")


@pytest.mark.parametrize(
    ("shelf", "id", "fits"),
    [
        ("s", "x" * (1024 - len("THING#")), True),
        ("s", "x" * (1025 - len("THING#")), False),
        ("s", "é" * 510, False),
        ("x" * (2048 - len("SHELF#")), "a", True),
        ("x" * (2049 - len("SHELF#")), "a", False),
    ],
)
def test_a_key_that_dynamodb_would_not_take_is_refused_before(
    shelf: str, id: str, fits: bool
) -> None:
    if fits:
        assert THING.key(shelf=shelf, id=id).sk == f"THING#{id}"
        return
    with pytest.raises(BadInput):
        THING.key(shelf=shelf, id=id)


def test_a_prefix_too_long_for_a_sort_key_is_refused() -> None:
    with pytest.raises(BadInput):
        NOTE.within(shelf="s", day="x" * 1024)


@dataclasses.dataclass
class Note(Thing):
    day: str = ""
    place: str = ""


NOTE = apart(
    Entity(
        "Note",
        Note,
        pk="SHELF#{shelf}",
        sk="NOTE#{day}#AT#{place}#{id}",
        gsi2=("PLACE#{place}", "{day}#{id}"),
        gsi3=("NOTES", "NOTE"),
    )
)


@dataclasses.dataclass
class Labelled(Thing):
    kind: str = ""
    shard: int | None = None
    label: str | None = None


LABELLED = apart(
    Entity("Labelled", Labelled, pk="SHELF#{shelf}[#{shard}]", sk="LABEL#{kind}[#{label}]")
)


@pytest.mark.parametrize(
    ("parts", "begins"),
    [
        ({}, "NOTE#"),
        ({"day": "1"}, "NOTE#1#AT#"),
        ({"day": "1", "place": "x"}, "NOTE#1#AT#x#"),
        ({"day": "1", "place": None}, "NOTE#1#AT#"),
        ({"day": None}, "NOTE#"),
        ({"place": "x"}, "NOTE#"),
    ],
)
def test_a_prefix_reaches_as_far_as_the_parts_and_ends_at_a_separator(
    parts: dict[str, Any], begins: str
) -> None:
    assert NOTE.within(shelf="s", **parts) == RangeQuery(NOTE, "SHELF#s", begins=begins)


def test_with_all_parts_given_only_that_key_is_asked_for() -> None:
    query = NOTE.within(shelf="s", day="1", place="x", id="i")
    assert query == RangeQuery(NOTE, "SHELF#s", between=("NOTE#1#AT#x#i", "NOTE#1#AT#x#i"))
    assert NOTE.within("GSI3") == RangeQuery(NOTE, "NOTES", "GSI3", between=("NOTE", "NOTE"))


def test_an_optional_ending_is_there_while_its_part_is() -> None:
    full, bare = LABELLED.key(shelf="s", shard=3, kind="k", label="l"), {"shelf": "s", "kind": "k"}
    assert (full.pk, full.sk) == ("SHELF#s#3", "LABEL#k#l")
    short = LABELLED.key(**bare, shard=None, label=None)
    assert (short.pk, short.sk) == ("SHELF#s", "LABEL#k")
    parts: dict[str, Any] = bare
    assert LABELLED.within(**parts).between == ("LABEL#k", "LABEL#k")
    assert LABELLED.within(**parts, label="l").between == ("LABEL#k#l", "LABEL#k#l")
    assert LABELLED.within(shelf="s", shard=3) == RangeQuery(LABELLED, "SHELF#s#3", begins="LABEL#")


def test_an_index_is_asked_for_by_its_own_templates() -> None:
    assert NOTE.within("GSI2", place="x", newest_first=True) == RangeQuery(
        NOTE, "PLACE#x", "GSI2", begins="", newest_first=True
    )
    assert NOTE.within("GSI2", place="x", day="1") == RangeQuery(
        NOTE, "PLACE#x", "GSI2", begins="1#"
    )


def test_a_span_is_never_open_to_the_empty_text() -> None:
    """DynamoDB takes no empty key, not even as the end of a run."""
    span = NOTE.span("GSI2", place="x", until="2026-01-31")
    assert span == RangeQuery(NOTE, "PLACE#x", "GSI2", between=("0", "2026-01-31\U0010ffff"))
    assert NOTE.span(shelf="s").between == ("NOTE#", "NOTE#9\U0010ffff")


@pytest.mark.parametrize("bad", ["", "#", "USER#"])
def test_a_prefix_of_a_bad_part_is_refused(bad: str) -> None:
    with pytest.raises(BadInput):
        NOTE.within(shelf="s", day=bad)
    with pytest.raises(BadInput):
        NOTE.within(shelf=bad)


def test_a_partition_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput):
        NOTE.within(shelf=None)


def test_an_index_entry_is_there_only_while_all_its_parts_are() -> None:
    assert THING.index_keys_of(thing("s", "1")) == {}
    assert THING.index_keys_of(thing("s", "1", colour=Colour.blue)) == {
        "GSI1PK": "SHELF#s#COLOUR#BLUE",
        "GSI1SK": "THING#1",
    }


def test_the_position_after_a_record_is_its_key() -> None:
    assert position_after(thing("s", "1", colour=Colour.red), "GSI1") == {
        "PK": "SHELF#s",
        "SK": "THING#1",
        "GSI1PK": "SHELF#s#COLOUR#RED",
        "GSI1SK": "THING#1",
    }


def test_the_entity_of_a_record_is_the_one_of_its_class() -> None:
    assert entity_of(thing("s")) is THING


def test_one_class_has_one_entity() -> None:
    with pytest.raises(TypeError, match="Entity name Thing is in use already"):
        Entity("Thing", Thing, pk="X", sk="Y")
    assert ENTITIES["Thing"] is THING


def test_a_key_is_a_value() -> None:
    assert key("s", "1") == key("s", "1") != key("s", "2")
    assert len({key("s", "1"), key("s", "1"), key("s", "2")}) == 2


# Properties of whatever is built.

printable = st.characters(exclude_categories=["C", "Z"], exclude_characters="#") | st.just(" ")
clean_part = st.text(printable, min_size=1, max_size=40)
NOTE_PARTS = ("shelf", "day", "place", "id")
note_parts = st.fixed_dictionaries(dict.fromkeys(NOTE_PARTS, clean_part))


def is_clean(text: str) -> bool:
    return "#" not in text and text.isprintable()


def parsed(template: str, text: str) -> dict[str, str]:
    """The parts again, by a reading of the template that shares nothing with its writing."""
    pattern = "".join(
        re.escape(literal) + (f"(?P<{name}>[^#]+)" if name else "")
        for literal, name, _, _ in Formatter().parse(template)
    )
    found = re.fullmatch(pattern, text)
    assert found, (template, text)
    return found.groupdict()


@given(note_parts)
def test_from_a_key_its_parts_can_be_read_back(parts: dict[str, str]) -> None:
    built = NOTE.key(**parts)
    assert parsed(NOTE.pk, built.pk) | parsed(NOTE.sk, built.sk) == parts


@given(note_parts, note_parts)
def test_other_parts_make_another_key(one: dict[str, str], other: dict[str, str]) -> None:
    assume(one != other)
    assert NOTE.key(**one) != NOTE.key(**other)


@given(st.text(max_size=6))
def test_any_text_is_either_refused_or_comes_back(text: str) -> None:
    try:
        built = THING.key(shelf="s", id=text)
    except BadInput:
        assert not text or not is_clean(text)
    else:
        assert parsed(THING.sk, built.sk) == {"id": text}


@given(note_parts, st.integers(0, 2), clean_part)
def test_a_prefix_finds_just_what_shares_the_parts(
    parts: dict[str, str], reach: int, other: str
) -> None:
    names = NOTE_PARTS[1 : 1 + reach]
    given_parts: dict[str, Any] = {name: parts[name] for name in names}
    query = NOTE.within(shelf="s", **given_parts)
    assert query.begins.endswith("#")
    assert NOTE.key(**parts).sk.startswith(query.begins)
    for name in names:
        assume(parts[name] != other)
        assert not NOTE.key(**(parts | {name: other})).sk.startswith(query.begins)


# Conventions: every entity of the application.


def places(entity: Entity[Any]) -> Iterator[tuple[str, Template, Template]]:
    for index, (pk, sk) in entity.templates.items():
        yield index, pk, sk


Segments = list[str]
TIME, NORMAL_NAME = "@", "~"
SIGNS = {"*": ".+", TIME: "[0-9].*", NORMAL_NAME: "[^A-Z]+"}


PART = r"\{(\w+)(:folded)?\}"


def forms(template: str) -> list[Segments]:
    """Without and with what is optional; a part is a sign for what it can be."""
    plain, _, optional = template.removesuffix("]").partition("[")
    texts = [plain, plain + optional] if optional else [plain]
    return [[re.sub(PART, sign_of, each) for each in text.split("#")] for text in texts]


def sign_of(part: re.Match[str]) -> str:
    """Times and days begin with a digit, normal forms of names have no capital letter."""
    if part[1].endswith(("_at", "_ts", "timestamp", "date", "day")):
        return TIME
    return NORMAL_NAME if part[1].endswith("_key") or part[2] else "*"


def asked(text: str) -> Segments:
    """The same of what an access pattern asks for: there the parts are <name>."""
    return [re.sub(r"<\w+>", "*", segment) for segment in text.split("#")]


def can_meet(one: str, other: str) -> bool:
    """Two segments of which each has at most one part."""
    pattern, text = (one, other) if has_part(one) else (other, one)
    if not has_part(text):
        return re.fullmatch(as_expression(pattern), text) is not None
    (start, end), (other_start, other_end) = split_at_part(one), split_at_part(other)
    starts = start.startswith(other_start) or other_start.startswith(start)
    return starts and (end.endswith(other_end) or other_end.endswith(end))


def has_part(segment: str) -> bool:
    return any(sign in segment for sign in SIGNS)


def as_expression(segment: str) -> str:
    found = re.escape(segment).replace(re.escape("*"), "*")
    for sign, expression in SIGNS.items():
        found = found.replace(sign, expression)
    return found


def split_at_part(segment: str) -> list[str]:
    return re.split("[" + "".join(map(re.escape, SIGNS)) + "]", segment)


def can_be_equal(one: Segments, other: Segments) -> bool:
    return len(one) == len(other) and all(map(can_meet, one, other))


def can_begin(start: Segments, other: Segments) -> bool:
    """Whether a key that goes on after the start's last separator can be the other."""
    return len(start) < len(other) and can_be_equal(start, other[: len(start)])


def templates_can_meet(one: str, other: str) -> bool:
    return any(can_be_equal(a, b) for a, b in product(forms(one), forms(other)))


def test_the_application_has_entities() -> None:
    assert {"User", "Receipt", "Lease"} <= set(ENTITIES)


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_parts_stand_alone_between_separators(entity: Entity[Any]) -> None:
    """'{type}-{value}' could be read in two ways; 'VALUES-{name}' only in one."""
    for index, pk, sk in places(entity):
        for text in (pk.text, sk.text, entity.owns or "X"):
            for form in forms(text):
                assert all(len(split_at_part(each)) <= 2 for each in form), f"{index} {text}"
                assert not set("[]{}") & set("".join(form)), f"{index} {text}"


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_parts_are_attributes_of_the_record(entity: Entity[Any]) -> None:
    known = set(dir(entity.cls)) | set(get_type_hints(entity.cls))
    for _, pk, sk in places(entity):
        assert set(pk.parts + sk.parts) <= known
    assert set(Template(entity.owns or "").parts) <= known


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_the_parts_of_the_table_key_are_never_none(entity: Entity[Any]) -> None:
    pk, sk = entity.templates[""]
    hints = get_type_hints(entity.cls)
    needed = {*pk.parts, *sk.parts} - pk.optional - sk.optional
    assert not [name for name in needed if "None" in str(hints.get(name, ""))]


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_no_field_is_stored_under_a_name_the_table_needs(entity: Entity[Any]) -> None:
    stored = {to_camel_case(field.name) for field in dataclasses.fields(entity.cls)}
    assert stored.isdisjoint(OWN_ATTRIBUTES)


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_ttl_is_a_number_of_seconds(entity: Entity[Any]) -> None:
    hints = get_type_hints(entity.cls)
    assert "ttl" not in hints or hints["ttl"] in (int, int | None)


def test_no_two_records_can_have_one_key() -> None:
    both = {
        (one.name, other.name)
        for one, other in combinations(ALL, 2)
        if templates_can_meet(one.pk, other.pk) and templates_can_meet(one.sk, other.sk)
    }
    assert both - APART_BY_VALUE == set()


def access() -> Iterator[tuple[str, RangeQuery[Any]]]:
    """Every access pattern that is a query of one kind of record."""
    for pattern in access_patterns():
        answer = example_of(pattern)
        if isinstance(answer, RangeQuery) and answer.entity:
            yield pattern_name(pattern), answer


def can_find(query: RangeQuery[Any], other: Entity[Any]) -> bool:
    if (query.index or "") not in other.templates:
        return False
    pk, sk = other.templates[query.index or ""]
    if not any(can_be_equal(asked(query.pk), form) for form in forms(pk.text)):
        return False
    low, high = query.between or (query.begins, query.begins)
    if query.between and low == high:
        return any(can_be_equal(asked(low), form) for form in forms(sk.text))
    pairs = zip(asked(low)[:-1], asked(high)[:-1], strict=False)
    shared = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    place = len(shared)
    ends = (asked(low)[place], asked(high)[place]) if query.between else None
    return any(
        can_begin(shared, form) and can_lie_between(form[place], ends) for form in forms(sk.text)
    )


def can_lie_between(segment: str, ends: tuple[str, str] | None) -> bool:
    if ends is None or has_part(segment) or any(map(has_part, ends)):
        return True
    return ends[0] <= segment <= ends[1]


def test_a_query_for_one_kind_of_record_finds_no_other() -> None:
    found = {
        (name, other.name)
        for (name, query), other in product(access(), ALL)
        if query.entity is not other and can_find(query, other)
    }
    assert found - NEVER_FOUND == set()


def test_every_query_of_every_access_pattern_ends_at_a_separator() -> None:
    prefixes = [query.begins for _, query in access()]
    assert all(prefix == "" or prefix.endswith("#") for prefix in prefixes)


def test_every_access_pattern_says_which_question_it_answers() -> None:
    for pattern in access_patterns():
        assert isinstance(example_of(pattern), Key | RangeQuery)
        assert (pattern.__doc__ or "").strip(), pattern_name(pattern)


def test_every_entity_has_an_access_pattern() -> None:
    """Without one it is missing in KEYS.md, and no test above looks at its queries."""
    reached = {cls for pattern in access_patterns() for cls in classes_found_by(pattern)}
    assert [entity.name for entity in ALL if entity.cls not in reached] == []


def classes_found_by(pattern: AccessPattern) -> Iterator[type]:
    answer = example_of(pattern)
    assert isinstance(answer, Key | RangeQuery)
    if answer.entity:
        yield answer.entity.cls
    else:
        # A query over several kinds: RangeQuery[PlanTodo | PlanBlock].
        (found,) = get_args(get_type_hints(pattern)["return"])
        yield from get_args(found)


def test_every_entity_is_defined_in_a_key_module() -> None:
    """Of all modules of the app, wherever they lie: an entity elsewhere is not in the chart."""
    source = "import app.main, app.cli; from app.table.entity import ENTITIES; print(*ENTITIES)"
    command = [sys.executable, "-c", source]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert sorted(finished.stdout.split()) == [entity.name for entity in ALL]


FOLDER_OF_KEYS = {
    "__init__.py": "",
    "domains/__init__.py": "",
    "domains/toys/__init__.py": "",
    "domains/toys/keys/__init__.py": "from house.domains.toys.keys.toys import toy",
    "domains/toys/keys/toys.py": """
from app.table.entity import Key
from tests.table.things import THING, Thing

def toy(id: str) -> Key[Thing]:
    '''One toy'''
    return THING.key(shelf="toys", id=id)
""",
}


def test_a_domain_with_a_folder_of_keys_is_in_the_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FOLDER_OF_KEYS.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    house = importlib.import_module("house")
    assert [each.__name__ for each in access_patterns(house)] == ["toy"]
