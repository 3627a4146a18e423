"""The local engines of the planning commands: each reads what it needs, then composes by rules."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.memory.names.gate import NameGate
from paige.models.local import Registry
from paige.models.requests import Request
from paige.plan.lesson import Lesson, Problems
from paige.plan.lesson_reading import parse
from paige.plan.lesson_rendering import render
from paige.plan.local.brief import Brief, Sources, brief_of, read_brief
from paige.plan.local.changes import Context
from paige.plan.local.composing import compose, topic_of
from paige.plan.local.covers import compose_cover, cover_topic
from paige.plan.local.finding_lessons import FoundLesson, find_lesson, lesson_said
from paige.plan.local.memory_notes import compose_notes
from paige.plan.local.merging import merge
from paige.plan.local.refining import refine, with_report
from paige.plan.local.scaffolding import scaffold
from paige.plan.local.section_wishes import CannotCompose, write_section
from paige.plan.local.topic_finding import find_topics
from paige.plan.local.topics import Topic, shipped_topics
from paige.plan.local.units import compose_unit
from paige.plan.local.wishes import (
    Change,
    NotUnderstood,
    Wish,
    read_wishes,
    wishes_in_request,
)
from paige.plan.local.worksheets import (
    compose_worksheet,
    material_of_lesson,
    material_of_topic,
)
from paige.plan.services import SECTION, SectionTexts, SectionWish
from paige.store.documents import Documents

PLUGIN = "lesson-planning"
_HEARD = "As you asked"


def register(
    registry: Registry,
    documents: Documents,
    memory: MemoryAccess | None,
    actor: Actor,
    now: Clock,
) -> None:
    """Add the engines of every planning command; without `memory` nothing is remembered."""
    sources = Sources(documents, memory, actor)
    engines: dict[str, Callable[[Request], str]] = {
        "create-lesson": lambda request: create_lesson(request, sources),
        "refine-lesson": lambda request: refine_lesson(request, sources),
        "cover-lesson": lambda request: cover_lesson(read_brief(request, sources)),
        "unit-overview": lambda request: unit_overview(read_brief(request, sources)),
        "worksheet": lambda request: worksheet(request, sources, now),
        "update-memory": lambda request: update_memory(read_brief(request, sources)),
    }
    for name, answer in engines.items():
        registry.register(f"{PLUGIN}:{name}", Request, answer)

    def section(wish: SectionWish) -> SectionTexts:
        return write_section(wish, lambda lesson: context_for(lesson, sources, wish.wish))

    registry.register(SECTION, SectionWish, section)


def create_lesson(request: Request, sources: Sources) -> str:
    """A lesson on what was asked for; on something unknown an honest scaffold.

    What is said after a lesson and names no other topic is about that lesson.
    """
    brief = read_brief(request, sources)
    topic = topic_of(brief)
    if topic is None and lesson_said(request.messages):
        return refine_lesson(request, sources)
    lesson = compose(brief, topic) if topic else scaffold(brief)
    return render(_as_said(lesson, brief, sources))


def refine_lesson(request: Request, sources: Sources) -> str:
    """The lesson that is meant, changed as asked and nowhere else. Raises: CannotCompose."""
    brief = read_brief(request, sources)
    found = find_lesson(brief.request, request.messages, sources.documents, brief.class_id)
    if found is None:
        raise CannotCompose(
            "There is no lesson to change", hint="Name its file under `lessons/`, or plan one."
        )
    lesson = parse(found.markdown)
    if isinstance(lesson, Problems):
        where = f"`{found.path}`" if found.path else "The lesson"
        raise CannotCompose(f"{where} cannot be changed by rules", hint=str(lesson.problems[0]))
    return _refined(found, lesson, brief, sources)


def _refined(found: FoundLesson, lesson: Lesson, brief: Brief, sources: Sources) -> str:
    words = "\n".join(filter(None, [brief.request, brief.said]))
    about = f"{lesson.title} {found.path}"
    wishes = read_wishes(words, brief.classes, own_class=lesson.class_id, about=about)
    refined = refine(lesson, wishes, context_for(lesson, sources, brief.request))
    changed = with_report(refined)
    if found.others:
        note = f"{found.others} other lessons could have been meant; this is the newest one."
        changed = _with_note(changed, note)
    return merge(found.markdown, lesson, changed)


def cover_lesson(brief: Brief) -> str:
    """A lesson for a colleague: of something the class knows."""
    topic = cover_topic(brief)
    if topic is None:
        return render(scaffold(brief))
    return render(compose_cover(brief, topic))


def unit_overview(brief: Brief) -> str:
    """A sequence of lessons. Raises: CannotCompose when there is no material on the topic."""
    topic = topic_of(brief)
    if topic is None:
        raise CannotCompose(
            f"Paige has no material on `{brief.words}`, and a unit cannot be made of nothing",
            hint="Name a topic such as `loops` or `percentages`, or use a model.",
        )
    return compose_unit(brief, topic)


def worksheet(request: Request, sources: Sources, now: Clock) -> str:
    """A worksheet on a lesson that is named, or on a topic. Raises: CannotCompose."""
    brief = read_brief(request, sources)
    topic = topic_of(brief)
    if "lessons/" in brief.request or topic is None:
        # Words that name something are about that, not about whatever was planned last.
        found = find_lesson(
            brief.request,
            request.messages,
            sources.documents,
            brief.class_id,
            named=bool(brief.words),
        )
        lesson = parse(found.markdown) if found else None
        if isinstance(lesson, Lesson):
            return compose_worksheet(material_of_lesson(lesson), brief, now())
    if topic is None:
        raise CannotCompose(
            f"Paige has no material on `{brief.words or brief.request}`, and no lesson on it",
            hint="Plan the lesson first, or name a topic such as `loops`.",
        )
    return compose_worksheet(material_of_topic(topic), brief, now())


def update_memory(brief: Brief) -> str:
    """Notes to remember, for the teacher to confirm."""
    return compose_notes(brief, NameGate())


def context_for(lesson: Lesson, sources: Sources, request: str = "") -> Context:
    """What changes of a lesson may draw on, read from the workspace as it is now."""
    brief = brief_of("", sources, class_id=lesson.class_id or None)

    def taught(class_id: str) -> Sequence[Topic]:
        if class_id == brief.class_id:
            return brief.taught
        return brief_of("", sources, class_id=class_id).taught

    return Context(
        topic=topic_of_lesson(lesson),
        library=brief.library,
        classes=brief.classes,
        taught=taught,
        request=request,
    )


def topic_of_lesson(lesson: Lesson) -> Topic | None:
    """The topic a lesson is about: by its title, or by the names in its title and outcome."""
    topics = shipped_topics()
    title = lesson.title.removeprefix("Cover: ")
    for topic in topics:
        if topic.title == title:
            return topic
    own = [topic for topic in topics if topic.subject == lesson.subject] or list(topics)
    found = find_topics(title, own) or find_topics(lesson.outcome, own)
    return found[0].topic if found else None


def _as_said(lesson: Lesson, brief: Brief, sources: Sources) -> Lesson:
    """The lesson with what the teacher added in the request or before it was written."""
    said = read_wishes(brief.said, brief.classes, own_class=brief.class_id, about=brief.words)
    usual = (Change("homework"),) if brief.preferences.homework and not lesson.homework else ()
    wishes = [*_beside(brief), *usual, *said]
    if not wishes:
        return lesson
    refined = refine(lesson, wishes, context_for(lesson, sources, brief.request))
    changed = refined.lesson
    if refined.changed:
        changed = _with_note(changed, f"{_HEARD}: {'; '.join(refined.changed)}.")
    if refined.could_not:
        changed = _with_note(changed, f"Not done: {'; '.join(refined.could_not)}.")
    return changed


def _beside(brief: Brief) -> list[Wish]:
    """The wishes in the request itself; the words of a class or topic are none."""
    plain = brief.request
    for profile in brief.classes:
        plain = re.sub(rf"(?<![\w-]){re.escape(profile.id)}(?!\w)", "", plain, flags=re.I)
    return [
        wish
        for wish in wishes_in_request(plain)
        if not (isinstance(wish, NotUnderstood) and find_topics(wish.text, brief.topics))
    ]


def _with_note(lesson: Lesson, note: str) -> Lesson:
    return replace(lesson, notes=(*lesson.notes, note))
