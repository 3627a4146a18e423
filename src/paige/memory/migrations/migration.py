"""Brings a log to this version of its fields by writing it anew.

The old log is read line by line, every line goes through the steps it needs, and a new log with its
own chain is written beside it and compared with the old one, line by line. Only then does it take
the place of the old one, which stays as `<name>.before-<version>`. Whatever goes wrong before that
leaves the old log as it was. Every event keeps the hash it had as `origin_hash`. Lines that cannot
be carried are kept in a file beside the log, with the reason.

Lines of a newer minor version are carried as they are; a newer major version is not touched.
"""

import base64
import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from paige.base.errors import Conflict, NotFound, Refused, Unavailable
from paige.base.files import make_private, write_atomic, write_error
from paige.base.platform import locked
from paige.memory.event import SCHEMA_VERSION, SEAL_FIELDS
from paige.memory.log.chain import START_HASH, check_line
from paige.memory.log.log import Log
from paige.memory.migrations.audit import Counts, MigrationPlan, MigrationReport
from paige.memory.migrations.lines import (
    CarriedLine,
    CarryContext,
    LeftLine,
    carry,
    log_files,
    seal_line,
    source_lines,
)
from paige.memory.migrations.log_swap import (
    free_path,
    new_path,
    plan_swap,
    resume,
    swap,
)
from paige.memory.migrations.steps import STEPS, Step, Version, read_version

CURRENT = Version(*map(int, SCHEMA_VERSION.split(".")))
SALT_BYTES = 16
_EVERY = 2000  # lines between two calls of progress
_DAMAGE = ("hash", "content", "prev", "gap")


class Progress(NamedTuple):
    """How far a migration is."""

    phase: str  # `write`, then `check`
    lines: int
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationOptions:
    """Where to, for whom, and how."""

    now: datetime
    owner: str = "me"  # of lines that name no owner
    target: str = SCHEMA_VERSION
    steps: tuple[Step, ...] = STEPS
    damaged_too: bool = False  # also a log that was changed by hand
    randomness: Callable[[int], bytes] = os.urandom
    progress: Callable[[Progress], None] = lambda _: None


def plan(path: Path, way: MigrationOptions) -> MigrationPlan:
    """What would be done with a log; nothing is written. Raises: NotFound."""
    real = Path(os.path.realpath(path))
    files = _files(real)
    counts = Counts(_target(way))
    for found in carry(source_lines(files), _carrying(real, way)):
        counts.take(found)
    damage = [p for p in Log(real).verify().problems if p.kind in _DAMAGE]
    return MigrationPlan(path=path, counts=counts, damage=damage)


def migrate(path: Path, way: MigrationOptions) -> MigrationReport:
    """Write the log anew in its place, and report.

    Raises: NotFound, Refused (a newer major version), Conflict (a damaged log), Unavailable (the
    new log is not what it should be; the old one is untouched).
    """
    real = Path(os.path.realpath(path))
    _files(real)
    try:
        make_private(real.parent)
        with locked(real.with_name(f"{real.name}.lock")):
            return _migrate(real, way)
    except OSError as error:
        raise write_error(real, error) from error


def _migrate(path: Path, way: MigrationOptions) -> MigrationReport:
    resume(path)
    _aside_path(path).unlink(missing_ok=True)
    planned = plan(path, way)
    _check_plan(planned, way)
    if not planned.needed:
        return MigrationReport(path=path, at=way.now, counts=planned.counts, written=False)
    if not path.exists():
        path.touch(mode=0o600)  # the last writer filled a file and died before it made the next
    carrying, size = _carrying(path, way), path.stat().st_size
    with _removed_unless_used(new_path(path)), _removed_unless_used(_aside_path(path)):
        counts = _write(path, carrying, way)
        _check(path, carrying, way)
        return _put_in_place(path, size, counts, way)


def _put_in_place(path: Path, size: int, counts: Counts, way: MigrationOptions) -> MigrationReport:
    todo = plan_swap(path, way.target, size)
    report = MigrationReport(
        path=path,
        at=way.now,
        counts=counts,
        written=True,
        kept=tuple(kept for _, kept in todo.kept),
        side_file=_keep_side_file(path, way.target),
    )
    # Before the swap: a crash in it is mended later, and nobody would know then what to report.
    with _written_report(report, way.target):
        kept = swap(todo)
        _bring_along(kept[-1], size, path)
    return report


@contextlib.contextmanager
def _written_report(report: MigrationReport, version: str) -> Iterator[None]:
    """Both forms of the report beside the new log; none if the block fails."""
    path = free_path(report.path.with_name(f"{report.path.name}.migration-{version}.json"))
    words = path.with_name(f"{path.name}.txt")
    try:
        write_atomic(path, orjson.dumps(report.as_json(), option=orjson.OPT_INDENT_2))
        write_atomic(words, report.as_text())
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        words.unlink(missing_ok=True)
        raise


