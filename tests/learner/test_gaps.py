import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.learner.gaps import (
    Attempt,
    Constraint,
    Gap,
    best_level,
    chosen,
    dump_attempt,
    dump_constraint,
    find_match,
    joined_evidence,
    likeness,
    load_attempt,
    load_constraint,
    newly_unlocked,
    same_topic,
    unlocked,
    urgency,
    with_same_constraints,
    worse,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("React state management", "state management in React"),
        ("unit testing", "Unit tests"),
        ("list comprehension", "List Comprehensions"),
        ("HTTP status codes", "http status code"),
        ("recursion", "recursoin"),
        ("error handling in async functions", "Async function error handling"),
        ("SQL queries", "using SQL query"),
        ("Promise chaining with async await", "promise chaining async await basics"),
        ("classes", "class"),
        ("C++", "c++"),
        ("useState", "use_state"),
        ("café menus", "cafe\u0301 menu"),
    ],
)
def test_the_same_topic_in_other_words_is_the_same(one: str, other: str) -> None:
    assert same_topic(one, other)
    assert same_topic(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("Go", "Git"),
        ("loops", "nested loops"),
        ("React", "React state management"),
        ("async functions", "sync functions"),
        ("mutable default arguments", "immutable default arguments"),
        ("left join", "right join"),
        ("Python 2", "Python 3"),
        ("encoding text", "decoding text"),
        ("for loops", "while loops"),
        ("useState", "useEffect"),
        ("state", "useState"),
        ("==", "==="),
        ("pass by value", "pass by reference"),
        ("list comprehension", "dict comprehension"),
        ("type", "types of errors"),
        ("", "loops"),
    ],
)
def test_topics_that_only_look_alike_are_not_the_same(one: str, other: str) -> None:
    assert not same_topic(one, other)
    assert not same_topic(other, one)


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_has_no_direction_and_a_topic_is_like_itself(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert likeness(one, one) == 100


def test_the_best_of_several_matches_is_taken() -> None:
    known = ["closures", "React state", "React state management"]
    assert find_match("managing React state", known) is None
    assert find_match("State management (React)", known) == "React state management"
    assert find_match("anything", []) is None


def test_severities_are_ordered_and_evidence_is_joined() -> None:
    assert worse("low", "high") == worse("high", "low") == "high"
    assert urgency("high", 1) > urgency("medium", 2) > urgency("low", 5)
    assert joined_evidence("a\nb", "b\nc") == "a\nb\nc"
    assert len(joined_evidence("", "\n".join(map(str, range(50)))).splitlines()) == 20
    with pytest.raises(BadInput):
        Gap(topic=" ", severity="low", evidence="")


HARDER = (
    Constraint("No loops", "Use recursion", 1),
    Constraint("One pass", "Read the list once", 3),
    Constraint("No memory", "Constant space", 7),
)


def test_constraints_open_with_the_level() -> None:
    attempts = (Attempt("x", level=2), Attempt("y"), Attempt("z", level=5, passed=True))
    assert best_level(attempts) == 5
    assert best_level(()) is None
    assert [each.title for each in unlocked(HARDER, 5)] == ["No loops", "One pass"]
    assert [each.title for each in newly_unlocked(HARDER, before=1, after=7)] == [
        *("One pass", "No memory"),
    ]


def test_titles_nobody_knows_are_left_out_and_earlier_attempts_are_found() -> None:
    assert chosen(HARDER, ["one pass", "Nonsense"]) == (HARDER[1],)
    attempts = (Attempt("a", constraints=("A", "B")), Attempt("b", constraints=("A",)))
    assert with_same_constraints(attempts, ["B", "A"]) == attempts[:1]


def test_constraints_and_attempts_survive_json() -> None:
    assert dump_constraint(HARDER[1]) == {
        "title": "One pass",
        "description": "Read the list once",
        "minLevel": 3,
    }
    assert load_constraint(dump_constraint(HARDER[1])) == HARDER[1]
    for attempt in (Attempt("x"), Attempt("x", "fine", 4, True, ("One pass",))):
        assert load_attempt(dump_attempt(attempt)) == attempt
    written_out = {"code": "x", "constraints": [dump_constraint(HARDER[0])]}
    assert load_attempt(written_out).constraints == ("No loops",)


@pytest.mark.parametrize(
    "wrong", [{}, {"title": "x", "minLevel": 11}, {"title": "x", "minLevel": "2"}]
)
def test_constraints_that_make_no_sense_are_refused(wrong: dict) -> None:
    with pytest.raises(BadInput):
        load_constraint(wrong)
    with pytest.raises(BadInput):
        Attempt("x", level=0)
