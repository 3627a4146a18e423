"""What the hooks of a lesson run work with, what they ask for, and what they can tell of a run.

`app.registries` builds the services once for a runtime and makes the hooks from them. Who answers a
run (a provider, or local rules) belongs to the run, not to the services: hooks ask through their
`HookView`, which also keeps the answer in the journal and counts what it cost.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from paige.agent import queries
from paige.agent.hooks import HookView
from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.clock import Clock, to_iso
from paige.plan.known import Briefing, read_briefing
from paige.plan.lessons.text import facts_of
from paige.plan.products import Product, product_of
from paige.store.documents import Documents
from paige.store.engine import Database

SECTION = "plan:section"
"""The purpose of writing one section of a lesson anew; the local engine takes a `SectionWish`."""


Misconceptions = Callable[[str], Awaitable[Sequence[str]]]
"""What enough learners of a class get wrong, a sentence each; it never says who."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanServices:
    """What the hooks of a runtime share; without `memory` nothing is remembered or surfaced."""

    documents: Documents
    actor: Actor
    now: Clock
    db: Database
    memory: MemoryAccess | None = None
    misconceptions: Misconceptions | None = None
    command: str = ""  # as `lesson-planning:create-lesson`
    agent: str = ""  # who carries it out, unless it hands over to another one
    writes: str = "lessons/"  # the folder of the workspace that its results are saved in


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWish:
    """One section to be written anew, and nothing else of the lesson.

    With `alternatives` that many different texts are wanted, else one that follows `wish`.
    `faults` say what was wrong with the last attempt.
    """

    markdown: str  # the whole lesson as it is now
    section: str  # the id that `lesson_sections.sections` gives it
    title: str  # as in the lesson, with its minutes: `Starter (10 min)`
    text: str
    wish: str = ""
    alternatives: int = 0
    class_id: str | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionTexts:
    """What the local engine of `SECTION` returns: one text, or as many as were wanted.

    A text is what stands below the heading; it may begin with the heading when the minutes change.
    """

    texts: tuple[str, ...]


_NAME = re.compile(r"[\w.+-]{1,16}")


def briefing_of(view: HookView) -> Briefing | None:
    """What the teacher confirmed in this conversation, if anything yet."""
    return read_briefing(view.context.history)


def class_of(view: HookView, draft: str = "") -> str | None:
    """The class of a run: the one that was confirmed, or the one it was started with.

    Who asks to change a lesson may not name its class; then the draft says it.
    """
    briefing = briefing_of(view)
    if briefing is not None and briefing.class_id:
        return briefing.class_id
    said = facts_of(draft).get("Class", "")
    return view.inputs.get("class_id") or (said if _NAME.fullmatch(said) else None)


def product_in(services: PlanServices, view: HookView, markdown: str) -> Product:
    """What a text is; an agent that was handed the work makes what it is there for."""
    handed_over = bool(services.agent) and view.agent != services.agent
    return product_of("" if handed_over else services.command, markdown)


async def answered_at(services: PlanServices, view: HookView) -> dict[int, datetime]:
    """When each question of this hook was answered, by its number."""
    gates = await services.db.read(queries.gates_of, services.actor, view.run)
    own = f"{view.path}/"
    return {
        int(number): row.answered_at
        for row in gates
        if row.gate.startswith(own) and row.answered_at is not None
        if (number := row.gate.removeprefix(own)).isdecimal()
    }


async def answer_time(services: PlanServices, view: HookView, number: int) -> str:
    """When one question was answered, as text."""
    moment = (await answered_at(services, view)).get(number)
    return to_iso(moment or services.now())
