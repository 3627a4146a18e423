"""Rows as lines and sums: nothing is lost on the way, whatever stands in them."""

import math
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert

from paige.agent.tables import BLOBS
from paige.base.settings import Settings
from paige.doors.data.backup import back_up
from paige.doors.data.restore import Wish, restore
from paige.models.tables import API_CALL_LOG
from paige.store.engine import Database, open_database
from paige.store.rows.table_queries import Shape, Sum, add, decode, encode, portable
from paige.store.tables import EVENTS
from tests.app.keeping import quiet, settings_in, sums
from tests.conftest import NOON
from tests.depth import examples

SHAPE = Shape(
    "t",
    (
        ("a", "text"),
        ("b", "whole"),
        ("c", "real"),
        ("d", "flag"),
        ("e", "json"),
        ("f", "time"),
        ("g", "bytes"),
    ),
    ("a",),
)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
STORED = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)
WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False)


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    plain = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | REAL | texts
    return st.recursive(
        plain, lambda each: st.lists(each) | st.dictionaries(texts, each), max_leaves=8
    )


ROWS = st.fixed_dictionaries(
    {
        "a": TEXTS,
        "b": st.none() | WHOLE,
        "c": st.none() | REAL | st.sampled_from([math.inf, -math.inf]),
        "d": st.none() | st.booleans(),
        "e": values(TEXTS),
        "f": st.none() | st.datetimes(timezones=st.just(UTC)),
        "g": st.none() | st.binary(max_size=8),
    }
)


def sum_of(*rows: dict[str, Any]) -> Sum:
    total = Sum()
    for row in rows:
        total = add(total, row, SHAPE)
    return total


@given(ROWS)
def test_a_row_comes_back_from_its_line_as_it_was(row: dict[str, Any]) -> None:
    assert decode(encode(row, SHAPE), SHAPE) == row
    assert "\n" not in encode(row, SHAPE)


@given(st.lists(ROWS, max_size=5), st.randoms())
def test_the_sum_does_not_depend_on_the_order(rows: list[dict[str, Any]], chance: Any) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)
    assert sum_of(*mixed) == sum_of(*rows)


@given(ROWS, ROWS)
def test_two_rows_have_one_sum_only_when_they_are_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    same = sum_of(one) == sum_of(other)
    assert same or one != other


def test_a_row_that_is_there_twice_is_noticed() -> None:
    row = {"a": "x", "b": 1, "c": 1.0, "d": True, "e": {}, "f": NOON, "g": b""}
    assert sum_of(row, row) != sum_of(row)
    assert sum_of(row, row) != Sum()


@given(values(st.text(max_size=10)))
@example(["\ud800", {"\0": "\0"}, math.nan])
def test_what_postgresql_stores_is_storable_and_stays(value: Any) -> None:
    clean, _ = portable(value, "json")
    again, changed = portable(clean, "json")
    assert again == clean
    assert not changed


EVENT = st.fixed_dictionaries(
    {
        "person": st.none() | STORED,
        "topic": STORED,
        "payload": st.dictionaries(STORED, values(STORED), max_size=4),
        "at": st.datetimes(min_value=datetime(1, 1, 2), timezones=st.just(UTC)),
    }
)
CALL = st.fixed_dictionaries({"model": STORED, "cost_estimate": st.none() | REAL})


@pytest.mark.db
@settings(max_examples=examples(15))
@given(
    st.lists(EVENT, max_size=6),
    st.lists(CALL, max_size=4),
    st.dictionaries(st.text("abc", min_size=1, max_size=6), STORED, max_size=6),
)
def test_backup_restore_backup_gives_the_same_rows(
    db: Database, db_settings: Settings, events: Any, calls: Any, blobs: Any
) -> None:
    with db.system.transaction(write=True) as connection:
        for table in (EVENTS, API_CALL_LOG, BLOBS):
            connection.execute(delete(table))
        for number, event in enumerate(events):
            connection.execute(insert(EVENTS), {"seq": number, "tenant": "local", **event})
        for number, call in enumerate(calls):
            connection.execute(insert(API_CALL_LOG), {**_call(number), **call})
        for name, text in blobs.items():
            connection.execute(insert(BLOBS), {"tenant": "local", "hash": name, "text": text})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = back_up(db_settings, folder / "1.zip", now=NOON, told=quiet)
        wish = Wish(into=folder / "new")
        done = restore(
            settings_in(folder / "x"), folder / "1.zip", wish, now=lambda: NOON, told=quiet
        )
        second = back_up(done.settings, folder / "2.zip", now=NOON, told=quiet)
        assert second.tables == first.tables
        with closing(open_database(done.settings)) as restored:
            assert sums(restored) == sums(db)


def _call(number: int) -> dict[str, Any]:
    numbers = dict.fromkeys(("latency_ms", "input_tokens", "output_tokens"), number)
    named = {"id": str(number), "call_type": "x", "input_hash": "x", "created_at": NOON}
    return {"tenant": "local", **numbers, **named}
