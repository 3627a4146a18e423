"""What a run of a command makes: a lesson, another document, or only something said."""

import re
from pathlib import PurePosixPath
from typing import Literal

from paige.plan.lesson_sections import SectionText, replace_section, sections

Product = Literal["lesson", "document", "worksheet", "talk"]
REFINE = "refine-lesson"
LESSON_COMMANDS = ("create-lesson", "refine-lesson", "cover-lesson")
TALK_COMMANDS = ("update-memory",)
LESSONS = "lessons"
WORKSHEETS = "worksheets"
WHOLE = "whole"
"""The id of the only section of a text without headings."""
_WORKSHEET = re.compile(r"<!--\s*WORKSHEET\b")
KEY = re.compile(r"<!--\s*ANSWER_KEY\b")
_TITLE = re.compile(r"^ {0,3}#(?!#)\s*(?P<title>.*?)\s*#*\s*$", re.M)


def product_of(command: str, markdown: str) -> Product:
    """What a text is, by the command that asked for it and by its own marks."""
    if only_remembers(command):
        return "talk"
    name = command.rpartition(":")[2]
    if _WORKSHEET.search(markdown):
        return "worksheet"
    if name == REFINE and not sections(markdown):
        return "talk"  # it says that there is no lesson to refine
    return "lesson" if name in LESSON_COMMANDS else "document"


def only_remembers(command: str) -> bool:
    """Whether a command is there for the memory alone."""
    return command.rpartition(":")[2] in TALK_COMMANDS


def folder_of(product: Product, writes: str) -> str:
    """Where a product is saved: a worksheet among worksheets, whatever command led to it.

    A command that names a file is meant by its folder: nothing is ever written over.
    """
    if product == "worksheet":
        return WORKSHEETS
    place = PurePosixPath(writes.strip("/"))
    folder = place.parent if place.suffix else place
    return LESSONS if str(folder) in ("", ".") else str(folder)


def parts_of(markdown: str) -> list[SectionText]:
    """The sections that a teacher judges; a text without headings is one."""
    found = sections(markdown)
    if found:
        return found
    return [SectionText(WHOLE, "The whole text", markdown, 1, markdown.count("\n") + 1)]


def with_part(markdown: str, id: str, text: str) -> str:
    """The text with one part written anew. Raises: NotFound, BadInput."""
    if id == WHOLE and not sections(markdown):
        return text
    return replace_section(markdown, id, text)


def title_of(markdown: str) -> str:
    """The first heading of the first level, or nothing."""
    found = _TITLE.search(markdown)
    return found["title"] if found else ""
