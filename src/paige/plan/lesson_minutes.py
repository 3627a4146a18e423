"""Keeps the minutes of a lesson right after one part was made shorter or longer."""

from paige.plan.lesson import Lesson
from paige.plan.lesson_reading import known_section, parse
from paige.plan.lesson_sections import SectionText, sections, split_minutes

FEWEST = 5
"""No part is made shorter than this to make room for another."""


def balanced(markdown: str, keep: str) -> str:
    """The lesson with its minutes adding up again; the part `keep` has the minutes it was given.

    The difference goes to the learning cycles, or comes from them, the longest first. Only headings
    change. A text that is no lesson, or whose minutes cannot be mended, comes back as it was.
    """
    lesson = parse(markdown)
    if not isinstance(lesson, Lesson):
        return markdown
    missing = lesson.minutes - lesson.planned_minutes
    if missing == 0:
        return markdown
    others = [
        each
        for each in sections(markdown)
        if known_section(each).startswith("learning-cycle-") and each.id != keep
    ]
    minutes = {each.id: split_minutes(each.title)[1] or 0 for each in others}
    for _ in range(abs(missing)):
        if not minutes:
            return markdown
        if missing > 0:
            chosen = min(minutes, key=lambda id: minutes[id])
            minutes[chosen] += 1
        else:
            chosen = max(minutes, key=lambda id: minutes[id])
            if minutes[chosen] <= FEWEST:
                return markdown
            minutes[chosen] -= 1
    lines = markdown.split("\n")
    for each in others:
        lines[each.start - 1] = _heading(each, minutes[each.id])
    return "\n".join(lines)


def _heading(section: SectionText, minutes: int) -> str:
    name, _ = split_minutes(section.title)
    return f"## {name} ({minutes} min)"
