"""Runs the checks of a profile in a copy of the project, within bounds, and says what they found.

The working tree is never touched: the sandbox copies it, shuts the commands in without a network,
and throws the copy away. A check that cannot run is left out and says why; it fails nothing.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from paige.base.clock import Clock, to_iso
from paige.base.errors import PaigeError, Unavailable
from paige.base.secrets import redact
from paige.guard.completion.project_wishes import CompletionWishes
from paige.guard.completion.records import (
    MOST_DETAIL,
    PROFILES,
    STOPPED,
    TIME_UP,
    Check,
    Profile,
    Record,
    Result,
    Risk,
    result_of,
)
from paige.guard.completion.recursion import answer_of, marked
from paige.guard.completion.tree import Tree, tree_of
from paige.models.prompts import render, untrusted
from paige.sandbox.isolation import ENVIRON, strongest
from paige.sandbox.runner import run as run_shut_in
from paige.sandbox.values import MIB, Job, Limits, Outcome


def review(
    root: str, changed: Sequence[str], tables: Mapping[str, Any], run: str, seconds: float
) -> Check:
    """The verdict of the judge the settings name, as a check."""
    named = tables["review"]["judge"]
    argv = tables["judges"].get(named, ())
    if not named or not argv:
        return Check("review", "skipped", "nobody is named who reviews")
    shown = shown_files(root, changed, tables["review"])
    if not shown:
        return Check("review", "skipped", "there is nothing to review")
    most = min(seconds, float(tables["review"]["seconds"]))
    try:
        return verdict(answer_of(argv, f"{render('guard/review')}\n\n{shown}", run, most))
    except Unavailable as error:
        return Check("review", "skipped", error.message)


def verdict(answer: str) -> Check:
    """The check an answer stands for; one that is not in the asked form is none."""
    text = answer.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return Check("review", "skipped", "the answer was not in the asked form")
    issues = found.get("issues", []) if isinstance(found, dict) else None
    said = found.get("verdict") if isinstance(found, dict) else None
    right = isinstance(issues, list) and all(isinstance(each, str) for each in issues)
    if not right or said not in ("pass", "fail"):
        return Check("review", "skipped", "the answer was not in the asked form")
    detail = "\n".join(" ".join(each.split())[:300] for each in issues or () if each)
    return Check("review", "passed" if said == "pass" else "failed", detail[:MOST_DETAIL])


def shown_files(root: str, changed: Sequence[str], table: Mapping[str, Any]) -> str:
    """The changed files as a judge reads them, cut to what is allowed."""
    left = int(table["most_signs"])
    parts: list[str] = []
    for path in changed[: int(table["most_files"])]:
        try:
            with (Path(root) / path).open("rb") as file:
                raw = file.read(left + 1)
        except OSError:
            continue  # it is gone; there is nothing to read
        if b"\0" in raw:
            continue
        text = redact(raw.decode("utf-8", "replace")[:left])
        left -= len(text)
        parts.append(untrusted(path, text))
        if left <= 0:
            break
    return "\n".join(parts)


class Choice(NamedTuple):
    """The profile, the risk it answers, and who verifies: the checks alone, or a judge as well."""

    profile: Profile
    risk: Risk
    verifier: str


def risk_of(changed: Sequence[str], table: Mapping[str, Any]) -> Risk:
    """The risk of changed files: what they are counts more than how many."""
    lowered = [path.replace("\\", "/").casefold() for path in changed]
    plain = [path for path in lowered if not path.endswith(tuple(table["low_suffixes"]))]
    if not plain:
        return "low"
    if any(part in path for path in plain for part in table["high_paths"]):
        return "high"
    if len(plain) > table["high_files"]:
        return "high"
    return "medium" if len(plain) > table["medium_files"] else "low"


def choose(
    wanted: str, changed: Sequence[str], table: Mapping[str, Any], judge: str, checks: Sequence[str]
) -> Choice:
    """What verifies a change: the profile that is asked for, or the one its risk deserves."""
    risk = risk_of(changed, table)
    profile: Profile = next((each for each in PROFILES if each == wanted), table[risk])
    judged = bool(judge) and "review" in checks
    return Choice(profile, risk, judge if judged else "checks")


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
class Verification:
    """A result and the files it is about."""

    result: Result
    tree: Tree


@dataclass(frozen=True, slots=True)
class _Work:
    root: str
    asked: CompletionWishes
    tree: Tree
    changed: Sequence[str]
    run: str
    left: Callable[[], float]


def verify(
    root: str, asked: CompletionWishes, record: Record, *, run: str, now: Clock
) -> Verification:
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
    return Verification(result, tree)


def choice_for(asked: CompletionWishes, changed: Sequence[str], *, known: bool) -> Choice:
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
