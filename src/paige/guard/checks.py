"""Doctor's questions about the coding CLIs that Paige is installed for."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from paige.base.checks import Check, Repair
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.guard.compiler import book_for
from paige.guard.completion.project_wishes import read_wishes, unheeded
from paige.guard.fast.place import place_of
from paige.guard.install import tomledit
from paige.guard.install.commands import argv_of
from paige.guard.install.hosts import MARK, hooks_file, trust, trust_file
from paige.guard.install.installer import PARTS, carry_out, plan_install
from paige.guard.install.jsonedit import JsonFault
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.install.plans import Target, our_hooks
from paige.guard.install.records import Installation, Record, read_record
from paige.guard.install.targets import target_for, version_of
from paige.guard.slow_path import manners_for

HARMLESS, DEADLY = "ls", "rm -rf /"
_SHELLS = {"claude-code": "Bash", "codex": "Bash", "gemini": "run_shell_command", "copilot": "bash"}
_SECONDS = 10


def gate_event(cli: str) -> str:
    """The event a host sends before a tool runs."""
    return next(name for name, event in manifest(cli).events.items() if event.means == "pre_tool")


def body_of(cli: str, command: str, cwd: str) -> dict[str, object]:
    """What a host would send before it runs a command."""
    if cli == "copilot":
        given = {"toolName": _SHELLS[cli], "toolArgs": {"command": command}}
        return {"sessionId": "paige-doctor", "timestamp": 0, "cwd": cwd, **given}
    return {
        "session_id": "paige-doctor",
        "transcript_path": "",
        "cwd": cwd,
        "hook_event_name": gate_event(cli),
        "permission_mode": "default",
        "tool_name": _SHELLS[cli],
        "tool_input": {"command": command},
    }


def missing_program(handler: object) -> str:
    """The file a hook needs that is not there; empty when all are."""
    argv = argv_of(handler)
    needed = [argv[0], *(each for each in argv[1:] if each.endswith("entry.py"))] if argv else []
    return next((each for each in needed if not Path(each).is_file()), "")


def fire(handler: object, body: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """What a hook answers, as the host would start it. Raises: OSError, SubprocessError."""
    given = handler if isinstance(handler, dict) else {}
    line = given.get("bash") or given.get("command")
    plain = isinstance(given.get("args"), list)
    done = subprocess.run(
        argv_of(handler) if plain else str(line),
        shell=not plain,
        env={key: environ[key] for key in ("HOME", "PATH", "SYSTEMROOT") if key in environ},
        input=json.dumps(body),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode not in (0, 2):
        raise subprocess.CalledProcessError(done.returncode, line or "", done.stdout, done.stderr)
    return done.stdout if done.returncode == 0 else '{"decision": "deny"}'


def refuses(answer: str) -> bool:
    """Whether an answer says no. Raises: ValueError when it is no answer."""
    said = json.loads(answer) if answer.strip() else {}
    own = said.get("hookSpecificOutput", {})
    words = (said.get("decision"), said.get("permissionDecision"), own.get("permissionDecision"))
    return "deny" in words


_ONE_FILE_TWICE = "the same event starts Paige more than once"


def checks(settings: Settings) -> list[Check]:
    """Every installation: is it there, does it start, does it refuse what it must."""
    found = [check for cli in CLIS for check in _of_cli(settings, cli)]
    return [*_words(settings), *found, *_of_project(settings)]


def _words(settings: Settings) -> Iterator[Check]:
    """The person's own words for claims: an expression among them may be one that is refused."""
    try:
        read_wishes(place_of(str(settings.data_dir), str(settings.data_dir))).words()
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
    trusted = trust_file(target)
    try:
        there = tomledit.read(trusted.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomledit.TomlFault) as error:
        return f"`{trusted}` cannot be read, so Codex skips the hooks: {error}"
    for path, wanted in trust(file, text):
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
    there = (settings.data_dir / MARK).exists()
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
        yield Check("mark of Copilot", "fail", f"`{MARK}` {says}", fix, repair)
