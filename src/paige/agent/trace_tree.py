"""A trace as a tree for the terminal: who did what, how long it took, what it cost."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from paige.agent.records import SpanRow
from paige.agent.traces import Trace, parents_of

WIDEST = 60
INDENT = "  "


class Line(NamedTuple):
    """One span as it is shown."""

    label: str
    duration: str
    notes: tuple[str, ...]


def render_tree(trace: Trace) -> list[str]:
    """The lines of the tree; children in the order they began."""
    lines = list(_lines(trace))
    width = min(WIDEST, max((len(line.label) for line in lines), default=0))
    return [
        "  ".join((line.label.ljust(width), line.duration.rjust(8), *line.notes)).rstrip()
        for line in lines
    ]


def render_duration(microseconds: int) -> str:
    """A span of time as people read it."""
    if microseconds < 1_000:
        return f"{max(0, microseconds)} µs"
    if microseconds < 1_000_000:
        return f"{microseconds / 1_000:.0f} ms"
    if microseconds < 60_000_000:
        return f"{microseconds / 1_000_000:.1f} s"
    minutes, rest = divmod(microseconds // 1_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def render_cost(cost: float | None) -> str:
    """An amount of money; what is not known is said."""
    return "cost unknown" if cost is None else f"${cost:.4f}"


def _lines(trace: Trace) -> Iterator[Line]:
    parents = parents_of(trace.spans)
    children: dict[str | None, list[SpanRow]] = {}
    for span in trace.spans:
        children.setdefault(parents[span.step], []).append(span)
    waiting = [(span, 0) for span in reversed(children.get(None, []))]
    while waiting:
        span, depth = waiting.pop()
        yield _line(span, depth, trace.spans)
        waiting += [(child, depth + 1) for child in reversed(children.get(span.step, []))]


def _line(span: SpanRow, depth: int, spans: tuple[SpanRow, ...]) -> Line:
    attributes = json.loads(span.attributes)
    notes = [*_tokens(span, attributes, spans), *_cost(attributes)]
    for name in ("status", "outcome", "rule", "reason"):
        if isinstance(attributes.get(name), str):
            notes.append(" ".join(attributes[name].split()))
    if span.failed:
        notes.append("FAILED")
    label = f"{INDENT * depth}{span.kind} {span.name}"
    return Line(label, render_duration(span.ended_us - span.started_us), tuple(notes))


def _tokens(span: SpanRow, attributes: dict[str, Any], spans: tuple[SpanRow, ...]) -> list[str]:
    if span.kind == "model":
        counted = [attributes]
    elif span.kind == "run":
        counted = [json.loads(other.attributes) for other in spans if other.kind == "model"]
    else:
        return []
    taken = sum(read_tokens(each) for each in counted)
    given = sum(each.get("output_tokens", 0) for each in counted)
    return [f"{taken:,} in, {given:,} out"]


def read_tokens(attributes: dict[str, Any]) -> int:
    """Everything a model read, from the cache or not."""
    names = ("input_tokens", "cache_write_tokens", "cache_read_tokens")
    return sum(attributes.get(name, 0) for name in names)


def _cost(attributes: dict[str, Any]) -> list[str]:
    return [render_cost(attributes["cost_usd"])] if "cost_usd" in attributes else []
