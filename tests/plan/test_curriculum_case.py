"""Outcomes of publishers come in as CASE packages."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.plan.curriculum.case import read_case
from tests.plan.curricula import PATH, a_package


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
