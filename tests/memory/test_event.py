from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.event import SCOPES, AgentRef, Event, Provenance, dump_event, load_event

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
words = st.text(max_size=20)
some = st.none() | words
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
unknown = st.dictionaries(words.map(lambda name: f"x-{name}"), values, max_size=3)
events = st.builds(
    Event,
    id=words.filter(bool),
    seq=st.integers(1, 2**50),
    at=st.datetimes(timezones=st.just(UTC)),
    type=words.filter(bool),
    scope=st.sampled_from(SCOPES),
    owner=words.filter(bool),
    project=some,
    session=some,
    acl=st.lists(words, max_size=3).map(tuple),
    agent=st.builds(AgentRef, some, some, some),
    task=some,
    text=words,
    payload=st.dictionaries(words, values, max_size=3),
    outcome=some,
    importance=st.floats(0, 1),
    evidence=st.lists(words, max_size=3).map(tuple),
    provenance=st.builds(Provenance, some, some),
    supersedes=some,
    extra=unknown,
)


@given(events)
def test_an_event_comes_back_from_its_line_as_it_was(event: Event) -> None:
    assert load_event(dump_event(event)) == event


@given(events, unknown)
def test_fields_of_a_newer_version_survive(event: Event, newer: dict[str, Any]) -> None:
    line = {**newer, **dump_event(event)}
    line["agent"] |= newer
    line["provenance"] |= newer
    assert dump_event(load_event(line)) == line


def test_a_line_with_only_what_is_needed_is_an_event() -> None:
    line = {"id": "a", "seq": 1, "at": "2026-03-04T12:00:00Z", "type": "note"}
    event = load_event({**line, "scope": "global", "owner": "me"})
    assert event == Event(id="a", seq=1, at=NOON, type="note", scope="global", owner="me")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("scope", "galaxy", "`galaxy` is not a scope"),
        ("seq", "7", "`seq` is not a number"),
        ("seq", True, "`seq` is not a number"),
        ("id", "", "`id` is not a text"),
        ("at", "yesterday", "cannot be used"),
        ("at", "2026-03-04T12:00:00", "no time zone"),
        ("importance", "high", "cannot be used"),
        ("agent", "claude", "cannot be used"),
        ("acl", 7, "cannot be used"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(field: str, value: object, said: str) -> None:
    line = dump_event(Event(id="a", seq=1, at=NOON, type="note", scope="global", owner="me"))
    with pytest.raises(BadInput, match=said):
        load_event({**line, field: value})


def test_a_missing_field_is_named() -> None:
    with pytest.raises(BadInput, match="`id` is missing"):
        load_event({})
