"""What was said in a run and what it came to, read from its journal: also while it goes on."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.journal import Entry
from paige.agent.tables import RunRow
from paige.base.actor import Actor
from paige.base.wire import wire
from paige.models.codec import load_answer, load_message
from paige.models.messages import Text, ToolResult, ToolUse
from paige.plan.hooks.names import (
    ADJUDICATION,
    CURRICULUM_EVIDENCE,
    MEMORY_CAPTURE,
    REPORT,
    SAVED,
)
from paige.plan.lessons.sections import open_titles, sections

_MODEL = re.compile(r"(?P<at>(?:t\d+|end)/)model")
FALLBACK = "fallback"
"""The step of a run that local rules took over; it says why."""
NOT_RUN = "It was refused, or it did not run."
_DECIDED = f"/{MEMORY_CAPTURE}/step/decided/"


@wire
class PlanToolCall:
    """A tool that an agent used."""

    name: str
    input: Mapping[str, Any]
    result: str
    failed: bool


@wire
class PlanSaid:
    """Something that was said: by a person, or by an agent with the tools it used."""

    role: Literal["person", "agent"]
    text: str
    tools: tuple[PlanToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class _Results:
    """What the tools of a run answered, by step and by call."""

    steps: Mapping[str, Any]
    calls: Mapping[str, ToolResult] = field(default_factory=dict)

    def of(self, use: ToolUse, at: str, *, last: bool) -> PlanToolCall:
        """A call with its result; one of the last turn may not have one yet."""
        given = dict(use.input)
        if (known := self.calls.get(use.id)) is not None:
            return PlanToolCall(use.name, given, _text(known), known.is_error)
        if (recorded := self.steps.get(f"{at}tool/{use.id}")) is not None:
            return PlanToolCall(use.name, given, recorded["text"], recorded["failed"])
        return PlanToolCall(use.name, given, "" if last else NOT_RUN, not last)


def said_in(prompt: str, entries: Sequence[Entry]) -> tuple[PlanSaid, ...]:
    """The request and every answer of the agent, in order; subagents and hooks talk among us."""
    steps = {each.step: json.loads(each.body) for each in entries if _is_told(each)}
    turns = [(found["at"], steps[step]) for step in steps if (found := _MODEL.fullmatch(step))]
    results = _Results(steps, _answered(steps.get("end")))
    said = [PlanSaid("person", prompt)]
    for number, (at, recorded) in enumerate(turns, 1):
        answer = load_answer(recorded["answer"])
        last = number == len(turns) and "end" not in steps
        tools = tuple(results.of(use, at, last=last) for use in answer.tool_uses)
        if answer.text.strip() or tools:
            said.append(PlanSaid("agent", answer.text, tools))
    return tuple(said)


def source_in(entries: Iterable[Entry], source: str) -> str:
    """Who answers a run: local rules may have taken it over."""
    taken = next((e for e in entries if e.step == FALLBACK and e.kind == "result"), None)
    return json.loads(taken.body)["to"] if taken else source


def _is_told(entry: Entry) -> bool:
    return entry.kind == "result" and (
        entry.step == "end" or _MODEL.fullmatch(entry.step) is not None or "/tool/" in entry.step
    )


def _answered(end: Mapping[str, Any] | None) -> dict[str, ToolResult]:
    """The results as the model read them, once the run has ended."""
    if end is None:
        return {}
    messages = (load_message(data) for data in end["messages"])
    blocks = (block for message in messages for block in message.blocks)
    return {block.tool_use_id: block for block in blocks if isinstance(block, ToolResult)}


def _text(result: ToolResult) -> str:
    if isinstance(result.content, str):
        return result.content
    return "".join(part.text for part in result.content if isinstance(part, Text))


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
