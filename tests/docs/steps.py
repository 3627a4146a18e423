"""What a reader of a page does, in order: run a command, keep a file, look at what came out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter
import tree_sitter_bash

from tests.docs.clicks import Click, clicks_of
from tests.docs.pages import Block, Page

SHELL = ("sh", "bash", "shell", "console")
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
# A stand-in would be a redirection to the parser; it is read as a word of the same length.
_STAND_IN = re.compile(r"<[\w][\w -]*>")


class Run(NamedTuple):
    """A command, and what the page shows right below its block."""

    command: str
    line: int
    shown: str = ""


class Keep(NamedTuple):
    """A block that is no command: the nth of its language on the page."""

    block: str
    text: str


Step = Run | Keep | Click
TUTORIALS = "docs/tutorial/"


def steps_of(page: Page) -> list[Step]:
    """Every block of a page as steps; in a tutorial the clicks between them too."""
    found: list[Step] = []
    counted: dict[str, int] = {}
    clicks = clicks_on(page)
    for place, block in enumerate(page.blocks):
        found += [click for click in clicks if click.line < block.line]
        clicks = [click for click in clicks if click.line > block.line]
        if block.language in SHELL:
            below = _right_below(page, place)
            commands = list(_commands(block))
            last = len(commands) - 1
            found += [
                run._replace(shown=below) if number == last else run
                for number, run in enumerate(commands)
            ]
        else:
            counted[block.language] = number = counted.get(block.language, 0) + 1
            found.append(Keep(f"{block.language}:{number}", block.text))
    return [*found, *clicks]


def clicks_on(page: Page) -> list[Click]:
    """What a tutorial asks its reader to do in the browser."""
    if not page.name.startswith(TUTORIALS):
        return []
    fenced = {
        number
        for block in page.blocks
        for number in range(block.line, block.line + len(block.text.split("\n")) + 2)
    }
    return [
        click
        for number, line in enumerate(page.text.splitlines(), 1)
        if number not in fenced
        for click in clicks_of(line, number)
    ]


def commands_of(page: Page) -> list[Run]:
    """Only the commands of a page."""
    return [step for step in steps_of(page) if isinstance(step, Run)]


def words_of(command: str) -> Iterator[list[str]]:
    """The words of every program that a command starts, in pipes and substitutions too."""
    waiting = [_parse(command)]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type == "command":
            words = [child for child in node.children if child.type != "variable_assignment"]
            yield [(word.text or b"").decode() for word in words]


def split(script: str) -> Iterator[tuple[str, int]]:
    """The commands of a script, each with the line it begins on, counted from 0."""
    source = script.encode()
    for node in _parse(script).named_children:
        if node.type != "comment":
            yield source[node.start_byte : node.end_byte].decode().strip(), node.start_point.row


def _parse(script: str) -> tree_sitter.Node:
    read = _STAND_IN.sub(lambda found: "x" * len(found[0].encode()), script).encode()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    return parser.parse(read).root_node


def _commands(block: Block) -> Iterator[Run]:
    text = block.text
    if block.language == "console":  # only what follows a prompt is typed
        text = "\n".join(line for line in text.splitlines() if line.startswith("$ "))
    for command, row in split(_PROMPT.sub("", text)):
        yield Run(command, block.line + 1 + row)


def _right_below(page: Page, place: int) -> str:
    """The text block that follows a shell block with nothing in between."""
    if place + 1 == len(page.blocks) or page.blocks[place + 1].language != "text":
        return ""
    block, below = page.blocks[place], page.blocks[place + 1]
    end = block.line + len(block.text.split("\n")) + 2
    between = page.text.splitlines()[end - 1 : below.line - 1]
    return "" if "".join(between).strip() else below.text
