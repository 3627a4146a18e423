"""The gate over direct edits: a conductor and a section leader give work away, by any tool.

A command of a shell may run when the rules prove that it changes nothing, or when it is on the list
of what they may run. Everything else might write source, so it is refused.
"""

import shlex
from collections.abc import Iterator

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.gate_runner import Situation
from paige.guard.gates import safe_paths
from paige.guard.gates.file_changes import Line, Run, below, is_allowed_path, real
from paige.guard.hook_event import Outcome
from paige.guard.shell.judge import ALLOW, judge
from paige.guard.shell.script import UNKNOWN
from paige.guard.state.roles import CONDUCTOR, LEADING, Manners
from paige.guard.tools import MCP, OTHER, changes_of, kind_of

RULE = "block-direct-edit"
_CHANGING = ("edit", "patch", "replace", "insert", "rename", "write", "create", "delete", "update")
_OF_FILES = ("file", "symbol", "code", "lines", "patch", "notebook", "refactor", "edit")
_NOT_OF_FILES = ("todo", "plan", "memory", "issue", "comment", "task", "pull_request")


def gate(situation: Situation) -> Outcome | None:
    """A refusal when a leading agent would edit the project itself."""
    event = situation.heard.event
    if not isinstance(event, PreTool | PermissionRequest) or situation.role not in LEADING:
        return None
    line: Line | None = situation.facts.get("line")
    found = _in_shell(line, situation) if line is not None else _by_tool(situation, event)
    if found is None:
        return None
    who = "A conductor" if situation.role == CONDUCTOR else "A section leader"
    manners: Manners = situation.facts["manners"]
    own = ", ".join(f"`{each}`" for each in manners.allowed_paths)
    reason = (
        f"{found} {who} does not edit the project: give the task to a coding agent. "
        f"You may write {own}."
    )
    return Outcome(Deny(reason), RULE)


def _by_tool(situation: Situation, event: PreTool | PermissionRequest) -> str | None:
    changes = changes_of(event.tool, event.input)
    new = situation.facts.get(safe_paths.FACT) or ()
    for change in changes:
        if safe_paths.moved_to(change.path, situation, new, ()) is not None:
            continue
        if _is_source(change.path, situation):
            return f"`{change.path}` is a file of the project."
    name = event.tool.lower().rpartition("__")[2]
    if not changes and kind_of(event.tool) in (MCP, OTHER) and _edits_somewhere(name):
        return f"Nobody can tell which file `{event.tool}` would change."
    return None


def _edits_somewhere(name: str) -> bool:
    if any(word in name for word in _NOT_OF_FILES):
        return False
    return any(word in name for word in _CHANGING) and any(word in name for word in _OF_FILES)


def _is_source(path: str, situation: Situation) -> bool:
    """Whether a file is one of the project's that only others may write."""
    manners: Manners = situation.facts["manners"]
    place = situation.place
    full = real(path, place, situation.facts.get("links") or {})
    if UNKNOWN in path:
        return True
    return below(full, place.root) is not None and not is_allowed_path(
        full, place.root, manners.allowed_paths
    )


def _in_shell(line: Line, situation: Situation) -> str | None:
    for found in _written(line, situation):
        return found
    manners: Manners = situation.facts["manners"]
    if line.unclear:
        return f"Nobody can tell what this command changes: {line.unclear}."
    for run in line.runs:
        if run.name in ("", "cd", "true") or _fits(run, manners.may_run):
            continue
        if run.hidden:
            return f"Nobody can tell what this command changes: {run.hidden}."
        found = None if _stays_allowed(run, situation) else _may_change(run, situation)
        if found is not None:
            return found
    return None


def _may_change(run: Run, situation: Situation) -> str | None:
    """Why a program may change files, unless the rules prove that it does not."""
    manners: Manners = situation.facts["manners"]
    if _fits(run, manners.may_not_run):
        return f"`{' '.join(run.words[:2])}` may change files of the project."
    command = shlex.join(each.replace(UNKNOWN, "x") for each in run.words)
    judged = judge(command, situation.place, situation.rules["shell"])
    if judged.decision == ALLOW:
        return None
    return f"Paige cannot prove that `{run.name}` changes nothing here."


def _written(line: Line, situation: Situation) -> Iterator[str]:
    place = situation.place
    for run in line.runs:
        for path in run.writes:
            if _is_source(run.full(path, place) if UNKNOWN not in path else path, situation):
                yield f"`{path.replace(UNKNOWN, '…')}` is a file of the project."


def _fits(run: Run, table: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a program is in a table of first words; options before a subcommand are passed by."""
    plain = [each for each in run.words[1:] if not each.startswith("-")]
    return any(run.name == first and plain[: len(rest)] == rest for first, *rest in table)


def _stays_allowed(run: Run, situation: Situation) -> bool:
    """Whether every path a simple program names is one that leading agents may write."""
    if run.name not in ("mkdir", "touch", "cp", "mv", "rm", "tee", "rmdir") or run.hidden:
        return False
    operands = [each for each in run.words[1:] if not each.startswith("-")]
    place = situation.place
    return bool(operands) and all(
        UNKNOWN not in each and not _is_source(run.full(each, place), situation)
        for each in operands
    )
