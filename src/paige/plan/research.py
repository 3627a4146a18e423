"""Research data: what happened in lesson runs, one row for each event, about nobody in person.

`KINDS` says which events there are and what each tells; files and the codebook are made from it.
People, sessions and runs have pseudonyms that cannot be turned back without a salt, which stays in
the data folder. Texts that people wrote lose every name that the anonymisation gate finds.
"""

import hashlib
import hmac
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.base.files import make_private, write_error
from paige.memory.names.gate import NameGate

Type = Literal["text", "words", "number", "real", "flag", "json", "id"]
"""What a column holds; `words` are texts that people or models wrote."""
SALT_FILE = "research-salt"
SALT_BYTES = 32
PSEUDONYM = 12
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
BEFORE: Mapping[str, Type] = {"teacher": "id", "session": "id", "run": "id", "number": "number"}
"""The columns that every row begins with; then come `time` and `kind`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: what it is, and its columns with what each tells."""

    about: str
    columns: Mapping[str, tuple[Type, str]]


KINDS: Mapping[str, Kind] = {
    "run": Kind(
        "One request of a teacher, from the question to the end.",
        {
            "plugin": ("text", "the plugin"),
            "command": ("text", "the command"),
            "agent": ("text", "who carried it out first"),
            "class": ("words", "the class it is about"),
            "request": ("words", "what was asked"),
            "request_words": ("number", "how many words that has"),
            "number_in_session": ("number", "the first is 1"),
            "status": ("text", "how it ended"),
            "reason": ("words", "why, if it did not end well"),
            "source": ("text", "who answered: a provider or local rules"),
            "turns": ("number", "how often the model was asked in the loop"),
            "cost_usd": ("real", "what it cost; empty when unknown"),
            "seconds": ("real", "from beginning to end, waiting included"),
            "memory": ("flag", "whether memory was on"),
            "prompt_tokens": ("number", "size of the system prompt, an upper bound"),
            "memory_tokens": ("number", "how much of that is memory"),
        },
    ),
    "context": Kind(
        "One file that was in the prompt when a run began.",
        {
            "scope": ("text", "workspace or memory"),
            "file": ("words", "which file"),
        },
    ),
    "model_call": Kind(
        "One call of a model.",
        {
            "provider": ("text", "who answered"),
            "model": ("text", "which model"),
            "purpose": ("text", "what for, outside the loop"),
            "stop_reason": ("text", "why it stopped"),
            "input_tokens": ("number", "read"),
            "output_tokens": ("number", "written"),
            "cache_write_tokens": ("number", "into the cache"),
            "cache_read_tokens": ("number", "out of the cache"),
            "cost_usd": ("real", "estimate"),
            "seconds": ("real", "how long it took"),
        },
    ),
    "tool_call": Kind(
        "One use of a tool.",
        {
            "tool": ("text", "which one"),
            "arguments": ("words", "what it was given, as JSON"),
            "result": ("words", "what came back, at most 2000 characters"),
            "failed": ("flag", "whether it failed"),
            "skill": ("text", "the skill or the file of a skill that was read"),
            "skill_tier": ("number", "2 for an overview, 3 for a file"),
            "memory_read": ("words", "the memory document that was read"),
            "memory_written": ("words", "the memory document that was written"),
            "seconds": ("real", "how long it took"),
        },
    ),
    "hook": Kind(
        "One check or question of the lesson flow.",
        {
            "hook": ("text", "which one"),
            "point": ("text", "where in the loop"),
            "outcome": ("text", "pass, keep_working, abort and so on"),
            "failed": ("flag", "whether it stopped the run or broke"),
            "reason": ("words", "why"),
            "seconds": ("real", "how long it took, waiting for people apart"),
        },
    ),
    "question": Kind(
        "One time a person was asked, and how long they took.",
        {
            "hook": ("text", "who asked"),
            "title": ("words", "the heading"),
            "answered": ("flag", "whether there is an answer"),
            "auto": ("flag", "whether nobody in particular answered (`--yes`)"),
            "seconds": ("real", "until the answer"),
        },
    ),
    "feedforward": Kind(
        "What a teacher said to what is known before a lesson is written.",
        {
            "response": ("text", "confirmed, modified, dismissed, earlier"),
            "auto": ("flag", "whether nobody in particular answered"),
            "said": ("words", "the changes"),
            "class": ("words", "the class"),
            "shown_class": ("number", "lines from the class profile that were shown"),
            "shown_teacher": ("number", "lines from the teacher's own files"),
            "shown_memory": ("number", "remembered lines"),
            "shown_other": ("number", "lines about the curriculum and others"),
            "memory_documents": ("words", "the memory documents behind them"),
        },
    ),
    "reflection": Kind(
        "One question about a draft before it is judged, and the answer.",
        {
            "question": ("words", "what was asked"),
            "answer": ("words", "what the teacher wrote"),
            "answer_words": ("number", "how many words that has"),
            "auto": ("flag", "whether nobody in particular answered"),
        },
    ),
    "adjudication": Kind(
        "One decision about one section of a lesson.",
        {
            "section": ("text", "the section's id"),
            "title": ("words", "its heading"),
            "decision": ("text", "accept, revise, alternatives and so on"),
            "round": ("number", "the first is 1"),
            "text": ("words", "what should change"),
            "auto": ("flag", "whether nobody in particular decided"),
        },
    ),
    "memory_capture": Kind(
        "One proposal to remember something, and the decision.",
        {
            "scope": ("text", "teacher or class"),
            "class": ("words", "the class"),
            "path": ("words", "the document"),
            "proposed": ("words", "the proposal"),
            "decision": ("text", "confirmed, edited, dismissed, pending"),
            "final": ("words", "what was kept"),
        },
    ),
    "memory_use": Kind(
        "One reading or writing of a memory document.",
        {
            "event": ("text", "read or write"),
            "by": ("text", "agent, hook, or prompt for what every prompt begins with"),
            "scope": ("text", "teacher or class"),
            "class": ("words", "the class"),
            "path": ("words", "the document"),
        },
    ),
    "evidence": Kind(
        "One claim about the curriculum, and whether it holds.",
        {
            "stage": ("text", "draft for each check, saved for the lesson that was kept"),
            "file": ("text", "the curriculum file"),
            "lines": ("text", "its lines"),
            "code": ("text", "the outcome"),
            "quote": ("words", "the words that are claimed"),
            "grade": ("text", "how sure the row itself is"),
            "valid": ("flag", "whether it holds"),
            "reason": ("words", "why not"),
        },
    ),
    "confidence": Kind(
        "How sure a teacher was of a draft before judging it.",
        {
            "rating": ("number", "1 to 5; empty when skipped"),
            "auto": ("flag", "whether nobody in particular answered"),
        },
    ),
    "session_lookup": Kind(
        "One look into earlier sessions.",
        {
            "tool": ("text", "search_sessions or read_session"),
            "query": ("words", "what was looked for"),
            "class": ("words", "the class"),
            "found": ("json", "pseudonyms of the sessions that came back"),
        },
    ),
    "subagent": Kind(
        "One task that was given to another agent.",
        {
            "agent": ("text", "who got it"),
            "task": ("words", "the task"),
            "status": ("text", "how it ended"),
            "summary": ("words", "what it reported"),
            "seconds": ("real", "how long it took"),
        },
    ),
    "handoff": Kind(
        "One time that an agent handed over to another.",
        {
            "from": ("text", "who handed over"),
            "to": ("text", "who took over"),
            "context": ("words", "what was handed over"),
        },
    ),
}
"""Every kind of event."""


