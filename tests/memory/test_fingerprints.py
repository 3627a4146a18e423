from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import AgentRef, Event
from paige.memory.intake.fingerprints import fact_slot, fingerprint, is_import, text_hash
from tests.conftest import NOON

EVENT = Event(
    id="a",
    seq=1,
    at=NOON,
    type="fact",
    scope="project",
    owner="me",
    project="p",
    session="s",
    text="blue",
    payload={"speaker": "anna", "key": "colour"},
)


def test_id_number_importance_and_reasons_do_not_count() -> None:
    payload = {**EVENT.payload, "importance_reasons": {"novelty": 0.1}}
    other = replace(EVENT, id="b", seq=9, importance=0.1, payload=payload, text=" blue\n")
    assert fingerprint(other) == fingerprint(EVENT)


@pytest.mark.parametrize(
    "changes",
    [
        {"project": "q"},
        {"project": None},
        {"session": "t"},
        {"payload": {"speaker": "bob", "key": "colour"}},
        {"at": NOON + timedelta(seconds=1)},
        {"owner": "bob"},
        {"scope": "global"},
        {"type": "note"},
        {"text": "Blue"},
        {"outcome": "failure"},
        {"agent": AgentRef("x")},
        {"task": "t"},
    ],
)
def test_everything_that_was_said_counts(changes: dict[str, object]) -> None:
    assert fingerprint(replace(EVENT, **changes)) != fingerprint(EVENT)


def test_the_same_second_is_the_same_time() -> None:
    later = replace(EVENT, at=NOON + timedelta(microseconds=999_999))
    assert fingerprint(later) == fingerprint(EVENT)


@given(st.text())
def test_case_and_spacing_do_not_change_what_a_text_says(text: str) -> None:
    assert text_hash(f"  {text}\n") == text_hash(text)
    assert text_hash(" ".join(text.split())) == text_hash(text)


def test_only_keyed_facts_have_a_slot() -> None:
    assert fact_slot(EVENT)
    assert fact_slot(replace(EVENT, type="preference")) == fact_slot(EVENT)
    assert fact_slot(replace(EVENT, type="episode")) is None
    assert fact_slot(replace(EVENT, payload={})) is None


@pytest.mark.parametrize(
    ("scope", "one", "other"),
    [
        ("class", {"payload": {"key": "k", "class_id": "3B"}}, {"payload": {"key": "k"}}),
        ("session", {"session": "s"}, {"session": "t"}),
        ("agent", {"agent": AgentRef("a")}, {"agent": AgentRef("b")}),
        ("learner", {"payload": {"key": "k", "learner": "x"}}, {"payload": {"key": "k"}}),
    ],
)
def test_narrow_scopes_keep_their_facts_apart(
    scope: str, one: dict[str, object], other: dict[str, object]
) -> None:
    base = replace(EVENT, scope=scope, payload={"key": "k"})  # type: ignore[arg-type]
    assert fact_slot(replace(base, **one)) != fact_slot(replace(base, **other))


def test_a_session_does_not_split_the_facts_of_a_project() -> None:
    assert fact_slot(replace(EVENT, session="other")) == fact_slot(EVENT)


def test_imports_are_told_by_their_source() -> None:
    assert is_import({"source": "import"})
    assert not is_import({"source": "hook"})
