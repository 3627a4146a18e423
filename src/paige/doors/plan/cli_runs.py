"""What `paige plan` and `teacher-assist` do: run a command, look at its prompt, resume, talk.

A run is reported by its words or one JSON object on stdout, and an exit code.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.interactions import load_interaction
from paige.agent.library.plugins import FoundCommand
from paige.agent.library.prompt import Prompt
from paige.agent.memories import Request
from paige.agent.runs import RunState
from paige.agent.tables import GateRow, RunRow, SessionRow
from paige.agent.trace.traces import find_runs, read_traces, render_cost, render_tree
from paige.app.application import open_app
from paige.app.lazy_memory import has_memory
from paige.app.places import shown_below, workspace
from paige.app.plugin_runs import (
    RunOptions,
    agent_of,
    check_command,
    library_for,
    open_library,
    options_for,
    settings_for,
)
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.base.settings import Settings, provider_of
from paige.doors.frame.cli import read_database
from paige.doors.frame.console import Console
from paige.doors.plan.cli_agent_runs import (
    Conversation,
    Interrupted,
    RunResult,
    Unanswered,
    call,
    open_conversation,
    show_question,
)
from paige.doors.plan.cli_lists import find_command
from paige.models.local import LOCAL
from paige.plan.products import only_remembers
from paige.plan.results import Note, dump_rows, read_outcome
from paige.plan.workspace import read_classes

PROMPT = "› "  # noqa: RUF001 - a prompt of its own, beside the `>` of questions
HELP = """\
Write what the agent should do. These are for Paige:
  /help      this list
  /sessions  recent sessions of this plugin
  /trace     what the last run did
  /exit      leave; `paige plan resume` goes on with the session"""
DONE, FAILED, REFUSED, ASKS = 0, 1, 3, 4
OPTIONS = tuple(field.name for field in fields(RunOptions))


def talk(conversation: Conversation) -> int:
    """Read lines until the end of the input; the exit code is that of the last run."""
    console = conversation.console
    if console.interactive:
        console.say(f"{conversation.found.full_name}: write, or `/help`. Ctrl+D ends.")
    code = DONE
    while True:
        try:
            line = console.read(PROMPT).strip()
        except EOFError:
            break
        except KeyboardInterrupt:
            console.say()
            continue
        if line in ("/exit", "/quit"):
            break
        if line.startswith("/"):
            _own_command(conversation, line)
        elif line:
            code = _say(conversation, line)
            if code == ASKS and not console.interactive:
                return code
    if conversation.session is not None:
        console.say(f"Session {conversation.session}")
    return code


def _say(conversation: Conversation, line: str) -> int:
    console = conversation.console
    try:
        return give_result(conversation.say(line), console, as_json=False)
    except (Interrupted, Unanswered):
        raise
    except PaigeError as error:
        if not console.interactive:
            raise
        console.say(f"{error.message}. {error.hint or ''}".rstrip())
        return error.exit_code


def _own_command(conversation: Conversation, line: str) -> None:
    console, app = conversation.console, conversation.app
    match line:
        case "/help":
            console.say(HELP)
        case "/sessions":
            recent = partial(queries.recent_sessions, plugin=conversation.found.plugin.name)
            for row in call(conversation.portal, lambda: app.database.read(recent, app.actor)):
                console.say(f"{row.id}  {row.updated_at:%Y-%m-%d %H:%M}  {row.title or ''}")
        case "/trace":
            _show_trace(conversation)
        case _:
            console.say(f"There is no `{line}`. `/help` lists what there is.")


def _show_trace(conversation: Conversation) -> None:
    if conversation.run is None:
        conversation.console.say("Nothing has run yet.")
        return
    database, actor = conversation.app.database, conversation.app.actor
    read = partial(read_traces, identity=conversation.run)
    for trace in call(conversation.portal, lambda: database.read(read, actor)):
        conversation.console.say("\n".join(render_tree(trace)))


@dataclass(frozen=True, slots=True)
class RunRequest:
    """How a run is wanted, besides what it is about."""

    options: RunOptions
    automatic: bool = False
    as_json: bool = False


def request_of(given: Mapping[str, Any]) -> RunRequest:
    """The options of a run as click hands them over; what nobody said is left to the agent."""
    told = {name: given[name] for name in OPTIONS if given.get(name) is not None}
    return RunRequest(
        RunOptions(**told), given.get("automatic", False), given.get("as_json", False)
    )


class Earlier(NamedTuple):
    """A session that goes on, and the run that is meant."""

    session: SessionRow
    run: RunRow
    last: RunRow


def run_once(
    settings: Settings, found: FoundCommand, prompt: str, request: RunRequest, console: Console
) -> int:
    """Run a command; one that is made for talking goes on at a terminal."""
    if request.automatic:
        _check_class(settings, request.options.class_id)
    with open_conversation(
        settings, found, request.options, console, automatic=request.automatic
    ) as conversation:
        _say_who_answers(settings, found, request.options, console)
        code = give_result(conversation.say(prompt), console, as_json=request.as_json)
        if found.command.mode == "interactive" and console.interactive and not request.as_json:
            return talk(conversation)
        return code


def _check_class(settings: Settings, class_id: str | None) -> None:
    """Refuse a class without a profile: nobody is asked which one is meant. Raises: NotFound."""
    if class_id:
        classes = read_classes(workspace(settings))
        if classes.profiles:  # a workspace without any is not about classes
            classes.get(class_id)


def run_repl(settings: Settings, found: FoundCommand, request: RunRequest, console: Console) -> int:
    """Talk with a command's agent, one line after another."""
    with open_conversation(
        settings, found, request.options, console, automatic=request.automatic
    ) as conversation:
        _say_who_answers(settings, found, request.options, console)
        return talk(conversation)


