"""`paige guard guards`, `shadow`, `learn` and the rest: learned guards, and how well learning goes.

Looking is for everybody. Only a person may let a guard watch, block or go, write proposals down and
decide on prompts: the rules keep agents from these commands, and what an agent's shell starts all
the same refuses by itself.
"""

import json
from typing import Any

import click

from paige.app.guards import GuardList, ListedGuard, OneTimePass
from paige.app.learning import LearningResult
from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.doors.frame.cli import run
from paige.doors.frame.console import Console, process_console
from paige.doors.guard.learned_values import (
    LearnedAct,
    LearnedGuard,
    LearnedId,
    LearnedMove,
    LearnRequest,
    PromptMove,
    PromptsRequest,
)
from paige.guard.guards.parser import dump_guard, dump_step
from paige.guard.guards.trials import shown
from paige.guard.guards.values import PastAction, Trial
from paige.guard.learning.learning import Findings, dump_learned, learned_lines
from paige.guard.learning.metrics import LearnedMetric, LearnedMetrics, dump_metrics
from paige.guard.learning.prompt_files import Move
from paige.guard.learning.report import LearnedSign, Report, dump_report

OPERATIONS = "paige.doors.guard.learned_operations"
MOST_SHOWN = 20
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
WHY = click.option("--why", required=True, help="The reason; it is kept with the step.")
FORCE = click.option(
    "--force", is_flag=True, help="Go past history and shadow; harmless actions still stop it."
)


@click.command()
@click.argument("id", required=False)
@JSON
def guards(id: str | None, *, as_json: bool) -> int:
    """List the guards by where they stand, or show the one called ID."""
    console = process_console()
    if id is not None:
        made = dump_guard_seen(run(f"{OPERATIONS}:record", LearnedId(id=id)))
        for line in [json.dumps(made, ensure_ascii=False)] if as_json else _details(made):
            console.give(line)
        return 0
    listed: GuardList = run(f"{OPERATIONS}:listed")
    rows = [dump_guard_seen(each) for each in listed.guards]
    if as_json:
        console.give(json.dumps({"guards": rows, "problems": listed.problems}, ensure_ascii=False))
    for row in rows if not as_json else ():
        console.give(_line(row))
    for problem in listed.problems:
        console.say(problem)
    if not rows and not listed.problems and not as_json:
        console.say("There are no guards yet. See what can be proposed: `paige guard learn`.")
    return 1 if listed.problems else 0


@click.command()
@click.argument("id")
@JSON
def replay(id: str, *, as_json: bool) -> int:
    """Try the guard ID on its examples, on harmless actions and on what happened."""
    tried: Trial = run(f"{OPERATIONS}:replay", LearnedId(id=id))
    made = dump_tried(tried)
    console = process_console()
    for line in [json.dumps(made, ensure_ascii=False)] if as_json else _tried_lines(tried, made):
        console.give(line)
    return 0 if tried.sound else 1


@click.command()
@click.argument("id")
@WHY
@FORCE
def shadow(id: str, *, why: str, force: bool) -> None:
    """Let the proposed guard ID watch: it notes what it would have refused."""
    _step("shadow", LearnedMove(id=id, why=why, force=force))


@click.command()
@click.argument("id")
@WHY
@FORCE
def promote(id: str, *, why: str, force: bool) -> None:
    """Let the guard ID block."""
    _step("promote", LearnedMove(id=id, why=why, force=force))


@click.command()
@click.argument("id")
@WHY
def rollback(id: str, *, why: str) -> None:
    """Take the guard ID back: it no longer blocks, or is no longer tried."""
    _step("roll_back", LearnedAct(id=id, why=why))


@click.command()
@click.argument("decision")
@WHY
def override(decision: str, *, why: str) -> None:
    """Let the refused action DECISION pass once, within ten minutes."""
    passed: OneTimePass = run(f"{OPERATIONS}:override", LearnedAct(id=decision, why=why))
    console = process_console()
    console.give(f"{passed.guard}  passes once until {passed.until:%H:%M} UTC")
    if passed.rolled_back:
        console.say(f"The guard `{passed.guard}` was overridden too often and is rolled back.")


