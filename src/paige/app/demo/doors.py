"""Fills every door of a demo, one moment of the term after the other."""

import logging
from datetime import date
from typing import Literal

import anyio

from paige.app.application import open_app
from paige.app.demo_answers import answer_happenings
from paige.app.demo_coach import coach_happenings, open_coach
from paige.app.demo_guard import guard_happenings
from paige.app.demo_memory import keep_term, memory_happenings
from paige.app.demo_models import call_happenings
from paige.app.demo_orchestra import orchestra_happenings
from paige.app.demo_plan import plan_happenings
from paige.app.demo_project import begin_project
from paige.app.demo_study import study_happenings
from paige.app.demo_term import Calendar, Tell, Term, TermClock, first_moment, live_through
from paige.base.settings import Settings

Part = Literal["study", "others"]
"""Study keeps everything in files of its own, so it is filled beside the other doors."""


def fill_doors(settings: Settings, part: Part, day: date, seed: int, tell: Tell) -> None:
    """Let a term happen in one part of an empty demo. Raises: PaigeError."""
    logging.getLogger("paige").setLevel(logging.ERROR)  # nobody reads along
    anyio.run(_fill_study if part == "study" else _fill, settings, day, seed, tell)


async def _fill_study(settings: Settings, day: date, seed: int, tell: Tell) -> None:
    clock = TermClock(first_moment(day))
    calendar = Calendar(settings, clock, day, seed)
    await live_through(clock, study_happenings(calendar), tell)


async def _fill(settings: Settings, day: date, seed: int, tell: Tell) -> None:
    clock = TermClock(first_moment(day))
    with open_app(settings, strict=False, now=clock) as app:
        term = Term(settings, clock, day, seed, app)
        begin_project(term)
        async with open_coach(term) as coach:
            happenings = [
                *plan_happenings(term),
                *answer_happenings(term),
                *coach_happenings(term, coach),
                *guard_happenings(term),
                *orchestra_happenings(term),
                *memory_happenings(term),
                *call_happenings(term),
            ]
            await live_through(clock, happenings, tell)
        keep_term(term)
