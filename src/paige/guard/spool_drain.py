"""Takes the lines of hooks into memory: bounded, and each line once however often it is brought.

A hook only appends a line. Lines are taken in when a session begins (a few), when an agent stops
(in a process of its own, after the answer), and by a running server. Two drains never work at the
same time, and one that is killed brings the same lines again, which memory knows by their ids.
Lines that two writers or a full disk ran into one another are taken apart where that is possible.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from paige.base.actor import Actor
from paige.base.clock import Clock, system_clock
from paige.base.errors import PaigeError, Unavailable
from paige.base.settings import Settings, read_settings
from paige.guard.decision_log import keep
from paige.guard.episodes import drafts_of_lines
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.graph.waiting_lines import take_or_keep
from paige.guard.phases import Phases, read_phases
from paige.guard.state.features import feature_at
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import RememberResult
from paige.memory.intake.project_identity import Identity, identify_at
from paige.memory.intake.spool import DrainResult, ProjectOf, Remember, Spool

if TYPE_CHECKING:
    from paige.guard.graph.lines import Line
    from paige.memory.lifecycle.maintenance import MaintenanceReport, Trigger
    from paige.memory.memory import Memory
    from paige.store.engine import Database

JOB = "paige.guard.spool_drain"
LOCKED = timedelta(seconds=1)
RECENT = timedelta(minutes=10)  # later on another feature may be at work
_BEGINNING = b'{"id"'
Lines = Sequence[Mapping[str, Any]]
Also = Callable[[Lines], None]


@dataclass(frozen=True, slots=True)
class Account:
    """On whose account lines are taken in.

    Who has no right to this machine stands `apart`: their lines name no folder of it.
    """

    actor: Actor = field(default_factory=Actor)
    apart: bool = False

    def is_shared(self, settings: Settings, line: Mapping[str, Any]) -> bool:
        """Whether others of the tenant may learn from a line: not from what is done at home."""
        if self == ALONE:
            return True
        cwd = line.get("cwd")
        if self.apart or not isinstance(cwd, str) or not cwd:
            return False
        return not Path(os.path.normpath(cwd)).is_relative_to(settings.data_dir)

    def project_at(self, settings: Settings, cwd: str) -> Identity | None:
        """The project a line is about."""
        folder = settings.data_dir if self.apart else Path(cwd)
        return identify_at(settings, folder, apart=self.apart)


ALONE = Account()
"""The person of an installation without accounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """For whom a server answers hooks: everything of theirs, so that nothing is taken from its own.

    `later` has a job of memory run when the host has its answer.
    """

    account: Account
    settings: Settings
    database: "Database"
    memory: Callable[[], "Memory"]
    later: Callable[["Trigger", str], None]


class HookSpool(Spool):
    """The spool, read by someone who knows what hooks write.

    `also` is given the lines of every batch before they count as taken in, in their order; whoever
    it stands for has to know lines by their ids, since a batch may come twice.
    """

    def __init__(
        self,
        folder: Path,
        remember: Remember,
        project_of: ProjectOf,
        *,
        record: Mapping[str, Any],
        also: Also | None = None,
    ) -> None:
        super().__init__(folder, remember, project_of)
        self._record = record
        self._also = also

    def _take_in(self, path: Path, lines: Sequence[bytes], done: DrainResult) -> None:
        good: list[dict[str, Any]] = []
        heard: list[dict[str, Any]] = []
        others: list[bytes] = []
        for line in lines:
            broken, found = parsed(line)
            others += [broken] if broken else []
            heard += found
            for each in found:
                # Who wrote a text has already said what the line is worth.
                if each.get("text"):
                    others.append(orjson.dumps(each))
                else:
                    good.append(each)
        drafts = drafts_of_lines(good, self._record, self._project_of)
        for result in self._remember(drafts) if drafts else ():
            done.stored += result.status == "stored"
            done.duplicates += result.status in ("duplicate", "recalled")
            if result.status == "refused":
                done.refused.append(result.reason or "refused")
        if self._also is not None and heard:
            self._also(heard)
        keep(self._folder.parent, good)
        done.lines += max(0, len(lines) - len(others))
        super()._take_in(path, others, done)


