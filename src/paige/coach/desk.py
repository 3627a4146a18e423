"""What one person has on the desk: open files, highlights, hints, and how much they want of them.

A desk is a value; every change makes a new one. Nothing of it is stored: it lives as long as the
server, like the windows it mirrors.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from paige.coach.message_parts import Decoration, FileHint, HintLevel, TextRange
from paige.coach.progress import HINT_LEVELS

REGION_LINES = 6  # a highlight of so many lines is a region already; shorter ones are widened


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's desk."""

    open_files: tuple[str, ...] = ()  # in the order they were opened
    highlights: Mapping[str, tuple[Decoration, ...]] = field(default_factory=dict)
    hints: Mapping[str, FileHint] = field(default_factory=dict)
    used: frozenset[tuple[str, Decoration]] = frozenset()  # highlights whose text was shown
    muted: bool = False  # the observer is to be quiet
    hint_level: HintLevel | None = None  # what the slider says; none until it was moved
    last_activity: datetime | None = None


def opened(desk: Desk, path: str) -> Desk:
    """A file is open; one that was open keeps its place."""
    if path in desk.open_files:
        return desk
    return replace(desk, open_files=(*desk.open_files, path))


def closed(desk: Desk, path: str) -> Desk:
    """A file is not open any more."""
    return replace(desk, open_files=tuple(each for each in desk.open_files if each != path))


def highlighted(desk: Desk, path: str, decoration: Decoration) -> Desk:
    """Some lines are highlighted besides those that are; the same lines twice are highlighted once.

    The newest comes last, for it is the one that is shown where two overlap.
    """
    others = tuple(each for each in desk.highlights.get(path, ()) if each != decoration)
    return replace(desk, highlights={**desk.highlights, path: (*others, decoration)})


def without_highlights(desk: Desk, path: str | None = None) -> Desk:
    """Nothing is highlighted in a file, or anywhere."""
    if path is None:
        return replace(desk, highlights={})
    rest = {key: kept for key, kept in desk.highlights.items() if key != path}
    return replace(desk, highlights=rest)


def hinted(desk: Desk, hints: Iterable[FileHint]) -> Desk:
    """Files glow besides those that do; a file has one hint, the newest."""
    return replace(desk, hints={**desk.hints, **{hint.path: hint for hint in hints}})


def without_hints(desk: Desk) -> Desk:
    """No file glows."""
    return replace(desk, hints={})


def cleared(desk: Desk) -> Desk:
    """The desk after a session: what Paige put on it is gone, the person's own files stay."""
    return replace(without_hints(without_highlights(desk)), used=frozenset(), muted=False)


def shown_level(level: HintLevel | None) -> str:
    """What a slider means: a word, or a number from 0 on; everything when it was never moved."""
    if isinstance(level, int):
        return HINT_LEVELS[max(0, min(level, len(HINT_LEVELS) - 1))]
    return level if level in HINT_LEVELS else HINT_LEVELS[-1]


def shown_highlights(desk: Desk, path: str) -> tuple[Decoration, ...]:
    """The highlights of a file that the hint level lets through."""
    found = desk.highlights.get(path, ())
    match shown_level(desk.hint_level):
        case "none" | "file":
            return ()
        case "region":
            return tuple(dict.fromkeys(_widened(each) for each in found))
        case _:
            return found


def shown_hints(desk: Desk) -> Mapping[str, FileHint]:
    """The glowing files that the hint level lets through."""
    return {} if shown_level(desk.hint_level) == "none" else desk.hints


def _widened(decoration: Decoration) -> Decoration:
    """The region around some lines, without the word that would say which of them is meant."""
    length = decoration.end - decoration.start + 1
    if length >= REGION_LINES:
        return decoration
    start = max(1, decoration.start - (REGION_LINES - length + 1) // 2)
    end = start + REGION_LINES - 1
    return Decoration(start=start, end=max(end, decoration.end), style=decoration.style)


def hover_text(desk: Desk, path: str, selected: TextRange) -> Decoration | None:
    """The newest highlight with a text that is shown and that the whole selection lies in."""
    for decoration in reversed(shown_highlights(desk, path)):
        inside = decoration.start <= selected.start_line and selected.end_line <= decoration.end
        if decoration.hover_text and inside:
            return decoration
    return None


def active_at(desk: Desk, now: datetime) -> Desk:
    """The person did something."""
    return replace(desk, last_activity=now)


def muted(desk: Desk, *, muted: bool) -> Desk:
    """The observer is quiet, or may speak."""
    return replace(desk, muted=muted)


def at_hint_level(desk: Desk, level: HintLevel) -> Desk:
    """The hint slider was moved."""
    return replace(desk, hint_level=level)


def with_used(desk: Desk, path: str, decoration: Decoration) -> Desk:
    """The text of a highlight was shown."""
    return replace(desk, used=desk.used | {(path, decoration)})
