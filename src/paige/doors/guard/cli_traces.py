"""`paige guard traces`: what was refused, corrected, decided and approved, and what led to it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypedDict, Unpack

import click

from paige.app.application import open_app
from paige.app.graph import open_graph
from paige.app.learning import take_in_waiting
from paige.base.clock import to_iso
from paige.cli.moments import WHEN
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import plain_text, process_console
from paige.guard.graph.budgets import outside
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import (
    LEVELS,
    TYPES,
    Level,
    NewTrace,
    Step,
    TraceQuery,
    TraceType,
)

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
DEPTH = click.option("--depth", type=click.IntRange(1, 20), default=5, show_default=True)
MOST = 500


class FindFlags(TypedDict):
    """The options of `find` as click hands them over."""

    type: TraceType | None
    agent: str | None
    feature: str | None
    file: str | None
    rule: str | None
    since: datetime | None
    everywhere: bool
    limit: int
    level: Level
    as_json: bool


class AddFlags(TypedDict):
    """The options of `add` as click hands them over."""

    type: TraceType
    right: str
    why: str
    agent: str
    feature: str
    task: str
    files: tuple[str, ...]
    led_by: tuple[str, ...]
    corrects: tuple[str, ...]
    as_json: bool


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
def find(words: tuple[str, ...], **given: Unpack[FindFlags]) -> None:
    """Find traces about WORDS, the nearest in meaning first; without words the newest."""
    with _opened() as graph:
        query = TraceQuery(
            text=plain_text(" ".join(words)),
            type=given["type"],
            agent=given["agent"],
            feature=given["feature"],
            file=given["file"],
            rule=given["rule"],
            since=given["since"],
            project=None if given["everywhere"] else graph.project or None,
            limit=given["limit"],
        )
        found = graph.query(query, given["level"], budget=False)
    console = process_console()
    if given["as_json"]:
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
    with _opened() as graph:
        trace = graph.trace(id)
        edges = graph.around(trace.id, 1, 1).edges
    shown = {**outside(trace), "meta": dict(trace.meta)}
    console = process_console()
    if as_json:
        joined = [
            {
                "source": f"{each.source.kind}:{each.source.id}",
                "relation": each.relation,
                "target": f"{each.target.kind}:{each.target.id}",
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
def add(happened: str, **given: Unpack[AddFlags]) -> None:
    """Note that something happened, for later sessions."""
    with _opened() as graph:
        stored = graph.store(
            NewTrace(
                type=given["type"],
                agent=given["agent"],
                feature=given["feature"],
                task=plain_text(given["task"]),
                what_happened=plain_text(happened),
                what_was_correct=plain_text(given["right"]),
                why=plain_text(given["why"]),
                # Agents can run this too, so it does not count as a person's own correction.
                source="auto_detected",
                cli="command",
                files=given["files"],
                led_by=given["led_by"],
                corrects=given["corrects"],
            )
        )
    shown = json.dumps(outside(stored), ensure_ascii=False) if given["as_json"] else stored.id
    process_console().give(shown)


@traces.command(name="led-to")
@click.argument("id")
@DEPTH
@JSON
def led_to(id: str, *, depth: int, as_json: bool) -> None:
    """Show what led to the trace ID, the nearest first."""
    with _opened() as graph:
        steps = graph.led_to(id, depth)
    _give_steps(steps, as_json=as_json, nothing="Nothing is known that led to it.")


@traces.command(name="came-of")
@click.argument("id")
@DEPTH
@JSON
def came_of(id: str, *, depth: int, as_json: bool) -> None:
    """Show what came of the trace ID, the nearest first."""
    with _opened() as graph:
        steps = graph.came_of(id, depth)
    _give_steps(steps, as_json=as_json, nothing="Nothing is known that came of it.")


@contextmanager
def _opened() -> Iterator[ContextGraph]:
    with open_app(command_settings(), strict=False) as app:
        take_in_waiting(app)  # what hooks noted a moment ago belongs to it
        yield open_graph(app)


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
