"""Runs the checks of a profile in a copy of the project, within bounds, and says what they found.

The working tree is never touched: the sandbox copies it, shuts the commands in without a network,
and throws the copy away. A check that cannot run is left out and says why; it fails nothing.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paige.base.clock import Clock, to_iso
from paige.base.errors import PaigeError
from paige.guard.completion.asking import Asked
from paige.guard.completion.judges import review
from paige.guard.completion.records import Record
from paige.guard.completion.recursion import marked
from paige.guard.completion.risk import Choice, choose
from paige.guard.completion.tree import Tree, tree_of
from paige.guard.completion.values import MOST_DETAIL, STOPPED, TIME_UP, Check, Result, result_of
from paige.sandbox.isolation import ENVIRON, strongest
from paige.sandbox.running import run as run_shut_in
from paige.sandbox.values import MIB, Job, Limits, Outcome

MOST_SYNTAX = 300
_NO_TESTS = 5  # how pytest ends when it found none
_NOT_THERE = (126, 127)
# Read by the isolated interpreter; the names of the files come over stdin.
_SYNTAX = """
import json, sys, tomllib
bad = []
for name in json.load(sys.stdin):
    try:
        raw = open(name, "rb").read()
    except OSError:
        continue
    try:
        if name.endswith(".py"):
            compile(raw, name, "exec", dont_inherit=True)
        elif name.endswith(".json") and b"//" not in raw:
            json.loads(raw)
        elif name.endswith(".toml"):
            tomllib.loads(raw.decode())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        bad.append(f"{name}: {error}")
    lines = raw.splitlines()
    if any(line.startswith(b"<<<<<<< ") for line in lines) and b"=======" in lines:
        bad.append(f"{name}: a conflict is not resolved")
print("\\n".join(bad))
sys.exit(bool(bad))
"""


@dataclass(frozen=True, slots=True)
class Verified:
    """A result and the files it is about."""

    result: Result
    tree: Tree


@dataclass(frozen=True, slots=True)
class _Work:
    root: str
    asked: Asked
    tree: Tree
    changed: Sequence[str]
    run: str
    left: Callable[[], float]


def verify(root: str, asked: Asked, record: Record, *, run: str, now: Clock) -> Verified:
    """Run the checks that the change since the last good state deserves."""
    tree = tree_of(root, asked.tables["sandbox"]["hidden"])
    changed = tree.changed_since(record.files) if record.files else sorted(tree.files)
    choice = choice_for(asked, changed, known=bool(record.files))
    until = time.monotonic() + asked.seconds(choice.profile)
    work = _Work(root, asked, tree, changed, run, lambda: until - time.monotonic())
    checks = [_checked(name, work) for name in asked.checks_of(choice.profile)]
    after = tree_of(root, asked.tables["sandbox"]["hidden"])
    if after.fingerprint != tree.fingerprint:
        # Some saw the old files and some the new: nothing is known about either.
        detail = "the files changed meanwhile"
        checks = [Check(each.name, "skipped", detail, each.seconds) for each in checks]
    result = result_of(
        checks,
        record.passed,
        profile=choice.profile,
        risk=choice.risk,
        verifier=choice.verifier,
        tree=tree.fingerprint,
        run=run,
        at=to_iso(now()),
    )
    return Verified(result, tree)


def choice_for(asked: Asked, changed: Sequence[str], *, known: bool) -> Choice:
    """Which profile verifies a change; without a good state to compare with, the middle one."""
    tables = asked.tables
    judge = tables["review"]["judge"]
    found = choose(asked.profile, changed, tables["risk"], judge, asked.checks_of("deep"))
    if known:
        return found
    middle = tables["risk"]["medium"] if asked.profile == "auto" else found.profile
    return Choice(middle, "medium", found.verifier)


def _checked(name: str, work: _Work) -> Check:
    left = work.left()
    if left <= 0:
        return Check(name, "skipped", TIME_UP)
    began = time.monotonic()
    try:
        found = _check(name, work, left)
    except PaigeError as error:
        found = Check(name, "skipped", error.message)
    return Check(name, found.status, found.detail, round(time.monotonic() - began, 3))


def _check(name: str, work: _Work, left: float) -> Check:
    if name == "review":
        return review(work.root, work.changed, work.asked.tables, work.run, left)
    if name == "syntax":
        names = [path for path in work.changed if path in work.tree.files][:MOST_SYNTAX]
        argv = (sys.executable, "-I", "-S", "-c", _SYNTAX)
        return _shut_in(name, argv, work, left, json.dumps(names).encode())
    argv = tuple(work.asked.tables["checks"].get(name, ()))
    if not argv:
        return Check(name, "skipped", "the project names no command for it")
    return _shut_in(name, argv, work, left)


def _shut_in(
    name: str, argv: tuple[str, ...], work: _Work, left: float, stdin: bytes = b""
) -> Check:
    table = work.asked.tables["sandbox"]
    if strongest() == "limits" and not table["unshut"]:
        return Check(name, "skipped", "this machine cannot shut a command in")
    visible = [path for each in table["visible"] if (path := _inside(work.root, each)) is not None]
    limits = Limits(
        wall_seconds=left,
        cpu_seconds=max(1, int(left)),
        memory_bytes=int(table["memory_mb"]) * MIB,
        processes=200,
        disk_bytes=512 * MIB,
        limit_addresses=False,
    )
    done = run_shut_in(
        Job(
            argv=(_program(argv[0], work.root, visible), *argv[1:]),
            folder=Path(work.root),
            hidden=frozenset(work.tree.hidden),
            visible=tuple(visible),
            environ=_environ(visible, work.run),
            stdin=stdin,
            limits=limits,
        )
    )
    return _ended(name, argv, done)


def _ended(name: str, argv: Sequence[str], done: Outcome) -> Check:
    printed = f"{done.stdout}\n{done.stderr}".strip()[-MOST_DETAIL:]
    if not done.ended_by_itself:
        return Check(name, "skipped", f"{STOPPED}: {done.ending}")
    if done.exit_code in _NOT_THERE:
        return Check(name, "skipped", f"`{argv[0]}` is not there inside the sandbox")
    if done.exit_code == _NO_TESTS and any("pytest" in word for word in argv[:3]):
        return Check(name, "skipped", "there are no tests")
    return Check(name, "passed" if done.exit_code == 0 else "failed", printed)


def _inside(root: str, name: str) -> Path | None:
    """A folder of the project that may be looked into where it is; no link leads out of it."""
    path = Path(os.path.realpath(os.path.join(root, name)))
    inside = path.is_relative_to(os.path.realpath(root)) and path != Path(os.path.realpath(root))
    return path if inside and path.is_dir() else None


def _program(word: str, root: str, visible: Sequence[Path]) -> str:
    """A program in a visible folder is meant where it is, since the copy has no such folder."""
    path = Path(os.path.normpath(os.path.join(os.path.realpath(root), word)))
    in_place = "/" in word and any(path.is_relative_to(each) for each in visible)
    return str(path) if in_place else word


def _environ(visible: Sequence[Path], run: str) -> dict[str, str]:
    programs = [str(folder) for each in visible for folder in (each / "bin", each / ".bin")]
    modules = [str(each) for each in visible if each.name == "node_modules"]
    here = str(Path(sys.executable).parent)
    given = {"PATH": os.pathsep.join([*programs, here, ENVIRON["PATH"]]), "CI": "1"}
    if modules:
        given["NODE_PATH"] = os.pathsep.join(modules)
    return marked(given, run)
