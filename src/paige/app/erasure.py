"""Everything of one person: handed out as files, or erased from every place that has it.

Erasing begins with a plan that changes nothing. Carried out, it ends the person's sign-ins first,
then their memories lose their words, then their rows and files go. It can be repeated: after a
crash it goes on with what is left. What stays is their id, in the audit log and in the frames of
forgotten memories, because both are chains that nobody may rewrite; it then belongs to nobody.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paige import __version__
from paige.app.accounts.people import keep_an_admin, person_or_none
from paige.app.application import App
from paige.app.backup.archive import storable, writing
from paige.app.backup.places import file_parts
from paige.app.backup.tables import DOCUMENTS, ROOMS
from paige.app.lazy_memory import LazyMemory, has_memory
from paige.app.person_apps import folder_of, is_owner, settings_of_tenant
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound, Unavailable
from paige.base.settings import Settings
from paige.store.migrate import remove_copies
from paige.store.people_queries import audit, find_person, list_people
from paige.store.rows import person_queries as queries
from paige.store.rows.sqlite_queries import empty_wal, forget_deleted

if TYPE_CHECKING:
    from paige.memory.event import Event
    from paige.memory.lifecycle.retention import ForgetPlan
    from paige.memory.memory import Memory

_SECRET = frozenset({"password_hash", "csrf"})
_NOT_HANDED_OUT = frozenset({"sign_ins", "leases"})
_TABLES = ROOMS
"""Importing the rooms declares every table."""


@dataclass(frozen=True, slots=True)
class ErasePlan:
    """What would be erased; nothing has happened yet."""

    person: Actor
    rows: Mapping[str, int]
    memories: int
    folders: tuple[Path, ...]
    files: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing of that person."""
        return not (self.rows or self.memories or self.files)


@dataclass(frozen=True, slots=True)
class ExportResult:
    """What was handed out."""

    path: Path
    rows: int
    memories: int
    files: int


def plan_erasure(app: App, actor: Actor, person: str) -> ErasePlan:
    """What there is of a person of the actor's tenant. Raises: NotFound when there is nothing."""
    whose = _whose(app, actor, person)
    with app.database.system.transaction(write=False) as connection:
        rows = queries.count_of_person(connection, whose)
    with _memory_of(app, whose) as memory:
        memories = 0 if memory is None else len(_forgetting(memory, whose, actor).ids)
    folders = _folders(app.settings, whose)
    plan = ErasePlan(whose, rows, memories, folders, sum(1 for _ in _files(folders)))
    if plan.empty:
        raise NotFound(
            f"There is nothing of a person `{person}`", hint="`paige people list` lists them."
        )
    return plan


def erase(app: App, actor: Actor, plan: ErasePlan) -> ErasePlan:
    """Carry a plan out, and say what was erased. Raises: Conflict for the last admin."""
    whose = plan.person
    with app.database.system.transaction(write=True, durable=True) as connection:
        found = find_person(connection, whose, whose.person)
        if found is not None and len(list_people(connection, whose)) > 1:
            keep_an_admin(connection, found)
        told = {"rows": sum(plan.rows.values()), "memories": plan.memories, "files": plan.files}
        audit(connection, actor, "person.erase", whose.person, told, now=app.now())
        rows = queries.erase_person(connection, whose)
    with _memory_of(app, whose) as memory:
        memories = 0 if memory is None else _forget(app, memory, whose, actor)
    with app.database.system.transaction(write=True, durable=True) as connection:
        # Forgetting makes documents again, and a run that was under way may have noted something.
        for name, count in queries.erase_person(connection, whose).items():
            rows[name] = rows.get(name, 0) + count
        forget_deleted(connection)
    if app.database.kind == "sqlite":
        empty_wal(app.settings.data_dir / "paige.db")
        remove_copies(app.settings.data_dir / "paige.db")
    files = _remove(plan.folders)
    return ErasePlan(whose, rows, memories, plan.folders, files)


