"""What Paige knows of a person's editor: a value, and what changes it."""

from hypothesis import given
from hypothesis import strategies as st

from paige.coach import editor_state
from paige.coach.editor_state import EditorState
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
    editor, expected = EditorState(), dict[str, None]()
    for opens, path in steps:
        editor = editor_state.opened(editor, path) if opens else editor_state.closed(editor, path)
        if opens:
            expected.setdefault(path)
        else:
            expected.pop(path, None)

    assert list(editor.open_files) == list(expected)


@given(st.lists(st.tuples(PATHS, decorations())))
def test_highlights_accumulate_and_the_same_one_counts_once(
    steps: list[tuple[str, Decoration]],
) -> None:
    editor = EditorState()
    for path, decoration in steps:
        editor = editor_state.highlighted(editor, path, decoration)

    for path in {path for path, _ in steps}:
        given_here = [each for where, each in steps if where == path]
        shown = editor.highlights[path]
        assert set(shown) == set(given_here)
        assert len(shown) == len(set(shown))
        assert shown[-1] == given_here[-1]


def test_highlights_of_one_file_go_and_the_others_stay() -> None:
    mark = Decoration(start=1, end=2, style="hint")
    editor = editor_state.highlighted(
        editor_state.highlighted(EditorState(), "a.py", mark), "b.py", mark
    )

    assert set(editor_state.without_highlights(editor, "a.py").highlights) == {"b.py"}
    assert editor_state.without_highlights(editor).highlights == {}
    assert editor_state.without_highlights(editor, "never.py") == editor


def test_a_file_glows_once_with_its_newest_style() -> None:
    editor = editor_state.hinted(EditorState(), [FileHint(path="a.py", style="suggested")])
    editor = editor_state.hinted(editor, [FileHint(path="a.py", style="critical")])

    assert [hint.style for hint in editor.hints.values()] == ["critical"]
    assert editor_state.without_hints(editor).hints == {}


def test_the_newest_highlight_around_a_selection_speaks() -> None:
    wide = Decoration(start=1, end=10, style="hint", hover_text="wide")
    narrow = Decoration(start=4, end=5, style="hint", hover_text="narrow")
    silent = Decoration(start=4, end=4, style="hint")
    editor = EditorState()
    for mark in (wide, narrow, silent):
        editor = editor_state.highlighted(editor, "a.py", mark)

    assert editor_state.hover_text(editor, "a.py", lines(4, 4)) == narrow
    assert editor_state.hover_text(editor, "a.py", lines(4, 6)) == wide
    assert editor_state.hover_text(editor, "a.py", lines(9, 11)) is None
    assert editor_state.hover_text(editor, "b.py", lines(4, 4)) is None


def test_a_cleared_desk_keeps_what_is_the_persons_own() -> None:
    editor = editor_state.active_at(editor_state.opened(EditorState(), "a.py"), NOON)
    editor = editor_state.highlighted(editor, "a.py", Decoration(start=1, end=1, style="hint"))
    editor = editor_state.muted(
        editor_state.hinted(editor, [FileHint(path="a.py", style="x")]), muted=True
    )
    cleared = editor_state.cleared(editor_state.at_hint_level(editor, "line"))

    assert cleared == EditorState(open_files=("a.py",), hint_level="line", last_activity=NOON)
