"""Keeps what was decided when the spool is emptied: a short log that people can look back into.

The lines of hooks go into memory and are gone from the spool then. Of those where there was
something to decide one short line each stays here, without the texts that tools would write and
without secrets. The log has two files, and the older one goes when the newer one is full.
"""

import json
import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from paige.base.secrets import redact
from paige.guard.tools import changes_of, command_of, reads_of

logger = logging.getLogger(__name__)
FOLDER = "guard"
FILE, OLDER = "decisions.jsonl", "decisions-older.jsonl"
MOST_BYTES = 8 * 2**20
FAULT = "fault"
GATES = ("pre_tool", "permission_request")
_SILENT = ("", "none", "allow")
_KEPT = (
    "id", "at", "cli", "session", "event", "host_event", "cwd", "mode", "agent", "agent_type",
    "decision", "rule", "tool", "role", "call", "same",
)  # fmt: skip
# Where an event without a tool says what it is about.
_WORDS = ("prompt", "task", "message", "source", "trigger", "error")
_MOST_TEXT = 2000


def keep(data: Path, lines: Iterable[Mapping[str, Any]], *, most: int = MOST_BYTES) -> int:
    """Append what was decided to the log of a data folder; how many lines. It never raises."""
    kept = [_line(each) for each in lines if is_decided(each)]
    if not kept:
        return 0
    path = data / FOLDER / FILE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > most:
            os.replace(path, path.with_name(OLDER))
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(b"".join(kept))
    except OSError as error:
        logger.warning("Decisions could not be kept in %s: %s", path, error)
        return 0
    return len(kept)


def is_decided(said: Mapping[str, Any]) -> bool:
    """Whether there was something to decide; other events are only observed."""
    event = said.get("event")
    silent = str(said.get("decision") or "") in _SILENT and not said.get("shadow")
    return event in GATES or event == FAULT or not silent


def subject_of(said: Mapping[str, Any]) -> tuple[str, bool]:
    """What an event is about, as a person reads it, and whether that is a command."""
    if isinstance(said.get("subject"), str):
        return short(said["subject"]), said.get("is_command") is True
    tool, given = said.get("tool"), said.get("input")
    if not isinstance(tool, str) or not tool:
        told = (said.get(name) for name in _WORDS)
        return next((short(each) for each in told if isinstance(each, str) and each), ""), False
    given = given if isinstance(given, dict) else {}
    command = command_of(tool, given)
    if command is not None:
        return short(command), True
    paths = [each.path for each in changes_of(tool, given)] or reads_of(tool, given)
    if paths:
        return short(", ".join(paths)), False
    return next(
        (short(each) for each in given.values() if isinstance(each, str) and each), ""
    ), False


def short(text: str) -> str:
    """A text that can be sent and is not too long: hooks may write down half characters."""
    return text[:_MOST_TEXT].encode("utf-8", "replace").decode("utf-8")


def _line(said: Mapping[str, Any]) -> bytes:
    subject, is_command = subject_of(said)
    made = {name: said[name] for name in _KEPT if isinstance(said.get(name), str)}
    made |= {"subject": redact(subject), "is_command": is_command}
    for name in ("shadow", "overrode"):  # guards that would have spoken, and those let pass once
        if isinstance(said.get(name), list):
            made[name] = [str(each) for each in said[name]]
    reason = said.get("reason")
    if isinstance(reason, str) and reason:
        made["reason"] = redact(short(reason))
    return f"{json.dumps(made)}\n".encode()