@click.command(name="learn")
@click.option("--apply", "apply_", is_flag=True, help="Write the proposals down, to be tried.")
@JSON
def learn_(*, apply_: bool, as_json: bool) -> int:
    """Find patterns in what was blocked and corrected, and propose guards for them."""
    console = process_console()
    found: Findings
    done: LearningResult | None
    found, done = run(f"{OPERATIONS}:study", LearnRequest(apply=apply_))
    if as_json:
        made = dump_learned(found)
        console.give(_json(made if done is None else {**made, "applied": _dump_applied(done)}))
        return 0
    for line in learned_lines(found):
        console.give(line)
    if done is not None:
        for line in _applied_lines(done):
            console.give(line)
    elif not found.patterns:
        console.say(
            "Nothing repeats yet: a pattern is what was refused or corrected three times in two "
            "sessions. `paige guard traces find` shows what happened so far."
        )
    elif found.proposals or found.prompts:
        console.say("Nothing was changed. Write the proposals down: `paige guard learn --apply`.")
    return 0


@click.command()
@JSON
def report(*, as_json: bool) -> int:
    """Show the checklist of anti-patterns and the success metrics, with their numbers."""
    found: Report
    metrics: LearnedMetrics
    found, metrics = run(f"{OPERATIONS}:report")
    console = process_console()
    if as_json:
        console.give(_json({**dump_report(found), "success": dump_metrics(metrics)}))
        return 0
    _show_report(found, console)
    _show_metrics(metrics, console)
    return 0


@click.command()
@click.argument("agent", required=False)
@click.option("--apply", "how", flag_value="apply", help="Put the change into the prompt.")
@click.option("--confirm", "how", flag_value="confirm", help="Keep the change for good.")
@click.option("--withdraw", "how", flag_value="withdraw", help="Take the change back.")
@click.option("--why", default="", help="The reason; it is kept with the step.")
@JSON
def prompts(agent: str | None, *, how: Move | None, why: str, as_json: bool) -> int:
    """Show the changes of agents' prompts that are being tried, or decide on that of AGENT."""
    console = process_console()
    if how is not None:
        if agent is None or not why.strip():
            raise BadInput(
                f"`--{how}` needs an agent and a reason",
                hint=f'Write `paige guard prompts AGENT --{how} --why "…"`.',
            )
        path = run(f"{OPERATIONS}:move_prompt", PromptMove(agent=agent, how=how, why=why))
        console.give(f"{agent}  {how}  {path}")
        return 0
    rows: list[dict[str, Any]] = run(f"{OPERATIONS}:prompts", PromptsRequest(agent=agent))
    for row in rows:
        console.give(_json(row) if as_json else _prompt_line(row))
    if not rows:
        console.say("No change of a prompt is being tried. See: `paige guard learn`.")
    return 0


def _step(act: str, given: LearnedAct) -> None:
    found: LearnedGuard = run(f"{OPERATIONS}:{act}", given)
    process_console().give(f"{found.id}  {found.standing}  version {found.version}")


def dump_guard_seen(guard: ListedGuard) -> dict[str, Any]:
    """A guard as JSON."""
    found, seen, current = guard.record, guard.shadowed, guard.record.current
    return {
        **dump_guard(found.guard),
        "stage": current.stage,
        "standing": found.standing,
        "version": current.version,
        "since": to_iso(current.since),
        "why": current.reason,
        "blocks": found.blocking is not None,
        "steps": [
            {"version": each.version, **dump_step(step)}
            for each in found.lineage.versions[1:]
            for step in each.history
        ],
        "overrides": len(found.overrides),
        "seen": {
            "events": seen.events,
            "hits": seen.hits,
            "harmless": seen.harmless,
            "overridden": seen.overridden,
        },
    }


def dump_tried(tried: Trial) -> dict[str, Any]:
    """What a guard was tried on, as JSON."""
    past = tried.replay
    return {
        "sound": tried.sound,
        "faults": list(tried.faults),
        "probed": tried.probed,
        "benign": [_past(each) for each in tried.benign[:MOST_SHOWN]],
        "replayed": past.actions,
        "already": len(past.already),
        "corrected": len(past.corrected),
        "unclear": len(past.unclear),
        "harmless": [_past(each) for each in past.harmless[:MOST_SHOWN]],
        "hits": past.hits,
    }


