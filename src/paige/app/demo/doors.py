"""Fills every door of a demo, one moment of the term after the other."""

import logging
from datetime import date
from functools import partial
from typing import Literal

import anyio

from paige.app.application import open_app
from paige.app.demo.coach import begin_project, coach_happenings, open_coach
from paige.app.demo.guard import guard_happenings
from paige.app.demo.models import call_happenings
from paige.app.demo.orchestra import orchestra_happenings
from paige.app.demo.plan import answer_happenings, plan_happenings
from paige.app.demo.study import study_happenings
from paige.app.demo.term import (
    Calendar,
    Json,
    Tell,
    Term,
    TermClock,
    TermEvent,
    content,
    first_moment,
    live_through,
)
from paige.app.memory_use import writer_of
from paige.base.errors import NotFound
from paige.base.settings import Settings
from paige.memory.event import Draft
from paige.store.documents import NEW

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


def memory_happenings(term: Term) -> list[TermEvent]:
    """Notes, and documents that a person wrote."""
    told = content("memory")
    kinds = (("note", _note), ("document", _document))
    return [
        term.happening("memory", each, partial(do, term))
        for kind, do in kinds
        for each in told[kind]
    ]


def keep_term(term: Term) -> None:
    """Organise what came together, so that the first search is quick."""
    term.app.memory.open().maintain("compact")


async def _note(term: Term, told: Json) -> None:
    draft = Draft(text=told["text"], scope=told["scope"])
    term.app.memory.open().remember([draft], writer_of(term.app))


async def _document(term: Term, told: Json) -> None:
    documents = term.app.memory.open().documents
    try:
        base = documents.read(term.app.actor, told["path"]).version
    except NotFound:
        base = NEW
    documents.write(term.app.actor, told["path"], told["text"], base=base)
