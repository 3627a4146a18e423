"""Two texts made from one: what is kept, and where a person must look."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.documents.three_way_merge import Side, common_lines, distance, merge, split_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "- one", "- two", ""]), max_size=8)
TEXTS = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))
UNIQUE = st.lists(st.integers(0, 9).map(lambda number: f"- note {number}"), unique=True)


def merged(base: str | None, one: str, other: str) -> str:
    return merge(base, Side(one, "web"), Side(other, "disk")).text


def conflicts(base: str | None, one: str, other: str) -> int:
    return merge(base, Side(one, "web"), Side(other, "disk")).conflicts


def join(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        (join("A", "b", "c"), join("a", "b", "C"), join("A", "b", "C")),
        (join("b", "c"), join("a", "b", "c", "d"), join("b", "c", "d")),
        (join("a", "b", "c", "x"), join("a", "b", "c", "y"), join("a", "b", "c", "x", "y")),
        (join("a", "b", "c", "x", "z"), join("a", "b", "c", "x"), join("a", "b", "c", "x", "z")),
        (join("a", "c"), join("a", "c"), join("a", "c")),
        ("a\r\nb\r\nc\r\nx\r\n", join("A", "b", "c"), join("A", "b", "c", "x")),
        ("a\nb\nc\nx", join("a", "b", "c", "y"), join("a", "b", "c", "x", "y")),
    ],
)
def test_what_one_side_changed_is_taken_and_what_both_added_stands_there_twice(
    one: str, other: str, result: str
) -> None:
    assert merged(join("a", "b", "c"), one, other) == result
    assert conflicts(join("a", "b", "c"), one, other) == 0


def test_lines_that_both_changed_are_kept_with_the_names_of_the_writers() -> None:
    result = merge(
        join("start", "Likes quizzes.", "end"),
        Side(join("start", "Likes short quizzes.", "end"), "tool"),
        Side(join("start", "Likes no quizzes.", "end"), "disk"),
    )

    assert result.text.splitlines() == [
        "start",
        "[Both texts are kept. Written by tool:]",
        "Likes short quizzes.",
        "[Written by disk:]",
        "Likes no quizzes.",
        "[End of both texts]",
        "end",
    ]
    assert result.conflicts == 1


def test_what_one_side_removed_and_the_other_changed_is_kept() -> None:
    result = merge(join("a", "b"), Side("", "web"), Side(join("a", "B"), "tool"))

    assert result.text.splitlines() == [
        "[Both texts are kept. Written by web:]",
        "(removed)",
        "[Written by tool:]",
        "a",
        "B",
        "[End of both texts]",
    ]


def test_without_the_text_they_came_from_nothing_counts_as_deleted() -> None:
    assert merged(None, join("a", "b", "c"), join("a", "c", "d")) == join("a", "b", "c", "d")
    assert merged(None, "x\n", "y\n") == "x\ny\n"


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_does_not_matter(base: str, text: str) -> None:
    assert merged(base, text, base) == text
    assert merged(base, base, text) == text
    assert merged(base, text, text) == text


@given(TEXTS | st.none(), TEXTS, TEXTS)
def test_every_line_that_a_side_added_is_in_the_result(
    base: str | None, one: str, other: str
) -> None:
    result = Counter(split_lines(merged(base, one, other)))
    before = split_lines(one if base is None else base)
    for text in (one, other):
        lines = split_lines(text)
        added = Counter(lines) - Counter(common_lines(before, lines))
        assert added.keys() <= result.keys()


@given(UNIQUE, st.data())
def test_notes_added_and_removed_at_once_are_all_minded(
    base: list[str], data: st.DataObject
) -> None:
    one = [line for line in base if data.draw(st.booleans())] + ["- of one"]
    other = ["- of the other"] + [line for line in base if data.draw(st.booleans())]
    result = merge(join(*base), Side(join(*one), "a"), Side(join(*other), "b"))

    kept = {line for line in base if line in one and line in other}
    assert {"- of one", "- of the other", *kept} <= set(split_lines(result.text))
    if not result.conflicts:
        lost = set(base) - kept
        assert not lost & set(split_lines(result.text))


@given(TEXTS, TEXTS, TEXTS)
def test_it_does_not_matter_much_who_comes_first(base: str, one: str, other: str) -> None:
    first, second = (
        merge(base, Side(one, "a"), Side(other, "b")),
        merge(base, Side(other, "b"), Side(one, "a")),
    )
    assert first.conflicts == second.conflicts


@given(TEXTS, TEXTS)
def test_the_distance_counts_changed_lines(one: str, other: str) -> None:
    assert distance(one, one) == 0
    assert (distance(one, other) == 0) == (split_lines(one) == split_lines(other))
    assert distance(one, one + "new\n") == 1
