"""Forgetting a memory everywhere: in the log and what is made from it, and in every copy.

Memory itself takes the words out of its log, index, vectors and documents. Here they leave what
others made of them by themselves: the guard's lines and graph, rows of runs and conversations. What
people wrote into files of their own, other memories with the same words, and backups are theirs:
nobody changes them unasked, so the answer names them. A backup that is restored forgets again.
"""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paige.app.application import App, open_app
from paige.app.backup.places import known_backups
from paige.app.backup.tables import DOCUMENTS, LOG_TABLES, ROOMS
from paige.app.memory_use import reader_of
from paige.app.person_apps import folder_of, installation_dir, is_owner, may_on_machine
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, PaigeError
from paige.base.settings import Settings
from paige.guard.forgotten import forget_in_files, forget_in_graph
from paige.memory.access import may_read
from paige.memory.forgotten_words import ForgottenWords
from paige.memory.lifecycle.retention import Forget, ForgetPlan, plan_forgetting
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from paige.memory.setup import log_in_table, open_log
from paige.store.engine import open_database
from paige.store.rows.person_queries import (
    change_words,
    holds_bytes,
    overwrite_deleted,
    tables_with,
)
from paige.store.rows.sqlite_queries import empty_wal, forget_deleted, rewrite_whole

if TYPE_CHECKING:
    from paige.memory.memory import Memory

GRAPH = ("decisions", "decision_sessions", "decision_edges")
OWN = (DOCUMENTS, "class_handouts", "class_answers", "people", "tenants")
"""Tables with what people wrote themselves, and not to be remembered."""
MADE_FROM_LOG = (*LOG_TABLES, "memory_files")
MOST_NAMED = 10
MOST_BYTES = 4 * 2**20
_TABLES = ROOMS


@dataclass(frozen=True, slots=True)
class Removal:
    """How many lines of the log lost their words, and where these words still stand."""

    lines: int
    remains: tuple[str, ...] = ()


def forget(app: App, memory: "Memory", plan: ForgetPlan, *, person: Actor | None = None) -> Removal:
    """Carry a plan out, everywhere; `person` is whose copies go, if not those of who asks."""
    going = set(plan.ids)
    words = ForgottenWords.of(each for each in memory.all_events() if each.id in going)
    lines = memory.forget(plan, app.actor)
    if not going:
        return Removal(lines)
    person = person or Actor(app.actor.tenant, plan.by)
    with suppress(BadInput):  # who cannot have a folder left nothing in one
        forget_in_files(_folder(app, person), words)
    with app.database.system.transaction(write=True, durable=True) as connection:
        overwrite_deleted(connection)
        # Hooks of nobody else add to the graph, and it does not say who they were.
        if is_owner(person) or may_on_machine(app.settings, app.actor, "guard"):
            forget_in_graph(connection, person, words)
        without = (*GRAPH, *OWN, *MADE_FROM_LOG)
        change_words(connection, person, words.probes, words.without, without=without)
        forget_deleted(connection)
    if app.database.kind == "sqlite":
        _overwrite(installation_dir(app.settings, app.actor) / "paige.db", words)
    return Removal(lines, tuple(_remains(app, memory, person, words)))


def _folder(app: App, person: Actor) -> Path:
    """Where the hooks of somebody leave their lines; with accounts that is a folder of theirs."""
    return app.settings.data_dir if _is_theirs(app, person) else folder_of(app.settings, person)


def _is_theirs(app: App, person: Actor) -> bool:
    """Whether the places of an application are those of this person."""
    return (app.actor.tenant, app.actor.person) == (person.tenant, person.person)


def forgotten_ids(settings: Settings, now: Clock) -> frozenset[str]:
    """The ids of what was forgotten here so far; to look makes nothing."""
    try:
        if not log_in_table(settings):
            path = settings.memory_path
            return _forgotten_in(Log(path)) if path.exists() else frozenset()
        with closing(open_database(settings)) as database:
            return _forgotten_in(open_log(settings, database, LOCAL_TENANT, now=now))
    except PaigeError:
        return frozenset()  # a database that is to be replaced may not answer


def _forgotten_in(log: KeptLog) -> frozenset[str]:
    with closing(log):
        return frozenset(each.id for each in log.read() if each.forgotten)


def forget_again(settings: Settings, ids: frozenset[str], now: Clock) -> int:
    """Forget what a restored backup has brought back; how many memories."""
    if not ids:
        return 0
    with open_app(settings, strict=False, now=now) as app:
        memory = app.memory.open()
        ask = Forget(ids=ids, reason="it was forgotten before a backup was restored")
        plan = plan_forgetting(memory.all_events, ask, lambda _: True)
        return forget(app, memory, plan).lines


def _overwrite(path: Path, words: ForgottenWords) -> None:
    """See that SQLite keeps nothing in parts of its file that it does not use any more."""
    empty_wal(path)
    if holds_bytes(path, _encoded(words)):
        rewrite_whole(path)
        empty_wal(path)


def _remains(app: App, memory: "Memory", person: Actor, words: ForgottenWords) -> Iterator[str]:
    """Where the words still stand that are not Paige's to change, a sentence each."""
    reader = reader_of(app)  # what somebody else keeps to themselves is not told, not even its id
    others = [
        each.id for each in memory.all_events() if may_read(reader, each) and words.holds(each.text)
    ]
    if others:
        yield f"The same words are in other memories: {_listed(others)}"
    with app.database.system.transaction(write=False) as connection:
        found = tables_with(connection, person, words.probes, words.holds, only=OWN)
    for table, count in found.items():
        yield f"They are in {count} of your {table.replace('_', ' ')}; change them there"
    files = _files(app, words) if _is_theirs(app, person) else []
    if files:
        yield f"They are in files of your own; change them there: {_listed(files)}"
    copies = [
        str(path)
        for path in sorted(app.settings.data_dir.glob("paige.db.before-*"))
        if is_owner(person) and holds_bytes(path, _encoded(words))
    ]
    if copies:
        yield f"A copy from before an upgrade has them; delete it: {_listed(copies)}"
    backups = [str(each) for each in known_backups(app.settings)] if is_owner(person) else []
    if backups:
        yield (
            "Backups made before may have them, and forget them again when they are restored here: "
            f"{_listed(backups)}"
        )


def _files(app: App, words: ForgottenWords) -> list[str]:
    """Files in the workspace and the teaching folder that hold the words."""
    found: list[str] = []
    for root in (app.settings.workspace, app.settings.teaching_dir):
        for folder, _, names in os.walk(root):
            for path in (Path(folder) / name for name in sorted(names)):
                if path.is_file() and path.stat().st_size <= MOST_BYTES:
                    text = path.read_bytes().decode("utf-8", "replace")
                    if any(each in text for each in words.probes) and words.holds(text):
                        found.append(str(path))
    return found


def _encoded(words: ForgottenWords) -> list[bytes]:
    return [each.encode() for each in words.probes]


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"
