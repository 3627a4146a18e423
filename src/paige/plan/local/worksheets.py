"""Worksheets in the form of the Study door, with a key, so that they can be marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from paige.base.clock import to_iso
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import (
    BLANK,
    Choice,
    Question,
    Section,
    Worksheet,
    make_worksheet,
)
from paige.plan.lesson import Check, Keyword, Lesson
from paige.plan.lesson_text import one_line
from paige.plan.local.brief import Brief
from paige.plan.local.starters import seed_of
from paige.plan.local.topics import Task, Topic

MOST_CHOICES = 5
MOST_TASKS = 5
SHORT_ANSWER = 30
LETTERS = "ABCDEFGH"
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_NEEDS_LESSON = re.compile(
    r"\b(?:above|the \w+ (?:program|example|text|source|poem)|this (?:text|source|step)|your|"
    r"partner|draw|design|change|trace|find out|explain|discuss|improve|mend|rewrite|act)\b|"
    r"\bwrite (?:a|an|two|three|one|your|the)\b",
    re.I,
)
_OPEN_ANSWER = re.compile(r"for example|checked by|\bown\b|as shown|\bany\b|…|with a reason", re.I)


@dataclass(frozen=True, slots=True)
class Material:
    """What a worksheet is made of, from a topic or from a lesson."""

    title: str
    subject: str
    concept: str
    words: tuple[Keyword, ...]
    checks: tuple[Check, ...]
    tasks: tuple[Task, ...]


def material_of_topic(topic: Topic) -> Material:
    """Everything Paige knows of a topic."""
    tasks = [task for step in topic.steps for task in step.tasks]
    return Material(
        topic.title, topic.subject, topic.id, topic.words, topic.questions, tuple(tasks)
    )


def material_of_lesson(lesson: Lesson) -> Material:
    """What a lesson asks, whoever wrote it."""
    checks = tuple(check for cycle in lesson.cycles for check in cycle.checks)
    asked = (*lesson.exit_check.questions, *lesson.starter.questions)
    tasks = tuple(Task(each.question, each.answer) for each in asked)
    slug = _NOT_SLUG.sub("-", lesson.title.lower()).strip("-") or "lesson"
    return Material(lesson.title, lesson.subject, slug, lesson.keywords, checks, tasks)


def compose_worksheet(material: Material, brief: Brief, now: datetime) -> str:
    """One side: words to match, choices, and short answers from easy to hard."""
    seed = seed_of(brief.request, material.concept)
    chosen = _chosen(material.checks, seed)
    built = [_words(material.words, seed), _choices(chosen), _open(material, chosen)]
    sections: list[Section] = []
    key: dict[str, str] = {}
    for part in built:
        if part is None:
            continue
        number = len(sections) + 1
        title, intro, choices, rows = part
        questions = tuple(Question(number, at, prompt) for at, (prompt, _) in enumerate(rows, 1))
        header = ("Word", "", "Meaning") if choices else ("Item", "", "Match")
        sections.append(Section(number, title, questions, intro, choices, header))
        key.update({f"{number}.{at}": answer for at, (_, answer) in enumerate(rows, 1)})
    return render_worksheet(
        make_worksheet(
            Worksheet(
                course=_NOT_SLUG.sub("-", material.subject.lower()).strip("-") or "lesson",
                concept=material.concept,
                concept_name=material.title,
                title=material.title,
                sections=tuple(sections),
                generated=to_iso(now),
                bloom_level="understand",
                instructions=_instructions(brief),
                time_estimate=f"{max(10, len(key) * 3 // 2)} minutes",
                key=key,
                metadata=(("source", "local"), ("class", brief.class_id or "none")),
            )
        )
    )


Rows = list[tuple[str, str]]
Part = tuple[str, str, tuple[Choice, ...], Rows]


def _words(words: Sequence[Keyword], seed: int) -> Part | None:
    if len(words) < 3:
        return None
    order = _shuffled(len(words), seed)
    choices = tuple(Choice(LETTERS[at], words[i].meaning) for at, i in enumerate(order))
    rows = [(word.word, LETTERS[order.index(at)]) for at, word in enumerate(words)]
    return "Words", "Write the letter of the meaning beside each word.", choices, rows


def _chosen(checks: Sequence[Check], seed: int) -> list[Check]:
    return [checks[at] for at in sorted(_shuffled(len(checks), seed)[:MOST_CHOICES])]


def _choices(chosen: Sequence[Check]) -> Part | None:
    if not chosen:
        return None
    return "Choose", "Write the letter of the right answer.", (), [_choice(each) for each in chosen]


def _choice(check: Check) -> tuple[str, str]:
    shown = "  ".join(f"{LETTERS[at]}) {_plain(option)}" for at, option in enumerate(check.options))
    letter = LETTERS[check.options.index(check.answer)]
    return f"{_plain(check.question)}  {shown}  {BLANK}", f"{letter} / {_accepted(check.answer)}"


def _open(material: Material, asked: Sequence[Check]) -> Part | None:
    """Short answers: tasks that stand on their own, then questions that were not asked yet."""
    tasks = [task for task in material.tasks if _stands_alone(task)][: MOST_TASKS - 2]
    left = [check for check in material.checks if check not in asked]
    rows = [(f"{_plain(task.task)} {BLANK}", _accepted(task.answer)) for task in tasks]
    rows += [(f"{_plain(each.question)} {BLANK}", _accepted(each.answer)) for each in left]
    if not rows:
        return None
    return "Your turn", "Write your answer in the gap.", (), rows[:MOST_TASKS]


def _stands_alone(task: Task) -> bool:
    """Whether a task can be read, done and marked without the lesson or a person."""
    short = len(task.answer) <= SHORT_ANSWER and "```" not in task.task
    return short and not (_NEEDS_LESSON.search(task.task) or _OPEN_ANSWER.search(task.answer))


def _plain(text: str) -> str:
    """One line without a gap of its own."""
    return one_line(text.replace(BLANK, "…").replace("*(", "("))


def _accepted(text: str) -> str:
    """An answer of the key: what separates alternatives or gaps is not part of it."""
    return one_line(text.replace(";", ",").replace(" / ", " or "))


def _shuffled(count: int, seed: int) -> list[int]:
    """An order that follows from a number, and is not the order things came in."""
    left = list(range(count))
    order: list[int] = []
    for _ in range(count):
        order.append(left.pop(seed % len(left)))
        seed = seed * 1103515245 + 12345 & 0x7FFFFFFF
    return order if order != list(range(count)) or count < 2 else [*order[1:], order[0]]


def _instructions(brief: Brief) -> str:
    if brief.preferences.informal:
        return "Have a go on your own first, then check with your partner. Gaps are for you."
    return "Work alone. Write in the gaps. For a choice, write the letter."
