"""What the tests of the shell's judge share: the shipped rules and a project to stand in."""

from functools import cache
from pathlib import Path
from typing import Any

import paige
from paige.guard.fast.place import Place
from paige.guard.rules.loader import load_book
from paige.guard.shell.judge import Judgement, judge

RULES = Path(paige.__file__).parent / "shipped" / "guard" / "rules"
DATA = Path(__file__).parents[3] / "shared" / "data" / "guard"
DENIED = Path(__file__).with_name("denied.txt")
PLACE = Place("/home/u/project", "/home/u/project", "/home/u", "/home/u/.paige", own=False)
KNOWN = {"HOME": "/home/u", "PWD": "/home/u/project", "TMPDIR": "/tmp", "IFS": " \t\n"}


@cache
def book() -> dict[str, Any]:
    """The shipped rules, compiled once."""
    return load_book(sorted(RULES.glob("*.toml"))).compiled


def judged(command: str) -> Judgement:
    """The judgement on a command in the project."""
    return judge(command, PLACE, book())


def said(command: str) -> str:
    """The decision on a command in the project."""
    return judged(command).decision


def denied_commands() -> list[str]:
    """The commands that stay denied."""
    return commands_in(DENIED.name)


def commands_in(name: str) -> list[str]:
    """The commands of a list in this folder."""
    lines = DENIED.with_name(name).read_text("utf-8").split("\n")
    return [line.replace("\\n", "\n") for line in lines if line and line[0] != "#"]
