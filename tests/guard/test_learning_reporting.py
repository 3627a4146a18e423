"""The checklist of anti-patterns, every row with a number, a threshold and a verdict."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.guard.learning.report import (
    LearnedSign,
    Reflection,
    ReportFacts,
    dump_report,
    is_generic,
    make_report,
    turns_back,
)
from paige.guard.learning.settings import shipped_learning

LIMITS = shipped_learning().report
SPECIFIC = Reflection(text="`parse_date` fails for years before 1970, see tests/test_dates.py.")
VAGUE = Reflection(text="I should reflect on my performance and be more careful next time.")
HEALTHY = ReportFacts(
    stored=100,
    retrieved=40,
    approaches=(("parser", "regex", "library"), ("a", "b", "c", "d")),
    mistakes=(1, 2, 1),
    reflections=(SPECIFIC,) * 9 + (VAGUE,),
    claims=20,
    refuted=1,
    idle=(0, 1, 0, 2, 1),
)
NAMES = [
    "Reflection without action",
    "Over-indexing recent failures",
    "Generic reflections",
    "Self-scoring without validation",
    "Overthinking",
]


def row(seen: ReportFacts, name: str) -> LearnedSign:
    return next(each for each in make_report(seen, LIMITS).rows if each.name == name)


def test_a_healthy_project_has_no_warning_and_every_row_has_its_number() -> None:
    found = make_report(HEALTHY, LIMITS)
    assert [each.name for each in found.rows] == NAMES
    assert [each.verdict for each in found.rows] == ["ok"] * 5
    assert [each.measured for each in found.rows] == [0.6, 0.0, 0.1, 0.05, 2.0]
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        (NAMES[0], replace(HEALTHY, retrieved=10)),
        (NAMES[1], replace(HEALTHY, approaches=(("a", "b", "a", "b", "a", "b"),))),
        (NAMES[2], replace(HEALTHY, reflections=(SPECIFIC,) * 3 + (VAGUE,) * 3)),
        (NAMES[3], replace(HEALTHY, refuted=9)),
        (NAMES[4], replace(HEALTHY, idle=(0, 6))),
    ],
)
def test_each_row_warns_by_its_own_number_alone(name: str, seen: ReportFacts) -> None:
    found = make_report(seen, LIMITS)
    assert [each.name for each in found.warnings] == [name]
    assert found.warnings[0].advice


def test_with_too_few_cases_nothing_is_called_fine() -> None:
    found = make_report(ReportFacts(stored=2, claims=1, refuted=1, reflections=(VAGUE,)), LIMITS)
    assert [each.verdict for each in found.rows] == ["unknown"] * 5
    assert [each.measured for each in found.rows] == [1.0, None, 1.0, 1.0, None]


@pytest.mark.parametrize(
    "text",
    [
        "The importer assumed UTC; see src/app/dates.py.",
        "`make test` was never run",
        "test_login_fails does not start the server",
        "I caught KeyError and hid it",
        "config.toml has the wrong port",
        "guard:no-force-push was hit",
        "Nothing below src/app/ was read",
        "Look into /etc/hosts first",
    ],
)
def test_a_reflection_that_names_something_is_not_generic(text: str) -> None:
    assert not is_generic(Reflection(text=text))


@pytest.mark.parametrize(
    "text", ["Be more careful.", "", "Plan better and/or ask earlier next time"]
)
def test_a_reflection_that_names_nothing_is_generic_unless_it_is_linked(text: str) -> None:
    assert is_generic(Reflection(text=text))
    assert not is_generic(Reflection(text=text, linked=True))


def test_going_back_is_told_from_going_on() -> None:
    assert turns_back(["a", "b", "a"]) == (2, 1)
    assert turns_back(["a", "a", "b", "b", "c"]) == (2, 0)
    assert turns_back([]) == (0, 0)


def test_the_variance_of_mistakes_is_told() -> None:
    told = dump_report(make_report(HEALTHY, LIMITS))
    assert told["rows"][1]["numbers"]["variance_of_mistakes"] == pytest.approx(0.2222)


SEEN = st.builds(
    ReportFacts,
    stored=st.integers(0, 50),
    retrieved=st.integers(0, 50),
    approaches=st.lists(st.lists(st.sampled_from("abc"), max_size=8).map(tuple), max_size=4).map(
        tuple
    ),
    reflections=st.lists(st.sampled_from((SPECIFIC, VAGUE)), max_size=12).map(tuple),
    claims=st.integers(10, 20),
    refuted=st.integers(0, 10),
    idle=st.lists(st.integers(0, 9), max_size=8).map(tuple),
)


@given(SEEN)
def test_a_warning_is_always_over_its_threshold_and_fine_never_is(seen: ReportFacts) -> None:
    for each in make_report(seen, LIMITS).rows:
        if each.verdict != "unknown":
            assert each.measured is not None
            assert (each.measured > each.threshold) is (each.verdict == "warning")
        if each.name != "Overthinking" and each.measured is not None:
            assert 0.0 <= each.measured <= 1.0


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_there_are_never_more_turns_back_than_changes(approaches: list[str]) -> None:
    changes, back = turns_back(approaches)
    assert 0 <= back <= max(changes - 1, 0)
