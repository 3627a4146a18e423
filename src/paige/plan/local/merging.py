"""Brings a change of a lesson into the markdown it came from; what did not change stays as it was.

A teacher's own words, extra sections and spacing survive, because only the lines of changed
sections and facts are written.
"""

import re

from paige.plan.lesson import Lesson
from paige.plan.lesson_reading import known_section
from paige.plan.lesson_rendering import render
from paige.plan.lesson_sections import SectionText, replace_section, sections

_FACTS = ("Class", "Year", "Subject", "Level", "Minutes", "Date", "Source")


def merge(markdown: str, before: Lesson, after: Lesson) -> str:
    """The markdown of `before` with whatever `after` has differently."""
    old, new = render(before), render(after)
    text = _facts(markdown, old, new)
    was = {known_section(each): each for each in sections(old)}
    wanted = {known_section(each): each for each in sections(new)}
    for id in [id for id in was if id not in wanted]:
        text = _without(text, id)
    for id, section in wanted.items():
        if id not in was:
            text = _inserted(text, section, _before(id, list(wanted)))
        elif (section.title, section.text) != (was[id].title, was[id].text):
            text = _replaced(text, id, section)
    return text


def _replaced(text: str, id: str, section: SectionText) -> str:
    here = _find(text, id)
    if here is None:
        return text
    return replace_section(text, here.id, f"## {section.title}\n\n{section.text}")


def _find(text: str, id: str) -> SectionText | None:
    return next((each for each in sections(text) if known_section(each) == id), None)


def _without(text: str, id: str) -> str:
    here = _find(text, id)
    if here is None:
        return text
    lines = text.split("\n")
    return "\n".join([*lines[: here.start - 1], *lines[here.end :]])


def _inserted(text: str, section: SectionText, after: str | None) -> str:
    here = _find(text, after) if after else None
    lines = text.split("\n")
    at = here.end if here else len(lines)
    new = [f"## {section.title}", "", *section.text.split("\n"), ""]
    return "\n".join([*lines[:at], *new, *lines[at:]])


def _before(id: str, order: list[str]) -> str | None:
    at = order.index(id)
    return order[at - 1] if at else None


def _facts(text: str, old: str, new: str) -> str:
    """The lines at the top that differ; the title too."""
    was, wanted = _head(old), _head(new)
    for name in _FACTS:
        if was.get(name) != wanted.get(name):
            text = _fact(text, name, wanted.get(name))
    if was["title"] != wanted["title"]:
        text = re.sub(
            r"^#(?!#)[^\n]*$", lambda _: f"# {wanted['title']}", text, count=1, flags=re.M
        )
    return text


def _fact(text: str, name: str, value: str | None) -> str:
    first = min((each.start for each in sections(text)), default=1)
    lines = text.split("\n")
    pattern = re.compile(rf"^\s*(?:[-*+]\s+)?\**{name}\**\s*:", re.I)
    at = next((i for i, line in enumerate(lines[: first - 1]) if pattern.match(line)), None)
    if value is None:
        return "\n".join([*lines[:at], *lines[at + 1 :]]) if at is not None else text
    line = f"- {name}: {value}"
    if at is not None:
        return "\n".join([*lines[:at], line, *lines[at + 1 :]])
    below = next((i for i, each in enumerate(lines) if each.startswith("# ")), -1) + 1
    return "\n".join([*lines[:below], "", line, *lines[below:]])


def _head(markdown: str) -> dict[str, str]:
    head = markdown.split("\n## ", 1)[0]
    facts = {"title": head.split("\n", 1)[0].removeprefix("# ")}
    for line in head.split("\n")[1:]:
        name, colon, value = line.removeprefix("- ").partition(": ")
        if colon:
            facts[name] = value
    return facts
