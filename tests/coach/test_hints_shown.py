"""The hint slider: what lies on the desk stays, what the windows show of it follows the level."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import PaigeError
from paige.coach import editor_state
from paige.coach.editor_state import EditorState
from paige.coach.message_parts import Anchor, Decoration, FileHint, TextRange
from paige.coach.messages import (
    CoachingMessage,
    EditorDecorations,
    EditorHighlightLines,
    ExplorerClearHints,
    ExplorerHintFiles,
)
from paige.learner.gaps import Attempt, Gap
from paige.learner.queries import NewKata, add_attempt, insert_kata, record_gap
from paige.store.engine import Database
from paige.store.queries import events_after
from tests.coach.making import ME
from tests.coach.message_sinks import Recorder
from tests.coach.scripted_model import ScriptedModel
from tests.coach.test_live import running
from tests.conftest import NOON
from tests.store.running import write

LINE = Decoration(start=10, end=11, style="focus", hover_text="This one")
BLOCK = Decoration(start=20, end=40, style="hint", hover_text="This function")
GLOW = FileHint(path="a.py", style="important")
HERE = TextRange(start_line=10, end_line=10)
pytestmark = pytest.mark.anyio


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n" * 50)
    return folder


def full_editor() -> EditorState:
    editor = editor_state.highlighted(
        editor_state.highlighted(EditorState(), "a.py", LINE), "a.py", BLOCK
    )
    return editor_state.hinted(editor, [GLOW])


@pytest.mark.parametrize(
    ("level", "ranges", "glows"),
    [
        (None, [(10, 11), (20, 40)], True),
        ("line", [(10, 11), (20, 40)], True),
        ("region", [(8, 13), (20, 40)], True),
        ("file", [], True),
        ("none", [], False),
        (3, [(10, 11), (20, 40)], True),
        (2, [(8, 13), (20, 40)], True),
        (1, [], True),
        (0, [], False),
        (-5, [], False),
        (99, [(10, 11), (20, 40)], True),
        ("a word nobody knows", [(10, 11), (20, 40)], True),
    ],
)
def test_a_level_lets_through_so_much(
    level: str | int | None, ranges: list[tuple[int, int]], glows: bool
) -> None:
    editor = full_editor() if level is None else editor_state.at_hint_level(full_editor(), level)
    shown = editor_state.shown_highlights(editor, "a.py")
    assert [(each.start, each.end) for each in shown] == ranges
    assert bool(editor_state.shown_hints(editor)) is glows


def test_a_region_does_not_say_which_line_is_meant() -> None:
    editor = editor_state.at_hint_level(full_editor(), "region")
    widened, block = editor_state.shown_highlights(editor, "a.py")
    assert widened.hover_text is None
    assert block == BLOCK, "what is a region already stays as it is"
    assert editor_state.hover_text(editor, "a.py", HERE) is None
    assert editor_state.hover_text(editor_state.at_hint_level(editor, "line"), "a.py", HERE) == LINE
    assert editor_state.hover_text(editor_state.at_hint_level(editor, "file"), "a.py", HERE) is None


@given(st.integers(1, 10_000), st.integers(0, 60))
def test_a_widened_region_holds_its_lines_and_is_never_shorter(start: int, more: int) -> None:
    mark = Decoration(start=start, end=start + more, style="hint")
    editor = editor_state.at_hint_level(
        editor_state.highlighted(EditorState(), "a.py", mark), "region"
    )
    (shown,) = editor_state.shown_highlights(editor, "a.py")
    assert 1 <= shown.start <= mark.start
    assert mark.end <= shown.end
    assert (
        shown.end - shown.start + 1 >= editor_state.REGION_LINES
        or more + 1 >= editor_state.REGION_LINES
    )


async def test_moving_the_slider_changes_what_is_shown(db: Database, project: Path) -> None:
    out = Recorder()
    async with running(db, project, out, ScriptedModel()) as coach:
        await coach.start_session(ME, None)
        await coach.highlight(ME, "a.py", LINE)
        await coach.hint_files(ME, [GLOW])
        begin = len(out.sent)
        for level in ("file", "none", "region", "line", "line"):
            await coach.change_hint_level(ME, level, None)
        shown = out.sent[begin:]

    assert [type(each) for each in shown] == [
        EditorDecorations,  # file: no lines
        ExplorerClearHints,  # none: no files
        EditorDecorations,  # region: around the lines, and the files again
        ExplorerHintFiles,
        EditorDecorations,  # line: as it was; once more changes nothing
    ]
    lines = [each.decorations for each in shown if isinstance(each, EditorDecorations)]
    assert lines[0] == []
    assert [(each.start, each.end, each.hover_text) for each in lines[1]] == [(8, 13, None)]
    assert lines[2] == [LINE]


async def test_what_comes_later_keeps_to_the_level(db: Database, project: Path) -> None:
    out = Recorder()
    async with running(db, project, out, ScriptedModel()) as coach:
        await coach.start_session(ME, None)
        await coach.change_hint_level(ME, "file", "line")
        await coach.highlight(ME, "a.py", LINE)
        await coach.hint_files(ME, [GLOW])
        hidden = (len(out.of(EditorHighlightLines)), len(out.of(EditorDecorations)))
        glowing = len(out.of(ExplorerHintFiles))
        assert await coach.select(ME, "a.py", HERE, 1) is None
        await coach.change_hint_level(ME, "line", "file")
        hover = await coach.select(ME, "a.py", HERE, 1)

    assert hidden == (0, 0)
    assert glowing == 1
    assert out.of(EditorDecorations)[-1].decorations == [LINE]
    assert hover is not None
    assert hover.hint_text == "This one"


def add_kata(db: Database) -> None:
    gap = Gap(topic="adding", severity="low", evidence="x")
    write(db, record_gap, ME, gap, gap_id="g1", now=NOON)
    notes = "```python\ndef mean(xs):\n    return sum(xs) / len(xs)\n```"
    kata = NewKata(
        title="Mean",
        description="Write `mean(xs)`",
        scaffolding_code="def mean(xs):\n    ...\n",
        instructor_notes=notes,
        test_cases=("assert mean([1, 3]) == 2",),
    )
    write(db, insert_kata, ME, "g1", kata, kata_id="k1")


@pytest.mark.parametrize("solved", [False, True])
async def test_messages_do_not_give_a_kata_away(
    db: Database,
    project: Path,
    solved: bool,
) -> None:
    add_kata(db)
    if solved:
        write(db, add_attempt, ME, "k1", Attempt("def mean(xs): ...", "ok", 5, True))
    told = "About `mean`: just return sum(xs) / len(xs) and you are done."
    out = Recorder()
    async with running(db, project, out, ScriptedModel()) as coach:
        await coach.start_session(ME, None)
        await coach.show_message(ME, told, type="hint", anchor=Anchor(path="a.py", start_line=1))
        await coach.show_message(ME, "Look at the tests of your cart first.", type="hint")
        sent = await db.read(_messages)

    assert ("sum(xs) / len(xs)" in sent[0]) is solved
    assert sent[1] == "Look at the tests of your cart first."


def _messages(connection: object) -> list[str]:
    found = events_after(connection, 0)  # type: ignore[arg-type]
    return [str(each.payload["message"]) for each in found if each.topic == CoachingMessage.topic]


async def test_a_message_without_a_session_is_refused(db: Database, project: Path) -> None:
    async with running(db, project, Recorder(), ScriptedModel()) as coach:
        with pytest.raises(PaigeError, match="No active session"):
            await coach.show_message(ME, "Hello", type="hint")
