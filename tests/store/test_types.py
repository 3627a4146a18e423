from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, cast, insert, select
from sqlalchemy.exc import StatementError

from paige.base.errors import PaigeError
from paige.store.engine import Database
from paige.store.types import Json, UtcTime
from tests.conftest import NOON
from tests.store.running import write

ROWS = Table(
    "rows_of_types",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("at", UtcTime),
    Column("value", Json),
)
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=OFFSETS
)
# PostgreSQL keeps no character 0 and neither engine knows numbers that are none.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
# A float that is a whole number beyond 2**53 comes back from PostgreSQL as the digits it shows.
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def stored(database: Database, **row: object):
    """What comes back of a row; the table is gone afterwards."""

    def keep(connection: Connection):
        ROWS.create(connection, checkfirst=True)
        connection.execute(insert(ROWS), row)
        found = connection.execute(select(ROWS.c.at, ROWS.c.value)).one()
        ROWS.drop(connection)
        return found

    return write(database, keep)


@pytest.mark.db
@given(moment=MOMENTS)
@example(moment=datetime(1850, 1, 1, tzinfo=UTC))  # Amsterdam was twenty minutes ahead then
@example(moment=datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Amsterdam")))
def test_a_moment_comes_back_equal_and_in_utc(db: Database, moment: datetime) -> None:
    found = stored(db, at=moment)
    assert found.at == moment.astimezone(UTC)
    assert found.at.tzinfo is UTC


@pytest.mark.db
@given(value=VALUES)
def test_a_json_value_comes_back_equal(db: Database, value: object) -> None:
    assert stored(db, value=value).value == value


@pytest.mark.db
def test_a_moment_without_zone_is_refused_on_both_engines(db: Database) -> None:
    with pytest.raises((PaigeError, StatementError), match="no time zone"):
        stored(db, at=datetime(2026, 3, 2))


@pytest.mark.db
def test_nothing_is_sql_null(db: Database) -> None:
    def nulls(connection: Connection) -> tuple:
        ROWS.create(connection)
        connection.execute(insert(ROWS), {"at": None, "value": None})
        query = select(ROWS.c.at.is_(None), ROWS.c.value.is_(None))
        return tuple(connection.execute(query).one())

    assert write(db, nulls) == (True, True)


def test_on_sqlite_a_moment_is_text_that_sorts_by_time(sqlite_db: Database) -> None:
    def texts(connection: Connection) -> list[str]:
        ROWS.create(connection)
        moments = [NOON + timedelta(days=days) for days in (400, -400, 0)]
        connection.execute(insert(ROWS), [{"at": moment} for moment in moments])
        return list(connection.scalars(select(cast(ROWS.c.at, Text)).order_by(ROWS.c.at)))

    found = write(sqlite_db, texts)
    assert found[1] == "2026-03-02T12:00:00.000000Z"
    assert found == sorted(found)
