from datetime import UTC, datetime, timedelta
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.ids import new_id
from tests.conftest import NOON

RANDOM = st.binary(min_size=10, max_size=10)
MOMENTS = st.datetimes(
    min_value=datetime(1970, 1, 1), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)
)


@given(now=MOMENTS, randomness=RANDOM)
def test_an_id_is_a_uuid_of_version_7_that_holds_its_millisecond(
    now: datetime, randomness: bytes
) -> None:
    made = UUID(new_id(now, randomness))
    assert (made.version, made.variant) == (7, RFC_4122)
    milliseconds = (now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert made.int >> 80 == milliseconds


@given(
    now=MOMENTS,
    step=st.timedeltas(timedelta(milliseconds=1), timedelta(days=1)),
    pair=st.tuples(RANDOM, RANDOM),
)
def test_a_later_id_sorts_after_an_earlier_one(now: datetime, step: timedelta, pair) -> None:
    assert new_id(now, pair[0]) < new_id(now + step, pair[1])


def test_every_millisecond_of_a_second_has_ids_of_its_own() -> None:
    made = [new_id(NOON + timedelta(milliseconds=n), bytes(10)) for n in range(1000)]
    assert [UUID(each).int >> 80 for each in made] == [
        int(NOON.timestamp()) * 1000 + n for n in range(1000)
    ]


@given(pair=st.tuples(RANDOM, RANDOM))
def test_different_random_bits_make_different_ids(pair: tuple[bytes, bytes]) -> None:
    # Six of the eighty bits are taken by version and variant.
    mask = ~(0xF << 76 | 0b11 << 62)
    kept = [int.from_bytes(each) & mask for each in pair]
    assert (new_id(NOON, pair[0]) == new_id(NOON, pair[1])) == (kept[0] == kept[1])


@pytest.mark.parametrize("size", [0, 9, 11])
def test_an_id_needs_ten_random_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="ten random bytes"):
        new_id(NOON, bytes(size))
