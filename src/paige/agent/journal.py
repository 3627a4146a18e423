"""The journal of a run: what was meant to be done and what came of it, by step.

A step has a path for an id (`t7/model`, `t7/tool/<call>`, `sub/<call>/t1/model`) and is looked up
by it, never by order. What is recorded is returned, not done again. Entries are collected and
written together with their spans and API-call rows in one transaction, at the points where the loop
must know that they are kept.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio

from paige.base.wire import storable
from paige.models.log import ApiCall

FORMAT = 1
"""Number of the journal's format; a run of another format can be read, not continued."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    seq: int
    step: str
    kind: Literal["intent", "result"]
    body: str


@dataclass(frozen=True, slots=True)
class Span:
    """One thing that took time, for traces."""

    step: str
    parent: str
    kind: str
    name: str
    started_us: int
    ended_us: int
    failed: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gate:
    """A question that is open at a step; the revision grows when it is asked anew."""

    gate: str
    revision: int
    interaction: Mapping[str, Any]


@dataclass(slots=True)
class Batch:
    """What is written in one transaction."""

    entries: list[Entry] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    calls: list[ApiCall] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    durable: bool = False  # must also survive a power loss: a question, or what may happen once

    def __bool__(self) -> bool:
        return bool(self.entries or self.spans or self.calls or self.gates)


Commit = Callable[[Batch], Awaitable[None]]
MISSING: Any = object()
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Journal:
    """The steps of one run: those that are known, and those that wait to be written."""

    def __init__(self, entries: list[Entry], commit: Commit) -> None:
        self._results = {e.step: e.body for e in entries if e.kind == "result"}
        self._intents: dict[str, list[str]] = {}
        for entry in entries:
            if entry.kind == "intent":
                self._intents.setdefault(entry.step, []).append(entry.body)
        self._seq = entries[-1].seq if entries else 0
        self._commit = commit
        self._batch = Batch()
        self._writing = anyio.Lock(fast_acquire=True)

    def result(self, step: str) -> Any:  # noqa: ANN401 - JSON
        """What came of a step, or `MISSING`."""
        body = self._results.get(step)
        return MISSING if body is None else json.loads(body)

    def intents(self, step: str) -> list[Any]:
        """Every intent of a step that has no result: more than one means it was tried again."""
        return [json.loads(body) for body in self._intents.get(step, [])]

    def count(self, prefix: str) -> int:
        """How many steps below a path have a result."""
        return sum(step.startswith(prefix) for step in self._results)

    def results(self, prefix: str, *, end: str) -> list[Any]:
        """What came of the steps below a path that end alike."""
        steps = (s for s in self._results if s.startswith(prefix) and s.endswith(end))
        return [json.loads(self._results[step]) for step in steps]

    def intend(self, step: str, body: Any, *, durable: bool = False) -> None:  # noqa: ANN401 - JSON
        """Note that a step is about to be done."""
        self._batch.durable |= durable
        text = self._add(step, "intent", body)
        self._intents.setdefault(step, []).append(text)

    def record(self, step: str, body: Any) -> None:  # noqa: ANN401 - JSON
        """Note what came of a step."""
        self._results[step] = self._add(step, "result", body)

    def span(self, span: Span) -> None:
        """Note what took time."""
        self._batch.spans.append(span)

    @property
    def owes(self) -> bool:
        """Whether a call of a model is noted and not yet written."""
        return bool(self._batch.calls)

    def call(self, call: ApiCall) -> None:
        """Note a model call for the log of calls."""
        self._batch.calls.append(call)

    def gate(self, gate: Gate) -> None:
        """Open a gate."""
        self._batch.gates.append(gate)
        self._batch.durable = True

    async def flush(self) -> None:
        """Write everything noted since the last time; when this returns it is kept.

        Parallel tools flush at the same time: one that finds its entries taken waits until they are
        written.
        """
        async with self._writing:
            if self._batch:
                batch, self._batch = self._batch, Batch()
                await self._commit(batch)

    def _add(self, step: str, kind: Literal["intent", "result"], body: object) -> str:
        text = storable(_ENCODER.encode(body))
        self._seq += 1
        self._batch.entries.append(Entry(self._seq, step, kind, text))
        return text
