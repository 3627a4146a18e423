"""What `paige doctor` asks about the files of the guard: rules, lines of hooks, its log."""

import os
from collections.abc import Iterator
from pathlib import Path

import orjson

from paige.base.checks import Check, Repair
from paige.base.settings import Settings
from paige.guard.compiler import book_for
from paige.guard.decision_log import FILE, OLDER
from paige.guard.fast.place import place_of
from paige.guard.fast.snapshot import FOLDER, is_damaged
from paige.guard.graph.waiting_lines import FILE as WAITING
from paige.guard.guards.files import for_hooks
from paige.guard.spool_drain import parsed
from paige.memory.intake.spool import BAD, TAKEN

LOOK = "Look into it, then delete it: nothing reads it any more."
_MOST_READ = 64 * 2**20


def checks(settings: Settings) -> list[Check]:
    """Files with something in them that cannot be read; nothing is taken in or removed."""
    guard, spool = settings.data_dir / FOLDER, settings.data_dir / "spool"
    found = [*_rules(settings), *_compiled(guard)]
    for path in sorted(spool.glob("*")):
        if path.name.endswith(BAD):
            lines = _lines(path)
            if lines:
                found.append(_unread(path, f"{len(lines)} lines of hooks were set aside", LOOK))
        elif path.name.endswith((".jsonl", TAKEN)):
            bad = sum(1 for line in _lines(path) if parsed(line)[0])
            if bad:
                fix = f"They are set aside in a file `{BAD}` when the rest is taken in."
                found.append(_unread(path, f"{bad} lines of hooks cannot be read", fix))
    for name in (FILE, OLDER, WAITING):
        bad = sum(1 for line in _lines(guard / name) if line.strip() and not _is_object(line))
        if bad:
            fix = "Delete these lines; the others are still used."
            found.append(_unread(guard / name, f"{bad} lines cannot be read", fix))
    return found


def _rules(settings: Settings) -> Iterator[Check]:
    """Rules and guards that somebody wrote and no hook can use."""
    place = place_of(str(settings.project_dir or settings.cwd), str(settings.data_dir))
    for problem in (*book_for(place).problems, *for_hooks(place)[1]):
        fix = "Correct the file; until then this rule blocks nothing."
        yield Check("guard rules", "warn", str(problem), fix)


def _compiled(folder: Path) -> Iterator[Check]:
    damaged = [path for path in sorted(folder.glob("guard-*.bin")) if is_damaged(str(path))]
    for path in damaged:
        repair = Repair(f"Remove `{path}`; the next hook makes it again", path.unlink)
        message = f"`{path}` is damaged; until the next hook has made it again, hooks are slow"
        yield Check("compiled rules", "warn", message, "Run `paige doctor --fix`.", repair)


def _unread(path: Path, what: str, fix: str) -> Check:
    return Check("lines of hooks", "warn", f"`{path}`: {what}", fix)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def _lines(path: Path) -> list[bytes]:
    """The whole lines of a file; the last one may still be in the making."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _NOW)) as file:
            return file.read(_MOST_READ).split(b"\n")[:-1]
    except OSError:
        return []


_NOW = getattr(os, "O_NONBLOCK", 0)  # a pipe in its place must not hold doctor up
