"""Unfinished lines: a writer died, or the power went, before its line was whole.

Such a line was never confirmed to anyone. It is moved into a file of its own beside the log and
stays there for people to look at.
"""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import orjson

from paige.base.files import write_atomic
from paige.memory.log.chain import Link, content_holds, follow, header_holds, is_foreign, parse
from paige.memory.log.problems import Problem

_SCRUBBED = b'{"forgotten":true}\n'


def is_whole(raw: bytes, link: Link) -> bool:
    """Whether only the newline of a last line is missing: ours if it is proven, else any object."""
    fields = parse(raw)  # no object is the beginning of a longer one
    if fields is None:
        return False
    if is_foreign(fields):
        return True
    return header_holds(fields) and content_holds(fields) and follow(link, fields) is not None


def set_aside(log: Path, seq: int, raw: bytes) -> None:
    """Keep an unfinished line in a new file; the log is cut by the caller, after this."""
    number = 1
    while True:
        try:
            handle = os.open(_torn_path(log, seq, number), _NEW, 0o600)
            break
        except FileExistsError:
            number += 1
    try:
        while raw:
            raw = raw[os.write(handle, raw) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def torn_problems(log: Path) -> Iterator[Problem]:
    """What was set aside so far."""
    for seq, path in torn_files(log):
        yield Problem(
            path.name,
            None,
            seq,
            "torn",
            f"A line that was never finished, where event {seq} would have been, was set aside",
            f"Nothing that was confirmed is missing. Look into `{path.name}`, then delete it.",
        )


def torn_files(log: Path) -> list[tuple[int, Path]]:
    """The files with unfinished lines, and the event each would have been."""
    form = re.compile(rf"{re.escape(log.name)}\.torn-(\d+)-(\d+)")
    try:
        names = os.listdir(log.parent)
    except FileNotFoundError:
        return []
    found = [(int(match[1]), int(match[2]), name) for name in names if (match := form.match(name))]
    return [(seq, log.with_name(name)) for seq, _, name in sorted(found)]


def scrub_torn(log: Path, ids: Collection[str], texts: Collection[str]) -> None:
    """Empty the files that name a forgotten event or hold its words."""
    words = [orjson.dumps(word) for word in {*ids, *texts} if word]
    for _, path in torn_files(log):
        held = path.read_bytes()
        if any(word in held for word in words):
            write_atomic(path, _SCRUBBED)


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _torn_path(log: Path, seq: int, number: int) -> Path:
    return log.with_name(f"{log.name}.torn-{seq}-{number}")
