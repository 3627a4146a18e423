"""The coding CLIs that can be guarded: what is installed in them, and changing that with a preview.

A plan is made first and shown; carrying it out takes the name of exactly that plan, so that nothing
happens to a file that nobody has seen.
"""

import hashlib
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paige.base.checks import Check
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.settings import Settings
from paige.guard.checks import checks
from paige.guard.compiling import write_rules
from paige.guard.fast.place import place_of
from paige.guard.install import installing
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.install.records import read_record
from paige.guard.install.targets import target_for, version_of

Action = Literal["install", "uninstall"]
Level = Literal["user", "project"]
Kind = Literal["created", "changed", "removed"]
MOST_DIFF = 40_000


@dataclass(frozen=True, slots=True)
class Host:
    """A coding CLI; `levels` is where Paige is in its settings, `checks` what doctor says of it."""

    cli: str
    title: str
    found: bool
    version: str
    levels: tuple[Level, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What would happen to a file."""

    path: Path
    kind: Kind
    diff: str


@dataclass(frozen=True, slots=True)
class Planned:
    """What an installation would change; `digest` names exactly this."""

    cli: str
    action: Action
    level: Level
    digest: str
    changes: tuple[Change, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What an installation changed."""

    cli: str
    action: Action
    level: Level
    paths: tuple[Path, ...]
    notes: tuple[str, ...]


class Hosts:
    """The coding CLIs of this machine; safe to be used from several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._changing = threading.Lock()
        self._versions: dict[tuple[str, int], str] = {}

    @property
    def project(self) -> str | None:
        """Where the settings of a project would go."""
        folder = self._settings.project_dir
        return str(folder) if folder is not None and folder.is_dir() else None

    def all(self) -> list[Host]:
        """Every CLI that Paige knows, with what doctor says of it now."""
        said = checks(self._settings)
        return [self._host(cli, said) for cli in CLIS]

    def plan(self, cli: str, action: Action, level: Level) -> Planned:
        """What installing or uninstalling would change. Raises: BadInput, Conflict, Refused."""
        return _shown(self._planned(cli, action, level), action, level)

    def carry_out(self, cli: str, action: Action, level: Level, digest: str) -> Done:
        """Do what was planned. Raises: Conflict when the plan would be another one now."""
        with self._changing:
            planned = self._planned(cli, action, level)
            if digest_of(planned) != digest:
                raise Conflict(
                    "The files changed since the preview was made, so nothing was written",
                    hint="Look at the new preview and decide again.",
                )
            installing.carry_out(planned)
        notes = list(planned.notes)
        if action == "install":
            notes += self._compile(planned)
        paths = tuple(each.path for each in planned.changes if each.action != "unchanged")
        return Done(cli, action, level, paths, tuple(notes))

    def _planned(self, cli: str, action: Action, level: Level) -> installing.Planned:
        project = self._folder(level)
        if action == "uninstall":
            return installing.plan_uninstall(target_for(self._settings, cli, project=project))
        version = self._version(cli)
        target = target_for(self._settings, cli, project=project, version=version)
        return installing.plan_install(target)

    def _folder(self, level: Level) -> Path | None:
        if level == "user":
            return None
        if self.project is None:
            raise NotFound(
                "This server is for no project", hint="Set `PROJECT_DIR`, or install for all."
            )
        return Path(self.project)

    def _host(self, cli: str, said: list[Check]) -> Host:
        title = manifest(cli).title
        names = (f"guard of {title}", f"guard of {cli}", f"mark of {title.split()[0]}")
        return Host(
            cli=cli,
            title=title,
            found=self._program(cli) is not None,
            version=self._version(cli),
            levels=self._levels(cli),
            checks=tuple(each for each in said if each.name.startswith(names)),
        )

    def _levels(self, cli: str) -> tuple[Level, ...]:
        try:
            record = read_record(self._settings.data_dir, cli)
        except PaigeError:
            return ()  # the checks say what is wrong with it
        everywhere: tuple[Level, ...] = ("user",) if record.of(None) else ()
        here = self.project is not None and record.of(Path(self.project)) is not None
        return (*everywhere, "project") if here else everywhere

    def _program(self, cli: str) -> str | None:
        return shutil.which(manifest(cli).program, path=self._settings.environ.get("PATH"))

    def _version(self, cli: str) -> str:
        """The version of a CLI; asked once for every file it was, because starting it is slow."""
        program = self._program(cli)
        if program is None:
            return ""
        try:
            key = program, Path(program).stat().st_mtime_ns
        except OSError:
            return ""
        if key not in self._versions:
            self._versions[key] = version_of(cli, self._settings.environ)
        return self._versions[key]

    def _compile(self, planned: installing.Planned) -> list[str]:
        """Make the compiled rules at once, so that the first call need not wait for them."""
        target = planned.target
        try:
            write_rules(place_of(str(target.project or target.home), str(target.data)))
        except PaigeError as error:
            return [f"The rules could not be compiled: {error.message}"]
        return []


def digest_of(planned: installing.Planned) -> str:
    """A name for exactly these changes."""
    made = hashlib.sha256()
    for each in planned.changes:
        made.update(repr((str(each.path), each.old, each.new)).encode("utf-8", "replace"))
    return made.hexdigest()


def _shown(planned: installing.Planned, action: Action, level: Level) -> Planned:
    changes = [
        Change(each.path, each.action, _short(each.diff))
        for each in planned.changes
        if each.action != "unchanged"
    ]
    return Planned(
        planned.target.cli, action, level, digest_of(planned), tuple(changes), planned.notes
    )


def _short(diff: str) -> str:
    return diff if len(diff) <= MOST_DIFF else f"{diff[:MOST_DIFF]}\n… and more"
