"""Lets a real coding CLI work on a task: headless, with Paige's hooks alone, in the worktree.

The host reads settings that were made for this run: the hooks of Paige and nothing of the person's,
so that the same gates hold on every machine. The role of the agent goes along as `AGENT_ROLE`.
How each CLI is started is data: a table that is shipped, and what a person changed in it.
"""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from pydantic import Field, TypeAdapter, ValidationError

from paige.base.environment import CODING_CLIS, passed_on
from paige.base.errors import BadInput, NotFound, PaigeError, Unavailable
from paige.base.files import make_private, write_atomic, write_error
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.base.wire import SNAKE
from paige.guard.completion.recursion import DEPTH, FLAG, RUN
from paige.guard.install.installer import PARTS, plan_install
from paige.guard.install.manifests import manifest
from paige.guard.install.records import Record
from paige.guard.install.targets import target_for, version_of
from paige.orchestra.running.processes import (
    STDERR,
    STDOUT,
    ProcessEnd,
    ProcessRequest,
    run_process,
)
from paige.orchestra.running.runners import RunResult, Task

ANSWER = "answer.txt"
HOST = "host"
_MOST_READ = 4 * 2**20
_MOST_PROBLEM = 1500
# Where each host keeps the settings of a person, and the variable that moves them.
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_HOMES = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude", ""),
    "codex": ("CODEX_HOME", ".codex", ""),
    "gemini": ("GEMINI_CLI_HOME", "", ".gemini"),
}
_IN_A_HOOK = (FLAG, DEPTH, RUN)
FILE = "orchestra/runners.toml"
LOOP = "loop"


@dataclass(frozen=True, slots=True, kw_only=True)
class CliSpec:
    """How one coding CLI is started headless; the fields are those of `runners.toml`."""

    __pydantic_config__ = SNAKE

    name: str
    cli: str
    program: str
    argv: tuple[str, ...]
    more: tuple[str, ...] = ()
    answer: Annotated[str, Field(pattern=r"^(stdout(:.+)?|file)$")] = "stdout"
    agents: bool = False
    links: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    env: Mapping[str, str]


@dataclass(slots=True)
class CliRunner:
    """One coding CLI; the version of the host is asked for once."""

    spec: CliSpec
    settings: Settings
    environ: Mapping[str, str]
    _version: str | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The name of the runner."""
        return self.spec.name

    def check(self) -> None:
        """Refuse when the program is not there. Raises: Unavailable."""
        if shutil.which(self.spec.program, path=self.environ.get("PATH")) is None:
            raise Unavailable(
                f"The runner `{self.name}` needs the program `{self.spec.program}`, "
                "and it is not installed",
                hint="Install it, or choose another runner with `--runner`.",
            )

    async def run(self, task: Task) -> RunResult:
        """Let the host work on a task."""
        try:
            wanted = await to_thread.run_sync(self._prepare, task)
            ended = await run_process(wanted)
        except PaigeError as error:
            return RunResult(status="failed", problem=error.message, source=self.name)
        return await to_thread.run_sync(self._done, task, ended)

    def _prepare(self, task: Task) -> ProcessRequest:
        self.check()
        host = task.out / HOST
        make_private(host)
        settings = self._settings(host)
        words = {
            "agent": task.agent,
            "agents": json.dumps(
                {task.agent: {"description": task.agent, "prompt": task.instructions}},
                ensure_ascii=False,
            ),
            "session": task.session,
            "settings": str(settings),
            "home": str(host),
            "answer": str(task.out / ANSWER),
            "folder": str(task.folder),
        }
        argv = [_filled(each, words) for each in (*self.spec.argv, *self.spec.more)]
        if self.spec.cli == "codex":
            argv.append("-")  # the prompt comes over stdin
        program = shutil.which(self.spec.program, path=self.environ.get("PATH"))
        return ProcessRequest(
            argv=(program or self.spec.program, *argv),
            folder=task.folder,
            environ=self._environ(task, words),
            stdin=self._prompt(task),
            out=task.out,
            seconds=task.timeout_s,
        )

    def _prompt(self, task: Task) -> str:
        if self.spec.agents or not task.instructions:
            return task.prompt
        return f"{task.instructions.strip()}\n\n---\n\n{task.prompt}"

    def _environ(self, task: Task, words: Mapping[str, str]) -> dict[str, str]:
        dropped = {*self.spec.without, *_IN_A_HOOK}
        # A person's own provider has its key in a variable that their `more` names.
        said = _VARIABLE.findall(" ".join((*self.spec.argv, *self.spec.more)))
        given = passed_on(self.environ, own=(*CODING_CLIS[self.spec.cli], *said))
        kept = {name: value for name, value in given.items() if name not in dropped}
        own = {name: _filled(value, words) for name, value in self.spec.env.items()}
        return {**kept, **own, "AGENT_ROLE": task.role}

    def _settings(self, host: Path) -> Path:
        """Write the settings of this run, with Paige's hooks alone; the file they stand in."""
        variable, folder, inner = _HOMES[self.spec.cli]
        environ = {**self.environ, variable: str(host)}
        if self._version is None:
            self._version = version_of(self.spec.cli, self.environ)
        target = target_for(
            replace(self.settings, environ=environ),
            self.spec.cli,
            without=set(PARTS) - {"hooks"},
            version=self._version,
        )
        given = self.environ.get(variable)
        person = (Path(given) if given else Path(self.environ.get("HOME", "")) / folder) / inner
        changes = plan_install(target, record=Record(), read=lambda _: None).changes
        for change in changes:
            write_atomic(change.path, change.new or "")
        if self.spec.keep:
            _keep(person / changes[0].path.name, changes[0].path, self.spec.keep)
        self._link(host / inner, person)
        return changes[0].path

    def _link(self, host: Path, person: Path) -> None:
        """Let the host find what the person signed in with."""
        for name in self.spec.links:
            target = person / name
            if not target.is_file():
                continue
            try:
                (host / name).unlink(missing_ok=True)
                os.symlink(target, host / name)
            except OSError as error:
                raise write_error(host / name, error) from error

    def _done(self, task: Task, ended: ProcessEnd) -> RunResult:
        printed, complained = _text(task.out / STDOUT), _text(task.out / STDERR)
        meta = {"host": manifest(self.spec.cli).title, "version": self._version or ""}
        if ended.code is None:
            return RunResult(
                status="timeout",
                text=answer_of(self.spec.answer, printed, task.out / ANSWER),
                seconds=ended.seconds,
                problem=f"`{self.name}` did not end within {task.timeout_s:g} s and was ended",
                source=self.name,
                meta=meta,
            )
        text = answer_of(self.spec.answer, printed, task.out / ANSWER)
        if ended.code != 0:
            last = (complained.strip() or printed.strip())[-_MOST_PROBLEM:]
            return RunResult(
                status="failed",
                text=text,
                exit_code=ended.code,
                seconds=ended.seconds,
                problem=f"`{self.name}` ended with {ended.code}: {last or 'without a word'}",
                source=self.name,
                meta=meta,
            )
        return RunResult(
            status="ended",
            text=text,
            exit_code=0,
            seconds=ended.seconds,
            source=self.name,
            meta=meta,
        )


