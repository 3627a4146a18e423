"""The prompts of a project's agents, and the records of what was changed in them.

Only files of the project's own `.claude/agents` are ever written, and only when their text is what
the record says: what a person changed meanwhile is never overwritten. Records lie with the guards,
where agents may not write.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError
from paige.base.files import write_atomic
from paige.guard.learning.prompts import (
    AgentFile,
    PromptChange,
    PromptRecord,
    applied,
    confirmed,
    dump_prompt_record,
    parse_prompt_record,
    record_change,
    text_of,
    withdrawn,
)
from paige.guard.state.files import alone_with, read_object, write_object
from paige.language.front_matter import read_front_matter
from paige.memory.lifecycle.staged import Step

AGENTS = ".claude/agents"
RECORDS = ".ai/guards/prompts"
Move = Literal["apply", "confirm", "withdraw"]
_MOST_BYTES = 200_000
_SAFE = re.compile(r"[A-Za-z0-9][\w.-]{0,79}")


def agent_files(root: str) -> dict[str, AgentFile]:
    """The agents of a project by name; files that cannot be read as text are left out."""
    found: dict[str, AgentFile] = {}
    folder = Path(root) / AGENTS
    for path in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        text = _text(path)
        if text is not None:
            name = _name(path, text)
            found.setdefault(name, AgentFile(name, f"{AGENTS}/{path.name}", text))
    return found


def prompt_records(root: str) -> dict[str, PromptRecord]:
    """The records of a project's prompts by agent. Raises: BadInput naming the file."""
    folder = Path(root) / RECORDS
    found: dict[str, PromptRecord] = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        record = parse_prompt_record(read_object(path) or {}, str(path))
        found[record.agent] = record
    return found


def keep_changes(
    root: str, changes: Sequence[PromptChange], now: datetime
) -> tuple[PromptRecord, ...]:
    """Write changes down as experiments; agents where one is being tried already are left out."""
    made: list[PromptRecord] = []
    for change in changes:
        path = _record_path(root, change.agent)
        with alone_with(path):
            before = prompt_records(root).get(change.agent)
            if before is not None and before.lineage.tried is not None:
                continue
            record = record_change(before, change, at=now)
            write_object(path, dump_prompt_record(record))
            made.append(record)
    return tuple(made)


def move_prompt(root: str, agent: str, how: Move, *, by: str, why: str, now: datetime) -> Path:
    """Apply, confirm or withdraw the change that is being tried; the file of the prompt.

    Raises: NotFound, Conflict when the file has changed meanwhile, Refused, Unavailable.
    """
    path = _record_path(root, agent)
    with alone_with(path):
        record = prompt_records(root).get(agent)
        if record is None:
            raise NotFound(
                f"There is no change of the prompt of `{agent}`",
                hint="`paige guard learn --apply` writes proposals down.",
            )
        step = Step("validate", now, why, {"by": by})
        after = {"apply": applied, "confirm": confirmed, "withdraw": withdrawn}[how](record, step)
        target = _target(root, record.file)
        _check_unchanged(target, text_of(record))
        if text_of(after) != text_of(record):
            write_atomic(target, text_of(after))
        write_object(path, dump_prompt_record(after))
        return target


def _check_unchanged(target: Path, expected: str) -> None:
    if _text(target) != expected:
        raise Conflict(
            f"`{target}` is not as it was when the change was proposed",
            hint="Run `paige guard learn` again: it starts from what the file says now.",
        )


def _target(root: str, file: str) -> Path:
    """The file of a prompt; never one outside of the project's agents."""
    folder = (Path(root) / AGENTS).resolve()
    target = Path(root) / file
    if target.resolve().parent != folder or target.suffix != ".md":
        raise BadInput(f"`{file}` is no file of `{AGENTS}`")
    return target


def _record_path(root: str, agent: str) -> Path:
    if not _SAFE.fullmatch(agent):
        raise BadInput(f"`{agent}` is no name of an agent")
    return Path(root) / RECORDS / f"{agent}.json"


def _name(path: Path, text: str) -> str:
    try:
        named = read_front_matter(text, path.name).values.get("name")
    except PaigeError:
        named = None  # a prompt without front matter goes by its file
    given = named if isinstance(named, str) else ""
    return given if _SAFE.fullmatch(given) else path.stem


def _text(path: Path) -> str | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
