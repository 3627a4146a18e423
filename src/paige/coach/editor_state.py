"""What one person has in the editor: open files, highlights, hints, and how much they want of them.

It is a value; every change makes a new one. Nothing of it is stored: it lives as long as the
server, like the windows it mirrors.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from paige.coach.message_parts import Decoration, FileHint, HintLevel, TextRange
from paige.coach.phases import HINT_LEVELS

REGION_LINES = 6  # a highlight of so many lines is a region already; shorter ones are widened


@dataclass(frozen=True, slots=True)
class EditorState:
    """One person's editor."""

    open_files: tuple[str, ...] = ()  # in the order they were opened
    highlights: Mapping[str, tuple[Decoration, ...]] = field(default_factory=dict)
    hints: Mapping[str, FileHint] = field(default_factory=dict)
    used: frozenset[tuple[str, Decoration]] = frozenset()  # highlights whose text was shown
    muted: bool = False  # the observer is to be quiet
    hint_level: HintLevel | None = None  # what the slider says; none until it was moved
    last_activity: datetime | None = None


def opened(editor: EditorState, path: str) -> EditorState:
    """A file is open; one that was open keeps its place."""
    if path in editor.open_files:
        return editor
    return replace(editor, open_files=(*editor.open_files, path))


def closed(editor: EditorState, path: str) -> EditorState:
    """A file is not open any more."""
    return replace(editor, open_files=tuple(each for each in editor.open_files if each != path))


def highlighted(editor: EditorState, path: str, decoration: Decoration) -> EditorState:
    """Some lines are highlighted besides those that are; the same lines twice are highlighted once.

    The newest comes last, for it is the one that is shown where two overlap.
    """
    others = tuple(each for each in editor.highlights.get(path, ()) if each != decoration)
    return replace(editor, highlights={**editor.highlights, path: (*others, decoration)})


def without_highlights(editor: EditorState, path: str | None = None) -> EditorState:
    """Nothing is highlighted in a file, or anywhere."""
    if path is None:
        return replace(editor, highlights={})
    rest = {key: kept for key, kept in editor.highlights.items() if key != path}
    return replace(editor, highlights=rest)


def hinted(editor: EditorState, hints: Iterable[FileHint]) -> EditorState:
    """Files glow besides those that do; a file has one hint, the newest."""
    return replace(editor, hints={**editor.hints, **{hint.path: hint for hint in hints}})


def without_hints(editor: EditorState) -> EditorState:
    """No file glows."""
    return replace(editor, hints={})


def cleared(editor: EditorState) -> EditorState:
    """The editor after a session: what Paige put there is gone, the person's own files stay."""
    return replace(without_hints(without_highlights(editor)), used=frozenset(), muted=False)


def shown_level(level: HintLevel | None) -> str:
    """What a slider means: a word, or a number from 0 on; everything when it was never moved."""
    if isinstance(level, int):
        return HINT_LEVELS[max(0, min(level, len(HINT_LEVELS) - 1))]
    return level if level in HINT_LEVELS else HINT_LEVELS[-1]


def shown_highlights(editor: EditorState, path: str) -> tuple[Decoration, ...]:
    """The highlights of a file that the hint level lets through."""
    found = editor.highlights.get(path, ())
    match shown_level(editor.hint_level):
        case "none" | "file":
            return ()
        case "region":
            return tuple(dict.fromkeys(_widened(each) for each in found))
        case _:
            return found


def shown_hints(editor: EditorState) -> Mapping[str, FileHint]:
    """The glowing files that the hint level lets through."""
    return {} if shown_level(editor.hint_level) == "none" else editor.hints


def _widened(decoration: Decoration) -> Decoration:
    """The region around some lines, without the word that would say which of them is meant."""
    length = decoration.end - decoration.start + 1
    if length >= REGION_LINES:
        return decoration
    start = max(1, decoration.start - (REGION_LINES - length + 1) // 2)
    end = start + REGION_LINES - 1
    return Decoration(start=start, end=max(end, decoration.end), style=decoration.style)


def hover_text(editor: EditorState, path: str, selected: TextRange) -> Decoration | None:
    """The newest highlight with a text that is shown and that the whole selection lies in."""
    for decoration in reversed(shown_highlights(editor, path)):
        inside = decoration.start <= selected.start_line and selected.end_line <= decoration.end
        if decoration.hover_text and inside:
            return decoration
    return None


def active_at(editor: EditorState, now: datetime) -> EditorState:
    """The person did something."""
    return replace(editor, last_activity=now)


def muted(editor: EditorState, *, muted: bool) -> EditorState:
    """The observer is quiet, or may speak."""
    return replace(editor, muted=muted)


def at_hint_level(editor: EditorState, level: HintLevel) -> EditorState:
    """The hint slider was moved."""
    return replace(editor, hint_level=level)


def with_used(editor: EditorState, path: str, decoration: Decoration) -> EditorState:
    """The text of a highlight was shown."""
    return replace(editor, used=editor.used | {(path, decoration)})
