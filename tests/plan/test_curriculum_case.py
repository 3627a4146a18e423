"""Outcomes go out as a CASE package and come back, and those of other publishers come in."""

import json
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from paige.base.errors import BadInput
from paige.plan.curriculum.case_in import read_case
from paige.plan.curriculum.case_out import write_case
from paige.plan.curriculum.reading import read_curriculum
from paige.plan.curriculum.rendering import render_curriculum
from paige.plan.curriculum.values import Curriculum
from tests.conftest import NOON
from tests.plan.curricula import KNOTS, PATH, shipped_library
from tests.plan.test_curriculum_reading import outcomes, said_by

LINK = {
    "type": "object",
    "required": ["title", "identifier", "uri"],
    "properties": {"uri": {"type": "string", "minLength": 1}},
}
BASE = {"identifier": {"type": "string", "format": "uuid"}, "uri": {"type": "string"}}
SCHEMA = {  # the fields that the standard demands
    "type": "object",
    "required": ["CFDocument", "CFItems", "CFAssociations"],
    "properties": {
        "CFDocument": {
            "required": [
                *("identifier", "uri", "creator", "title", "lastChangeDateTime"),
                "CFPackageURI",
            ],
            "properties": {**BASE, "CFPackageURI": LINK, "subject": {"type": "array"}},
        },
        "CFItems": {
            "items": {
                "required": ["identifier", "uri", "fullStatement", "lastChangeDateTime"],
                "properties": {**BASE, "CFDocumentURI": LINK, "fullStatement": {"minLength": 1}},
            }
        },
        "CFAssociations": {
            "items": {
                "required": [
                    *("identifier", "uri", "associationType", "originNodeURI"),
                    *("destinationNodeURI", "lastChangeDateTime"),
                ],
                "properties": {
                    **BASE,
                    "associationType": {"enum": ["isChildOf", "precedes"]},
                    "originNodeURI": LINK,
                    "destinationNodeURI": LINK,
                },
            }
        },
    },
}


def package(file: Curriculum) -> dict[str, Any]:
    return json.loads(write_case(file, now=NOON))


def again(file: Curriculum) -> Curriculum:
    return read_case(write_case(file, now=NOON).encode(), file.path, "x.json")


@pytest.mark.parametrize("file", shipped_library().curricula, ids=lambda each: each.name)
def test_every_shipped_file_goes_out_and_comes_back_the_same(file: Curriculum) -> None:
    Draft202012Validator(SCHEMA).validate(package(file))
    back = again(file)
    assert back.problems == ()
    assert [said_by(each) for each in back.outcomes] == [said_by(each) for each in file.outcomes]
    head = (file.framework, file.subject, file.edition, file.also, file.own_labels, file.about)
    assert (
        *(back.framework, back.subject, back.edition, back.also, back.own_labels, back.about),
    ) == head
    for one, other in zip(back.outcomes, file.outcomes, strict=True):
        assert set(one.progression_from) == set(other.progression_from)
        assert set(other.progression_to) <= set(one.progression_to)
    written = read_curriculum(render_curriculum(back), file.path)
    assert written.problems == ()
    assert len(written.outcomes) == len(file.outcomes)


def test_identifiers_are_the_same_every_time_and_no_two_things_share_one() -> None:
    file = shipped_library().curricula[0]
    one, other = package(file), package(file)
    assert one == other
    things = [one["CFDocument"], *one["CFItems"], *one["CFAssociations"]]
    identifiers = [each["identifier"] for each in things]
    assert len(set(identifiers)) == len(identifiers)
    assert all(str(UUID(each)) == each for each in identifiers)
    assert one["CFDocument"]["lastChangeDateTime"] == "2026-03-02T12:00:00Z"
    assert one["CFDocument"]["caseVersion"] == "1.1"


def test_every_item_hangs_below_the_document() -> None:
    made = package(shipped_library().curricula[0])
    parents = {
        each["originNodeURI"]["identifier"]: each["destinationNodeURI"]["identifier"]
        for each in made["CFAssociations"]
        if each["associationType"] == "isChildOf"
    }
    root = made["CFDocument"]["identifier"]
    for item in made["CFItems"]:
        at = item["identifier"]
        for _ in range(4):
            at = parents.get(at, at)
        assert at == root


