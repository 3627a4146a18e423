"""`paige trace`: what runs did, as a tree, as JSON, or for other tools."""

import json
from functools import partial
from pathlib import Path

import click

from paige.agent import queries
from paige.agent.tables import RunRow
from paige.agent.trace.otel import to_otlp
from paige.agent.trace.traces import Trace, dump_trace, read_traces, render_cost, render_tree
from paige.base.clock import to_iso
from paige.base.files import write_export
from paige.base.settings import Settings
from paige.doors.frame.cli import command_settings, read_database
from paige.doors.frame.console import Console, process_console


@click.group()
def trace() -> None:
    """Show what runs of agents did, step by step, and take it elsewhere."""


@trace.command(name="list")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def list_(*, limit: int, as_json: bool) -> None:
    """List recent runs, newest first."""
    runs = read_database(command_settings(), partial(queries.recent_runs, limit=limit))
    console = process_console()
    if as_json:
        console.give(json.dumps([_dump(run) for run in runs], ensure_ascii=False))
        return
    for run in runs:
        console.give(_line(run))
    if not runs:
        console.say("Nothing has run yet.")


@trace.command()
@click.argument("identity", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def show(identity: str, *, as_json: bool) -> None:
    """Show the run ID, or every run of the session ID, as a tree."""
    show_traces(command_settings(), identity, process_console(), as_json=as_json)


@trace.command(short_help="Export a run: OpenTelemetry or JSON.")
@click.argument("identity", metavar="ID")
@click.option(
    "--to", "form", type=click.Choice(["otlp", "json"]), default="otlp", show_default=True
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file.")
@click.option("--content", is_flag=True, help="With what tools were given and said (otlp).")
def export(identity: str, *, form: str, output: Path | None, content: bool) -> None:
    """Export the run ID, or every run of the session ID: OpenTelemetry, or everything as JSON."""
    traces = _read(command_settings(), identity)
    data = to_otlp(traces, content=content) if form == "otlp" else _everything(traces)
    text = json.dumps(data, ensure_ascii=False) + "\n"
    console = process_console()
    if output is None:
        console.out.write(text)
        return
    write_export(output, text)
    console.say(f"Wrote `{output}`")


def show_traces(
    settings: Settings, identity: str, console: Console, *, as_json: bool = False
) -> None:
    """Show a run, or every run of a session."""
    traces = _read(settings, identity)
    if as_json:
        console.give(json.dumps(_everything(traces), ensure_ascii=False))
        return
    for found in traces:
        console.give(_line(found.run))
        console.give("\n".join(render_tree(found)))


def _read(settings: Settings, identity: str) -> list[Trace]:
    return read_database(settings, lambda db, actor: read_traces(db, actor, identity))


def _everything(traces: list[Trace]) -> dict[str, object]:
    return {"traces": [dump_trace(found) for found in traces]}


def _line(run: RunRow) -> str:
    title = " ".join(run.prompt.split())
    shown = title if len(title) <= 60 else f"{title[:59]}…"
    status = run.status or run.state
    money = render_cost(run.cost_usd)
    return f"{run.id}  {run.created_at:%Y-%m-%d %H:%M}  {status}  {money}  {shown}"


def _dump(run: RunRow) -> dict[str, object]:
    return {
        "trace": run.id,
        "session": run.session_id,
        "status": run.status or run.state,
        "source": run.source,
        "agent": run.header["agent"]["name"],
        "prompt": run.prompt,
        "turns": run.turns,
        "cost_usd": run.cost_usd,
        "created_at": to_iso(run.created_at),
    }
