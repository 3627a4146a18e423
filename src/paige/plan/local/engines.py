"""What answers the planning commands without a model: a shipped lesson that fits, or a frame.

Rules write no prose. What they cannot do they say in one sentence, with what the person can do.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.exercise.worksheet.render import render_worksheet
from paige.language.names.gate import NameGate
from paige.language.words import plain, sentences, word_count
from paige.models.errors import ModelError
from paige.models.local import Registry
from paige.models.requests import Request
from paige.plan.class_names import recognise
from paige.plan.classes import ClassProfile
from paige.plan.lessons.lesson import render
from paige.plan.lessons.sections import sections, split_minutes
from paige.plan.local.brief import Brief, Sources, read_brief
from paige.plan.local.fit import Fit, fit, telling
from paige.plan.local.frame import lesson_frame, unit_frame, worksheet_frame
from paige.plan.local.rows import rows_of
from paige.plan.local.shipped_lesson import shipped_lesson
from paige.plan.local.topics import Topic, shipped_topics
from paige.plan.outputs.worksheet import worksheet_in, worksheet_of
from paige.plan.services import SECTION, SectionTexts, SectionWish
from paige.store.documents import Documents

MOST_WORDS = 25
SOMEBODY = "one pupil"
NOTHING = "There is nothing to remember in this: say one thing that will still be true in a month."
ALL_KNOWN = "All of this is remembered already."
_REMEMBER = re.compile(
    r"^\W*(?:please\s+)?(?:can you\s+|could you\s+)?(?:remember|note|keep in mind|save|store|add)"
    r"(?:\s+(?:that|this|down|to (?:the )?memory))*\b[:,\s]*",
    re.I,
)
_FOR_CLASS = re.compile(r"^(?:for|about|in|with)\s+(?:class\s+)?\S+\s*[:,-]\s*", re.I)
_ABOUT_TEACHER = re.compile(
    r"\b(?:i|i'm|my)\b(?! (?:class|group|lot|\d))|\b(?:worksheets?|plans?) (?:should|must)\b", re.I
)


def compose_notes(brief: Brief, names: NameGate) -> str:
    """The notes as the memory keeper writes them: `- [class 3B] text`, or why there are none."""
    known = {plain(line.text) for line in brief.remembered}
    notes: list[str] = []
    repeated = False
    for class_id, text in _facts(brief, names):
        if plain(text) in known:
            repeated = True
            continue
        scope = f"class {class_id}" if class_id else "teacher"
        notes.append(f"- [{scope}] {text}")
    if notes:
        return "\n".join(dict.fromkeys(notes))
    return ALL_KNOWN if repeated else NOTHING


def _facts(brief: Brief, names: NameGate) -> Iterable[tuple[str, str]]:
    """Each sentence with the class it is about; a class once named is meant until another is."""
    current = brief.class_id
    for sentence in sentences(brief.request.replace("; ", "\n")):
        named = recognise(sentence, brief.classes).known
        current = named[0] if named else current
        text = _without_order(sentence, brief.classes)
        if word_count(text) < 3:
            continue
        about = "" if _ABOUT_TEACHER.search(text) and not named else current
        yield about, _sentence(_anonymous(text, names, brief.classes))


def _without_order(sentence: str, classes: Sequence[ClassProfile]) -> str:
    text = _REMEMBER.sub("", sentence.strip())
    head = _FOR_CLASS.match(text)
    if head and recognise(head[0], classes).known:
        text = text[head.end() :]
    return text


def _anonymous(text: str, names: NameGate, classes: Sequence[ClassProfile]) -> str:
    """The text without names; the letter of a class is no initial of the name after it."""
    searched = text
    for profile in classes:
        pattern = rf"(?<![\w-]){re.escape(profile.id)}(?!\w)"
        searched = re.sub(pattern, "x" * len(profile.id), searched, flags=re.I)
    for span in reversed(names.find(searched)):
        text = f"{text[: span.start]}{SOMEBODY}{text[span.end :]}"
    return text


def _sentence(text: str) -> str:
    words = " ".join(text.split()).strip(" -*")
    if len(words.split()) > MOST_WORDS:
        words = " ".join(words.split()[:MOST_WORDS]) + " …"
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."


PLUGIN = "lesson-planning"
COVER = "Cover: "
NO_CHANGE = "Without a model Paige does not change a lesson: it would have to understand it."
INSTEAD = "Open it under `lessons/` and edit it there, or choose a model in Settings."
_PATH = re.compile(r"\b(?:workspace/)?(lessons/[^\s`'\"]{1,200}?\.md)\b", re.I)
_ONLY_MINUTES = re.compile(
    r"(?:please[\s,]+)?(?:(?:make|set|change|keep)\s+)?(?:(?:it|this|the\s+\w+(?:\s\w+)?)\s+)?"
    r"(?:(?:to|of|last|take|be)\s+)?(?P<minutes>\d{1,3})[\s-]*min(?:ute)?s?(?:\s+long)?"
    r"(?:[\s,]+please)?[\s.!]*",
    re.I,
)


class NeedsModel(ModelError):
    """Rules cannot write this; a person or a model could."""

    code = "needs_model"


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
        "refine-lesson": lambda request: f"{NO_CHANGE} {INSTEAD}",
        "cover-lesson": lambda request: cover_lesson(read_brief(request, sources)),
        "unit-overview": lambda request: unit_overview(read_brief(request, sources)),
        "worksheet": lambda request: worksheet(request, sources, now),
        "update-memory": lambda request: compose_notes(read_brief(request, sources), NameGate()),
    }
    for name, answer in engines.items():
        registry.register(f"{PLUGIN}:{name}", Request, answer)
    registry.register(SECTION, SectionWish, section)


def create_lesson(request: Request, sources: Sources) -> str:
    """The shipped lesson that fits, or the frame. Raises: NeedsModel.

    What is said after a lesson and names no shipped one may be a wish or another topic: rules
    cannot tell.
    """
    brief = read_brief(request, sources)
    found = fit(brief)
    if found.topic is not None:
        return render(shipped_lesson(brief, found.topic, found))
    if _lesson_said(request):
        raise NeedsModel(
            NO_CHANGE.rstrip("."), hint=f"{INSTEAD} For another lesson, begin a new session."
        )
    return lesson_frame(brief, found)


def cover_lesson(brief: Brief) -> str:
    """The shipped lesson that fits, for a colleague, or the frame."""
    found = fit(brief)
    if found.topic is None:
        return lesson_frame(brief, found, title=COVER)
    lesson = shipped_lesson(brief, found.topic, found)
    told = "It was not written for a colleague of another subject: look whether it suits one."
    return render(replace(lesson, title=f"{COVER}{lesson.title}"[:80], notes=(told, *lesson.notes)))


def unit_overview(brief: Brief) -> str:
    """The shipped lessons on a topic in their order; everything else is open."""
    found = fit(brief)
    if found.topic is None:
        return unit_frame(brief, found)
    return unit_frame(brief, Fit(near=found.near), _following(found.topic, brief))


def worksheet(request: Request, sources: Sources, now: Clock) -> str:
    """The questions of a lesson that is named or said, or of a shipped one that fits; or a frame.

    Raises: NotFound, BadInput when the lesson cannot be read or asks nothing.
    """
    brief = read_brief(request, sources)
    if markdown := _lesson_named(request, brief, sources):
        return render_worksheet(worksheet_in(markdown, now()))
    found = fit(brief)
    if found.topic is None:
        return worksheet_frame(brief, found)
    lesson = shipped_lesson(brief, found.topic, found)
    return render_worksheet(worksheet_of(lesson, slug=found.topic.id, now=now()))


def section(wish: SectionWish) -> SectionTexts:
    """A section with other minutes, if that is all that is wished. Raises: NeedsModel."""
    minutes = _ONLY_MINUTES.fullmatch(wish.wish.strip())
    name, before = split_minutes(wish.title)
    if minutes and before is not None and not wish.alternatives and int(minutes["minutes"]) > 0:
        return SectionTexts((f"## {name} ({int(minutes['minutes'])} min)\n\n{wish.text}",))
    what = "offer alternatives to" if wish.alternatives else "rewrite"
    raise NeedsModel(
        f"Without a model Paige does not {what} a section",
        hint="Choose “Write it yourself”, or choose a model in Settings.",
    )


def _following(topic: Topic, brief: Brief) -> list[Topic]:
    """A topic and those that build on it, at the level of the class."""
    order = [topic]
    for here in order:
        order += [
            each
            for each in shipped_topics()
            if here.id in each.after and each.curriculum == topic.curriculum
            if each not in order and rows_of(each, brief.library, brief.level).outcomes
        ]
    return order


def _lesson_named(request: Request, brief: Brief, sources: Sources) -> str:
    """The lesson at a path, or, where no topic is named, the last one of this conversation."""
    if path := _PATH.search(brief.request):
        return sources.documents.read(path[1]).text
    return "" if telling(brief.words) else _lesson_said(request)


def _lesson_said(request: Request) -> str:
    """The last lesson of this conversation, or nothing."""
    said = (each.text for each in reversed(request.messages) if each.role == "assistant")
    return next((text for text in said if len(sections(text)) > 5), "")
