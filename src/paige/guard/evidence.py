"""Evidence that tests ran, taken from what a tool really did.

The words of the command say whether tests ran, the host says how it ended, and the test tool's own
summary says how many there were. A text that an agent printed is no evidence: `echo "5 passed"`
runs no test tool.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from paige.base.clock import to_iso
from paige.base.events import PostTool, PostToolFailure
from paige.guard.fast.place import Place
from paige.guard.hook_event import Heard
from paige.guard.shell.targets import full_path
from paige.guard.state.counts import CommandEnd, counted, ended, failed_end
from paige.guard.state.evidence_files import Evidence, write_evidence
from paige.guard.state.features import read_session
from paige.guard.state.files import Damaged
from paige.guard.state.runners import RunCommand, names_a_runner, running_tests
from paige.guard.state.tree import tree_hash
from paige.guard.tools import command_of, is_powershell

_MOST_MANIFEST = 2**20


@dataclass(frozen=True, slots=True)
class RunReading:
    """What a tool call was as a test run: its counts, or why it is no evidence."""

    run: RunCommand | None = None
    cwd: str = ""
    exit_code: int = 1
    tests: int = 0
    why_not: str = ""


def seen_run(heard: Heard, place: Place, scripts: Mapping[str, str]) -> RunReading | None:
    """What a finished tool call says about tests; nothing when it is not about them."""
    event = heard.event
    if not isinstance(event, PostTool | PostToolFailure) or is_powershell(event.tool):
        return None
    command = command_of(event.tool, event.input)
    if not command or not names_a_runner(command):
        return None
    run = running_tests(command, scripts)
    if run is None:
        return RunReading(why_not=(
            "the end of this command is not the end of the test tool. Run the tool by itself, "
            "without a pipe, `;`, `||` or a script around it"
        ))  # fmt: skip
    cwd = _cwd(run, place)
    outside = _outside(run, cwd, place)
    if outside:
        return RunReading(why_not=f"`{outside}` is not in this project")
    result = (
        failed_end(event.error)
        if isinstance(event, PostToolFailure)
        else ended(event.result, heard.scene.cli)
    )
    return _judged(run, cwd, result)


def capture(heard: Heard, place: Place, now: datetime) -> tuple[Evidence | None, str]:
    """Keep the evidence of a test run; and what is to be said about it. Raises: PaigeError."""
    seen = seen_run(heard, place, read_scripts(Path(place.cwd), Path(place.root)))
    if seen is None:
        return None, ""
    if seen.run is None or seen.why_not:
        return None, f"This run is no evidence of tests: {seen.why_not}."
    try:
        session = read_session(place.root)
        feature, problem = (session.feature if session else None), ""
    except Damaged as error:
        feature, problem = None, f"{error.sentence()} Until then evidence names no feature."
    evidence = Evidence(
        seen.run.argv,
        seen.cwd,
        seen.exit_code,
        seen.tests,
        tree_hash(place.root),
        to_iso(now),
        heard.scene.call,
        heard.scene.session,
        heard.scene.agent,
        feature,
    )
    write_evidence(place.root, place.data, evidence)
    return evidence, problem


def is_test_command(command: str, place: Place) -> bool:
    """Whether a command is nothing but a test run inside the project."""
    run = running_tests(command, read_scripts(Path(place.cwd), Path(place.root)))
    return run is not None and not _outside(run, _cwd(run, place), place)


def read_scripts(*folders: Path) -> dict[str, str]:
    """The scripts of the nearest `package.json`; none when it cannot be used."""
    for folder in folders:
        path = folder / "package.json"
        try:
            if path.stat().st_size > _MOST_MANIFEST:
                continue
            value = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        scripts = value.get("scripts") if isinstance(value, dict) else None
        if isinstance(scripts, dict):
            return {str(name): each for name, each in scripts.items() if isinstance(each, str)}
    return {}


def _judged(run: RunCommand, cwd: str, result: CommandEnd) -> RunReading:
    if not result.finished:
        return RunReading(
            why_not="the command has not ended: wait for it instead of leaving it running"
        )
    found = counted(run.form, result.text)
    code = result.exit_code
    if code is None:
        # This host does not say how a command ended; the tool's own summary does.
        code = 0 if found.tests and not found.failed else 1
    if found.failed and code == 0:
        code = 1
    if not found.tests and code == 0:
        return RunReading(run, cwd, code, 0, "the test tool says nothing of any test that ran")
    return RunReading(run, cwd, code, found.tests)


def _cwd(run: RunCommand, place: Place) -> str:
    where = place
    for folder in run.folders:
        where = place.at(full_path(folder, where))
    return full_path(".", where)


def _outside(run: RunCommand, cwd: str, place: Place) -> str:
    """The first folder or operand of a run that lies outside the project; empty without one."""
    here = place.at(cwd)
    words = [
        word.partition("=")[2] if word.startswith("-") and "=" in word else word
        for word in run.argv[1:]
    ]
    for word in (".", *(each for each in words if each.startswith(("/", "~", "..")))):
        full = full_path(word, here)
        if full != place.root and not full.startswith(f"{place.root.rstrip('/')}/"):
            return cwd if word == "." else word
    return ""
