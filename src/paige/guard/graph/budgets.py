"""Shapes traces for whoever reads them, each level within its budget of tokens.

`metadata` says what there is, `summary` what it was about, `full` everything. What does not fit is
first shortened and then left off, and the answer says how many. The count is an upper bound, so a
budget holds for every model.
"""

import json
from collections.abc import Sequence
from typing import Any

from paige.base.clock import to_iso
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.values import BUDGETS, Level, Trace, TracesFound

ENVELOPE = 60  # tokens for what stands around the items
# Texts are cut to these lengths in turn, until enough fits.
CUTS = (2000, 800, 400, 200, 100, 50, 20, 0)
ENOUGH = 5
MOST_NAME = 60
_LONGEST_TOKEN = 24  # signs; no text with more of them fits
MOST_NAMED = 20  # of the files


def outside(trace: Trace, level: Level = "full", most: int = 10**6) -> dict[str, Any]:
    """A trace as it is shown outside; texts are cut to `most` characters."""
    names = min(most, MOST_NAME)
    found: dict[str, Any] = {
        "id": trace.id,
        "type": trace.type,
        "timestamp": f"{to_iso(trace.at)[:19]}Z",
        "agent": _cut(trace.agent, names),
    }
    if level == "metadata":
        return found
    event = {
        "what_happened": _cut(trace.what_happened, most),
        "what_was_correct": _cut(trace.what_was_correct, most),
        "why": _cut(trace.why, most),
    }
    if level == "summary":
        return (
            found | {"feature": _cut(trace.feature, names), "rule": _cut(trace.rule, names)} | event
        )
    return {
        "id": trace.id,
        "project": _cut(trace.project, names),
        "timestamp": to_iso(trace.at),
        "type": trace.type,
        "context": {
            "agent": _cut(trace.agent, names),
            "feature": _cut(trace.feature, names),
            "task": _cut(trace.task, most),
        },
        "event": event,
        "source": trace.source,
        "session": _cut(trace.session, names),
        "action": _cut(trace.action, most),
        "reason": _cut(trace.reason, names),
        "target": _cut(trace.target, most),
        "shape": _cut(trace.shape, most),
        "rule": _cut(trace.rule, names),
        "confidence": trace.confidence,
        "scope": trace.scope,
        "files": [_cut(each, most) for each in trace.files[: min(most, MOST_NAMED)]],
    }


def fit(traces: Sequence[Trace], level: Level, total: int) -> TracesFound:
    """Traces within the budget of a level, the first ones first."""
    budget = BUDGETS[level] - ENVELOPE
    best: list[dict[str, Any]] = []
    cost = 0
    # Beside ids and times there is only a name to cut: it stays unless nothing fits with it.
    cuts, enough = (CUTS, ENOUGH) if level != "metadata" else ((MOST_NAME, 0), 1)
    for most in cuts:
        items, tokens = _first(traces, level, most, budget)
        if len(items) > len(best):
            best, cost = items, tokens
        if len(best) >= min(enough, len(traces)):
            break
    return TracesFound(
        items=tuple(best),
        total=max(total, len(traces)),
        tokens=cost,
        left_off=len(traces) - len(best),
        level=level,
    )


def shorten(text: str, most: int) -> str:
    """A text of one line within a number of tokens; empty when nothing fits."""
    plain = " ".join(text.split())
    if len(plain) <= most * _LONGEST_TOKEN and count_tokens_bound(plain) <= most:
        return plain
    low, high = 0, min(len(plain), most * _LONGEST_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens_bound(plain[:middle] + "…") <= most:
            low = middle
        else:
            high = middle - 1
    return f"{plain[:low]}…" if low else ""


def _first(
    traces: Sequence[Trace], level: Level, most: int, budget: int
) -> tuple[list[dict[str, Any]], int]:
    items: list[dict[str, Any]] = []
    spent = 2
    for trace in traces:
        item = outside(trace, level, most)
        cost = _cost(item) + 1
        if spent + cost > budget:
            break
        items.append(item)
        spent += cost
    return items, spent


def _cost(item: dict[str, Any]) -> int:
    return count_tokens_bound(json.dumps(item, ensure_ascii=False))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…" if most else ""
