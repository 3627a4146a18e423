"""When which job runs, and how a run stays bounded, alone and harmless.

There is no daemon: events of a session start the jobs, and a person may. A run has a deadline and a
limit for every job; what does not fit goes on in the next run. Two processes never run jobs at the
same time: who finds a living lease leaves at once, a dead one's lease is taken over. A job that
fails is recorded, and the next one runs all the same. Jobs that write wait until the index and the
ledger have read the whole log, because they would decide on old news otherwise.
"""

import logging
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

import orjson

from paige.base.clock import from_iso, to_iso
from paige.base.counters import took
from paige.base.errors import PaigeError
from paige.base.files import make_private, write_atomic
from paige.base.platform import locked, process_start
from paige.memory.lifecycle import cycle, promotion_jobs
from paige.memory.lifecycle.cycle import policy_book
from paige.memory.lifecycle.job_run import JobResult, Run, Write
from paige.memory.lifecycle.ledger import Ledger, load_ledger, load_policies, save_ledger
from paige.memory.lifecycle.policies import PolicyBook
from paige.memory.lifecycle.queries import HeldMemories
from paige.memory.lifecycle.stats import MemoryStats, stats_of
from paige.memory.lifecycle.summaries import Summariser
from paige.memory.lifecycle.thresholds import Lifecycle
from paige.memory.log.log_access import KeptLog

logger = logging.getLogger(__name__)
Trigger = Literal["session_start", "stop", "session_end", "compact"]
LEASE = timedelta(minutes=10)
_FOLLOWED = 1000  # events between two looks at the deadline

