"""What lies on a person's desk: a value, and what changes it."""

from hypothesis import given
from hypothesis import strategies as st

from paige.coach import desk as desks
from paige.coach.desk import Desk
from paige.coach.message_parts import Decoration, FileHint, TextRange
from tests.conftest import NOON

PATHS = st.sampled_from(["a.py", "b.py", "src/c.py"])
LINES = st.integers(1, 20)


@st.composite
def decorations(draw: st.DrawFn) -> Decoration:
    first, last = sorted((draw(LINES), draw(LINES)))
    return Decoration(
        start=first, end=last, style="focus", hover_text=draw(st.sampled_from(["x", None]))
    )


def lines(first: int, last: int) -> TextRange:
    return TextRange(start_line=first, end_line=last)


@given(st.lists(st.tuples(st.booleans(), PATHS)))
def test_open_files_are_those_opened_and_not_closed_since_in_the_order_of_opening(
    steps: list[tuple[bool, str]],
) -> None:
    desk, expected = Desk(), dict[str, None]()
    for opens, path in steps:
        desk = desks.opened(desk, path) if opens else desks.closed(desk, path)
        if opens:
            expected.setdefault(path)
        else:
            expected.pop(path, None)

    assert list(desk.open_files) == list(expected)


@given(st.lists(st.tuples(PATHS, decorations())))
def test_highlights_accumulate_and_the_same_one_counts_once(
    steps: list[tuple[str, Decoration]],
) -> None:
    desk = Desk()
    for path, decoration in steps:
        desk = desks.highlighted(desk, path, decoration)

    for path in {path for path, _ in steps}:
        given_here = [each for where, each in steps if where == path]
        shown = desk.highlights[path]
        assert set(shown) == set(given_here)
        assert len(shown) == len(set(shown))
        assert shown[-1] == given_here[-1]


def test_highlights_of_one_file_go_and_the_others_stay() -> None:
    mark = Decoration(start=1, end=2, style="hint")
    desk = desks.highlighted(desks.highlighted(Desk(), "a.py", mark), "b.py", mark)

    assert set(desks.without_highlights(desk, "a.py").highlights) == {"b.py"}
    assert desks.without_highlights(desk).highlights == {}
    assert desks.without_highlights(desk, "never.py") == desk


def test_a_file_glows_once_with_its_newest_style() -> None:
    desk = desks.hinted(Desk(), [FileHint(path="a.py", style="suggested")])
    desk = desks.hinted(desk, [FileHint(path="a.py", style="critical")])

    assert [hint.style for hint in desk.hints.values()] == ["critical"]
    assert desks.without_hints(desk).hints == {}


def test_the_newest_highlight_around_a_selection_speaks() -> None:
    wide = Decoration(start=1, end=10, style="hint", hover_text="wide")
    narrow = Decoration(start=4, end=5, style="hint", hover_text="narrow")
    silent = Decoration(start=4, end=4, style="hint")
    desk = Desk()
    for mark in (wide, narrow, silent):
        desk = desks.highlighted(desk, "a.py", mark)

    assert desks.hover_text(desk, "a.py", lines(4, 4)) == narrow
    assert desks.hover_text(desk, "a.py", lines(4, 6)) == wide
    assert desks.hover_text(desk, "a.py", lines(9, 11)) is None
    assert desks.hover_text(desk, "b.py", lines(4, 4)) is None


def test_a_cleared_desk_keeps_what_is_the_persons_own() -> None:
    desk = desks.active_at(desks.opened(Desk(), "a.py"), NOON)
    desk = desks.highlighted(desk, "a.py", Decoration(start=1, end=1, style="hint"))
    desk = desks.muted(desks.hinted(desk, [FileHint(path="a.py", style="x")]), muted=True)
    cleared = desks.cleared(desks.at_hint_level(desk, "line"))

    assert cleared == Desk(open_files=("a.py",), hint_level="line", last_activity=NOON)
