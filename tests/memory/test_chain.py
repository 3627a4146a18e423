import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.event import SCOPES, AgentRef, Event, Provenance, dump_event, load_event
from paige.memory.log.chain import (
    START,
    START_HASH,
    Link,
    check_line,
    content_holds,
    follow,
    forget_line,
    header_holds,
    looks_sealed,
    seal,
    sealed_hash,
)
from tests.memory.log_writer import event

SALT = "5a" * 16
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = words.filter(bool)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
unknown = names.map(lambda name: f"x_{name}")
events = st.builds(
    Event,
    id=names,
    seq=st.integers(1, 10**12),
    at=st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC)),
    type=names,
    scope=st.sampled_from(SCOPES),
    owner=names,
    project=st.none() | words,
    acl=st.lists(words, max_size=2).map(tuple),
    agent=st.builds(AgentRef, words, st.none() | words),
    task=st.none() | words,
    text=words,
    payload=st.dictionaries(words, values, max_size=3),
    outcome=st.none() | words,
    importance=st.floats(0, 1),
    evidence=st.lists(words, max_size=2).map(tuple),
    provenance=st.builds(Provenance, st.none() | words),
    supersedes=st.none() | words,
    extra=st.dictionaries(unknown, values, max_size=2),
)


@given(events)
def test_a_sealed_line_holds_and_gives_the_event_back(given_event: Event) -> None:
    line = seal(given_event, START_HASH, SALT)
    fields, faults = check_line(line)
    assert faults == ()
    assert fields is not None
    assert line.count(b"\n") == 1
    assert looks_sealed(line[:-1])
    assert fields["hash"] == sealed_hash(line)
    assert json.loads(line) == fields or "NaN" in repr(given_event)
    assert fields.items() >= plain(dump_event(given_event)).items()
    assert check_line(seal(load_event(fields), START_HASH, SALT)).fields == fields


def plain(fields: dict[str, Any]) -> dict[str, Any]:
    """As it is after a journey through JSON."""
    return orjson.loads(orjson.dumps(fields))


@given(events)
def test_a_forgotten_line_still_holds_and_holds_no_words(given_event: Event) -> None:
    fields = check_line(seal(given_event, START_HASH, SALT)).fields
    assert fields is not None
    line = forget_line(fields)
    forgotten, faults = check_line(line)
    assert faults == ()
    assert forgotten is not None
    assert forgotten["hash"] == fields["hash"]
    assert not forgotten.keys() & {"salt", "text", "payload", "task", *given_event.extra}
    assert load_event(forgotten).forgotten
    assert check_line(seal(load_event(forgotten), START_HASH, SALT)).faults == ()


@given(st.data())
def test_every_change_of_a_single_byte_is_noticed(data: st.DataObject) -> None:
    line = seal(data.draw(events), START_HASH, SALT)[:-1]
    if data.draw(st.booleans()):
        line = forget_line(check_line(line).fields or {})[:-1]
    place = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != line[place]))
    changed = line[:place] + bytes([byte]) + line[place + 1 :]
    assert check_line(changed).faults != ()


def test_every_byte_of_a_line_is_covered() -> None:
    line = seal(event(1, "Ana likes 1e9 grapes", payload={"n": 1e21}), START_HASH, SALT)[:-1]
    for place, old in enumerate(line):
        for new in {old ^ 1, old ^ 0x20, 0x20, 0x31}:
            if new != old:
                assert check_line(line[:place] + bytes([new]) + line[place + 1 :]).faults


def test_what_was_done_to_a_line_is_told_apart() -> None:
    line = seal(event(1, "hello"), START_HASH, SALT)
    assert check_line(line.replace(b"hello", b"holla")).faults == ("content",)
    assert check_line(line.replace(b'"owner":"me"', b'"owner":"my"')).faults == ("hash",)
    assert check_line(line.replace(b'"text":', b'"text": ')).faults == ("spelling",)
    assert check_line(b'{"text":"hello"}').faults == ("foreign",)
    assert check_line(b'{"text":').faults == check_line(b"[1]").faults == ("unreadable",)


def test_words_cannot_be_hidden_behind_the_mark_of_a_forgotten_line() -> None:
    fields = check_line(seal(event(1, "hello"), START_HASH, SALT)).fields
    assert fields is not None
    assert not content_holds({**fields, "forgotten": True})
    assert not content_holds({**check_line(forget_line(fields)).fields, "text": "other"})  # type: ignore[dict-item]


def test_a_chain_goes_on_over_lost_lines_but_never_back() -> None:
    first = check_line(seal(event(1), START_HASH, SALT)).fields or {}
    third = check_line(seal(event(3), "ab" * 32, SALT)).fields or {}
    assert follow(START, first) == Link(1, first["hash"])
    assert follow(Link(1, first["hash"]), third) == Link(3, third["hash"])
    assert follow(Link(3, third["hash"]), first) is None
    assert follow(Link(1, first["hash"]), {**third, "owner": "other"}) is None
    assert follow(START, {"text": "foreign"}) is None


def test_a_line_with_a_wrong_hash_in_the_right_place_keeps_its_number() -> None:
    changed = {**(check_line(seal(event(1), START_HASH, SALT)).fields or {}), "owner": "other"}
    assert not header_holds(changed)
    assert follow(START, changed) == Link(1, changed["hash"])


@dataclass
class Odd:
    """Something that is not JSON."""

    b: int = 1
    a: int = 2


@pytest.mark.parametrize("value", [{1, 2}, {3: "x"}, 2**70, "\ud800", Odd()])
def test_what_cannot_be_json_is_refused_with_the_id_of_the_event(value: Any) -> None:
    with pytest.raises(BadInput, match="`e1` cannot be written as JSON"):
        seal(event(1, payload={"value": value}), START_HASH, SALT)


def test_the_line_holds_what_the_event_holds() -> None:
    given_event = event(7, "hello", extra={"x_other": {"b": 1, "a": 2}}, payload={"key": "k"})
    line = json.loads(seal(given_event, START_HASH, SALT))
    seals = {name: line.pop(name) for name in ("salt", "digest", "prev", "hash")}
    assert line == dump_event(given_event)
    assert seals["salt"] == SALT
    assert seals["prev"] == START_HASH