# In this order; those of FIRST bring the news in, and go on even when one of them fails.
FIRST = ("drain", "follow", "catch_up", "outbox")
JOBS: Mapping[str, Callable[[Run], JobResult]] = {
    "recalibrate": cycle.recalibrate,
    "summarise_session": cycle.summarise_session,
    "promote_session": promotion_jobs.promote_session,  # after it: a summary may be worth keeping
    "patterns": cycle.derive_patterns,
    "decay": cycle.decay,
    "promote_project": promotion_jobs.promote_project,
    "retention": cycle.retain,
    "summarise_tiers": cycle.summarise_tiers,  # after it: what left needs no second summary
    "policy": cycle.improve_policies,
}
ENDING = ("summarise_session", "promote_session")
WHEN: Mapping[Trigger, tuple[str, ...]] = {
    "session_start": (*FIRST, "policy"),
    "stop": (*FIRST, *ENDING, "policy"),
    "session_end": (
        *FIRST, "recalibrate", *ENDING, "patterns", "decay", "policy",
    ),
    "compact": (*FIRST, *JOBS),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryParts:
    """What maintenance is made of; whatever is `None` is not there and is left out.

    `catch_up`, `drain` and `outbox` take the most events to handle and return how many they did.
    """

    folder: Path  # where ledger and lease are, beside the index
    logs: Callable[[], Mapping[str, KeptLog]]
    reading: HeldMemories
    write: Write
    lifecycle: Lifecycle
    catch_up: Callable[[int], int] | None = None
    drain: Callable[[int], int] | None = None
    outbox: Callable[[int], int] | None = None
    erase: Callable[[Collection[str]], int] | None = None
    model: Summariser | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a run."""

    expired: Callable[[], bool] = lambda: False  # the deadline, from whoever knows the clock
    events: int | None = None  # memories a job looks at; the lifecycle's own when not given


class JobReport(NamedTuple):
    """What came of one job."""

    job: str
    did: JobResult = JobResult()
    failed: str | None = None
    skipped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceReport:
    """What came of a run."""

    trigger: Trigger
    at: datetime
    jobs: tuple[JobReport, ...] = ()
    busy: str | None = None  # why nothing ran
    refused: tuple[str, ...] = ()  # what the broker did not take

    @property
    def written(self) -> int:
        """Events written."""
        return sum(each.did.written for each in self.jobs)

    @property
    def failures(self) -> dict[str, str]:
        """Jobs that failed, and why."""
        return {each.job: each.failed for each in self.jobs if each.failed}

    @property
    def more(self) -> bool:
        """Whether another run would go on with something."""
        return any(each.did.more or each.skipped for each in self.jobs)

    def lines(self) -> list[str]:
        """For people."""
        if self.busy:
            return [self.busy]
        return [_line(each) for each in self.jobs]


@dataclass(slots=True)
class _State:
    ledger: Ledger
    behind: str | None = None
    paused: bool = False
    failed: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)


def maintain(
    parts: MemoryParts,
    trigger: Trigger,
    *,
    now: datetime,
    limits: Limits | None = None,
    session: str | None = None,
) -> MaintenanceReport:
    """Run the jobs of a trigger once, within bounds. Never raises for what a job does."""
    bounds = limits or Limits()
    make_private(parts.folder)
    with lease(parts.folder / "cycle.lease", now) as holder:
        if holder is not None:
            busy = f"process {holder} is doing this already"
            return MaintenanceReport(trigger=trigger, at=now, busy=busy)
        state = _State(load_ledger(ledger_path(parts.folder)), paused=trigger == "stop")
        jobs: list[JobReport] = []
        for name in WHEN[trigger]:
            begun = time.perf_counter()
            jobs.append(_run(name, parts, state, bounds, now, session))
            if not jobs[-1].skipped:
                outcome = "failed" if jobs[-1].failed else "ok"
                took("memory_job", time.perf_counter() - begun, job=name, outcome=outcome)
        save_ledger(ledger_path(parts.folder), state.ledger)
    return MaintenanceReport(
        trigger=trigger, at=now, jobs=tuple(jobs), refused=tuple(state.refused)
    )


def ledger_path(folder: Path) -> Path:
    """Where the ledger is."""
    return folder / "cycle.json"


def current_book(folder: Path, lifecycle: Lifecycle) -> PolicyBook:
    """The policies as the last run left them; quick enough for every search."""
    return policy_book(load_policies(ledger_path(folder)), lifecycle)


def cycle_stats(parts: MemoryParts, *, now: datetime) -> MemoryStats:
    """The statistics, from every event there is."""
    ledger = load_ledger(ledger_path(parts.folder))
    ledger = _follow_all(ledger, parts, lambda: False).ledger
    book = policy_book(ledger.policies, parts.lifecycle)
    since = now - timedelta(days=parts.lifecycle.policy.window_days)
    learned = sum(len(each.line) > 1 for each in book.lineages.values())
    return stats_of(ledger.counts, ledger.outcomes, since=since, policies=learned)


@contextmanager
def lease(path: Path, now: datetime) -> Iterator[int | None]:
    """Hold the right to run the jobs: gives `None`, or the id of the process that holds it.

    The lock is held for a moment only, to read and write who has the lease, so nobody waits for a
    run to end. A lease ends when its process does, or after its time.
    """
    guard = path.with_name(f"{path.name}.lock")
    with locked(guard):
        holder = _holder(path, now)
        if holder is None:
            mine = {
                "pid": os.getpid(),
                "start": process_start(os.getpid()),
                "until": to_iso(now + LEASE),
            }
            write_atomic(path, orjson.dumps(mine))
    try:
        yield holder
    finally:
        if holder is None:
            path.unlink(missing_ok=True)


def _holder(path: Path, now: datetime) -> int | None:
    try:
        found = orjson.loads(path.read_bytes())
        pid, start, until = int(found["pid"]), found["start"], from_iso(found["until"])
    except (OSError, KeyError, TypeError, ValueError):
        return None
    return pid if until > now and process_start(pid) == start else None


def _run(
    name: str,
    parts: MemoryParts,
    state: _State,
    bounds: Limits,
    now: datetime,
    session: str | None,
) -> JobReport:
    if bounds.expired():
        return JobReport(name, skipped="the time was up")
    if name in JOBS and state.behind is not None:
        return JobReport(name, skipped=state.behind)
    try:
        if name in FIRST:
            return _bring_in(name, parts, state, bounds)
        run = Run(
            ledger=state.ledger,
            reading=parts.reading,
            write=parts.write,
            lifecycle=parts.lifecycle,
            now=now,
            expired=bounds.expired,
            limit=bounds.events or parts.lifecycle.jobs.most_events,
            session=session,
            paused=state.paused,
            failed=frozenset(state.failed),
            model=parts.model,
            erase=parts.erase,
            refused=state.refused,
        )
        did = JOBS[name](run)
        if did.written and parts.catch_up is not None:
            parts.catch_up(run.limit)  # so that the next job sees it
        return JobReport(name, did)
    except PaigeError as error:
        logger.warning("The memory job `%s` failed: %s", name, error.message)
        return _failed(name, error.message, state)
    except Exception as error:  # a failed job must not keep the next one from running
        logger.warning("The memory job `%s` failed", name, exc_info=True)
        return _failed(name, f"{type(error).__name__}: {error}", state)


def _failed(name: str, why: str, state: _State) -> JobReport:
    state.failed.add(name)
    if name in ("follow", "catch_up"):
        state.behind = f"`{name}` failed"
    return JobReport(name, failed=why)


def _bring_in(name: str, parts: MemoryParts, state: _State, bounds: Limits) -> JobReport:
    most = bounds.events or parts.lifecycle.jobs.most_events
    if name == "follow":
        found = _follow_all(state.ledger, parts, bounds.expired)
        state.ledger = found.ledger
        if found.left:
            state.behind = f"{found.left} events are not read yet"
        return JobReport(name, JobResult(found.taken, 0, found.left > 0))
    job = {"drain": parts.drain, "catch_up": parts.catch_up, "outbox": parts.outbox}[name]
    if job is None:
        return JobReport(name, skipped="there is none")
    done = 0
    while True:
        step = job(most)
        done += step
        if step < most:
            return JobReport(name, JobResult(done))
        if name != "catch_up" or bounds.expired():
            break
    if name == "catch_up":
        state.behind = "the index has not read the whole log yet"
    return JobReport(name, JobResult(done, 0, True))


class _FollowedAll(NamedTuple):
    ledger: Ledger
    taken: int
    left: int


def _follow_all(ledger: Ledger, parts: MemoryParts, expired: Callable[[], bool]) -> _FollowedAll:
    """Take in what the logs have that the ledger has not."""
    logs = parts.logs()
    if not all(_continues(ledger, name, log) for name, log in logs.items()):
        ledger = Ledger()  # a log was replaced: everything is read again
    taken = left = 0
    for name, log in logs.items():
        while True:
            step = ledger.take_in(name, log.read(ledger.place(name).seq, limit=_FOLLOWED))
            taken += step
            if step < _FOLLOWED:
                break
            if expired():
                left += max(0, log.last_seq() - ledger.place(name).seq)
                break
    return _FollowedAll(ledger, taken, left)


def _continues(ledger: Ledger, name: str, log: KeptLog) -> bool:
    """Whether the log still has the event the ledger read last."""
    place = ledger.place(name)
    if place.seq == 0:
        return True
    last = next(iter(log.read(place.seq - 1, limit=1)), None)
    return last is not None and (last.seq, last.id) == place


def _line(report: JobReport) -> str:
    if report.failed:
        return f"{report.job:<18} failed: {report.failed}"
    if report.skipped:
        return f"{report.job:<18} skipped: {report.skipped}"
    more = ", more is waiting" if report.did.more else ""
    return f"{report.job:<18} {report.did.seen} looked at, {report.did.written} written{more}"
