"""Phases as a model answers with them, in fewer words."""

from collections.abc import Iterable, Sequence
from typing import Any

from paige.coach.answers import CoachedPhase, PlannedHints, PlannedLineHint
from paige.coach.message_parts import FileHint, LineHint


def coached_phase(
    number: int,
    title: str,
    description: str,
    hint_level: Any,
    expected_files: Sequence[str] = (),
    *,
    file_hints: Iterable[FileHint] = (),
    line_hints: Iterable[LineHint] = (),
) -> CoachedPhase:
    """One phase with its hints."""
    lines = [PlannedLineHint.model_validate(each) for each in line_hints]
    return CoachedPhase(
        number=number,
        title=title,
        description=description,
        expected_files=list(expected_files),
        hint_level=hint_level,
        hints=PlannedHints.model_construct(file_hints=list(file_hints), line_hints=lines),
    )