def parsed(line: bytes) -> tuple[bytes, list[dict[str, Any]]]:
    """What cannot be read of a line, and the objects in it: a torn one may have another behind."""
    if not line.strip():
        return b"", []
    found = _object(line)
    if found is not None:
        return b"", [found]
    at = line.rfind(_BEGINNING)
    behind = _object(line[at:]) if at > 0 else None
    return (line, []) if behind is None else (line[:at], [behind])


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = _mended(line)
    return found if isinstance(found, dict) else None


def _mended(line: bytes) -> object:
    """A line whose only fault is a half of a character, which some hosts cut in two."""
    if b"\\ud" not in line.lower():
        return None
    try:
        found = json.loads(line)
        return orjson.loads(json.dumps(found, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def hook_settings(place: Place) -> Settings:
    """The settings as a hook sees them: the person's, never those a project brings along.

    Raises: BadInput.
    """
    environ = {**os.environ, "DATA_DIR": place.data}
    environ.pop("AGENT_ROLE", None)  # hosts have names of their own for roles; nothing here asks
    if place.home and "HOME" not in environ:
        environ["HOME"] = place.home
    # `.env` and `paige.toml` are read from the data folder, which is the person's own.
    settings = read_settings(environ, Path(place.data))
    return replace(settings, cwd=Path(place.root), project_dir=None)


def graph_taking(
    settings: Settings,
    database: "Database",
    now: Clock,
    *,
    may_migrate: bool,
    account: Account = ALONE,
) -> Also:
    """What takes the lines of hooks into the context graph, or keeps them until it can.

    A hook that holds a session up does not bring the database up to date; it leaves its lines to
    the background job, which `may_migrate`.
    """

    def project_of(cwd: str) -> str | None:
        found = account.project_at(settings, cwd)
        return None if found is None else found.id

    def take(lines: Lines) -> None:
        from paige.guard.graph.graph import ContextGraph  # noqa: PLC0415 - only with lines to take

        bring_up_to_date(database, may_migrate=may_migrate)
        graph = ContextGraph(database, account.actor, now)
        feature_of = None if account.apart else features_at(now())
        graph.take_in(lines, project_of=cache(project_of), feature_of=feature_of)

    def also(lines: Lines) -> None:
        shared = [line for line in lines if account.is_shared(settings, line)]
        take_or_keep(settings.data_dir, shared, take)

    return also


def is_current(database: "Database") -> bool:
    """Whether a database has the tables of this version. Raises: PaigeError."""
    from paige.store.migrate import current_revision, head_revision  # noqa: PLC0415 - with SQL

    with database.transaction(write=False) as connection:
        return current_revision(connection) == head_revision()


def bring_up_to_date(database: "Database", *, may_migrate: bool) -> None:
    """Make sure that the tables are there. Raises: Unavailable, Conflict, PaigeError."""
    if may_migrate:
        from paige.store.migrate import migrate  # noqa: PLC0415 - with SQL

        migrate(database)
    elif not is_current(database):
        raise Unavailable(
            "The database is of an older version",
            hint="It is brought up to date in the background, or when Paige starts.",
        )


def features_at(now: datetime) -> Callable[["Line"], str]:
    """The feature of a line: the one at work where it was written, if that was just now."""
    known: dict[str, str] = {}

    def feature_of(line: "Line") -> str:
        if not line.cwd or not line.tool or abs(now - line.at) > RECENT:
            return ""
        if line.cwd not in known:
            known[line.cwd] = feature_at(line.cwd)
        return known[line.cwd]

    return feature_of


def spool_of(
    memory: "Memory",
    settings: Settings,
    phases: Phases,
    *,
    also: Also | None = None,
    account: Account = ALONE,
) -> HookSpool:
    """The spool of an installation or of one of its people, emptied into their memory."""

    def project_of(cwd: str) -> str | None:
        found = account.project_at(settings, cwd)
        if found is not None:
            memory.projects.add(found)
        return None if found is None else found.id

    def remember(drafts: Sequence[Draft]) -> list[RememberResult]:
        return memory.remember(drafts, Writer(person=account.actor.person))

    return HookSpool(
        settings.data_dir / "spool", remember, project_of, record=phases.record, also=also
    )


def spools(
    settings: Settings, database: "Database", now: Clock, account: Account = ALONE
) -> Callable[[Path, Remember, ProjectOf], HookSpool]:
    """How a process that is no hook makes the spool: for `Memory(…, make_spool=…)`."""
    also = graph_taking(settings, database, now, may_migrate=True, account=account)
    data, cwd = str(settings.data_dir), str(settings.cwd)
    record = read_phases(Place(cwd, cwd, settings.environ.get("HOME", ""), data, False)).record

    def make(folder: Path, remember: Remember, project_of: ProjectOf) -> HookSpool:
        return HookSpool(folder, remember, project_of, record=record, also=also)

    return make


def drain_some(
    memory: "Memory",
    settings: Settings,
    phases: Phases,
    now: Clock,
    *,
    database: "Database | None" = None,
    account: Account = ALONE,
) -> DrainResult:
    """Take in what a session that begins has time for. Raises: PaigeError."""
    bounds = phases.organise
    also = None
    if database is not None:
        also = graph_taking(settings, database, now, may_migrate=False, account=account)
    return spool_of(memory, settings, phases, also=also, account=account).drain(
        now,
        most_lines=int(bounds["lines"]),
        most_time=timedelta(seconds=float(bounds["seconds"])),
    )


def organise(
    memory: "Memory",
    spool: HookSpool,
    phases: Phases,
    *,
    trigger: "Trigger",
    session: str | None,
    now: Clock,
) -> "MaintenanceReport":
    """Run the jobs of memory that belong to an event, with the lines of hooks first.

    Raises: PaigeError.
    """
    from paige.memory.lifecycle.maintenance import Limits, maintain  # noqa: PLC0415 - much to load

    until = time.monotonic() + float(phases.organise["job_seconds"])
    most = int(phases.organise["job_lines"])

    def drain(wanted: int) -> int:
        # A session that begins meanwhile waits for the lock, so it is not held for long.
        return spool.drain(now, most_lines=min(wanted, most), most_time=LOCKED).lines

    jobs = replace(memory.jobs, drain=drain)
    memory.adopt()
    limits = Limits(expired=lambda: time.monotonic() > until)
    return maintain(jobs, trigger, now=now(), limits=limits, session=session)


def run_job(place: Place, trigger: "Trigger", session: str | None) -> "MaintenanceReport":
    """Open the memory of a place and organise it. Raises: PaigeError."""
    from paige.memory.memory import Memory  # noqa: PLC0415 - imports NumPy
    from paige.store.engine import open_database  # noqa: PLC0415

    settings = hook_settings(place)
    phases = read_phases(place)
    database = open_database(settings)
    try:
        memory = Memory(settings=settings, database=database, now=system_clock)
        try:
            also = graph_taking(settings, database, system_clock, may_migrate=True)
            also([])  # what waits for the graph, also when the spool is empty
            spool = spool_of(memory, settings, phases, also=also)
            return organise(
                memory, spool, phases, trigger=trigger, session=session, now=system_clock
            )
        finally:
            memory.close()
    finally:
        database.close()


def main(arguments: list[str]) -> int:
    """Run as a module with a place, a trigger and a session; faults go to the spool."""
    given = json.loads(arguments[0])
    place = Place(given["cwd"], given["root"], given["home"], given["data"], given["own"])
    try:
        report = run_job(place, given["trigger"], given["session"] or None)
    except (PaigeError, OSError) as error:
        _fault(place, given["trigger"], f"Memory was not organised: {error}")
        return 1
    for job, why in report.failures.items():
        _fault(place, given["trigger"], f"The memory job `{job}` failed: {why}")
    return 0


def _fault(place: Place, trigger: str, reason: str) -> None:
    line: dict[str, object] = {"event": "fault", "host_event": trigger, "reason": reason}
    note(place.data, "paige", "memory", line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
