"""`paige guard traces`: what was refused, corrected, decided and approved, and what led to it."""

import json
from datetime import datetime
from typing import Any

import click

from paige.base.clock import to_iso
from paige.doors.frame.cli import run
from paige.doors.frame.console import plain_text, process_console
from paige.doors.frame.moments import WHEN
from paige.doors.guard.graph_operations import EVERYWHERE, TracePath, TraceRequest, TraceSearch
from paige.guard.graph.budgets import outside
from paige.guard.graph.values import (
    LEVELS,
    TYPES,
    NewTrace,
    Step,
    Trace,
    TraceNeighbourhood,
    TracesFound,
)

OPERATIONS = "paige.doors.guard.graph_operations"
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
DEPTH = click.option("--depth", type=click.IntRange(1, 20), default=5, show_default=True)
MOST = 500


@click.group()
def traces() -> None:
    """Look into the context graph: what happened, and what led to it."""


@traces.command()
@click.argument("words", nargs=-1)
@click.option("--type", type=click.Choice(TYPES), help="Only of this kind.")
@click.option("--agent", help="Only of this agent.")
@click.option("--feature", help="Only about this feature.")
@click.option("--file", help="Only about this file.")
@click.option("--rule", help="Only decided by this rule.")
@click.option("--since", type=WHEN, help="From then on: today, yesterday, 7d, 2w, 2026-03-01.")
@click.option("--everywhere", is_flag=True, help="In all projects, not only in this one.")
@click.option("-n", "--limit", type=click.IntRange(1, MOST), default=20, show_default=True)
@click.option("--level", type=click.Choice(LEVELS), default="summary", show_default=True)
@JSON
def find(words: tuple[str, ...], *, everywhere: bool, as_json: bool, **narrowed: Any) -> None:  # noqa: ANN401 - as click hands them over
    """Find traces about WORDS, the nearest in meaning first; without words the newest."""
    search = TraceSearch(
        query=plain_text(" ".join(words)), project=EVERYWHERE if everywhere else None, **narrowed
    )
    found: TracesFound = run(f"{OPERATIONS}:find", search)
    console = process_console()
    if as_json:
        told = {"items": list(found.items), "total": found.total, "level": found.level}
        console.give(json.dumps(told, ensure_ascii=False))
        return
    for item in found.items:
        console.give(_line(item))
    if not found.items:
        console.say("There is no such trace. What hooks refuse and people correct comes here.")
    elif found.total > len(found.items):
        console.say(f"{len(found.items)} of {found.total}; `--limit` shows more.")


@traces.command()
@click.argument("id")
@JSON
def show(id: str, *, as_json: bool) -> None:
    """Show the trace ID with everything that is known of it; the beginning of an id will do."""
    found: TraceNeighbourhood = run(f"{OPERATIONS}:near", TraceRequest(id=id))
    trace, edges = found.root, found.edges
    shown = {**outside(trace), "meta": dict(trace.meta)}
    console = process_console()
    if as_json:
        joined = [
            {
                "source": each.source.key,
                "relation": each.relation,
                "target": each.target.key,
            }
            for each in edges
        ]
        console.give(json.dumps({**shown, "edges": joined}, ensure_ascii=False))
        return
    for name, value in {**shown, **shown["context"], **shown["event"]}.items():
        if value not in ("", [], {}) and name not in ("context", "event"):
            console.give(f"{name:17} {value if isinstance(value, str) else json.dumps(value)}")
    for each in edges:
        other = each.target if each.source.id == trace.id else each.source
        console.give(f"  {each.relation:12} {other.kind} {other.id}")


@traces.command()
@click.argument("happened", metavar="WHAT_HAPPENED")
@click.option("--type", type=click.Choice(TYPES), default="decision", show_default=True)
@click.option("--right", default="", help="What would have been right.")
@click.option("--why", default="", help="Why that is so.")
@click.option("--agent", default="", help="Who did it.")
@click.option("--feature", default="", help="The feature it was about.")
@click.option("--task", default="", help="What was being done.")
@click.option("--file", "files", multiple=True, help="A file it was about; may come again.")
@click.option("--led-by", multiple=True, metavar="ID", help="A trace that led to it.")
@click.option("--corrects", multiple=True, metavar="ID", help="A trace that it corrects.")
@JSON
def add(happened: str, *, right: str, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - as above
    """Note that something happened, for later sessions."""
    texts = {"task": given.pop("task"), "why": given.pop("why")}
    new = NewTrace(
        what_happened=plain_text(happened),
        what_was_correct=plain_text(right),
        # Agents can run this too, so it does not count as a person's own correction.
        source="auto_detected",
        cli="command",
        **{name: plain_text(text) for name, text in texts.items()},
        **given,
    )
    stored: Trace = run(f"{OPERATIONS}:note", new)
    shown = json.dumps(outside(stored), ensure_ascii=False) if as_json else stored.id
    process_console().give(shown)


@traces.command(name="led-to")
@click.argument("id")
@DEPTH
@JSON
def led_to(id: str, *, depth: int, as_json: bool) -> None:
    """Show what led to the trace ID, the nearest first."""
    steps: tuple[Step, ...] = run(f"{OPERATIONS}:led_to", TracePath(id, depth))
    _give_steps(steps, as_json=as_json, nothing="Nothing is known that led to it.")


@traces.command(name="came-of")
@click.argument("id")
@DEPTH
@JSON
def came_of(id: str, *, depth: int, as_json: bool) -> None:
    """Show what came of the trace ID, the nearest first."""
    steps: tuple[Step, ...] = run(f"{OPERATIONS}:came_of", TracePath(id, depth))
    _give_steps(steps, as_json=as_json, nothing="Nothing is known that came of it.")


def _give_steps(steps: tuple[Step, ...], *, as_json: bool, nothing: str) -> None:
    console = process_console()
    for step in steps:
        if as_json:
            trace = None if step.trace is None else outside(step.trace, "summary")
            named = {"kind": step.node.kind, "id": step.node.id}
            told = {"depth": step.depth, "relation": step.relation, **named, "trace": trace}
            console.give(json.dumps(told, ensure_ascii=False))
            continue
        said = "" if step.trace is None else f"  {_short(step.trace.what_happened)}"
        when = "" if step.trace is None else f"  {_when(step.trace.at)}"
        console.give(
            f"{'  ' * step.depth}{step.relation}  {step.node.kind} {step.node.id}{when}{said}"
        )
    if not steps:
        console.say(nothing)


def _line(item: dict[str, Any]) -> str:
    item = {**item, **item.get("context", {}), **item.get("event", {})}
    when = item["timestamp"][:16].replace("T", " ")
    said = item.get("what_happened", "")
    return (
        f"{item['id']}  {when}  {item['type']:10} {item.get('agent', '')}  {_short(said)}".rstrip()
    )


def _when(at: datetime) -> str:
    return to_iso(at)[:16].replace("T", " ")


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 100 else f"{plain[:100]}…"
