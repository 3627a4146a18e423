"""The gate over summaries: agents of an orchestra leave them in one folder, not all over a project.

A new file that is called a summary goes to `.claude/progress/summaries/`; the whole input is sent
back with only the path changed. Files that are there already are left alone. Whoever is asked
whether a file may be written into that folder is spared the question.
"""

from collections.abc import Collection

from paige.base.events import Allow, Deny, Modify, PermissionRequest, PreTool
from paige.guard.gate_runner import Situation
from paige.guard.gates.edits import patch_in
from paige.guard.gates.file_changes import Line, below, real
from paige.guard.hook_event import Outcome
from paige.guard.shell.targets import full_path
from paige.guard.tools import WRITE, changes_of, kind_of

RULE = "enforce-safe-paths"
FACT = "new-files"
TAKEN = "summaries"
FOLDER = ".claude/progress/summaries"
_WORDS = ("summary", "summaries")
_ENDINGS = (".md", ".markdown", ".txt", ".rst")
_PATHS = ("file_path", "path", "absolute_path", "filePath", "file", "filename", "target_file")
_ADD = "*** Add File: "


def gate(situation: Situation) -> Outcome | None:
    """The input with the path of a summary changed."""
    event = situation.heard.event
    new = situation.facts.get(FACT)
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    line: Line | None = situation.facts.get("line")
    if line is None and new is not None and _already_there(event, situation):
        return Outcome(Allow(), RULE)
    if not new:
        return None
    taken: Collection[str] = situation.facts.get(TAKEN) or ()
    if line is not None:
        return _in_shell(line, situation, new, taken)
    moved = {
        change.path: to
        for change in changes_of(event.tool, event.input)
        if (to := moved_to(change.path, situation, new, taken))
    }
    if not moved or kind_of(event.tool) != WRITE:
        return None
    changed = _with_paths(event.input, moved)
    if changed is None:
        return None
    notice = f"Summaries go to `{FOLDER}/`: the file is `{next(iter(moved.values()))}`."
    return Outcome(Modify(changed), RULE, context=notice)


def _already_there(event: PreTool | PermissionRequest, situation: Situation) -> bool:
    """Whether a permission is asked for files of the folder of summaries and nothing else."""
    changes = changes_of(event.tool, event.input)
    if not isinstance(event, PermissionRequest) or kind_of(event.tool) != WRITE or not changes:
        return False
    place, links = situation.place, situation.facts.get("links") or {}
    paths = [below(real(each.path, place, links), place.root) for each in changes]
    return all(path is not None and path.startswith(f"{FOLDER}/") for path in paths)


def is_summary(path: str) -> bool:
    """Whether a file is a summary by its name."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    plain = "." not in name.lstrip(".")
    return any(word in name for word in _WORDS) and (plain or name.endswith(_ENDINGS))


def moved_to(
    path: str, situation: Situation, new: Collection[str], taken: Collection[str]
) -> str | None:
    """Where a new summary goes; nothing for a file that may stay where it is."""
    place = situation.place
    full = full_path(path, place)
    inside = below(full, place.root)
    if not is_summary(path) or full not in new or inside is None:
        return None
    if inside.startswith(".claude/"):
        return None
    name = full.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    number = 2
    while name in taken:  # an earlier summary is not overwritten
        name = f"{stem}-{number}.{ending}" if dot else f"{ending}-{number}"
        number += 1
    return f"{place.root.rstrip('/')}/{FOLDER}/{name}"


def _with_paths(given: dict[str, object], moved: dict[str, str]) -> dict[str, object] | None:
    """The whole input with other paths."""
    patch = patch_in(given)
    if patch is not None:
        lines = [
            f"{_ADD}{moved[line[len(_ADD) :].strip()]}"
            if line.startswith(_ADD) and line[len(_ADD) :].strip() in moved
            else line
            for line in patch.split("\n")
        ]
        text = "\n".join(lines)
        if text == patch:
            return None
        return {key: _replaced(value, patch, text) for key, value in given.items()}
    changed = {
        key: moved[value] if key in _PATHS and isinstance(value, str) and value in moved else value
        for key, value in given.items()
    }
    return changed if changed != given else None


def _replaced(value: object, old: str, new: str) -> object:
    if isinstance(value, list):
        return [new if each == old else each for each in value]
    return new if value == old else value


def _in_shell(
    line: Line, situation: Situation, new: Collection[str], taken: Collection[str]
) -> Outcome | None:
    """A command is not rewritten: it is told where the summary goes."""
    for run in line.runs:
        for path in run.writes:
            to = moved_to(run.full(path, situation.place), situation, new, taken)
            if to is not None:
                reason = f"Summaries go to `{FOLDER}/`: write to `{to}` instead of `{path}`."
                return Outcome(Deny(reason), RULE)
    return None
