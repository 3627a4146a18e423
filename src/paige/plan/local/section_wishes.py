"""One section written anew: by a teacher's words, or in several other ways.

The rules change the whole lesson as asked and take the one section from it. What they do not
understand is an error that says what they would understand; nothing is pretended.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from paige.models.errors import ModelError
from paige.plan.lesson import Lesson, Problems
from paige.plan.lesson_faults import faults
from paige.plan.lesson_reading import known_section, parse
from paige.plan.lesson_rendering import render
from paige.plan.lesson_sections import sections
from paige.plan.local.alternatives import alternatives
from paige.plan.local.changes import Context
from paige.plan.local.refining import refine
from paige.plan.local.wishes import (
    Adding,
    Change,
    LeavingOut,
    LessonOf,
    NotUnderstood,
    StarterOf,
    Wish,
    read_wishes,
)
from paige.plan.services import SectionTexts, SectionWish

UNDERSTOOD = (
    "Without a model Paige understands: shorter, longer, 5 minutes, simpler words, more challenge, "
    "more support, EAL, ASN, more retrieval, different, add …, leave out …"
)
_LISTS = {
    "success-criteria": "success_criteria",
    "key-learning-points": "key_points",
    "misconceptions": "misconceptions",
    "notes": "notes",
    "before-the-lesson": "resources",
}


class CannotCompose(ModelError):
    """The rules cannot write this; a person or a model could."""

    code = "cannot_compose"


def write_section(wish: SectionWish, context: Callable[[Lesson], Context]) -> SectionTexts:
    """The texts for a section. Raises: CannotCompose."""
    lesson = parse(wish.markdown)
    if isinstance(lesson, Problems):
        raise CannotCompose(
            "Without a model only the sections of a whole lesson can be written anew",
            hint=str(lesson.problems[0]),
        )
    section = _section(wish)
    known = context(lesson)
    if wish.alternatives:
        return SectionTexts(_several(lesson, section, wish.alternatives, known))
    return SectionTexts((_one(lesson, section, wish.wish, known),))


def _section(wish: SectionWish) -> str:
    found = next((each for each in sections(wish.markdown) if each.id == wish.section), None)
    return known_section(found) if found else wish.section


def _several(lesson: Lesson, section: str, number: int, context: Context) -> tuple[str, ...]:
    own = _text(lesson, section)
    before = {fault.message for fault in faults(lesson)}
    texts: dict[str, None] = {}
    for other in alternatives(lesson, section, context):
        text = _text(other, section)
        if text != own and not {fault.message for fault in faults(other)} - before:
            texts.setdefault(text)
    if len(texts) < number:
        raise CannotCompose(
            f"Without a model there are only {len(texts)} other ways to write this section",
            hint="Say what should change, or choose a model.",
        )
    return tuple(texts)[:number]


def _one(lesson: Lesson, section: str, words: str, context: Context) -> str:
    """The section after a wish; what stays open is an error, because only one text is shown."""
    wishes = read_wishes(words, context.classes, own_class=lesson.class_id)
    changed = lesson
    problems: list[str] = []
    for wish in wishes:
        step = _carried_out(changed, section, wish, context)
        if isinstance(step, str):
            problems.append(step)
        else:
            changed = step
    text = _text(changed, section)
    if text == _text(lesson, section):
        problems = problems or [f"“{' '.join(words.split())}” changes nothing in this section"]
        raise CannotCompose("; ".join(problems), hint=UNDERSTOOD)
    return text


def _carried_out(lesson: Lesson, section: str, wish: Wish, context: Context) -> Lesson | str:
    """The lesson after a wish about one section, or why it could not be done."""
    wish = _about(section, wish, lesson)
    match wish:
        case Adding():
            return _added(lesson, section, wish.text)
        case LeavingOut():
            return _left_out(lesson, section, wish.text)
        case Change(kind="other"):
            ways = alternatives(lesson, section, context)
            return ways[0] if ways else "there is no other way known for this section"
        case Change(kind="fewer" | "more"):
            return _resized(lesson, section, wish.kind)
        case NotUnderstood():
            return f"“{wish.text}” was not understood"
        case _:
            refined = refine(lesson, [wish], context)
            return refined.lesson if refined.changed else "; ".join(refined.could_not)


def _about(section: str, wish: Wish, lesson: Lesson) -> Wish:
    """A wish as it is meant in a section: `shorter` in the starter is a shorter starter."""
    if section == "starter":
        match wish:
            case LessonOf():
                return StarterOf(wish.minutes, longer=wish.minutes > lesson.starter.minutes)
            case Change(kind="fewer"):
                return StarterOf(None)
            case Change(kind="more"):
                return Change("retrieval")
            case _:
                return wish
    if section.startswith("learning-cycle-"):
        match wish:
            case Change(kind="fewer"):
                return Change("shorter-practice")
            case Change(kind="more"):
                return Change("longer-practice")
            case _:
                return wish
    return wish


def _added(lesson: Lesson, section: str, text: str) -> Lesson | str:
    item = text[:1].upper() + text[1:]
    if section in _LISTS:
        field = _LISTS[section]
        items: tuple[str, ...] = getattr(lesson, field)
        return replace(lesson, **{field: (*items, item)})
    if section == "homework":
        return replace(lesson, homework="\n\n".join(filter(None, [lesson.homework, item])))
    if section == "starter":
        words = "\n\n".join([lesson.starter.instructions, item])
        return replace(lesson, starter=replace(lesson.starter, instructions=words))
    if section == "exit-check":
        words = "\n\n".join([lesson.exit_check.instructions, item])
        return replace(lesson, exit_check=replace(lesson.exit_check, instructions=words))
    if section.startswith("learning-cycle-"):
        at = int(section.rsplit("-", 1)[1]) - 1
        cycle = lesson.cycles[at]
        cycle = replace(cycle, explanation=f"{cycle.explanation}\n\n{item}")
        return replace(lesson, cycles=(*lesson.cycles[:at], cycle, *lesson.cycles[at + 1 :]))
    return f"“{text}” cannot be added here by rules"


def _left_out(lesson: Lesson, section: str, text: str) -> Lesson | str:
    wanted = set(re.findall(r"\w+", text.casefold())) - {"the", "a", "one", "about", "on"}

    def stays(item: str) -> bool:
        return not wanted <= set(re.findall(r"\w+", item.casefold()))

    changed = _without(lesson, section, stays)
    return f"nothing in this section says “{text}”" if changed == lesson else changed


def _without(lesson: Lesson, section: str, stays: Callable[[str], bool]) -> Lesson:
    if section in _LISTS:
        field = _LISTS[section]
        return replace(lesson, **{field: tuple(filter(stays, getattr(lesson, field)))})
    match section:
        case "keywords":
            return replace(lesson, keywords=tuple(k for k in lesson.keywords if stays(k.word)))
        case "differentiation":
            kept = tuple(a for a in lesson.differentiation if stays(f"{a.audience} {a.what}"))
            return replace(lesson, differentiation=kept)
        case "starter":
            kept_asked = tuple(q for q in lesson.starter.questions if stays(q.question))
            return replace(lesson, starter=replace(lesson.starter, questions=kept_asked))
        case "exit-check":
            kept_asked = tuple(q for q in lesson.exit_check.questions if stays(q.question))
            return replace(lesson, exit_check=replace(lesson.exit_check, questions=kept_asked))
        case _:
            return lesson


def _resized(lesson: Lesson, section: str, kind: str) -> Lesson | str:
    if kind == "more":
        return "say what should be added: “add …”"
    fields: dict[str, tuple[str, int]] = {
        "success-criteria": ("success_criteria", 2),
        "key-learning-points": ("key_points", 3),
        "keywords": ("keywords", 1),
        "misconceptions": ("misconceptions", 1),
        "notes": ("notes", 1),
    }
    if section == "exit-check":
        asked = lesson.exit_check.questions
        return replace(
            lesson, exit_check=replace(lesson.exit_check, questions=asked[: max(1, len(asked) - 1)])
        )
    if section not in fields:
        return "this section cannot be cut by rules"
    field, fewest = fields[section]
    items: Sequence[object] = getattr(lesson, field)
    if len(items) <= fewest:
        return f"it has only {len(items)} already"
    return replace(lesson, **{field: tuple(items[:-1])})


def _text(lesson: Lesson, section: str) -> str:
    """The section as it stands in the lesson's markdown, with its heading where it has minutes."""
    found = next(
        (each for each in sections(render(lesson)) if known_section(each) == section), None
    )
    if found is None:
        return ""
    timed = section in ("starter", "exit-check") or section.startswith("learning-cycle-")
    return f"## {found.title}\n\n{found.text}" if timed else found.text
