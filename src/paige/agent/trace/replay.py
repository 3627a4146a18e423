"""A run told again from its journal: its moments in order, each with what belongs to it.

A journal says what came of every step, by path. This puts the steps into the order in which they
happened, questions to people among them, and gathers for every answer of a model what it had read
since its last one. Bodies stay as they are stored: a run may have thousands of steps, and somebody
looks at one of them. `paige.agent.trace.moments` reads the few that are wanted.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from paige.agent.journal import Entry
from paige.agent.tables import GateRow

MomentKind = Literal[
    "model", "tool", "hook", "gate", "subagent", "handoff", "failed", "fallback", "end"
]
ReadKind = Literal["start", "called", "tool", "hook", "agent", "task"]
_LOOP = re.compile(r"((?:[^/]+/)*?)(?:t\d+|end|hook)/")
_MODEL = re.compile(r"(?:.*/)?(?:t\d+|end)/model")
_FAILED = re.compile(r"(.*/model)/failed/\d+")
_TOOL = re.compile(r"((?:.*/)?t\d+)/tool/(.+)")
_HOOK = re.compile(r"(?:.*/)?hook/([^/]+)(?:/([^/]+))?")
_AGAIN = re.compile(r"again\d+/$")
_TELLING = ('"add_context"', '"keep_working"', '"deny"')


@dataclass(frozen=True, slots=True)
class ModelInput:
    """Something a model read before it answered: a step and the body its journal keeps."""

    kind: ReadKind
    step: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened; without a body it has begun and nothing came of it yet."""

    kind: MomentKind
    step: str
    body: str | None = None
    readings: tuple[ModelInput, ...] = ()
    gate: GateRow | None = None
    seq: int = 0

    @property
    def name(self) -> str:
        """The hook or the call that the step is named after; nothing for others."""
        match self.kind:
            case "tool":
                return self.step.rpartition("/tool/")[2]
            case "hook":
                return f"/{self.step}".rpartition("/hook/")[2]
            case _:
                return ""


def tell_again(entries: Sequence[Entry], gates: Sequence[GateRow]) -> list[Moment]:
    """The moments of a run in the order they happened."""
    told = _ResultWalk()
    for entry in entries:
        if entry.kind == "result":
            told.take(entry)
    moments = [*told.moments, *_begun(entries)]
    whole = {each.step for each in moments if each.kind == "hook"}
    placed = _with_gates(moments, gates)
    return [each for each in placed if _is_told(each, whole)]


def kind_of(step: str) -> MomentKind | None:
    """What a step of a journal is; `None` for what only the journal itself is interested in."""
    if step in ("end", "fallback"):
        return "end" if step == "end" else "fallback"
    if _FAILED.fullmatch(step):
        return "failed"
    if step.endswith("/model"):
        return "model" if _MODEL.fullmatch(step) or "/ask/" in step else None
    if _HOOK.fullmatch(step):
        return "hook"
    if "hook/" in step:
        return None
    if step.endswith("/handoff"):
        return "handoff"
    if _TOOL.fullmatch(step):
        return "subagent" if step.endswith("/agent") else "tool"
    return None


def loop_of(step: str) -> str:
    """The path of the loop that a step belongs to: empty, or that of a subagent."""
    found = _LOOP.match(step)
    return found[1] if found else ""


class _ResultWalk:
    """Goes through results, and keeps what every loop has to read next."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self._unread: dict[str, list[ModelInput]] = {"": [ModelInput("start")]}

    def take(self, entry: Entry) -> None:
        """Add what came of a step."""
        step, body, kind = entry.step, entry.body, kind_of(entry.step)
        if kind is None:
            return
        loop = loop_of(step)
        readings: tuple[ModelInput, ...] = ()
        match kind:
            case "model" if _MODEL.fullmatch(step):
                readings = tuple(self._read(loop))
                self._unread[loop] = [ModelInput("called", step, body)]
            case "tool":
                self._add(loop, ModelInput("tool", step, body))
            case "hook" if any(word in body for word in _TELLING):
                self._add(loop, ModelInput("hook", step, body))
            case "handoff":
                self._add(loop, ModelInput("agent", step, body))
            case "subagent":
                self._begin(loop, step, body)
            case _:
                pass
        self.moments.append(Moment(kind, step, body, readings, seq=entry.seq))

    def _add(self, loop: str, reading: ModelInput) -> None:
        self._unread.setdefault(loop, []).append(reading)

    def _read(self, loop: str) -> list[ModelInput]:
        own = self._unread.pop(loop, [])
        # A subagent that was sent back to work reads that under a path of its own.
        sent_back = self._unread.pop(_AGAIN.sub("", loop), []) if _AGAIN.search(loop) else []
        return [*sent_back, *own]

    def _begin(self, loop: str, step: str, body: str) -> None:
        call = step.removesuffix("/agent").rpartition("/tool/")[2]
        asked = next((each for each in self._unread.get(loop, []) if each.kind == "called"), None)
        task = [ModelInput("task", call, asked.body)] if asked else []
        self._unread[f"{loop}sub/{call}/"] = [ModelInput("agent", step, body), *task]


def _begun(entries: Sequence[Entry]) -> list[Moment]:
    """Steps that were meant to be done and have no result, the last intent of each."""
    known = {entry.step for entry in entries if entry.kind == "result"}
    known |= {found[1] for step in known if (found := _FAILED.fullmatch(step))}
    begun: dict[str, Moment] = {}
    for entry in entries:
        kind = kind_of(entry.step)
        if entry.kind == "intent" and kind is not None and entry.step not in known:
            begun.pop(entry.step, None)
            begun[entry.step] = Moment(kind, entry.step, seq=entry.seq)
    return list(begun.values())


def _with_gates(moments: list[Moment], gates: Sequence[GateRow]) -> list[Moment]:
    """Put every question before the step that waited for its answer."""
    before: dict[int, list[Moment]] = {}
    for gate in gates:
        place = next(
            (at + after for at, each in enumerate(moments) if (after := _stops(each, gate)) >= 0),
            len(moments),
        )
        before.setdefault(place, []).append(Moment("gate", gate.gate, gate=gate))
    placed: list[Moment] = []
    for at in range(len(moments) + 1):
        placed += before.get(at, [])
        placed += moments[at : at + 1]
    return placed


def _stops(moment: Moment, gate: GateRow) -> int:
    """0 when a question stands before this step, 1 when right behind it, else -1."""
    if not gate.gate.startswith(f"{moment.step}/"):
        return -1
    # Whether the loop may go on is asked because of what the hooks had said.
    return 1 if moment.kind == "hook" and gate.gate == f"{moment.step}/ask" else 0


def _is_told(moment: Moment, whole: set[str]) -> bool:
    """Leave out hooks that said nothing, and those that another step tells of again."""
    if moment.kind != "hook" or moment.body is None:
        return True
    if moment.step.rpartition("/")[0] in whole:
        return False
    said = json.loads(moment.body)
    return isinstance(said, dict) and any(each is not None for each in said.values())
