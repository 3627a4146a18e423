"""The coding CLIs that can be guarded: what is installed in them, and changing that with a preview.

A plan is made first and shown; carrying it out takes the name of exactly that plan, so that nothing
happens to a file that nobody has seen.
"""

import hashlib
import shutil
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import cast

from paige.base.checks import Check
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.secrets import redact
from paige.base.settings import Settings
from paige.doors.guard.values import (
    Cli,
    GuardCarryOut,
    GuardCheck,
    GuardDone,
    GuardFileChange,
    GuardHost,
    GuardHosts,
    GuardPlan,
    GuardPlanRequest,
    Level,
)
from paige.guard.checks import checks
from paige.guard.compiler import compile_noting
from paige.guard.install import installer
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.install.records import read_record
from paige.guard.install.targets import target_for, version_of

MOST_DIFF = 40_000


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

    def all(self, heard: Mapping[str, datetime]) -> GuardHosts:
        """Every CLI that Paige knows, with what doctor says of it now, and when each was heard."""
        said = checks(self._settings)
        hosts = (self._host(cast("Cli", cli), said, heard.get(cli)) for cli in CLIS)
        return GuardHosts(tuple(hosts), self.project)

    def plan(self, given: GuardPlanRequest) -> GuardPlan:
        """What installing or uninstalling would change. Raises: BadInput, Conflict, Refused."""
        planned = self._planned(given)
        return GuardPlan(
            cli=given.cli,
            action=given.action,
            level=given.level,
            digest=digest_of(planned),
            changes=tuple(
                GuardFileChange(str(each.path), each.action, redact(_short(each.diff)))
                for each in planned.changes
                if each.action != "unchanged"
            ),
            notes=planned.notes,
        )

    def carry_out(self, given: GuardCarryOut) -> GuardDone:
        """Do what was planned. Raises: Conflict when the plan would be another one now."""
        with self._changing:
            planned = self._planned(given)
            if digest_of(planned) != given.digest:
                raise Conflict(
                    "The files changed since the preview was made, so nothing was written",
                    hint="Look at the new preview and decide again.",
                )
            installer.carry_out(planned)
        notes = list(planned.notes)
        if given.action == "install":
            target = planned.target
            notes += compile_noting(target.project or target.home, target.data)
        return GuardDone(
            cli=given.cli,
            action=given.action,
            level=given.level,
            paths=tuple(str(each.path) for each in planned.changes if each.action != "unchanged"),
            notes=tuple(notes),
        )

    def _planned(self, given: GuardPlanRequest) -> installer.InstallPlan:
        cli, project = given.cli, self._folder(given.level)
        if given.action == "uninstall":
            return installer.plan_uninstall(target_for(self._settings, cli, project=project))
        version = self._version(cli)
        target = target_for(self._settings, cli, project=project, version=version)
        return installer.plan_install(target)

    def _folder(self, level: Level) -> Path | None:
        if level == "user":
            return None
        if self.project is None:
            raise NotFound(
                "This server is for no project", hint="Set `PROJECT_DIR`, or install for all."
            )
        return Path(self.project)

    def _host(self, cli: Cli, said: list[Check], last: datetime | None) -> GuardHost:
        title = manifest(cli).title
        names = (f"guard of {title}", f"guard of {cli}", f"mark of {title.split()[0]}")
        return GuardHost(
            cli=cli,
            title=title,
            found=self._program(cli) is not None,
            version=self._version(cli),
            levels=self._levels(cli),
            checks=tuple(
                GuardCheck(each.name, each.status, each.message, each.fix)
                for each in said
                if each.name.startswith(names)
            ),
            last=last,
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


def digest_of(planned: installer.InstallPlan) -> str:
    """A name for exactly these changes."""
    made = hashlib.sha256()
    for each in planned.changes:
        made.update(repr((str(each.path), each.old, each.new)).encode("utf-8", "replace"))
    return made.hexdigest()


def _short(diff: str) -> str:
    return diff if len(diff) <= MOST_DIFF else f"{diff[:MOST_DIFF]}\n… and more"
