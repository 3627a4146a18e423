"""Finds the commands of ours in the shell blocks of a page, without running anything."""

import re
import shlex
from collections.abc import Iterator

import click

from paige.doors.site.main import COMMANDS, paige

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# What is taken out before reading: full-line comments, joined lines, `2>&1`.
_NOISE = re.compile(r"^ *#.*$|\\\n|\d?>&\d", re.MULTILINE)
# A name in angle brackets is a stand-in for what the reader types.
_STAND_IN = re.compile(r"<[\w -]+>")
_SEPARATORS = "|;&()<>\n"


def simple_commands(script: str) -> Iterator[list[str]]:
    """The words of each command of a script, without assignments."""
    text = _STAND_IN.sub("it", _NOISE.sub(" ", script))
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_SEPARATORS)
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t\r", "", True
    words: list[str] = []
    for word in [*lexer, "\n"]:
        if set(word) <= set(_SEPARATORS):
            if words:
                yield words
            words = []
        elif words or not _ASSIGNMENT.match(word):
            words.append(word)


def check_paige(arguments: list[str]) -> None:
    """Parse the arguments of `paige` as click would. Raises: click.UsageError."""
    context = click.Context(paige, info_name="paige")
    if not arguments or arguments[0].startswith("-"):
        paige.make_parser(context).parse_args(arguments)
        return
    name, *rest = arguments
    if name not in COMMANDS:
        raise click.UsageError(f"There is no command `{name}`")
    command = paige.get_command(context, name)
    assert command is not None
    _check(command, name, rest, context)


def _check(command: click.Command, name: str, rest: list[str], parent: click.Context) -> None:
    """Parse the arguments of a command, and of the command inside it when it is a group."""
    if "--help" in rest:
        return
    context = command.make_context(name, list(rest), parent=parent)
    if isinstance(command, click.Group):
        inner, found, arguments = command.resolve_command(context, rest)
        assert found is not None
        _check(found, inner or "", arguments, context)
