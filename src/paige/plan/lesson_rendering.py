"""A lesson as markdown that teachers read, print and edit."""

from collections.abc import Iterable, Iterator

from paige.plan.lesson import (
    LOCAL_SOURCE,
    Activity,
    Check,
    Claim,
    Cycle,
    Lesson,
    Question,
    tidy,
)
from paige.plan.lesson_text import escape, escape_line, indented, opens_fence

LOCAL_MARK = "Composed without a model"
INDENT = 3


def render(lesson: Lesson) -> str:
    """The whole lesson; `lesson_reading.parse` reads it back."""
    lesson = tidy(lesson)
    lines = [
        *_head(lesson),
        *_section("Learning outcome", [escape_line(lesson.outcome)]),
        *_section("Success criteria", _bullets(lesson.success_criteria)),
        *_section("Curriculum", _bullets(render_claim(claim) for claim in lesson.curriculum)),
        *_section("Before the lesson", _before(lesson)),
        *_section("Key learning points", _bullets(lesson.key_points)),
        *_section("Keywords", _bullets(f"**{k.word}**: {k.meaning}" for k in lesson.keywords)),
        *_section("Misconceptions", _bullets(lesson.misconceptions)),
        *_activity("Starter", lesson.starter),
        *(line for number, cycle in enumerate(lesson.cycles, 1) for line in _cycle(number, cycle)),
        *_activity("Exit check", lesson.exit_check),
        *_section("Differentiation", _adaptations(lesson)),
    ]
    if lesson.homework is not None:
        lines += _section("Homework", [escape(lesson.homework)])
    lines += _section("Notes", _bullets(lesson.notes))
    return "\n".join(lines).rstrip("\n") + "\n"


def render_claim(claim: Claim) -> str:
    """A curriculum claim as the evidence check reads it."""
    edition = f" (edition {claim.edition})" if claim.edition else ""
    return f'[{claim.code}]({claim.file}#L{claim.start}-L{claim.end}) "{claim.quote}"{edition}'


def source_line(source: str) -> str:
    """Who wrote the lesson, in words."""
    return f"{source} ({LOCAL_MARK})" if source == LOCAL_SOURCE else source


def _head(lesson: Lesson) -> Iterator[str]:
    yield f"# {lesson.title}"
    yield ""
    facts = {
        "Class": lesson.class_id,
        "Year": lesson.year,
        "Subject": lesson.subject,
        "Level": lesson.level,
        "Minutes": str(lesson.minutes),
        "Date": lesson.date.isoformat() if lesson.date else "",
        "Source": source_line(lesson.source),
    }
    yield from (f"- {name}: {value}" for name, value in facts.items() if value)
    yield ""


def _section(title: str, body: Iterable[str]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    lines = list(body)
    yield from lines
    if lines:
        yield ""


def _bullets(items: Iterable[str]) -> Iterator[str]:
    return (f"- {item}" for item in items)


def _before(lesson: Lesson) -> Iterator[str]:
    yield "### Prior knowledge"
    yield ""
    yield from _bullets(lesson.prior_knowledge)
    if lesson.resources:
        yield ""
        yield "### Resources"
        yield ""
        yield from _bullets(lesson.resources)


def _activity(name: str, activity: Activity) -> Iterator[str]:
    body: list[str] = []
    if activity.instructions:
        body += [escape(activity.instructions), ""]
    body += ["### Questions", "", *_questions(activity.questions)]
    return _section(f"{name} ({activity.minutes} min)", body)


def _cycle(number: int, cycle: Cycle) -> Iterator[str]:
    parts = (
        ("Explanation", cycle.explanation),
        ("Worked example", cycle.worked_example),
        ("Practice", cycle.practice),
    )
    body: list[str] = []
    for name, text in parts:
        body += [f"### {name}", "", *([escape(text), ""] if text else [])]
    body += ["### Checks for understanding", "", *_checks(cycle.checks)]
    title = f"Learning cycle {number}" + (f": {cycle.title}" if cycle.title else "")
    return _section(f"{title} ({cycle.minutes} min)", body)


def _questions(questions: Iterable[Question]) -> Iterator[str]:
    for number, each in enumerate(questions, 1):
        yield from _numbered(number, each.question)
        yield " " * INDENT + f"- Answer: {each.answer}".rstrip()


def _checks(checks: Iterable[Check]) -> Iterator[str]:
    for number, check in enumerate(checks, 1):
        yield from _numbered(number, check.question)
        right = sum(check.question.encode()) % (len(check.distractors) + 1)
        for at, option in enumerate(check.options):
            yield " " * INDENT + f"- [{'x' if at == right else ' '}] {option}".rstrip()


def _numbered(number: int, question: str) -> Iterator[str]:
    first, *rest = escape(question, items=True).split("\n")
    if opens_fence(first):  # a code block has to begin on a line of its own
        first, rest = "", [first, *rest]
    yield f"{number}. {first}".rstrip()
    yield from (line for text in rest for line in indented(text, INDENT))


def _adaptations(lesson: Lesson) -> Iterator[str]:
    return _bullets(f"**{each.audience}**: {each.what}".rstrip() for each in lesson.differentiation)