def _past(past: PastAction) -> dict[str, str]:
    return {"id": past.id, "at": to_iso(past.at) if past.at else "", "action": shown(past.example)}


def _line(row: dict[str, Any]) -> str:
    seen = row.get("seen", {})
    counts = f"{seen.get('hits', 0)} hits in {seen.get('events', 0)} actions"
    return f"{row['id']:32} {row['standing']:12} {row['scope']:10} {counts}  {row['message']}"


def _details(row: dict[str, Any]) -> list[str]:
    lines = [_line(row), f"  matcher  {json.dumps(row['matcher'], ensure_ascii=False)}"]
    for step in row["steps"]:
        forced = "  forced" if step["forced"] else ""
        by = f" by {step['by']}" if step["by"] else ""
        at = step["at"][:16].replace("T", " ")
        lines.append(f"  {at}  version {step['version']}  {step['stage']}{by}{forced}")
        lines.append(f"    {step['why']}")
    return lines


def _tried_lines(tried: Trial, made: dict[str, Any]) -> list[str]:
    lines = [f"examples   {len(tried.faults)} fail"]
    lines += [f"  {each}" for each in tried.faults]
    lines.append(f"harmless   {len(tried.benign)} of {tried.probed} would be stopped")
    lines += [f"  {each['action']}" for each in made["benign"]]
    past = tried.replay
    lines.append(
        f"history    {past.hits} of {past.actions} would be stopped: {len(past.already)} were "
        f"refused anyway, {len(past.corrected)} were corrected, {len(past.harmless)} were fine"
    )
    lines += [f"  {each['action']}  {each['id']}" for each in made["harmless"]]
    if past.unclear:
        lines.append(f"unclear    {len(past.unclear)}: too little of them was kept")
    return lines


def _show_report(found: Report, console: Console) -> None:
    for row in found.rows:
        console.give(f"{row.verdict:8} {row.name:32} {_number(row)}")
        if row.verdict == "warning":
            console.give(f"         {row.advice}")


def _number(row: LearnedSign) -> str:
    if row.measured is None:
        return f"nothing measured yet (warns above {row.threshold:g})"
    return f"{row.measured:.2f} over {row.cases} cases (warns above {row.threshold:g})"


def _show_metrics(found: LearnedMetrics, console: Console) -> None:
    console.give("")
    console.give(f"Before and after {found.since:%Y-%m-%d}:")
    for each in found.metrics:
        console.give(f"{_met(each):8} {each.name:32} {_amount(each.before)} → {_amount(each.after)}"
                     f" (target {each.target:g})")  # fmt: skip


def _met(metric: LearnedMetric) -> str:
    return {True: "met", False: "missed", None: "unknown"}[metric.met]


def _amount(number: float | None) -> str:
    return "?" if number is None else f"{number:.2f}".rstrip("0").rstrip(".")


def _prompt_line(row: dict[str, Any]) -> str:
    lines = [f"{row['agent']}  {row['stage']}  {row['file']}  {row['tokens']:+d} tokens"]
    lines += [f"  {row['why']}", *(f"  {line}" for line in row["diff"])]
    return "\n".join(lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _applied_lines(done: LearningResult) -> list[str]:
    """What was written down, as people read it."""
    lines = [f"Proposed: {each}. Let it watch: `paige guard shadow {each} --why …`"
             for each in done.introduced]  # fmt: skip
    lines += [f"Refused: {each}. {why}" for each, why in done.refused]
    lines += [f"Prompt of {each}: see `paige guard prompts {each}`" for each in done.prompts]
    lines += [f"{each.guard}: {each.stage}. {each.why}" for each in done.reviewed]
    return lines or ["Nothing to write down."]


def _dump_applied(done: LearningResult) -> dict[str, Any]:
    """What was written down, as JSON."""
    return {
        "introduced": list(done.introduced),
        "refused": [{"guard": each, "why": why} for each, why in done.refused],
        "prompts": list(done.prompts),
        "reviewed": [
            {"guard": each.guard, "stage": each.stage, "why": each.why} for each in done.reviewed
        ],
    }
