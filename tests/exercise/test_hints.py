from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.exercise.hints import (
    ANSWER,
    EVENTS,
    LEVELS,
    Event,
    Ladder,
    how_to_continue,
    level_number,
    next_level,
    opens_with_example,
    pick_worked_example,
)

NOON = datetime(2026, 2, 22, 12, tzinfo=UTC)


def _after(*events: Event) -> Ladder:
    state = Ladder()
    for event in events:
        state = next_level(state, event, NOON)
    return state


def test_a_hint_asked_for_before_an_attempt_changes_nothing():
    assert _after("hint_requested", "hint_requested", "gave_up") == Ladder()


def test_after_an_attempt_each_request_opens_one_level():
    levels = [_after("attempt_failed", *["hint_requested"] * asked).level for asked in range(6)]
    assert levels == [0, 1, 2, 3, 4, 4]


def test_a_second_failed_attempt_opens_a_level_too():
    assert _after("attempt_failed", "attempt_failed").level == 1


def test_hints_are_counted_and_the_answer_is_not_one_of_them():
    state = _after("attempt_failed", *["hint_requested"] * 4)
    assert (state.hints_used, state.answer_shown) == (3, True)


def test_a_solved_exercise_stays_as_it_is():
    solved = _after("attempt_correct")
    assert next_level(solved, "gave_up", NOON) == solved


def test_an_unknown_event_is_bad_input():
    with pytest.raises(BadInput, match="no event"):
        next_level(Ladder(), "please", NOON)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_the_ladder_is_never_climbed_down_and_never_two_rungs_at_once(events: list[Event]):
    state = Ladder()
    for event in events:
        following = next_level(state, event, NOON)
        assert state.level <= following.level
        assert following.level - state.level <= 1 or event == "gave_up"
        assert following.answer_shown == (following.level == ANSWER)
        assert following.level == 0 or following.attempts > 0
        state = following


@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_the_learner_always_reads_how_to_go_on(events: list[Event]):
    assert how_to_continue(_after(*events)).endswith((".", ")."))


def test_the_sentence_names_what_comes_next():
    assert "Try it first" in how_to_continue(Ladder())
    assert "a nudge" in how_to_continue(_after("attempt_failed"))
    assert "worked step" in how_to_continue(
        _after("attempt_failed", "hint_requested", "hint_requested")
    )


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_read_from_its_number_or_its_name(level):
    for written in (level.number, str(level.number), level.name, level.says.upper()):
        assert level_number(written) == level.number


@pytest.mark.parametrize("wrong", [5, -1, True, "teacher", None, 1.5, [], "44"])
def test_what_is_no_level_is_refused_with_the_list_of_levels(wrong):
    with pytest.raises(BadInput) as caught:
        level_number(wrong)
    assert "pointed_hint" in (caught.value.hint or "")


def test_new_concepts_open_with_worked_examples_and_known_ones_do_not():
    assert opens_with_example(0.0, "technical", is_new=True)
    assert not opens_with_example(0.6, "technical", is_new=True)
    assert opens_with_example(0.6, "language", is_new=True)
    assert not opens_with_example(0.3, "technical", is_new=False)


def test_the_worked_example_is_another_item_than_the_asked_one():
    others = ("Solve 3x + 5 = 20.", "Solve 2x + 1 = 9")
    assert pick_worked_example("solve 3x+5=20", others) == "Solve 2x + 1 = 9"
    assert pick_worked_example("solve 3x+5=20", others[:1]) is None
