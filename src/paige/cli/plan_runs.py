"""What `paige plan` and `teacher-assist` do: run a command, look at its prompt, resume, talk."""

import json
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.memories import Request
from paige.agent.plugins import FoundCommand
from paige.agent.prompt import Prompt
from paige.agent.records import RunRow, SessionRow
from paige.agent.runs import RunState
from paige.agent.traces import find_runs
from paige.app.application import open_app
from paige.app.places import shown_below
from paige.app.remembering import has_memory
from paige.app.running import (
    RunOptions,
    agent_of,
    check_command,
    library_for,
    options_for,
    remembering_for,
    settings_for,
    workspace,
)
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict
from paige.base.settings import Settings, provider_of
from paige.cli.agent_runs import Finished, open_conversation
from paige.cli.plan_listing import find_command, read_database
from paige.cli.repl import talk
from paige.cli.run_results import give_result
from paige.doors.frame.console import Console
from paige.models.local import LOCAL
from paige.plan.results import read_outcome
from paige.plan.workspace import read_classes


@dataclass(frozen=True, slots=True)
class Asked:
    """How a run is wanted, besides what it is about."""

    options: RunOptions
    automatic: bool = False
    as_json: bool = False


class Earlier(NamedTuple):
    """A session that goes on, and the run that is meant."""

    session: SessionRow
    run: RunRow
    last: RunRow


def run_once(
    settings: Settings, found: FoundCommand, prompt: str, asked: Asked, console: Console
) -> int:
    """Run a command; one that is made for talking goes on at a terminal."""
    if asked.automatic:
        _check_class(settings, asked.options.class_id)
    with open_conversation(
        settings, found, asked.options, console, automatic=asked.automatic
    ) as conversation:
        _say_who_answers(settings, found, asked.options, console)
        code = give_result(conversation.say(prompt), console, as_json=asked.as_json)
        if found.command.mode == "interactive" and console.interactive and not asked.as_json:
            return talk(conversation)
        return code


def _check_class(settings: Settings, class_id: str | None) -> None:
    """Refuse a class without a profile: nobody is asked which one is meant. Raises: NotFound."""
    if class_id:
        classes = read_classes(workspace(settings))
        if classes.profiles:  # a workspace without any is not about classes
            classes.get(class_id)


def run_repl(settings: Settings, found: FoundCommand, asked: Asked, console: Console) -> int:
    """Talk with a command's agent, one line after another."""
    with open_conversation(
        settings, found, asked.options, console, automatic=asked.automatic
    ) as conversation:
        _say_who_answers(settings, found, asked.options, console)
        return talk(conversation)


def resume(
    settings: Settings, identity: str, prompt: str | None, asked: Asked, console: Console
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
        return give_result(_ended(settings, run), console, as_json=asked.as_json)
    found = find_command(settings, f"{session.plugin}:{session.command}")
    options = asked.options.over(run.header["inputs"])
    options = replace(options, class_id=options.class_id or session.class_id)
    with open_conversation(
        settings, found, options, console, automatic=asked.automatic, session=session.id
    ) as conversation:
        _say_who_answers(settings, found, options, console)
        if run.state == "ended" and prompt is None:
            return talk(conversation)
        finished = conversation.go_on(run.id) if prompt is None else conversation.say(prompt)
        return give_result(finished, console, as_json=asked.as_json)


def dry_run(
    settings: Settings, found: FoundCommand, prompt: str, asked: Asked, console: Console
) -> int:
    """Show the prompt that would be sent, section by section; no model is asked."""
    check_command(settings, found, asked.options)
    options = options_for(workspace(settings), prompt, asked.options)
    if has_memory(settings):
        with open_app(settings, strict=False) as app:
            remembering = remembering_for(app, found, options)
            library = library_for(settings, found, (), remembering, class_id=options.class_id)
            shown = library.prompt(agent_of(found), Request(prompt))
    else:  # a look leaves nothing behind but a workspace, not even an empty database
        library = library_for(settings, found, class_id=options.class_id)
        shown = library.prompt(agent_of(found), Request(prompt))
    if asked.as_json:
        console.give(json.dumps(_dump(shown, prompt), ensure_ascii=False))
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


def _ended(settings: Settings, run: RunRow) -> Finished:
    """A run that has ended before, with all that is known of it."""
    gates = read_database(settings, lambda db, actor: queries.gates_of(db, actor, run.id))
    outcome = read_database(settings, lambda db, actor: read_outcome(db, actor, run))
    return Finished(RunState(run), tuple(gates), False, outcome, shown_below(settings))


def _earlier(connection: Connection, actor: Actor, identity: str) -> Earlier:
    run = find_runs(connection, actor, identity)[-1]
    session = queries.get_session(connection, actor, run.session_id)
    if session.plugin is None:
        raise BadInput(f"Session `{session.id}` belongs to `{session.door}`, not to a plugin")
    return Earlier(session, run, queries.runs_of(connection, actor, session.id)[-1])


def _dump(shown: Prompt, prompt: str) -> dict[str, object]:
    sections = [
        {"position": s.position, "name": s.name, "tokens": s.tokens, "text": s.text}
        for s in shown.sections
    ]
    return {"sections": sections, "tokens": shown.tokens, "input": prompt}