@dataclass(frozen=True, slots=True)
class Event:
    """One row: whose it is, when it happened and what it tells, already without names."""

    teacher: str
    session: str
    run: str
    time: datetime
    kind: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Masking:
    """Makes pseudonyms, and texts without names; without `texts` only their length is kept."""

    salt: bytes = field(repr=False)
    texts: bool = True
    gate: NameGate = field(default_factory=NameGate)

    def pseudonym(self, identity: str) -> str:
        """The same for the same id, and nothing that leads back to it."""
        return hmac.new(self.salt, identity.encode(), hashlib.sha256).hexdigest()[:PSEUDONYM]

    def teacher(self, actor: Actor) -> str:
        """The pseudonym of a person."""
        return self.pseudonym(f"{actor.tenant}\0{actor.person}")

    def words(self, text: str) -> str:
        """A text without names, addresses, numbers of persons and ids."""
        if not self.texts:
            return ""
        for span in reversed(self.gate.find(text)):
            text = f"{text[: span.start]}[{span.kind}]{text[span.end :]}"
        return _ID.sub(lambda found: self.pseudonym(found[0]), text)

    def fields(self, kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of a kind in their order; what is missing is left empty."""
        return {
            name: self._value(type_, values.get(name))
            for name, (type_, _) in KINDS[kind].columns.items()
        }

    def _value(self, type_: Type, value: Any) -> Any:  # noqa: ANN401 - JSON
        if value is None:
            return None
        if type_ == "words":
            told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            return self.words(told)
        return value


def ids_in(text: str) -> list[str]:
    """The ids that a text names, each once."""
    return list(dict.fromkeys(_ID.findall(text)))


def read_salt(folder: Path, randomness: Callable[[int], bytes] = os.urandom) -> bytes:
    """The salt of this installation; the first who asks makes it. Raises: Unavailable."""
    make_private(folder)
    place = folder / SALT_FILE
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _existing(place)
    except OSError as error:
        raise write_error(place, error) from error
    with os.fdopen(handle, "wb") as file:
        file.write(randomness(SALT_BYTES).hex().encode())
    return _existing(place)


def _existing(place: Path) -> bytes:
    try:
        salt = bytes.fromhex(place.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        salt = b""
    if len(salt) != SALT_BYTES:
        raise Unavailable(
            f"`{place}` holds no salt",
            hint="Put it back from a backup. With a new one, old exports cannot be joined.",
        )
    return salt
