"""What doctor asks the memory when somebody types `paige doctor`: is every line as it was written?

Reading a long log takes a while, so a page does without. Nothing is created or changed: an index
that is damaged stays as it is until somebody asks for a repair.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import orjson

from paige.base.actor import LOCAL_TENANT
from paige.base.checks import Check, Repair
from paige.base.clock import system_clock
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.memory.checks import rebuild_index
from paige.memory.index import queries
from paige.memory.index.catch_up import log_name
from paige.memory.index.files import IndexFile
from paige.memory.intake.project_identity import project_of
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.log.log_access import KeptLog
from paige.memory.log.verification import RESTORE, LogProblem
from paige.memory.setup import REGISTER, index_folder, log_in_table, open_log
from paige.store.engine import SQLITE_HEADER, open_database
from paige.store.migrate import current_revision, head_revision

REBUILD = "Run `paige doctor --fix`, or `paige memory rebuild`."


def checks(settings: Settings) -> list[Check]:
    """Every line of every log, and the index as a file and against the logs."""
    with closing(open_database(settings)) as database:
        if log_in_table(settings):
            with database.transaction(write=False) as connection:
                if current_revision(connection) != head_revision():
                    return []
        main = open_log(settings, database, LOCAL_TENANT, now=system_clock)
        folder = index_folder(settings)
        logs = _logs(settings, main, folder / REGISTER)
        cursors, damage = _index(IndexFile(folder).path, logs)
        found = [check for log in logs for check in _log(log, log is main, cursors)]
        found += _register(folder / REGISTER)
    if damage:
        repair = Repair("Make the index of the memory again", lambda: rebuild_index(settings))
        found.append(Check("memory index", "warn", f"it is damaged: {damage}", REBUILD, repair))
    return found


def _logs(settings: Settings, main: KeptLog, register: Path) -> list[KeptLog]:
    """The main log and those of projects; the project one is in may not be registered yet."""
    found = {log.path: log for log in ProjectLogs(main, register).all()}
    here = ProjectLogs(main)
    if (project := project_of(settings)) is not None:
        here.add(project)
    return list({**{log.path: log for log in here.all()}, **found}.values())


def _log(log: KeptLog, main: bool, cursors: dict[str, int]) -> Iterator[Check]:
    name = "memory log" if main else f"memory log of `{log.path}`"
    try:
        with closing(log):
            seen, last = log.verify(), log.last_seq()
    except PaigeError as error:
        yield Check(name, "fail", error.message, error.hint)
        return
    problems = sorted(seen.problems, key=lambda each: each.harmless)
    if (known := cursors.get(log_name(log), 0)) > last:
        what = f"It ends with event {last}, and event {known} was there before"
        problems.insert(0, LogProblem(str(log.path), None, last, "gap", what, RESTORE))
    if not problems:
        return
    first = problems[0]
    line = "" if first.line is None else f":{first.line}"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    status = "warn" if first.harmless else "fail"
    message = f"{first.segment}{line}: {first.what}{more}"
    yield Check(name, status, message, f"{first.fix} `paige memory verify` lists everything.")


def _register(path: Path) -> Iterator[Check]:
    """The list of projects with logs of their own, where it cannot be read."""
    try:
        whole = isinstance(orjson.loads(path.read_bytes()), dict)
    except FileNotFoundError:
        return
    except (OSError, orjson.JSONDecodeError):
        whole = False
    if not whole:
        message = f"`{path}` is damaged, so memories of other projects are not found"
        fix = "Delete it; a project is in it again once you work there."
        yield Check("memory projects", "warn", message, fix)


def _index(path: Path, logs: list[KeptLog]) -> tuple[dict[str, int], str]:
    """How far each log was read, and what is wrong inside the file of the index."""
    try:
        with path.open("rb") as file:
            if file.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
                return {}, ""  # the quick check says that it is no index
    except OSError:
        return {}, ""
    try:
        with closing(queries.connect_reading(path)) as connection:
            faults = queries.integrity(connection)
            states = {name: queries.log_state(connection, name) for name in map(log_name, logs)}
    except queries.Broken as error:
        return {}, str(error)
    cursors = {name: state.cursor for name, state in states.items() if state is not None}
    return cursors, faults[0] if faults else ""
