"""The gate over long logs: they are not read whole into a conversation.

The MCP tool `read_log` gives the end, the lines that matter or a summary under a budget. A piece
of a log (`tail`, `head`, `grep`, a read with a limit) is fine.
"""

from collections.abc import Mapping
from typing import Any

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.fast.place import Place
from paige.guard.fast_path import READING
from paige.guard.gate_runner import Situation
from paige.guard.gates.file_changes import Line, Run
from paige.guard.hook_event import Outcome
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import full_path
from paige.guard.tools import READ, kind_of, reads_of

RULE = "enforce-mcp-logs"
FACT = "long-logs"
_PIECES = ("head", "tail", "ghead", "gtail")
_WHOLE = READING.difference(_PIECES)
_FOLDERS = ("log", "logs", "spool")
_LIMITS = ("limit", "line_count", "num_lines", "max_lines", "head", "tail")


def gate(situation: Situation) -> Outcome | None:
    """A refusal when a long log would be read whole."""
    long: Mapping[str, int] = situation.facts.get(FACT) or {}
    for path, lines in long.items():
        reason = (
            f"`{path}` has more than {lines} lines: reading it whole fills the conversation. Use "
            f"the MCP tool `read_log` (`tail`, `grep` or `summary`), or `tail -n 200` or `grep`."
        )
        return Outcome(Deny(reason), RULE)
    return None


def is_log(path: str) -> bool:
    """Whether a file is a log by its name."""
    name = path.rpartition("/")[2].lower()
    stem, dot, last = name.rpartition(".")
    if dot and last.isdigit():  # a log that was put aside
        name = stem
    if name.endswith((".log", ".out")):
        return True
    folders = path.lower().split("/")[:-1]
    return name.endswith((".jsonl", ".ndjson")) and any(each in _FOLDERS for each in folders)


def whole_reads(
    event: PreTool | PermissionRequest, line: Line | None, place: Place, most: int
) -> tuple[str, ...]:
    """The logs a call would read whole, from the root of the disk."""
    if line is not None:
        found = [path for run in line.runs for path in _shell_reads(run, line, place, most)]
        return tuple(dict.fromkeys(found))
    if kind_of(event.tool) != READ or _is_partial(event.input, most):
        return ()
    paths = [each for each in reads_of(event.tool, event.input) if is_log(each)]
    return tuple(full_path(each, place) for each in paths)


def _shell_reads(run: Run, line: Line, place: Place, most: int) -> list[str]:
    if run.writes or not (run.name in _WHOLE or _is_long_piece(run, most)):
        return []
    operands = [each for each in run.words[1:] if not each.startswith("-")]
    if not operands:  # `cat long.log | cat`
        operands = [each for words in run.feeds if words[0] in _WHOLE for each in words[1:]]
    elif any(run.words in each.feeds for each in line.runs if each is not run):  # into a pipe
        return []
    return [run.full(each, place) for each in operands if is_log(each) and UNKNOWN not in each]


def _is_long_piece(run: Run, most: int) -> bool:
    """`head -n 100000` and `tail -n +1` are the whole, too."""
    if run.name not in _PIECES:
        return False
    for at, word in enumerate(run.words):
        number = ""
        if word in ("-n", "--lines"):
            number = run.words[at + 1] if at + 1 < len(run.words) else ""
        elif word.startswith(("-n", "--lines=")):
            number = word.removeprefix("--lines=").removeprefix("-n")
        elif word[:1] in "-+" and word[1:].isdigit():
            number = word if word[0] == "+" else word[1:]
        if number.startswith("+") and run.name.endswith("tail"):
            return True
        if number.lstrip("-").isdigit() and int(number.lstrip("-")) > most:
            return True
    return False


def _is_partial(given: dict[str, Any], most: int) -> bool:
    """Whether a call asks for a piece that is short enough."""
    for key in _LIMITS:
        if isinstance(given.get(key), int):
            return 0 < given[key] <= most
    first, last = given.get("start_line", 1), given.get("end_line")
    span = given.get("view_range")
    if isinstance(span, list) and len(span) == 2:
        first, last = span
    if isinstance(first, int) and isinstance(last, int):
        return 0 <= last - first < most
    return False
