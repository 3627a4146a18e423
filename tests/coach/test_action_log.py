"""The action log: what it acknowledges is there, whatever happens to the process or the callers."""

import logging
import signal
from datetime import datetime, timedelta

import anyio
import pytest
from anyio.lowlevel import checkpoint
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.settings import Settings
from paige.coach import queries
from paige.coach.log.action_log import ActionLog
from paige.coach.log.queries import actions_since
from paige.coach.records import Action
from paige.store.engine import Database
from tests.coach.making import ME, YOU, counting, session
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, line, python
from tests.store.running import read, write

pytestmark = [pytest.mark.anyio, pytest.mark.db]

# Logs with several callers at once, and says every id after it was acknowledged.
LOG_UNTIL_KILLED = (
    OPEN_DATABASE
    + """
import anyio
from paige.base.clock import system_clock
from paige.coach.log.action_log import ActionLog

async def caller(log, number):
    while True:
        action = await log.log(Actor(), "s1", "file_open", {"path": f"{number}.py"})
        print(action.id, flush=True)

async def main():
    log = ActionLog(database, system_clock)
    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(caller, log, number)

anyio.run(main)
"""
)


class Counted:
    """A database that counts its transactions, and holds one back until it is told to go on."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.writes = 0
        self.begun = anyio.Event()
        self.go = anyio.Event()
        self.go.set()

    async def write_quietly(self, query: object, *arguments: object) -> object:
        """Pass a write on."""
        self.writes += 1
        self.begun.set()
        await self.go.wait()
        return await self.database.write(query, *arguments)  # type: ignore[arg-type]


@pytest.fixture
def log(db: Database) -> ActionLog:
    """A log, and a session `s1` to log into; the clock stands still."""
    write(db, queries.insert_session, ME, session())
    return ActionLog(db, lambda: NOON, counting("a"))


def stored(db: Database) -> list[Action]:
    return read(db, actions_since, ME, "s1")


async def test_an_action_is_there_when_log_returns(log: ActionLog, db: Database) -> None:
    action = await log.log(ME, "s1", "file_save", {"path": "a.py", "charCount": 12})

    assert action == Action("a0001", "s1", "file_save", {"path": "a.py", "charCount": 12}, NOON)
    assert stored(db) == [action]


async def test_actions_keep_their_order_even_when_the_clock_stands_still(
    log: ActionLog, db: Database
) -> None:
    for number in range(20):
        await log.log(ME, "s1", "file_open", {"path": f"{number}.py"})

    found = stored(db)
    assert [each.data for each in found] == [{"path": f"{n}.py"} for n in range(20)]
    assert found[-1].created_at - NOON == timedelta(microseconds=19)


async def test_a_clock_that_is_set_back_is_followed(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    times = iter([NOON, NOON - timedelta(hours=1)])
    log = ActionLog(db, lambda: next(times))
    for _ in range(2):
        await log.log(ME, "s1", "idle_end")
    assert [each.created_at for each in stored(db)] == [NOON - timedelta(hours=1), NOON]


async def test_callers_that_wait_together_share_one_transaction(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    counted = Counted(db)
    counted.go = anyio.Event()
    log = ActionLog(counted, lambda: NOON, counting())  # type: ignore[arg-type]
    done: list[Action | None] = []

    async def call(number: int) -> None:
        done.append(await log.log(ME, "s1", "file_open", {"path": f"{number}.py"}))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, 0)
            await counted.begun.wait()
            for number in range(1, 100):
                tasks.start_soon(call, number)
            for _ in range(200):  # everyone comes to the point where it waits
                await checkpoint()
            assert done == []
            counted.go.set()

    assert counted.writes == 2, "the first alone, then everybody who came meanwhile"
    assert [each.data for each in stored(db)] == [{"path": f"{n}.py"} for n in range(100)]
    assert len({each.id for each in done if each}) == 100


async def test_people_share_a_transaction_but_not_their_actions(
    log: ActionLog, db: Database
) -> None:
    write(db, queries.insert_session, YOU, session("s2"))
    async with anyio.create_task_group() as tasks:
        for actor, identity in ((ME, "s1"), (YOU, "s2"), (YOU, "s1")):
            tasks.start_soon(log.log, actor, identity, "idle_end")

    assert len(stored(db)) == 1
    assert len(read(db, actions_since, YOU, "s2")) == 1
    assert read(db, actions_since, YOU, "s1") == []


async def test_without_a_session_nothing_is_logged_and_a_warning_says_so(
    log: ActionLog, db: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert await log.log(ME, None, "file_open", {"path": "a.py"}) is None
        assert await log.log(ME, "gone", "file_open", {"path": "a.py"}) is None
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "no session is active" in caplog.messages[0]
    assert "`gone`" in caplog.messages[1]
    assert read(db, Connection.scalar, text("SELECT count(*) FROM action_log")) == 0


async def test_some_actions_need_no_session(log: ActionLog, db: Database) -> None:
    data = {"toolName": "paige_get_buffer", "sessionId": None}
    action = await log.log(ME, None, "mcp_tool_call", data)
    assert action is not None
    assert read(db, Connection.scalar, text("SELECT session_id FROM action_log")) is None


@pytest.mark.parametrize(
    ("kind", "data"),
    [("file_open", {}), ("peeked", {}), ("file_open", {"path": b"\xff"})],
)
async def test_what_is_no_action_is_refused(log: ActionLog, kind: str, data: dict) -> None:
    with pytest.raises(BadInput):
        await log.log(ME, "s1", kind, data)  # type: ignore[arg-type]


async def test_subscribers_hear_of_an_action_after_its_commit(log: ActionLog, db: Database) -> None:
    heard: list[tuple[Actor, str, int]] = []

    def hear(actor: Actor, action: Action) -> None:
        heard.append((actor, action.id, len(stored(db))))

    unsubscribe = log.subscribe(hear)
    await log.log(ME, "s1", "idle_end")
    await log.log(ME, "gone", "idle_end")
    log.tell(YOU, [Action("x", None, "phase_started", None, NOON)])
    unsubscribe()
    unsubscribe()
    await log.log(ME, "s1", "idle_end")

    assert heard == [(ME, "a0001", 1), (YOU, "x", 1)]


async def test_a_subscriber_that_fails_disturbs_nobody(
    log: ActionLog, db: Database, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    def fail(_: Actor, action: Action) -> None:
        raise RuntimeError(f"cannot take {action.id}")

    log.subscribe(fail)
    log.subscribe(lambda _, action: heard.append(action.id))

    assert await log.log(ME, "s1", "idle_end") is not None
    assert heard == ["a0001"]
    assert "cannot take a0001" in caplog.text
    assert len(stored(db)) == 1


async def test_a_cancelled_caller_takes_nobody_else_down(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    counted = Counted(db)
    counted.go = anyio.Event()
    log = ActionLog(counted, lambda: NOON, counting())  # type: ignore[arg-type]
    done: list[str] = []

    async def call(path: str) -> None:
        action = await log.log(ME, "s1", "file_open", {"path": path})
        done.append(path if action else "")

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            with anyio.CancelScope() as leaving:
                async with anyio.create_task_group() as leavers:
                    leavers.start_soon(call, "writer.py")
                    await counted.begun.wait()
                    leavers.start_soon(call, "waiter.py")
                    tasks.start_soon(call, "stays.py")
                    for _ in range(20):
                        await checkpoint()
                    leaving.cancel()
                    counted.go.set()
        await log.flush()

    assert "stays.py" in done
    paths = [(each.data or {})["path"] for each in stored(db)]
    assert sorted(paths) == ["stays.py", "waiter.py", "writer.py"], "begun is as good as done"


async def test_closing_writes_what_waits_and_takes_nothing_more(
    db: Database, caplog: pytest.LogCaptureFixture
) -> None:
    write(db, queries.insert_session, ME, session())
    counted = Counted(db)
    counted.go = anyio.Event()
    log = ActionLog(counted, lambda: NOON, counting())  # type: ignore[arg-type]

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(log.log, ME, "s1", "idle_end")
            await counted.begun.wait()
            tasks.start_soon(log.close)
            await checkpoint()
            counted.go.set()

    assert len(stored(db)) == 5
    assert await log.log(ME, "s1", "idle_end") is None
    assert "stopping" in caplog.text
    await log.close()
    assert len(stored(db)) == 5


async def test_when_the_database_fails_every_caller_hears_it_and_the_next_one_works(
    db: Database,
) -> None:
    write(db, queries.insert_session, ME, session())

    class Failing(Counted):
        async def write_quietly(self, query: object, *arguments: object) -> object:
            self.writes += 1
            if self.writes == 1:
                raise Unavailable("The disk is full")
            return await super().write_quietly(query, *arguments)

    failing = Failing(db)
    log = ActionLog(failing, lambda: NOON, counting())  # type: ignore[arg-type]
    errors: list[str] = []

    async def call() -> None:
        try:
            await log.log(ME, "s1", "idle_end")
        except Unavailable as error:
            errors.append(error.message)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(call)

    assert set(errors) == {"The disk is full"}
    assert len(errors) + len(stored(db)) == 3
    assert await log.log(ME, "s1", "idle_end") is not None


async def test_an_action_that_cannot_be_stored_does_not_keep_others_from_it(
    log: ActionLog, db: Database
) -> None:
    """Two actions of the same id: the database refuses the second."""
    taken = Action("taken", "s1", "idle_end", None, NOON)
    ids = iter(["one", "taken", "two", "three"])
    write(db, _insert, taken)
    again = ActionLog(db, lambda: NOON + timedelta(seconds=1), lambda _: next(ids))
    failed: list[str] = []

    async def call() -> None:
        try:
            await again.log(ME, "s1", "idle_end")
        except PaigeError as error:
            failed.append(error.message)

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(call)

    assert len(failed) == 1
    assert {each.id for each in stored(db)} == {"taken", "one", "two", "three"}


async def test_what_a_killed_process_acknowledged_is_there(
    db: Database, db_settings: Settings
) -> None:
    write(db, queries.insert_session, ME, session())
    with python(LOG_UNTIL_KILLED, *database_arguments(db_settings)) as process:
        acknowledged = [line(process) for _ in range(300)]
        process.send_signal(signal.SIGKILL)
        assert process.stdout is not None
        acknowledged += process.stdout.read().split()[:-1]  # the last word may be cut off

    assert set(acknowledged) <= {each.id for each in stored(db)}


def _insert(connection: Connection, action: Action) -> None:
    connection.execute(
        text(
            "INSERT INTO action_log (id, person, session_id, action_type, created_at) "
            "VALUES (:id, 'me', :session, :type, :at)"
        ),
        {"id": action.id, "session": "s1", "type": "idle_end", "at": _iso(action.created_at)},
    )


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
