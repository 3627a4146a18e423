"""Doctor's questions about the coding CLIs that Paige is installed for."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from paige.base.checks import Check, Repair
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.guard.compiling import book_for
from paige.guard.completion.asking import read_asked, unheeded
from paige.guard.deciding import manners_for
from paige.guard.fast.place import place_of
from paige.guard.install import codex, copilot, tomledit
from paige.guard.install.firing import (
    DEADLY,
    HARMLESS,
    body_of,
    fire,
    gate_event,
    missing_program,
    refuses,
)
from paige.guard.install.installing import PARTS, carry_out, hooks_file, plan_install
from paige.guard.install.jsontext import JsonFault
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.install.plans import Target, our_hooks
from paige.guard.install.records import Installation, Record, read_record
from paige.guard.install.targets import target_for, version_of

_ONE_FILE_TWICE = "the same event starts Paige more than once"


def checks(settings: Settings) -> list[Check]:
    """Every installation: is it there, does it start, does it refuse what it must."""
    found = [check for cli in CLIS for check in _of_cli(settings, cli)]
    return [*_words(settings), *found, *_of_project(settings)]


def _words(settings: Settings) -> Iterator[Check]:
    """The person's own words for claims: an expression among them may be one that is refused."""
    try:
        read_asked(place_of(str(settings.data_dir), str(settings.data_dir))).words()
    except PaigeError as error:
        yield Check("guard of completions", "fail", error.message, error.hint)


def _of_project(settings: Settings) -> Iterator[Check]:
    """What files of the project would loosen: it has no effect, and the person should know."""
    place = place_of(str(settings.project_dir or settings.cwd), str(settings.data_dir))
    if not place.own:
        return
    own = str(Path(place.root) / ".ai")
    said = [each for each in book_for(place).problems if each.path.startswith(own)]
    rules = (f"`{each.path}` {each.message}" for each in said)
    for each in (*rules, *manners_for(place).problems, *unheeded(place)):
        yield Check("guard of this project", "warn", each)


def _of_cli(settings: Settings, cli: str) -> Iterator[Check]:
    try:
        record = read_record(settings.data_dir, cli)
    except PaigeError as error:
        yield Check(f"guard of {cli}", "fail", error.message, error.hint)
        return
    for made in record.installations:
        if "hooks" in made.parts:
            yield _installation(settings, cli, made, record)
    if cli == "copilot":
        yield from _mark(settings, record)


def _installation(settings: Settings, cli: str, made: Installation, record: Record) -> Check:
    title = manifest(cli).title
    name = f"guard of {title}" + (f" in {made.project}" if made.project else "")
    again = f"Run `paige install {cli}{f' --project {made.project}' if made.project else ''}`."
    if made.project and not made.project.is_dir():
        return Check(name, "warn", "the project is gone", f"Remove it from `{settings.data_dir}`.")
    try:
        target = target_for(settings, cli, project=made.project)
        problem = _problem(target, record)
    except PaigeError as error:
        return Check(name, "fail", error.message, error.hint)
    if problem:
        repair = Repair(
            f"Install the hooks for {title} again", lambda: _reinstall(settings, cli, made)
        )
        return Check(name, "fail", problem, again, repair)
    return Check(name, "ok", f"`{HARMLESS}` passes and `{DEADLY}` is refused")


def _reinstall(settings: Settings, cli: str, made: Installation) -> None:
    """Write what this installation had, for the Paige that runs now. Raises: PaigeError."""
    target = target_for(
        settings,
        cli,
        project=made.project,
        without=set(PARTS) - set(made.parts),
        version=version_of(cli, settings.environ),
    )
    carry_out(plan_install(target))


def _problem(target: Target, record: Record) -> str:
    """What is wrong with an installation; empty when it guards."""
    file = hooks_file(target)
    try:
        text = file.read_text(encoding="utf-8")
        hooks = our_hooks(text)
    except (OSError, UnicodeDecodeError, JsonFault) as error:
        return f"`{file}` cannot be read: {error}"
    gates = [handler for event, handler in hooks if event == gate_event(target.cli)]
    if not gates:
        return f"`{file}` has no hooks of Paige any more"
    events = [event for event, _ in hooks]
    if len(set(events)) < len(events):
        return f"{_ONE_FILE_TWICE} in `{file}`"
    return _levels(target, record) or _untrusted(target, file, text) or _dead(target, gates[0])


def _levels(target: Target, record: Record) -> str:
    levels = {each.project is None for each in record.installations if "hooks" in each.parts}
    twice = target.cli in ("codex", "copilot") and len(levels) > 1
    return f"{_ONE_FILE_TWICE}: for all projects, and for single ones" if twice else ""


def _untrusted(target: Target, file: Path, text: str) -> str:
    if target.cli != "codex":
        return ""
    trusted = codex.trust_file(target)
    try:
        there = tomledit.read(trusted.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomledit.TomlFault) as error:
        return f"`{trusted}` cannot be read, so Codex skips the hooks: {error}"
    for path, wanted in codex.trust(file, text):
        state = tomledit.at(there, path)
        found = state if isinstance(state, dict) else {}
        if found.get("trusted_hash") != wanted["trusted_hash"] or found.get("enabled") is False:
            return f"Codex does not trust the hook `{path[-1]}` and skips it"
    return ""


def _dead(target: Target, handler: object) -> str:
    if missing := missing_program(handler):
        return f"`{missing}` is gone: Paige or its Python has moved"
    cwd = str(target.project or target.home)
    try:
        passed = fire(handler, body_of(target.cli, HARMLESS, cwd), target.environ)
        stopped = fire(handler, body_of(target.cli, DEADLY, cwd), target.environ)
        if refuses(passed):
            return f"the hook refuses even `{HARMLESS}`: {passed.strip()}"
        return "" if refuses(stopped) else f"the hook lets `{DEADLY}` through"
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return f"the hook does not answer: {error}"


def _mark(settings: Settings, record: Record) -> Iterator[Check]:
    """Under Copilot the hook of Claude Code keeps silent exactly when this mark is there."""
    everywhere = record.of(None)
    wanted = everywhere is not None and "hooks" in everywhere.parts
    there = (settings.data_dir / copilot.MARK).exists()
    if wanted != there:
        says = "is missing" if wanted else "is there, though Copilot has no hooks of Paige"
        fix = "Run `paige install copilot`." if wanted else "Run `paige uninstall copilot`."
        repair = (
            Repair(
                "Install the hooks for Copilot again",
                lambda: _reinstall(settings, "copilot", everywhere),
            )
            if everywhere is not None and wanted
            else None
        )
        yield Check("mark of Copilot", "fail", f"`{copilot.MARK}` {says}", fix, repair)
