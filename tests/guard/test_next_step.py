"""The table of what comes next, every row of it."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.guard.state.features import STATUSES, Feature, SessionState
from paige.guard.state.files import Damaged
from paige.guard.state.next_step import (
    MOST_RETRIES,
    Next,
    StepAction,
    is_open,
    next_step,
)

DONE = Feature("D", status="completed", tested=True)
PENDING = Feature("P")


@pytest.mark.parametrize(
    ("features", "session", "expected"),
    [
        (None, None, Next("session_start", "spawn", "initializer-agent")),
        ((), None, Next("session_start", "spawn", "initializer-agent")),
        ((DONE, PENDING), None, Next("session_start", "spawn", "coding-agent", "P")),
        (
            (PENDING, Feature("C", status="completed")),
            SessionState("verifying", "C"),
            Next("coding_complete", "spawn", "tester-agent", "C"),
        ),
        (
            (DONE, PENDING),
            SessionState("test_passed", "D"),
            Next("test_passed", "select_next", "coding-agent", "P"),
        ),
        (
            (Feature("F", status="completed", retries=1), PENDING),
            SessionState("test_failed", "F"),
            Next("test_failed", "resume", "coding-agent", "F"),
        ),
        (
            (Feature("F", status="completed", retries=2), PENDING),
            SessionState("test_failed", "F"),
            Next("test_failed", "mark_blocked", None, "F"),
        ),
        (
            (Feature("F", status="in_progress", retries=1), PENDING),
            None,
            Next("test_failed", "resume", "coding-agent", "F"),
        ),
        (
            (Feature("F", status="in_progress", retries=3), PENDING),
            None,
            Next("test_failed", "mark_blocked", None, "F"),
        ),
        ((DONE, Feature("B", status="blocked")), None, Next("all_complete", "end_session")),
        ((DONE,), SessionState("test_passed", "D"), Next("all_complete", "end_session")),
        ((PENDING,), SessionState("paused", "P"), Next("paused", "wait", None, "P")),
        ((PENDING,), SessionState("stopped", "P"), Next("stopped", "end_session")),
        (Damaged("list", 3, "it is broken", "Mend it."), None, Next("damaged", "ask_person")),
    ],
)
def test_each_row_of_the_table(
    features: tuple[Feature, ...] | Damaged | None, session: SessionState | None, expected: Next
) -> None:
    assert next_step(features, session) == expected


def test_what_was_begun_comes_before_what_was_not() -> None:
    begun = Feature("B", status="in_progress")
    written = Feature("W", status="completed")
    assert next_step((PENDING, begun), None).feature == "B"
    assert next_step((PENDING, begun, written), None).feature == "W"
    assert next_step((PENDING, begun, written), SessionState("coding", "P")).feature == "P"


def test_a_session_about_a_feature_that_is_gone_is_no_hindrance() -> None:
    assert next_step((PENDING,), SessionState("coding", "gone")).feature == "P"


FEATURES = st.lists(
    st.builds(
        Feature,
        id=st.sampled_from("ABCD"),
        status=st.sampled_from(STATUSES),
        tested=st.booleans(),
        retries=st.integers(0, 4),
    ),
    max_size=4,
    unique_by=lambda each: each.id,
)
SESSIONS = st.none() | st.builds(
    SessionState,
    state=st.sampled_from(("", "coding", "testing", "test_passed", "test_failed", "paused")),
    feature=st.none() | st.sampled_from("ABCDX"),
)


@given(FEATURES, SESSIONS)
def test_something_open_is_always_worked_on_and_something_done_never(
    features: list[Feature], session: SessionState | None
) -> None:
    found = next_step(features, session)
    assert found.sentence()
    assert set(found.dump()) == {"state", "action", "agent", "feature"}
    if found.action in ("spawn", "resume", "mark_blocked") and found.feature:
        assert is_open(next(each for each in features if each.id == found.feature))
    if found.action == "resume":
        named = next(each for each in features if each.id == found.feature)
        assert named.retries <= MOST_RETRIES
    if found.action == "end_session":
        assert not any(map(is_open, features))


def test_every_action_can_be_said() -> None:
    for action in get_args(StepAction):
        assert Next("session_start", action, "coding-agent", "A").sentence().endswith(".")
