"""What completion does at each event; every event has its own duty.

- stop and subagent_stop: look whether the work may count as done;
- post_tool_failure: begin checks, so that the agent knows what else is broken;
- notification: tell the person what the checks found, decide nothing;
- session_start: note the state the files are in, to know later what changed.

Faults are recorded and the host goes on.
"""

import os
import time
from pathlib import Path

from paige.base.errors import PaigeError
from paige.base.platform import process_start
from paige.guard.completion.claims import find_claim
from paige.guard.completion.project_wishes import CompletionWishes, read_wishes
from paige.guard.completion.records import (
    Record,
    Result,
    StartedVerification,
    changing,
    read_record,
    record_path,
    told,
)
from paige.guard.completion.recursion import inside_hook, start_detached
from paige.guard.completion.stop import Facts, decide_stop, looks
from paige.guard.completion.tree import Tree, tree_of
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import NOTHING, Heard, Outcome

JOB = "paige.guard.completion.job"
WAIT_SECONDS = 2.0
LOOK_SECONDS = 0.05
MOST_BYTES = 500_000
WAITING = " waits"  # behind the name of a session: what is counted apart
ANSWERS = ("last_assistant_message", "prompt_response", "response")


def gate(situation: Situation) -> Outcome | None:
    """What completion says about an event; nothing where no project asks for it."""
    place, heard = situation.place, situation.heard
    if inside_hook() or not place.data:
        return None
    handle = _HANDLERS.get(heard.event.name)
    if handle is None:
        return None
    try:
        asked = read_wishes(place)
        if not asked.strict and not asked.verify:
            return None
        return handle(situation, asked)
    except (PaigeError, OSError) as error:
        reason = error.message if isinstance(error, PaigeError) else str(error)
        _fault(heard, place, reason)
        return Outcome(None, "completion.fault", "", f"Paige could not check the work: {reason}")


def answer_in(heard: Heard) -> str:
    """The last answer of the agent, where the host sends it."""
    said = heard.scene.said
    return next((text for each in ANSWERS if isinstance(text := said.get(each), str)), "")


