"""Takes the words of forgotten events out of the files of a log.

A file is written anew beside the old one and put in its place in one step, so that a reader sees
the old file or the new one. The new file never holds the words, so one that a crash leaves behind
gives nothing away; the next pass removes it.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.memory.log.chain import forget_line, is_foreign, parse
from paige.memory.log.segments import OpenFile, blocks
from paige.memory.log.verification import ADOPTED, line_mark

_OURS, _KEY = b'{"acl":', b',"id":"'
_ID = re.compile(rb'"id"\s*:\s*"([^"\\]*)"')


@dataclass(slots=True)
class ErasureOrder:
    """What is to be forgotten, and what was learned about it on the way."""

    ids: frozenset[str]
    keys: frozenset[bytes] = frozenset()
    marks: set[str] = field(default_factory=set)  # of foreign lines that events were made of
    texts: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)  # ids that still had words

    def __post_init__(self) -> None:
        self.keys = frozenset(each.encode() for each in self.ids)


def look(file: OpenFile, wanted: ErasureOrder) -> bool:
    """Whether a file holds anything to be forgotten, foreign lines aside."""
    found = False
    for lines in blocks(file, 0, file.size()):
        for raw in lines:
            if _may_hold(raw, wanted):
                fields = parse(raw)
                found |= fields is None or _learn(fields, wanted)
    return found


def rewrite(path: Path, wanted: ErasureOrder) -> None:
    """Put a file without the words in the place of one with them."""
    old, beside = OpenFile(path), rewritten_path(path)
    size = old.size()
    found = os.fstat(old.fd)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
    try:
        with os.fdopen(handle, "wb") as new:
            _keep_owner(handle, found)
            for lines in _kept(old, size, wanted):
                new.write(lines)
            new.flush()
            os.fsync(handle)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _bring_along(old, size, path)


def rewritten_path(path: Path) -> Path:
    """Where a file is written anew."""
    return path.with_name(f"{path.name}.rewrite")


def _kept(old: OpenFile, size: int, wanted: ErasureOrder) -> Iterator[bytes]:
    for lines in blocks(old, 0, size):
        kept = (_without_words(raw, wanted) for raw in lines)
        yield b"".join(line for line in kept if line is not None)


def _without_words(raw: bytes, wanted: ErasureOrder) -> bytes | None:
    if not _may_hold(raw, wanted):
        return None if wanted.marks and line_mark(raw) in wanted.marks else raw + b"\n"
    fields = parse(raw)
    if fields is None or is_foreign(fields):
        return None
    return raw + b"\n" if "forgotten" in fields else forget_line(fields)


def _may_hold(raw: bytes, wanted: ErasureOrder) -> bool:
    """Whether a line is one of those events, or a damaged or foreign copy of one."""
    if raw.startswith(_OURS) and (place := raw.find(_KEY)) > 0:
        begin = place + len(_KEY)
        key = raw[begin : raw.find(b'"', begin)]
        if b"\\" not in key:
            return key in wanted.keys
    fields = parse(raw)
    if fields is not None:
        named = fields.get("id")
        return isinstance(named, str) and named in wanted.ids
    return any(match in wanted.keys for match in _ID.findall(raw))


def _learn(fields: dict[str, Any], wanted: ErasureOrder) -> bool:
    if "forgotten" in fields and not is_foreign(fields):
        return False
    payload = fields.get("payload")
    if isinstance(payload, dict) and isinstance(payload.get(ADOPTED), str):
        wanted.marks.add(payload[ADOPTED])
    if isinstance(fields.get("text"), str):
        wanted.texts.add(fields["text"])
    if not is_foreign(fields):
        wanted.forgotten.add(fields["id"])
    return True


def _keep_owner(handle: int, found: os.stat_result) -> None:
    if hasattr(os, "fchmod"):
        # An administrator may tidy someone else's log; it stays theirs.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, found.st_uid, found.st_gid)
        os.fchmod(handle, found.st_mode & 0o7777)


def _bring_along(old: OpenFile, size: int, path: Path) -> None:
    """Carry over what someone without our lock appended to the old file meanwhile."""
    late = old.read(size, old.size() - size)
    if late:
        new = OpenFile(path, write=True)
        os.write(new.fd, late)
        os.fsync(new.fd)


_BINARY = getattr(os, "O_BINARY", 0)
