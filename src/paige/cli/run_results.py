"""How a run is reported: its words or one JSON object on stdout, and an exit code."""

import json
from collections.abc import Sequence
from typing import Any

from paige.agent.interactions import load_interaction
from paige.agent.records import GateRow, RunRow
from paige.agent.trace_tree import render_cost
from paige.cli.agent_runs import Finished
from paige.cli.gates import show_question
from paige.doors.frame.console import Console
from paige.plan.products import only_remembers
from paige.plan.results import Note, dump_rows

DONE, FAILED, REFUSED, ASKS = 0, 1, 3, 4


def give_result(finished: Finished, console: Console, *, as_json: bool) -> int:
    """Report a run; the exit code says how it ended."""
    run = finished.state.run
    if as_json:
        console.give(json.dumps(dump_result(finished), ensure_ascii=False))
    elif run.output and not (finished.shown and console.out.isatty()):
        console.give(run.output)
    if finished.state.waiting:
        return _say_what_is_asked(finished, console, as_json=as_json)
    console.say(_summary(run))
    if finished.outcome.taken_over:
        console.say(f"Local rules answered: {finished.outcome.taken_over}.")
    if lesson := _lesson(finished):
        console.say(f"Saved as {lesson}")
    if finished.outcome.open:
        console.say(f"Open, for you or a model to write: {', '.join(finished.outcome.open)}.")
    for line in memory_lines(finished.outcome.notes, asked=only_remembers(run.header["purpose"])):
        console.say(line)
    return exit_code(run)


def dump_result(finished: Finished) -> dict[str, Any]:
    """A run as programs read it."""
    run, outcome = finished.state.run, finished.outcome
    return {
        "session": run.session_id,
        "trace": run.id,
        "status": run.status or run.state,
        "source": run.source,
        "lesson": _lesson(finished),
        "sections": list(outcome.sections),
        "evidence": dump_rows(outcome),
        "cost_usd": run.cost_usd,
        "open": list(outcome.open),
        "output": run.output,
        "reason": run.reason,
        "turns": run.turns,
        "gates": [_gate(row) for row in finished.gates],
        "memory": [{"decision": each.decision, "text": each.text} for each in outcome.notes],
    }


def memory_lines(notes: Sequence[Note], *, asked: bool) -> list[str]:
    """What became of everything that was proposed to remember.

    `asked` says that somebody asked for it, and hears of it too when nothing was proposed.
    """
    kept = sum(each.is_kept for each in notes)
    waiting = sum(each.decision == "pending" for each in notes)
    left = len(notes) - kept - waiting
    said = [f"Remembered: {_counted(kept)}."] if kept else []
    if left:
        said.append(f"Not remembered: {_counted(left)}.")
    if waiting:
        said.append(
            f"Not remembered yet: {_counted(waiting)}. `--yes` does not decide what is remembered: "
            "decide on the Plan page, or say it again without `--yes`."
        )
    return said or (["Nothing is remembered."] if asked else [])


def exit_code(run: RunRow) -> int:
    """0 done, 1 failed, 3 ended by a rule, 4 not ended."""
    match run.status:
        case None:
            return ASKS
        case "success":
            return DONE
        case "error_hook_abort":
            return REFUSED
        case _:
            return FAILED


def _lesson(finished: Finished) -> str | None:
    """Where the lesson was saved, from the root of the machine."""
    path = finished.outcome.path
    return str(finished.workspace.resolve() / path) if path else None


def _say_what_is_asked(finished: Finished, console: Console, *, as_json: bool) -> int:
    run = finished.state.run
    if not as_json:
        for gate in finished.state.gates:
            show_question(gate.interaction, console.say)
        console.say()
    console.say(f"Run `{run.id}` waits for an answer: `paige plan resume {run.id}` in a terminal,")
    console.say("or with `--yes` to take the first option of every question.")
    return ASKS


def _gate(row: GateRow) -> dict[str, Any]:
    return {
        "gate": row.gate,
        "revision": row.revision,
        "title": load_interaction(row.interaction).title,
        "interaction": row.interaction,
        "reply": row.reply,
    }


def _counted(notes: int) -> str:
    return "1 note" if notes == 1 else f"{notes} notes"


def _summary(run: RunRow) -> str:
    turns = "1 turn" if run.turns == 1 else f"{run.turns} turns"
    parts = [run.status or run.state, turns, render_cost(run.cost_usd), f"session {run.session_id}"]
    line = f"[{' · '.join(parts)}]"
    return f"{line}\n{run.reason}" if run.reason else line
