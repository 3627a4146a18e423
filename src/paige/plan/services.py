"""What the hooks of a lesson run work with, and what they ask a model or the local engine.

`app.registries` builds the services once for a runtime and makes the hooks from them. Who answers a
run (a provider, or local rules) belongs to the run, not to the services: hooks ask through their
`HookView`, which also keeps the answer in the journal and counts what it cost.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.clock import Clock
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