@given(st.lists(outcomes(), max_size=8, unique_by=lambda each: each.code))
def test_any_outcomes_come_back_from_their_package(rows: list) -> None:
    file = Curriculum(PATH, "F", "S", "2020-01", outcomes=tuple(rows))
    assert [said_by(each) for each in again(file).outcomes] == [said_by(each) for each in rows]


def a_package(**changes: Any) -> dict[str, Any]:
    """A package as another publisher writes it: no extensions, mark-up, items without codes."""

    def link(child: str, parent: str, kind: str = "isChildOf") -> dict[str, Any]:
        ends = {
            "originNodeURI": {"identifier": child},
            "destinationNodeURI": {"identifier": parent},
        }
        return {"associationType": kind, **ends}

    made = {
        "CFDocument": {"identifier": "doc", "title": "State Standards", "subject": ["Science"]},
        "CFItems": [
            {"identifier": "g", "fullStatement": "Grade 5", "CFItemType": "Grade Level"},
            {"identifier": "d", "fullStatement": "Matter &amp; <b>Energy</b>"},
            {
                "identifier": "s1",
                "fullStatement": "Measure\n  and graph <i>quantities</i>.",
                "humanCodingScheme": "5-PS1-2",
                "notes": None,
            },
            {"identifier": "s2", "fullStatement": "Plan a model.", "humanCodingScheme": "5-PS1-3"},
            {"identifier": "s3", "fullStatement": "No code here."},
            {"identifier": "s4", "fullStatement": "Again.", "humanCodingScheme": "5-PS1-3"},
        ],
        "CFAssociations": [
            link("g", "doc"),
            link("d", "g"),
            *(link(each, "d") for each in ("s1", "s2", "s3", "s4")),
            link("s1", "s2", "precedes"),
            link("s1", "gone", "precedes"),
            link("s1", "s2", "exactMatchOf"),
        ],
    }
    return {**made, **changes}


def test_standards_of_another_publisher_come_in() -> None:
    text = json.dumps(a_package(), indent=1)
    file = read_case(text.encode(), PATH, "science.json")
    assert (file.framework, file.subject) == ("State Standards", "Science")
    one, two = file.outcomes
    assert (one.code, one.about) == ("5-PS1-2", "Measure and graph quantities.")
    assert (one.level, one.organiser, one.grade) == ("Grade 5", "Matter & Energy", "B-")
    assert (one.progression_to, two.progression_from) == (("5-PS1-3",), ("5-PS1-2",))
    assert [each.message for each in file.problems] == [
        "The item `s3` has no code or no statement, so it is left out.",
        "The item `s4` has the code 5-PS1-3 a second time.",
    ]
    lines = text.split("\n")
    assert all('"s' in lines[each.line - 1] for each in file.problems)


def test_items_that_stand_under_each_other_in_a_circle_are_read() -> None:
    circle = [
        {
            "associationType": "isChildOf",
            "originNodeURI": {"identifier": one},
            "destinationNodeURI": {"identifier": other},
        }
        for one, other in (("g", "d"), ("d", "g"), ("s1", "d"))
    ]
    file = read_case(json.dumps(a_package(CFAssociations=circle)).encode(), PATH, "x.json")
    assert file.outcomes[0].code == "5-PS1-2"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "x.json:1: this is not JSON"),
        (b'{\n "CFItems": [\n', "x.json:3: this is not JSON"),
        (b"\xff\xfe{}", "is not JSON in UTF-8"),
        (b"[]", "is not a CASE package"),
        (b"{}", "is not a CASE package: CFDocument"),
        (b"null", "is not a CASE package"),
        (json.dumps(a_package(CFItems=[{"fullStatement": "x"}])).encode(), "CFItems.0.identifier"),
        (b"[" * 100_000, "x.json"),
    ],
)
def test_what_is_no_package_is_refused_with_its_place(data: bytes, said: str) -> None:
    with pytest.raises(BadInput) as error:
        read_case(data, PATH, "x.json")
    assert said in error.value.message


NAMES = ["CFDocument", "CFItems", "CFAssociations", "identifier", "title"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(NAMES), inner),
)


@given(anything)
def test_any_json_is_read_or_refused(value: object) -> None:
    with suppress(BadInput):
        assert read_case(json.dumps(value).encode(), PATH, "x.json").path == PATH


def test_the_small_file_survives_with_its_details() -> None:
    file = read_curriculum(KNOTS, PATH)
    assert [said_by(each) for each in again(file).outcomes] == [said_by(e) for e in file.outcomes]
