import pytest

from paige.base.record import Record


class Point(Record):
    x: object
    y: object = 0


class Spot(Record):
    x: object
    y: object


def test_values_are_given_by_place_by_name_or_by_default() -> None:
    assert Point(1).values() == (1, 0)
    assert Point(1, y=2) == Point(y=2, x=1) == Point(1, 2)


def test_records_are_equal_by_kind_and_values() -> None:
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Spot(1, 2)
    assert Point(1, 2) != (1, 2)


def test_equal_records_are_one_key() -> None:
    assert {Point(1, 2): "a"}[Point(1, 2)] == "a"
    assert len({Point(1, 2), Spot(1, 2), Point(1, 2)}) == 2


def test_a_record_cannot_be_changed() -> None:
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="Point is frozen"):
        point.x = 3
    with pytest.raises(AttributeError, match="Point is frozen"):
        del point.x
    with pytest.raises(AttributeError, match="Point is frozen"):
        point.z = 3
    assert point == Point(1, 2)


def test_a_record_shows_its_fields() -> None:
    assert repr(Point(1, "a")) == "Point(x=1, y='a')"


@pytest.mark.parametrize(
    ("values", "named", "says"),
    [
        ((), {}, "Point needs `x`"),
        ((1, 2, 3), {}, "Point takes 2 values, got 3"),
        ((1,), {"z": 3}, "Point has no field `z`"),
        ((1,), {"x": 3}, "Point got `x` twice"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(values, named, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Point(*values, **named)