def _write(path: Path, carrying: CarryContext, way: MigrationOptions) -> Counts:
    counts = Counts(carrying.target)
    prev = START_HASH
    with _create(new_path(path), path) as out, _create(_aside_path(path), path) as aside:
        for found in _watched(carry(source_lines(log_files(path)), carrying), path, way, "write"):
            counts.take(found)
            if isinstance(found, LeftLine):
                aside.write(_set_aside(found))
                continue
            line, prev = seal_line(found.fields, prev, way.randomness(SALT_BYTES).hex())
            out.write(line)
        for file in (out, aside):
            file.flush()
            os.fsync(file.fileno())
    return counts


def _check(path: Path, carrying: CarryContext, way: MigrationOptions) -> None:
    """Read both logs again, side by side: order, ids, words and the chain must be right."""
    prev = START_HASH
    with new_path(path).open("rb") as lines:
        for found in _watched(carry(source_lines(log_files(path)), carrying), path, way, "check"):
            if isinstance(found, LeftLine):
                continue
            raw = next(lines, b"")
            fields, faults = check_line(raw)
            if fields is None or faults or fields.get("prev") != prev or not _same(fields, found):
                raise _wrong(found)
            prev = fields["hash"]
        if next(lines, b""):
            raise _wrong(None)


def _same(fields: dict[str, Any], found: CarriedLine) -> bool:
    written = {name: value for name, value in fields.items() if name not in SEAL_FIELDS}
    expected = {name: value for name, value in found.fields.items() if name not in SEAL_FIELDS}
    return written == expected


def _wrong(found: CarriedLine | None) -> Unavailable:
    place = f" at {found.source.segment}:{found.source.line}" if found else ""
    return Unavailable(
        f"The new log is not what the old one says{place}; the old one is untouched",
        hint="Try again; if it stays so, check the disk.",
    )


def _check_plan(planned: MigrationPlan, way: MigrationOptions) -> None:
    if planned.refused:
        raise Refused(planned.refused, hint="Update Paige.")
    if planned.damage and not way.damaged_too:
        first = planned.damage[0]
        raise Conflict(
            f"The log was changed by hand or damaged: {first.segment}:{first.line}: {first.what}",
            hint="`paige memory verify` lists everything. Repair it, or say that it may be "
            "migrated as it is.",
        )


def _carrying(path: Path, way: MigrationOptions) -> CarryContext:
    modified = datetime.fromtimestamp(log_files(path)[0].stat().st_mtime, UTC)
    return CarryContext(
        target=_target(way),
        owner=way.owner,
        otherwise_at=modified,
        adopted=Log(path).adopted(),
        steps=way.steps,
    )


def _target(way: MigrationOptions) -> Version:
    version = read_version(way.target)
    if version is None or version.major > CURRENT.major:
        raise Refused(
            f"This Paige cannot write version `{way.target}`", hint=f"It writes {CURRENT}."
        )
    return version


def _files(path: Path) -> list[Path]:
    files = log_files(path)
    if not files:
        raise NotFound(f"There is no log at `{path}`", hint="Give the path of an `events.jsonl`.")
    return files


def _watched(
    items: Iterator[CarriedLine | LeftLine], old: Path, way: MigrationOptions, phase: str
) -> Iterator[CarriedLine | LeftLine]:
    total = sum(file.stat().st_size for file in log_files(old))
    lines = done = 0
    for item in items:
        lines += 1
        done += len(item.source.raw) + 1
        if lines % _EVERY == 0:
            way.progress(Progress(phase, lines, min(done, total), total))
        yield item
    way.progress(Progress(phase, lines, total, total))


def _set_aside(found: LeftLine) -> bytes:
    if not found.kept:
        return b""
    line: dict[str, Any] = {
        "file": found.source.segment,
        "line": found.source.line,
        "why": found.why,
    }
    try:
        line["text"] = found.source.raw.decode()
    except UnicodeDecodeError:
        line["base64"] = base64.b64encode(found.source.raw).decode()
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _keep_side_file(path: Path, version: str) -> Path | None:
    aside = _aside_path(path)
    if aside.stat().st_size == 0:
        return None
    kept = free_path(path.with_name(f"{path.name}.not-migrated-{version}.jsonl"))
    os.replace(aside, kept)
    return kept


def _bring_along(kept: Path, size: int, active: Path) -> None:
    """Carry over what someone without our lock appended to the old log meanwhile."""
    with kept.open("rb") as old:
        old.seek(size)
        late = old.read()
    if late:
        with active.open("ab") as new:
            new.write(late)
            os.fsync(new.fileno())


def _aside_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.aside")


def _create(path: Path, like: Path) -> BinaryIO:
    handle = os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600
    )
    if hasattr(os, "fchmod"):
        os.fchmod(handle, log_files(like)[-1].stat().st_mode & 0o7777)
    return os.fdopen(handle, "wb")


@contextlib.contextmanager
def _removed_unless_used(path: Path) -> Iterator[None]:
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