def answer_of(how: str, printed: str, file: Path) -> str:
    """The agent's last words, from where a host puts them; else all that it printed."""
    where, _, key = how.partition(":")
    if where == "file":
        return _text(file) or printed.strip()
    if not key:
        return printed.strip()
    for text in (printed.strip(), *reversed(printed.strip().splitlines())):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and isinstance(found.get(key), str):
            return found[key]
    return printed.strip()


def _keep(person: Path, made: Path, keys: tuple[str, ...]) -> None:
    """Take single keys of the person's settings over into those of the run."""
    try:
        theirs = json.loads(person.read_text("utf-8"))
        ours = json.loads(made.read_text("utf-8"))
    except (OSError, ValueError):
        return  # they have none, or write them with comments: then the variables must do
    kept = {key: theirs[key] for key in keys if isinstance(theirs, dict) and key in theirs}
    write_atomic(made, json.dumps({**kept, **ours}, indent=2, ensure_ascii=False) + "\n")


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, value in words.items():
        if text == f"{{{name}}}":
            return value
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value) if name != "agents" else text
    return text


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _MOST_READ))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def read_specs(config: Path | None) -> dict[str, CliSpec]:
    """Every runner by name; `config` is the person's folder. Raises: BadInput with file and key."""
    specs = _read(SHIPPED / FILE, {})
    return _read(config / FILE, specs) if config is not None else specs


def get_spec(specs: Mapping[str, CliSpec], name: str) -> CliSpec:
    """The runner of a name. Raises: NotFound."""
    if name not in specs:
        known = ", ".join(f"`{each}`" for each in (LOOP, *specs))
        raise NotFound(f"There is no runner `{name}`", hint=f"There are: {known}.")
    return specs[name]


def _read(path: Path, below: Mapping[str, CliSpec]) -> dict[str, CliSpec]:
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return dict(below)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"`{path}` cannot be used: {error}", hint="Correct or remove it.") from error
    found = dict(below)
    for name, table in tables.items():
        if not isinstance(table, dict) or name == LOOP:
            raise BadInput(f"`{path}`: `{name}` is no table of a runner")
        found[name] = _spec(name, table, below.get(name), path)
    return found


def _spec(name: str, table: Mapping[str, Any], below: CliSpec | None, path: Path) -> CliSpec:
    base = asdict(below) if below is not None else {"name": name, "env": {}}
    env = table.get("env", {})
    merged = {**base, **table, "env": {**base["env"], **env} if isinstance(env, dict) else env}
    try:
        return _SPEC.validate_python(merged)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(map(str, fault["loc"]))
        if fault["type"] == "missing":
            raise BadInput(f"`{path}`: the runner `{name}` has no `{key}`") from error
        if fault["type"] == "unexpected_keyword_argument":
            known = sorted(each.name for each in fields(CliSpec) if each.name != "name")
            raise BadInput(
                f"`{path}`: `{name}.{key}` is not known", hint=f"Known: {', '.join(known)}."
            ) from error
        raise BadInput(f"`{path}`: `{name}.{key}`: {fault['msg']}") from error


_SPEC = TypeAdapter(CliSpec)
