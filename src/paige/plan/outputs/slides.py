"""A lesson as an outline of slides in markdown: one idea a slide, answers on the next one."""

import re
from collections.abc import Iterable, Iterator

from paige.plan.lesson import Activity, Cycle, Lesson

# An answer in brackets at the end of a task, or on a line of its own.
_ANSWER = re.compile(
    r"(?:(?<![ \t])[ \t]++)?(?P<mark>[*_]{0,2})\(answers?:.{0,2000}\)(?P=mark)[ \t]*+$"
    r"|^[ \t]*+(?:[-*+][ \t]*+)?[*_]{0,2}answers?[*_]{0,2}:.*(?:\n|\Z)",
    re.I | re.M,
)


def slides_of(lesson: Lesson) -> str:
    """Slides separated by `---`, as most slide tools read them."""
    return "\n\n---\n\n".join(_slides(lesson)) + "\n"


def _slides(lesson: Lesson) -> Iterator[str]:
    yield f"# {lesson.title}\n\n{lesson.class_id} · {lesson.subject} · {lesson.minutes} minutes"
    yield _slide("What we are learning", [lesson.outcome])
    yield _slide("You will know it when you can say", lesson.success_criteria)
    yield from _activity("Starter", lesson.starter)
    yield _slide("Words we need", (f"**{k.word}**: {k.meaning}" for k in lesson.keywords))
    for number, cycle in enumerate(lesson.cycles, 1):
        yield from _cycle(number, cycle)
    yield from _activity("Before you go", lesson.exit_check)
    if lesson.homework:
        yield f"## Homework\n\n{lesson.homework}"


def _cycle(number: int, cycle: Cycle) -> Iterator[str]:
    yield f"## {number}. {cycle.title}\n\n{cycle.explanation}"
    yield f"## Watch first\n\n{cycle.worked_example}"
    tasks = _ANSWER.sub("", cycle.practice).rstrip()
    yield f"## Your turn ({cycle.minutes} min for this part)\n\n{tasks}"
    if tasks != cycle.practice.rstrip():
        yield f"## Your turn: answers\n\n{cycle.practice}"
    for check in cycle.checks:
        letters = [f"{chr(65 + at)}. {option}" for at, option in enumerate(check.options)]
        yield f"## Check\n\n{check.question}\n\n" + "\n".join(f"- {line}" for line in letters)
        yield f"## Check: answer\n\n{check.answer}"


def _activity(title: str, activity: Activity) -> Iterator[str]:
    asked = [f"{at}. {each.question}" for at, each in enumerate(activity.questions, 1)]
    told = [f"{at}. {each.answer}" for at, each in enumerate(activity.questions, 1)]
    # How it is run is for the teacher, unless there is nothing else to show.
    shown = "\n".join(asked) or activity.instructions
    yield f"## {title} ({activity.minutes} min)\n\n{shown}"
    if told:
        yield f"## {title}: answers\n\n" + "\n".join(told)


def _slide(title: str, lines: Iterable[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines)
