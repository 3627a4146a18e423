"""What can be said of a lesson without a model: plain questions with plain answers.

They hold for any lesson, whoever wrote it. A criterion that does not apply (no needs, no memory)
is passed and says so.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from paige.language.english import english, stem
from paige.language.words import runs
from paige.plan.classes import ClassProfile, Need
from paige.plan.curriculum.values import Library
from paige.plan.evidence import check
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.lesson import Lesson, Problems
from paige.plan.lessons.parser import missing_sections, parse
from paige.plan.lessons.sections import find_section
from paige.plan.local.brief import starter_minutes

ENOUGH_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question about a lesson: whether it is met, and the reason in words."""

    name: str
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a lesson had to go by; `memory` are the lines that were remembered."""

    profile: ClassProfile | None = None
    library: Library = field(default_factory=Library)
    memory: tuple[str, ...] = ()
    minutes: int | None = None  # when the request asked for another length


def judge(markdown: str, given: Grounds) -> tuple[Criterion, ...]:
    """Every criterion, in a fixed order."""
    return tuple(criterion(markdown, given) for criterion in CRITERIA)


def sections_present(markdown: str, given: Grounds) -> Criterion:
    """Whether the lesson has every section, and each can be read."""
    missing = missing_sections(markdown)
    if missing:
        return Criterion("sections", False, f"missing: {', '.join(missing)}")
    lesson = parse(markdown)
    if isinstance(lesson, Problems):
        return Criterion("sections", False, str(lesson.problems[0]))
    return Criterion("sections", True, "every section is there")


def within_limits(markdown: str, given: Grounds) -> Criterion:
    """Whether the lesson keeps to the limits of its parts."""
    found = faults_in(markdown)
    reason = str(found[0]) if found else "no fault was found"
    return Criterion("limits", not found, reason)


def timings_add_up(markdown: str, given: Grounds) -> Criterion:
    """Whether the minutes add up and are those of the class or of the request."""
    lesson = parse(markdown)
    if isinstance(lesson, Problems):
        return Criterion("timings", False, "the minutes cannot be read")
    if lesson.planned_minutes != lesson.minutes:
        said = f"the parts take {lesson.planned_minutes} of {lesson.minutes} minutes"
        return Criterion("timings", False, said)
    wanted = given.minutes or (given.profile.minutes if given.profile else None)
    if wanted is not None and lesson.minutes != wanted:
        return Criterion("timings", False, f"{lesson.minutes} minutes, but {wanted} were wanted")
    return Criterion("timings", True, f"{lesson.minutes} minutes, and they add up")


def evidence_valid(markdown: str, given: Grounds) -> Criterion:
    """Whether every curriculum claim points at a row that says so, and there is one."""
    report = check(markdown, given.library)
    if report.faults:
        return Criterion("evidence", False, report.faults[0])
    if not report.pointers:
        return Criterion("evidence", False, "no curriculum row is cited")
    unsure = len(report.unverified)
    doubt = f", {unsure} of them unverified" if unsure else ""
    return Criterion("evidence", True, f"{len(report.pointers)} pointers hold{doubt}")


def class_context_used(markdown: str, given: Grounds) -> Criterion:
    """Whether the lesson shows that it knows the class: its facts, needs, habits, what it knows."""
    name, profile = "class-context", given.profile
    if profile is None:
        return Criterion(name, True, "no class was given")
    lesson = parse(markdown)
    used: list[str] = []
    if isinstance(lesson, Lesson) and lesson.class_id.casefold() == profile.id.casefold():
        used.append("its name")
    texts: Sequence[tuple[str, Sequence[str]]] = (
        ("its needs", [need.what for need in profile.needs]),
        ("what works", profile.works),
        ("what was taught", profile.taught),
    )
    for label, lines in texts:
        if any(reflects(line, markdown) for line in lines):
            used.append(label)
    enough = min(ENOUGH_CONTEXT, 1 + sum(bool(lines) for _, lines in texts))
    said = f"uses {', '.join(used)}" if used else "nothing of the class is in it"
    return Criterion(name, len(used) >= enough, said)


def differentiation_addressed(markdown: str, given: Grounds) -> Criterion:
    """Whether each kind of need in the class file has its line."""
    name = "differentiation"
    needs = given.profile.needs if given.profile else ()
    if not needs:
        return Criterion(name, True, "the class file lists no needs")
    section = find_section(markdown, name)
    text = section.text if section else ""
    left = [need for need in needs if not _addressed(need, text)]
    if left:
        return Criterion(name, False, f"nothing for: {', '.join(each.kind for each in left)}")
    return Criterion(name, True, f"all {len(needs)} needs are answered")


def memory_referenced(markdown: str, given: Grounds) -> Criterion:
    """Whether something that was remembered has left a trace in the lesson."""
    name = "memory"
    if not given.memory:
        return Criterion(name, True, "nothing was remembered")
    lesson = parse(markdown)
    for line in given.memory:
        wanted = starter_minutes(line)
        kept = isinstance(lesson, Lesson) and wanted == lesson.starter.minutes
        if kept or reflects(line, markdown):
            return Criterion(name, True, f"used: {line}")
    return Criterion(name, False, "no memory has left a trace")


def reflects(line: str, text: str) -> bool:
    """Whether most of the telling words of a line stand in a text."""
    telling = _telling(line)
    if not telling:
        return False
    have = _telling(text)
    return len(telling & have) * 2 > len(telling)


def _addressed(need: Need, text: str) -> bool:
    kind = need.kind.casefold().split("(")[0].strip()
    named = bool(kind) and re.search(rf"(?<!\w){re.escape(kind)}(?!\w)", text.casefold())
    return bool(named) or reflects(need.what, text)


def _telling(text: str) -> set[str]:
    words = {word for word in runs(text.casefold()) if len(word) > 2} - english().unsearched
    return {stem(word) for word in words}


CRITERIA: tuple[Callable[[str, Grounds], Criterion], ...] = (
    sections_present,
    within_limits,
    timings_add_up,
    evidence_valid,
    class_context_used,
    differentiation_addressed,
    memory_referenced,
)

"""Every structural criterion, in the order in which they are reported."""
