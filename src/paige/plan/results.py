"""What a run of this room came to, read back from its journal: the file, evidence, notes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.journal import Entry
from paige.agent.records import RunRow
from paige.base.actor import Actor
from paige.plan.hooks.names import (
    ADJUDICATION,
    CURRICULUM_EVIDENCE,
    MEMORY_CAPTURE,
    REPORT,
    SAVED,
)
from paige.plan.lesson_sections import sections
from paige.plan.open_sections import open_titles
from paige.plan.said import FALLBACK

_DECIDED = f"/{MEMORY_CAPTURE}/step/decided/"


@dataclass(frozen=True, slots=True)
class Note:
    """Something to remember that was proposed, in its last words, and what was decided."""

    decision: str
    text: str

    @property
    def is_kept(self) -> bool:
        """Whether it stands in the memory now."""
        return self.decision in ("confirmed", "edited")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made: `path` inside the workspace when it was saved, and what it claims.

    `notes` are what was proposed to remember and asked about.
    """

    path: str | None = None
    sections: tuple[str, ...] = ()
    open: tuple[str, ...] = ()  # titles of the sections that nobody has written yet
    evidence: tuple[dict[str, Any], ...] = ()
    taken_over: str = ""  # why local rules answered instead of a provider, if they did
    notes: tuple[Note, ...] = ()


def read_outcome(connection: Connection, actor: Actor, run: RunRow) -> Outcome:
    """What came of a run so far."""
    return outcome_of(queries.journal_entries(connection, actor, run.id), run.output)


def outcome_of(entries: Sequence[Entry], output: str | None) -> Outcome:
    """The outcome that a journal tells; the last check counts."""
    why: str = (_last(entries, FALLBACK) or {}).get("reason", "")
    saved = _last(entries, f"/{ADJUDICATION}/step/{SAVED}")
    notes = _notes(entries)
    if saved is not None:
        evidence = tuple(saved["evidence"])
        left = tuple(saved.get("open", ()))
        return Outcome(saved["path"], tuple(saved["sections"]), left, evidence, why, notes)
    checked = _last(entries, f"/{CURRICULUM_EVIDENCE}/step/{REPORT}") or []
    titles = tuple(each.title for each in sections(output or ""))
    return Outcome(None, titles, open_titles(output or ""), tuple(checked), why, notes)


def dump_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """The evidence as programs read it: a reason only where a pointer does not hold."""
    return [
        {name: value for name, value in row.items() if name != "reason" or not row["valid"]}
        for row in outcome.evidence
    ]


def _notes(entries: Sequence[Entry]) -> tuple[Note, ...]:
    """The notes of a run; one that was asked about again counts as it was decided last."""
    found: dict[str, Note] = {}
    for each in entries:
        if each.kind == "result" and _DECIDED in each.step:
            told = json.loads(each.body)
            found[told["id"]] = Note(told["decision"], told["final"] or told["proposed"])
    return tuple(found.values())


def _last(entries: Sequence[Entry], ending: str) -> Any:  # noqa: ANN401 - JSON
    found = (each for each in reversed(entries) if each.kind == "result")
    return next((json.loads(each.body) for each in found if each.step.endswith(ending)), None)
