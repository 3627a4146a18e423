"""Every kind of stall, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.context import TurnMark, mark_turn
from paige.agent.limits import ALTERNATIONS, MONOLOGUE, SAME_ERROR, find_stall

TALK = TurnMark("", "", failed=False, talked=True)
NEVER = 1_000

marks = st.builds(
    TurnMark,
    calls=st.sampled_from("abc"),
    results=st.sampled_from("xyz"),
    failed=st.booleans(),
    talked=st.just(False),
)


def turn(tool: str, result: str, *, failed: bool = False, **given: object) -> TurnMark:
    return mark_turn([(tool, given)], [(result, failed)])


def kind(*turns: TurnMark, same_turn: int = 4) -> str | None:
    stall = find_stall(turns, same_turn=same_turn)
    return stall and stall.kind


READ = turn("read", "text", path="a.md")
OTHER = turn("read", "text", path="b.md")
FAILS = turn("read", "missing", failed=True, path="c.md")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([READ] * 4, "same_call"),
        ([OTHER, OTHER, READ, READ, READ, READ], "same_call"),
        ([FAILS] * 3, "same_error"),
        ([READ, FAILS, FAILS, FAILS], "same_error"),
        ([TALK] * 3, "monologue"),
        ([READ, TALK, TALK, TALK], "monologue"),
        ([READ, OTHER] * 3, "alternation"),
        ([TALK, READ, OTHER, READ, OTHER, READ, OTHER], "alternation"),
        ([READ, FAILS] * 3, "alternation"),
        ([READ, TALK] * 3, "alternation"),
    ],
)
def test_a_run_that_goes_nowhere_is_seen(turns: list[TurnMark], expected: str) -> None:
    assert kind(*turns) == expected


@pytest.mark.parametrize(
    "turns",
    [
        [],
        [READ] * 3,
        [FAILS] * 2,
        [TALK] * 2,
        [READ, OTHER, READ, OTHER, READ],
        # One turn that is different starts the count again.
        [READ, READ, READ, OTHER],
        [READ, READ, OTHER, READ, READ],
        [FAILS, FAILS, READ, FAILS, FAILS],
        [TALK, TALK, READ, TALK, TALK],
        [READ, OTHER, READ, OTHER, OTHER, READ],
    ],
)
def test_what_only_looks_like_a_stall_is_none(turns: list[TurnMark]) -> None:
    assert kind(*turns) is None


def test_the_same_call_with_another_result_is_progress() -> None:
    assert kind(*(turn("poll", f"{percent} %") for percent in range(10))) is None


def test_the_same_result_of_another_call_is_progress() -> None:
    assert kind(*(turn("read", "same text", path=f"{name}.md") for name in range(10))) is None


def test_an_error_that_changes_is_not_the_same_error() -> None:
    errors = [turn("read", f"error {number}", failed=True) for number in range(3)]

    assert kind(*errors) is None


def test_a_turn_has_failed_only_when_all_its_calls_have() -> None:
    calls = [("read", {"path": "a"}), ("read", {"path": "b"})]

    assert mark_turn(calls, [("no", True), ("no", True)]).failed
    assert not mark_turn(calls, [("no", True), ("text", False)]).failed
    assert not mark_turn([], []).failed


def test_how_many_equal_turns_are_too_many_can_be_set() -> None:
    assert kind(READ, READ, same_turn=2) == "same_call"
    assert kind(*[READ] * 9, same_turn=10) is None
    assert kind(*[READ] * 10, same_turn=10) == "same_call"


def test_a_failing_call_is_stopped_however_patient_the_limit_is() -> None:
    assert kind(*[FAILS] * SAME_ERROR, same_turn=NEVER) == "same_error"


def test_the_reason_says_what_happened_and_how_often() -> None:
    stall = find_stall([READ] * 4, same_turn=4)

    assert stall is not None
    assert stall.reason == "the same call gave the same result 4 times"


def test_talking_is_never_reported_as_a_call() -> None:
    stall = find_stall([TALK] * 2, same_turn=2)

    assert stall is None or stall.kind == "monologue"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
inputs = st.dictionaries(st.text(), values, max_size=4)


@given(given_input=inputs, result=st.text(st.characters(codec=None)))
def test_the_order_of_keys_does_not_make_another_call(given_input: dict, result: str) -> None:
    turned = dict(reversed(given_input.items()))

    assert mark_turn([("t", given_input)], [(result, False)]) == mark_turn(
        [("t", turned)], [(result, False)]
    )


@given(one=st.tuples(inputs, st.text(), st.booleans()), two=st.tuples(inputs, st.text()))
def test_turns_are_equal_exactly_when_calls_and_results_are(one: tuple, two: tuple) -> None:
    first = mark_turn([("t", one[0])], [(one[1], one[2])])
    second = mark_turn([("t", two[0])], [(two[1], False)])

    assert (first == second) == (as_json(one) == as_json((*two, False)))


def as_json(value: object) -> object:
    """A value that is equal exactly when the JSON is: in Python `1 == True`."""
    match value:
        case dict():
            return {key: as_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [as_json(inner) for inner in value]
        case _:
            return (type(value).__name__, value)


@given(st.lists(marks | st.just(TALK), max_size=12), st.integers(2, 6))
def test_only_the_end_of_a_run_counts(turns: list[TurnMark], same_turn: int) -> None:
    longest = max(SAME_ERROR, MONOLOGUE, ALTERNATIONS, same_turn)

    assert find_stall(turns, same_turn=same_turn) == find_stall(
        turns[-longest:], same_turn=same_turn
    )


@given(st.lists(marks | st.just(TALK), max_size=12), st.integers(1, 4))
def test_a_turn_never_seen_before_ends_every_stall(turns: list[TurnMark], number: int) -> None:
    fresh = TurnMark(f"new {number}", "new", failed=number % 2 == 0, talked=False)

    assert find_stall([*turns, fresh], same_turn=2) is None


@given(marks, marks, st.integers(0, 20))
def test_two_turns_that_alternate_are_found_from_the_sixth_on(
    one: TurnMark, two: TurnMark, length: int
) -> None:
    turns = [(one, two)[index % 2] for index in range(length)]
    stall = find_stall(turns, same_turn=NEVER)

    if one != two:
        assert (stall is not None and stall.kind == "alternation") == (length >= ALTERNATIONS)