def resume(
    settings: Settings, identity: str, prompt: str | None, request: RunRequest, console: Console
) -> int:
    """Continue a run that waits or was interrupted, or a session with something new."""
    earlier = read_database(settings, lambda db, actor: _earlier(db, actor, identity))
    run, session = earlier.run, earlier.session
    if earlier.last.state != "ended" and prompt is not None:
        raise Conflict(
            f"The run `{earlier.last.id}` of this session has not ended",
            hint=f"First go on with it: `paige plan resume {earlier.last.id}`.",
        )
    if run.state == "ended" and prompt is None and not console.interactive:
        return give_result(_ended(settings, run), console, as_json=request.as_json)
    found = find_command(settings, f"{session.plugin}:{session.command}")
    options = request.options.over(run.header["inputs"])
    options = replace(options, class_id=options.class_id or session.class_id)
    with open_conversation(
        settings, found, options, console, automatic=request.automatic, session=session.id
    ) as conversation:
        _say_who_answers(settings, found, options, console)
        if run.state == "ended" and prompt is None:
            return talk(conversation)
        finished = conversation.go_on(run.id) if prompt is None else conversation.say(prompt)
        return give_result(finished, console, as_json=request.as_json)


def dry_run(
    settings: Settings, found: FoundCommand, prompt: str, request: RunRequest, console: Console
) -> int:
    """Show the prompt that would be sent, section by section; no model is asked."""
    check_command(settings, found, request.options)
    documents = workspace(settings)
    options = options_for(documents, prompt, request.options)
    if has_memory(settings):
        with open_app(settings, strict=False) as app:
            library = open_library(app, found, options)
            shown = library.prompt(agent_of(found), Request(prompt))
    else:  # a look leaves nothing behind but a workspace, not even an empty database
        shown = library_for(documents, found, options).prompt(agent_of(found), Request(prompt))
    if request.as_json:
        console.give(json.dumps(_prompt_json(shown, prompt), ensure_ascii=False))
        return 0
    for section in shown.sections:
        console.give(f"[{section.position}] {section.name}: {section.tokens} tokens")
        console.give(f"{section.text}\n")
    console.give(f"Total: {shown.tokens} tokens")
    return 0


def _say_who_answers(
    settings: Settings, found: FoundCommand, options: RunOptions, console: Console
) -> None:
    """Say that no model is asked, unless that is what the person chose."""
    chosen = settings_for(settings, agent_of(found), options)
    if not chosen.provider and provider_of(chosen, strict=False) == LOCAL:
        console.say("No key for a model is set, so local rules answer.")


def _ended(settings: Settings, run: RunRow) -> RunResult:
    """A run that has ended before, with all that is known of it."""
    gates = read_database(settings, lambda db, actor: queries.gates_of(db, actor, run.id))
    outcome = read_database(settings, lambda db, actor: read_outcome(db, actor, run))
    return RunResult(RunState(run), tuple(gates), False, outcome, shown_below(settings))


def _earlier(connection: Connection, actor: Actor, identity: str) -> Earlier:
    run = find_runs(connection, actor, identity)[-1]
    session = queries.get_session(connection, actor, run.session_id)
    if session.plugin is None:
        raise BadInput(f"Session `{session.id}` belongs to `{session.door}`, not to a plugin")
    return Earlier(session, run, queries.runs_of(connection, actor, session.id)[-1])


def _prompt_json(shown: Prompt, prompt: str) -> dict[str, object]:
    sections = [
        {"position": s.position, "name": s.name, "tokens": s.tokens, "text": s.text}
        for s in shown.sections
    ]
    return {"sections": sections, "tokens": shown.tokens, "input": prompt}


def give_result(finished: RunResult, console: Console, *, as_json: bool) -> int:
    """Report a run; the exit code says how it ended."""
    run = finished.state.run
    if as_json:
        console.give(json.dumps(result_json(finished), ensure_ascii=False))
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


def result_json(finished: RunResult) -> dict[str, Any]:
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
        "gates": [_gate_json(row) for row in finished.gates],
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


def _lesson(finished: RunResult) -> str | None:
    """Where the lesson was saved, from the root of the machine."""
    path = finished.outcome.path
    return str(finished.workspace.resolve() / path) if path else None


def _say_what_is_asked(finished: RunResult, console: Console, *, as_json: bool) -> int:
    run = finished.state.run
    if not as_json:
        for gate in finished.state.gates:
            show_question(gate.interaction, console.say)
        console.say()
    console.say(f"Run `{run.id}` waits for an answer: `paige plan resume {run.id}` in a terminal,")
    console.say("or with `--yes` to take the first option of every question.")
    return ASKS


def _gate_json(row: GateRow) -> dict[str, Any]:
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
