"""`paige orchestra handoff`: look at a handoff from both ends, log it, or list those there were.

Once the work is done, the same command looks at what had to be so afterwards.
"""

import json
import sys
from pathlib import Path

import click

from paige.app.orchestra_files import project_root
from paige.base.clock import system_clock
from paige.base.errors import BadInput, NotFound
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.files import Damaged
from paige.guard.state.tree import tree_hash
from paige.orchestra.handoff_log import Entry, HandoffLog
from paige.orchestra.handoffs import (
    Handoff,
    Problem,
    parse_handoff,
    validate_as_receiver,
    validate_as_sender,
    validate_result,
)
from paige.orchestra.running.project_files import read_list
from paige.orchestra.values import Facts

LIST = "list"
_MOST = 1_000_000


@click.command()
@click.argument("what", metavar="FILE|-|list")
@click.option("--returned", is_flag=True, help="The work is done: look at the postcondition.")
@click.option("--check", is_flag=True, help="Look at it only; log nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def handoff(what: str, *, returned: bool, check: bool, as_json: bool) -> int:
    """Check the handoff in FILE (`-`: stdin) against the project and log it, or `list` the log.

    The same handoff twice is one. Exit code 1 when something is wrong with it.
    """
    settings = command_settings()
    root = project_root(settings)
    log = HandoffLog(root)
    console = process_console()
    if what == LIST:
        for entry in log.read():
            shown = json.dumps(entry.dump(), ensure_ascii=False) if as_json else _line(entry)
            console.give(shown)
        return 0
    given = parse_handoff(_read(what))
    facts = _facts(given, root, settings.data_dir)
    problems = validate_result(given, facts) if returned else _problems(given, facts)
    new = not problems and not check and _note(log, given, returned=returned)
    if as_json:
        body = {
            "key": given.key,
            "good": not problems,
            "new": new,
            "problems": [{"field": each.field, "message": each.message} for each in problems],
            **given.dump(),
        }
        console.give(json.dumps(body, ensure_ascii=False))
    else:
        for each in problems:
            console.give(f"{each.field}: {each.message}")
        if not problems:
            about = "The return of the handoff" if returned else "The handoff"
            how = "is good" if check else "was logged" if new else "was there already"
            console.say(f"{about} `{given.key}` {how}.")
    return 1 if problems else 0


def _note(log: HandoffLog, given: Handoff, *, returned: bool) -> bool:
    """Log a handoff, or that its work came back; false when that is there already."""
    now = system_clock()
    if returned:
        if not log.has(given.key, "sent"):
            raise NotFound(
                f"No handoff `{given.key}` was logged",
                hint="Log it before the work begins: `paige orchestra handoff FILE`.",
            )
        return log.note("returned", given.key, now)
    new = log.note("sent", given.key, now, given)
    log.note("received", given.key, now)
    return new


def _problems(given: Handoff, facts: Facts) -> tuple[Problem, ...]:
    found = (
        *validate_as_sender(given, facts),
        *validate_as_receiver(given, facts, given.command.agent),
    )
    return tuple(dict.fromkeys(found))


def _facts(given: Handoff, root: Path, data: Path) -> Facts:
    listed = read_list(root)
    if isinstance(listed, Damaged):
        raise listed
    features = listed or ()
    paths = (*given.command.artifacts, *given.command.context.files_changed)
    tree, records = tree_hash(root), read_evidence(root, data).records
    return Facts(
        tree=tree,
        files=frozenset(each for each in paths if (root / each).exists()),
        states={each.id: each.status for each in features},
        tested=frozenset(each.id for each in features if each.tested),
        evidence=frozenset(each.id for each in features if fresh(records, each.id, tree)),
    )


def _read(what: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_MOST + 1) if what == "-" else Path(what).read_bytes()
    except OSError as error:
        raise BadInput(f"`{what}` cannot be read: {error.strerror}") from error
    if len(raw) > _MOST:
        raise BadInput(f"`{what}` is longer than {_MOST} bytes")
    return raw.decode("utf-8", "replace")


def _line(entry: Entry) -> str:
    command = (entry.handoff or {}).get("command", {})
    about = f" {command.get('agent', '')} {command.get('task', '')}".rstrip()
    return f"{entry.at[:19]} {entry.event:<9} {entry.key}{about}"
