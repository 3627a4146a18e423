"""Carries lines of a log to a version, one by one: each is carried, or left with a reason.

The same lines always give the same result, so that a second run can check the first.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.base.clock import from_iso, to_iso
from paige.base.errors import BadInput
from paige.memory.event import SEAL_FIELDS, load_event
from paige.memory.imports.sources import stable_id
from paige.memory.log.chain import HEADER_FIELDS, header_hash, is_foreign, parse
from paige.memory.log.segments import full_segments
from paige.memory.log.verification import line_mark
from paige.memory.migrations.steps import STEPS, Step, Version, steps_between, version_of

_NOT_CONTENT = frozenset(HEADER_FIELDS) | set(SEAL_FIELDS) | {"forgotten"}


def seal_line(fields: Mapping[str, Any], prev: str, salt: str) -> tuple[bytes, str]:
    """The line with its newline, and its hash, which the next one needs."""
    line = {"id": fields["id"], **{n: fields[n] for n in fields if n not in SEAL_FIELDS}}
    digest = fields.get("digest")
    if not fields.get("forgotten"):
        content = {name: line[name] for name in line.keys() - _NOT_CONTENT}
        written = orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
        digest = sha256(salt.encode() + written).hexdigest()
        line["salt"] = salt
    line["digest"] = digest
    line["prev"] = prev
    line["hash"] = header_hash(line)
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE), line["hash"]


_SEAL = frozenset(SEAL_FIELDS)


class SourceLine(NamedTuple):
    """A line of the old log and where it stands."""

    segment: str
    line: int
    raw: bytes


class CarriedLine(NamedTuple):
    """A line of the new log, not sealed yet."""

    source: SourceLine
    version: Version  # the one it had
    fields: dict[str, Any]
    steps: tuple[Step, ...]


class LeftLine(NamedTuple):
    """A line that is not in the new log, and why. `kept`: its words are nowhere else."""

    source: SourceLine
    why: str
    kept: bool = True
    too_new: Version | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryContext:
    """What is needed to carry lines, besides the lines."""

    target: Version
    owner: str  # of lines that name none
    otherwise_at: datetime  # of lines that name no time and follow none that does
    adopted: frozenset[str] = frozenset()  # marks of lines that events were made of before
    steps: tuple[Step, ...] = field(default=STEPS)


def log_files(path: Path) -> list[Path]:
    """The files of a log, the oldest first."""
    files = [segment.path for segment in full_segments(path)]
    return [*files, *([path] if path.is_file() else [])]


def source_lines(files: Iterable[Path]) -> Iterator[SourceLine]:
    """Every line of the files, without newlines."""
    for file in files:
        with file.open("rb") as lines:
            for number, raw in enumerate(lines, 1):
                yield SourceLine(file.name, number, raw.rstrip(b"\r\n"))


def carry(lines: Iterable[SourceLine], how: CarryContext) -> Iterator[CarriedLine | LeftLine]:
    """Every line that says something, carried or left, in order."""
    seen: set[int] = set()  # hashes of ids; a false alarm only puts a line aside
    at, seq = how.otherwise_at, 0
    for source in lines:
        if not source.raw.strip():
            continue
        found = _carry_one(source, how, at, seq + 1)
        if isinstance(found, CarriedLine):
            key = hash(found.fields["id"])
            if key in seen:
                found = LeftLine(source, f"the id `{found.fields['id']}` was there before")
            else:
                seen.add(key)
                seq += 1
                at = from_iso(found.fields["at"])
        yield found


def _carry_one(
    source: SourceLine, how: CarryContext, at: datetime, seq: int
) -> CarriedLine | LeftLine:
    fields = parse(source.raw)
    if fields is None:
        return LeftLine(source, "it is not a JSON object")
    if is_foreign(fields) and line_mark(source.raw) in how.adopted:
        return LeftLine(source, "an event was made of it before", kept=False)
    version = version_of(fields)
    if version is None:
        return LeftLine(source, _no_version(fields))
    if version.major > how.target.major:
        return LeftLine(source, f"it is of version {version}", too_new=version)
    steps = tuple(steps_between(version, how.target, how.steps))
    line = {name: value for name, value in fields.items() if name not in _SEAL}
    for step in steps:
        line = step.change(line)
    line = _completed(line, source, how, at)
    line["seq"] = seq
    if version < how.target:
        line["schema_version"] = str(how.target)
        line["origin_version"] = str(version)
    if line.get("forgotten"):
        # It has no content, and what proved the content stays.
        line = {n: v for n, v in line.items() if not n.startswith("origin_")}
        line["digest"] = fields.get("digest")
    elif isinstance(fields.get("hash"), str):
        line["origin_hash"] = fields["hash"]
    try:
        load_event(line)
    except BadInput as error:
        return LeftLine(source, error.message)
    return CarriedLine(source, version, line, steps)


def _completed(
    line: dict[str, Any], source: SourceLine, how: CarryContext, at: datetime
) -> dict[str, Any]:
    """The line with what every event needs; a time is taken from the line before."""
    if not line.get("id"):
        text = source.raw.decode(errors="replace")
        line["id"] = stable_id("migrated", source.segment, source.line, text)
    if not line.get("owner"):
        line["owner"] = how.owner
    if not line.get("at"):
        line["at"] = to_iso(at)
    return line


def _no_version(fields: Mapping[str, Any]) -> str:
    if "schema_version" in fields:
        return f"its version `{fields['schema_version']}` is not one"
    return "nothing tells what it is: it has no words and no time"