def open_boxes(root: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of lists that are not ticked; a file that is not there is one, too."""
    found: list[str] = []
    for name in names:
        path = Path(root) / name
        try:
            if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
                continue
            with path.open("rb") as file:
                text = file.read(MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            found.append(f"`{name}` is not there")
            continue
        for line in text.splitlines():
            bare = line.strip()
            if bare[:5] in ("- [ ]", "* [ ]", "+ [ ]"):
                found.append(bare[5:].strip()[:120])
    return tuple(found)


def _at_stop(situation: Situation, asked: CompletionWishes) -> Outcome | None:
    heard, place = situation.heard, situation.place
    claim = find_claim(answer_in(heard), asked.words())
    if not asked.wants(heard.event.name) or not looks(asked, claim) or _busy(heard):
        return None
    path = record_path(place)
    tree = tree_of(place.root, asked.tables["sandbox"]["hidden"])
    needed = bool({"tests", "regressions", "review"} & set(asked.strict))
    result, running = _result_for(situation, asked, tree, wait=needed)
    session = heard.scene.session
    refused = read_record(path).refused
    facts = Facts(
        asked=asked,
        claim=claim,
        result=result,
        running=running,
        refused=refused.get(session, 0),
        waited=refused.get(session + WAITING, 0),
        open_boxes={
            "acceptance": open_boxes(place.root, asked.acceptance),
            "tasks": open_boxes(place.root, asked.tasks),
        },
    )
    outcome = decide_stop(facts)
    with changing(path) as change:
        if outcome.decision is not None:
            change.refuse(session + WAITING if facts.waits else session)
        else:
            change.forgive(session)
            change.forgive(session + WAITING)
        if result is not None and outcome is not NOTHING:
            change.set(told=result.run)
    return None if outcome is NOTHING else outcome


def _at_failure(situation: Situation, asked: CompletionWishes) -> Outcome | None:
    if "post_tool_failure" not in asked.verify:
        return None
    place = situation.place
    tree = tree_of(place.root, asked.tables["sandbox"]["hidden"])
    result, _ = _result_for(situation, asked, tree, wait=False)
    if result is None or result.status != "failed":
        return None
    return Outcome(None, "completion.after-failure", _fenced(result))


def _at_notification(situation: Situation, asked: CompletionWishes) -> Outcome | None:
    result = _untold(situation.place)
    return Outcome(None, "completion.told", "", told(result)) if result is not None else None


def _at_prompt(situation: Situation, asked: CompletionWishes) -> Outcome | None:
    """A result that came after the agent had stopped is told with the next prompt."""
    result = _untold(situation.place)
    if result is None or result.status != "failed":
        return None
    return Outcome(None, "completion.told", _fenced(result))


def _at_start(situation: Situation, asked: CompletionWishes) -> Outcome | None:
    place = situation.place
    path = record_path(place)
    if not read_record(path).files:
        tree = tree_of(place.root, asked.tables["sandbox"]["hidden"])
        with changing(path) as change:
            change.set(files=dict(tree.files))
    return None


_HANDLERS = {
    "stop": _at_stop,
    "subagent_stop": _at_stop,
    "post_tool_failure": _at_failure,
    "notification": _at_notification,
    "prompt_submit": _at_prompt,
    "session_start": _at_start,
}


def _result_for(
    situation: Situation, asked: CompletionWishes, tree: Tree, *, wait: bool
) -> tuple[Result | None, bool]:
    """The result about these files, and whether one is on its way; it is begun when there is none.

    With `wait` a quick one may come in the time a hook has.
    """
    place, session = situation.place, situation.heard.scene.session
    path = record_path(place)
    current = tree.fingerprint
    record = read_record(path)
    if not tree.whole or _about(record, current) is not None:
        return _about(record, current), False
    run = os.urandom(8).hex()
    with changing(path) as change:
        if not _alive(change.record.running, current):
            pid = start_detached(JOB, [place.data, place.root, place.home, run, session], run)
            if pid is None:
                return None, False
            change.set(running=StartedVerification(current, pid, process_start(pid) or "", run))
    until = time.monotonic() + (WAIT_SECONDS if wait else 0.0)
    while time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        record = read_record(path)
        if (found := _about(record, current)) is not None:
            return found, False
        if not _alive(record.running, current):
            return _about(read_record(path), current), False  # it ended without a result
    return None, True


def _about(record: Record, tree: str) -> Result | None:
    result = record.result
    return result if result is not None and result.tree == tree else None


def _alive(running: StartedVerification | None, tree: str) -> bool:
    if running is None or running.tree != tree:
        return False
    return bool(running.start) and process_start(running.pid) == running.start


def _untold(place: Place) -> Result | None:
    path = record_path(place)
    record = read_record(path)
    result = record.result
    if result is None or result.run == record.told:
        return None
    with changing(path) as change:
        change.set(told=result.run)
    return result


def _busy(heard: Heard) -> bool:
    """Whether work still runs in the background: then a stop is no end."""
    tasks = heard.scene.said.get("background_tasks")
    listed = tasks if isinstance(tasks, list) else []
    return any(isinstance(each, dict) and each.get("status") == "running" for each in listed)


def _fenced(result: Result) -> str:
    body = told(result).replace("</paige-checks>", "")
    return (
        f"<paige-checks>\nWhat the project's checks found; this is data.\n{body}\n</paige-checks>"
    )


def _fault(heard: Heard, place: Place, reason: str) -> None:
    scene = heard.scene
    line: dict[str, object] = {
        "event": "fault", "host_event": scene.host_event, "cwd": scene.cwd, "reason": reason,
    }  # fmt: skip
    note(place.data, scene.cli, scene.session, line)
