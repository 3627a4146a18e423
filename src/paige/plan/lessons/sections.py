"""The sections of a markdown text: what a teacher accepts, revises or asks alternatives for.

A section is a heading of the second level and all below it. This works on any markdown; code blocks
are respected, so a comment in a program is no heading.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from paige.base.errors import BadInput, NotFound
from paige.plan.lessons.text import fenced

MARK = "*Open:"
MESSAGE = "this section is open: a person or a model has to write it"


def open_line(what: str) -> str:
    """The line of an open section; `what` goes on after "Write"."""
    return f"{MARK} this needs you or a model. Write {what}, or choose a model in Settings.*"


def is_open(text: str) -> bool:
    """Whether a section's text still has the mark."""
    return any(is_mark(line) for line in text.split("\n"))


def is_mark(line: str) -> bool:
    """Whether a line only says that something is open."""
    return line.lstrip().startswith(MARK)


def open_titles(markdown: str) -> tuple[str, ...]:
    """The titles of the sections that are open, in order."""
    return tuple(each.title for each in sections(markdown) if is_open(each.text))


_HEADING = re.compile(r"^ {0,3}##(?!#)(.*)$")
_MINUTES = re.compile(r"^(?P<name>.*)\s\((?P<minutes>\d{1,3}) min\)$")
_LOOSE_MINUTES = re.compile(r"(?<!\d)(?P<minutes>\d{1,3})\s?min[a-z]*\.?[\s)\]]{0,9}$", re.I)
_LOOSE_PART = 60
"""Minutes written in another way are looked for at the end of a title only."""
_CYCLE = re.compile(r"^(?:learning\s+)?cycle\s+(\d+)\b", re.I)
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class SectionText:
    """One section: `text` is what stands below its heading; lines count from 1, both included."""

    id: str
    title: str
    text: str
    start: int
    end: int


def sections(markdown: str) -> list[SectionText]:
    """Every section of a text, in order, each with an id of its own."""
    lines = markdown.split("\n")
    inside = fenced(lines)
    starts = [
        at for at, line in enumerate(lines) if not inside[at] and _HEADING.match(line) is not None
    ]
    found: list[SectionText] = []
    taken: set[str] = set()
    for start, end in pairwise([*starts, len(lines)]):
        title = _title(lines[start])
        text = "\n".join(lines[start + 1 : end]).strip("\n")
        found.append(SectionText(_unique(section_id(title), taken), title, text, start + 1, end))
    return found


def find_section(markdown: str, name: str) -> SectionText | None:
    """The section with an id, or whose title is the name given."""
    every = sections(markdown)
    wanted = section_id(name)
    return next((each for each in every if each.id == name), None) or next(
        (each for each in every if each.id == wanted), None
    )


def replace_section(markdown: str, id: str, text: str) -> str:
    """The markdown with one section written anew; the rest stays as it is, to the letter.

    `text` may begin with the section's heading (the minutes may have changed) or leave it out.
    Raises: NotFound, BadInput when the text holds more than one section.
    """
    section = find_section(markdown, id)
    if section is None:
        names = ", ".join(f"`{each.id}`" for each in sections(markdown))
        raise NotFound(f"The lesson has no section `{id}`", hint=f"It has {names or 'none'}.")
    lines = markdown.split("\n")
    heading, body = _heading_and_body(lines[section.start - 1], text, id)
    last = section.end == len(lines)
    new = [heading, "", *body.split("\n"), ""] if body else [heading, ""]
    return "\n".join([*lines[: section.start - 1], *new, *([] if last else lines[section.end :])])


def section_id(title: str) -> str:
    """The id of a title: its words, without the minutes; of a cycle only its number."""
    name, _ = split_minutes(title)
    if cycle := _CYCLE.match(name):
        return f"learning-cycle-{int(cycle[1])}"
    return _NOT_SLUG.sub("-", name.lower()).strip("-") or "section"


def split_minutes(title: str) -> tuple[str, int | None]:
    """A title without its `(8 min)`, and the minutes."""
    plain = title.strip()
    if found := _MINUTES.match(plain):
        return found["name"], int(found["minutes"])
    end = plain[-_LOOSE_PART:]
    if loose := _LOOSE_MINUTES.search(end):
        name = plain[: len(plain) - len(end) + loose.start()]
        return name.rstrip(" \t:,([\u2013\u2014-"), int(loose["minutes"])
    return plain, None


def _title(line: str) -> str:
    found = _HEADING.match(line)
    return found[1].strip() if found else ""


def _heading_and_body(heading: str, text: str, id: str) -> tuple[str, str]:
    body = text.replace("\r\n", "\n").strip("\n")
    lines = body.split("\n")
    if _HEADING.match(lines[0]):
        heading, body = lines[0], "\n".join(lines[1:]).strip("\n")
    if sections(body):
        raise BadInput(
            f"The new text of `{id}` holds another section",
            hint="Give the text of one section; use `###` for headings inside it.",
        )
    return heading, body.rstrip()


def _unique(id: str, taken: set[str]) -> str:
    name, number = id, 2
    while name in taken:
        name, number = f"{id}-{number}", number + 1
    taken.add(name)
    return name
