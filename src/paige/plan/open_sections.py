"""Sections that nobody has written yet: a person or a model has to.

A line that begins with the mark says so in the text itself, and what to do. Whoever fills the
section in takes the line out; no other list is kept.
"""

from paige.plan.lesson_sections import sections

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
