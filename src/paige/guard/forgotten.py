"""Takes forgotten words out of what the guard keeps: lines of hooks, its log, the context graph.

What came of a line stays, as a refusal that counts; what was said in it goes. Lines are written
over where they stand, so that whoever is reading a file finds its place again.
"""

import os
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.platform import locked
from paige.guard.decision_log import FILE, OLDER
from paige.guard.fast.snapshot import FOLDER
from paige.guard.graph import queries
from paige.guard.graph.waiting_lines import FILE as WAITING
from paige.memory.forgotten_words import FORGOTTEN, ForgottenWords
from paige.memory.intake.spool import LOCK

_NAMING = frozenset({"id", "at", "kind", "agent", "tool", "trace", "marked", "looked", "rule"})
_FROM_LINES = ("line", "corrected_line", "asked_line")


def forget_in_files(data: Path, words: ForgottenWords) -> int:
    """Take words out of every line that hooks left in a data folder; how many lines."""
    spool = data / "spool"
    done = 0
    if spool.is_dir():
        with locked(spool / LOCK):
            files = (path for path in spool.iterdir() if path.suffix != ".offset")
            done = sum(_forget_in(path, words) for path in sorted(files))
    return done + sum(_forget_in(data / FOLDER / name, words) for name in (FILE, OLDER, WAITING))


def forget_in_graph(connection: Connection, actor: Actor, words: ForgottenWords) -> int:
    """Take words out of the context graph of a tenant; how many rows."""
    done = 0
    for session, recent in queries.all_heard(connection, actor):
        entries = recent if isinstance(recent, list) else []
        clean = [_entry(each, words) for each in entries]
        if clean != entries:
            queries.replace_heard(connection, actor, session, clean)
            done += 1
    for row in queries.traces_in_words(connection, actor):
        told = {name: value for name, value in row.items() if name != "id"}
        clean = _trace(told, words)
        if clean != told:
            queries.replace_trace(connection, actor, row["id"], clean)
            done += 1
    return done


def _entry(entry: Any, words: ForgottenWords) -> Any:  # noqa: ANN401 - as the column has it
    if isinstance(entry, dict) and entry.get("id") in words.ids:
        return {name: value for name, value in entry.items() if name in _NAMING}
    return words.without(entry)


def _trace(told: dict[str, Any], words: ForgottenWords) -> dict[str, Any]:
    meta = told["meta"] if isinstance(told["meta"], dict) else {}
    if not any(meta.get(name) in words.ids for name in _FROM_LINES):
        return words.without(told)
    kept = {name: value for name, value in meta.items() if name in (*_FROM_LINES, "decision")}
    blank = {name: FORGOTTEN for name, value in told.items() if isinstance(value, str) and value}
    return {**told, **blank, "files": [], "meta": kept}


def _forget_in(path: Path, words: ForgottenWords) -> int:
    """Write over the lines of a file that hold the words, each in its place and length."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | _BINARY)
    except OSError:
        return 0  # there is none
    done = at = 0
    with os.fdopen(handle, "r+b") as file:
        for line in file.read().split(b"\n"):
            new = _without(line, words)
            if new is not None:
                file.seek(at)
                file.write(new)
                done += 1
            at += len(line) + 1
        if done:
            file.flush()
            os.fsync(file.fileno())
    return done


def _without(line: bytes, words: ForgottenWords) -> bytes | None:
    """What stands in the place of a line, in its length; nothing when it may stay."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        text = line.decode("utf-8", "replace")
        probes = words.probes
        return b" " * len(line) if any(each in text for each in (*probes, *words.ids)) else None
    if not isinstance(found, dict):
        return None
    if found.get("id") not in words.ids and not words.holds(found):
        return None
    short = orjson.dumps({"id": found.get("id"), "event": "forgotten"})
    return (short if len(short) <= len(line) else b"").ljust(len(line))


_BINARY = getattr(os, "O_BINARY", 0)
