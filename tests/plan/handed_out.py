"""Handouts for tests: a small worksheet, and a class that answers it."""

import random
from datetime import timedelta
from typing import Any

from paige.plan.handout.issue import NewHandout, make_handout
from paige.plan.handout.values import AnswerRow, Handout
from tests.conftest import NOON
from tests.loops.answering import SHEET


def dice(seed: int = 7) -> Any:
    """Randomness that is the same every time."""
    return random.Random(seed).randbytes


def small_handout(tokens: int = 8, *, seed: int = 7) -> tuple[Handout, tuple[str, ...]]:
    """A handout of three questions for 3B."""
    asked = NewHandout(markdown=SHEET, source="sheet.md", class_id="3B", tokens=tokens)
    return make_handout(asked, now=NOON, random=dice(seed))


def row(token: str, answers: dict[str, str], *, handed_in: bool = True) -> AnswerRow:
    """What stands under a token."""
    return AnswerRow(
        token=token,
        handout_id="x",
        origin="web",
        answers={name: (text,) for name, text in answers.items()},
        version=1,
        updated_at=NOON,
        handed_in_at=NOON + timedelta(hours=1) if handed_in else None,
    )