def export_person(app: App, actor: Actor, person: str, target: Path) -> ExportResult:
    """Write everything of a person into one archive of readable files. Raises: NotFound."""
    plan = plan_erasure(app, actor, person)
    whose = plan.person
    target = target.resolve()
    if target.is_dir() or not target.parent.is_dir():
        raise BadInput(f"`{target}` cannot be a file", hint="Name a file, such as `person.zip`.")
    with writing(target) as archive:
        with app.database.system.transaction(write=False) as connection:
            for name in sorted({*plan.rows} - _NOT_HANDED_OUT):
                rows = [_readable(row) for row in queries.rows_of_person(connection, whose, name)]
                archive.add(f"tables/{name}.json", [_json(rows)])
                if name == DOCUMENTS:
                    _add_documents(archive.add, rows)
        with _memory_of(app, whose) as memory:
            events = [] if memory is None else _events(memory, whose)
        archive.add("memories.json", [_json(events)])
        files = 0
        for path, name in _files(plan.folders):
            if storable(name):
                archive.add(f"files/{name}", file_parts(path))
                files += 1
        about = {
            "person": whose.person,
            "tenant": whose.tenant,
            "at": to_iso(app.now()),
            "paige": __version__,
            "tables": dict(plan.rows),
            "memories": len(events),
            "files": files,
        }
        archive.add("about.json", [_json(about)])
    with app.database.system.transaction(write=True) as connection:
        audit(connection, actor, "person.export", whose.person, {}, now=app.now())
    return ExportResult(target, sum(plan.rows.values()), len(events), files)


def _whose(app: App, actor: Actor, name: str) -> Actor:
    with app.database.system.transaction(write=False) as connection:
        found = person_or_none(connection, actor, name)
    return Actor(actor.tenant, name.strip() if found is None else found.id)


@contextmanager
def _memory_of(app: App, whose: Actor) -> "Iterator[Memory | None]":
    """The memory of a tenant, if there is one; nothing is made by looking."""
    settings = settings_of_tenant(app.settings, whose.tenant)
    if not has_memory(settings):
        yield None
    elif whose.tenant == LOCAL_TENANT:
        yield app.memory.open()
    else:
        lazy = LazyMemory(settings, app.database, app.now, tenant=whose.tenant)
        try:
            yield lazy.open()
        finally:
            lazy.close()


def _forgetting(memory: "Memory", whose: Actor, actor: Actor) -> "ForgetPlan":
    from paige.memory.lifecycle.retention import Forget, plan_forgetting  # noqa: PLC0415 - NumPy

    by = actor.person if actor.person != whose.person else queries.ERASED
    ask = Forget(owner=whose.person, reason="everything of a person was erased", by=by)
    return plan_forgetting(memory.all_events, ask, lambda _: True)


def _forget(app: App, memory: "Memory", whose: Actor, actor: Actor) -> int:
    """Take the words of a person's memories out of the logs, the index and every other store."""
    from paige.app.memory_removal import forget  # noqa: PLC0415 - NumPy

    plan = _forgetting(memory, whose, actor)
    forget(app, memory, plan, person=whose)
    # Earlier wishes to forget are events of theirs too, with their reasons.
    wishes = [
        each.id for each in memory.all_events() if each.owner == whose.person and not each.forgotten
    ]
    for log in memory.projects.all():
        log.forget(wishes)
    memory.index.catch_up_all()
    return len(plan.ids)


def _events(memory: "Memory", whose: Actor) -> list[dict[str, Any]]:
    from paige.memory.event import dump_event  # noqa: PLC0415 - as above

    def own(event: "Event") -> bool:
        return event.owner == whose.person and not event.forgotten

    return [dump_event(event) for event in memory.all_events() if own(event)]


def _folders(settings: Settings, whose: Actor) -> tuple[Path, ...]:
    """The folders that are this person's alone."""
    if not is_owner(whose):
        return (folder_of(settings, whose),)
    return (settings.workspace, settings.teaching_dir, settings.data_dir / "spool")


def _files(folders: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """Every plain file with its name in an archive; links are not followed."""
    for root in folders:
        for folder, _, names in os.walk(root):
            for name in sorted(names):
                path = Path(folder) / name
                if path.is_file() and not path.is_symlink():
                    yield path, f"{root.name}/{path.relative_to(root).as_posix()}"


def _remove(folders: tuple[Path, ...]) -> int:
    """Remove folders with everything in them. Raises: Unavailable when something stays."""
    count = sum(1 for _ in _files(folders))
    for folder in folders:
        if folder.is_symlink():
            folder = folder.resolve()
        if folder.exists():
            try:
                shutil.rmtree(folder)
            except OSError as error:
                raise Unavailable(
                    f"`{error.filename or folder}` could not be removed: {error.strerror}",
                    hint="Check who owns it, then run the command again: it goes on.",
                ) from error
    return count


def _add_documents(add: Any, rows: list[dict[str, Any]]) -> None:  # noqa: ANN401 - of an archive
    newest = {(row["area"], row["path"]): row for row in rows}
    for (area, path), row in sorted(newest.items()):
        name = f"documents/{area}/{path}"
        if not row["deleted"] and storable(name):
            add(name, [row["text"].encode()])


def _readable(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _SECRET}


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False, default=_said).encode(errors="replace")


def _said(value: object) -> str:
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return to_iso(value)
        case _:
            return str(value)
