"""Sessions: one active for a person and project, and every change told in its own transaction."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.settings import Settings
from paige.coach import queries, sessions
from paige.coach.log.queries import actions_since, insert_actions
from paige.coach.message_parts import IssueContext
from paige.coach.model import WrapUp
from paige.coach.records import Action, CoachSession, PhaseHint
from paige.coach.snapshot import open_files
from paige.store.engine import Database
from tests.coach.making import ELSEWHERE, ME, YOU, counting, events, phase, plan, topics
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell
from tests.store.running import read, write

pytestmark = [pytest.mark.anyio, pytest.mark.db]

ISSUE = IssueContext(number=12, title="Fix the race", summary="It races", labels=["bug"])
LATER = NOON + timedelta(minutes=5, milliseconds=250)
START_WHEN_TOLD = (
    OPEN_DATABASE
    + """
import anyio
from paige.base.clock import system_clock
from paige.coach.sessions import start
print("ready", flush=True)
input()
for number in range(10):
    started = anyio.run(lambda: database.write(start, Actor(), folder, now=system_clock()))
print("done", flush=True)
"""
)


async def begin(db: Database, prefix: str = "s", **more: object) -> sessions.StartedSession:
    given = {"now": NOON, "ids": counting(prefix), **more}
    return await db.write(sessions.start, ME, "/projects/shop", **given)  # type: ignore[arg-type]


def kinds(db: Database, session: str) -> list[tuple[str, object]]:
    return [(each.action_type, each.data) for each in read(db, actions_since, ME, session)]


async def test_a_session_begins_active_with_its_issue_and_is_told(db: Database) -> None:
    started = await begin(db, issue=ISSUE)

    assert started.session == CoachSession(
        "s0001", "/projects/shop", 12, "Fix the race", "active", NOON, None
    )
    assert started.abandoned == ()
    assert read(db, queries.get_session, ME, "s0001") == started.session
    assert read(db, sessions.active, ME, "/projects/shop") == started.session
    assert kinds(db, "s0001") == [("session_started", {"issueNumber": 12})]
    assert [each.action_type for each in started.actions] == ["session_started"]
    told = read(db, events)
    assert [each.topic for each in told] == [
        "session:started",
        "coaching:issue_context",
        "observer:status",
    ]
    assert told[0].payload["sessionId"] == "s0001"
    assert told[0].payload["issueContext"]["labels"] == ["bug"]
    assert told[1].payload["summary"] == "It races"
    assert told[2].payload == {"active": True, "muted": False, "lastEvaluation": None}
    assert {(each.tenant, each.person) for each in told} == {("local", "me")}


async def test_a_session_may_be_about_no_issue(db: Database) -> None:
    started = await begin(db)
    assert (started.session.issue_number, started.session.issue_title) == (None, None)
    assert kinds(db, "s0001") == [("session_started", {"issueNumber": None})]
    assert read(db, topics) == ["session:started", "observer:status"]


async def test_an_earlier_session_makes_room_as_abandoned(db: Database) -> None:
    await begin(db, "s", issue=ISSUE)
    started = await begin(db, "t", now=LATER)

    [left] = started.abandoned
    assert (left.id, left.status, left.ended_at) == ("s0001", "abandoned", LATER)
    assert read(db, queries.get_session, ME, "s0001") == left
    ended = ("session_ended", {"status": "abandoned", "durationMs": 300_250})
    assert kinds(db, "s0001")[1:] == [ended]
    assert [each.action_type for each in started.actions] == ["session_ended", "session_started"]
    told = read(db, events)[3:]
    assert [each.topic for each in told] == ["session:ended", "session:started", "observer:status"]
    assert told[0].payload["summary"] == {
        "sessionId": "s0001",
        "status": "abandoned",
        "issueNumber": 12,
        "issueTitle": "Fix the race",
        "durationMs": 300_250,
        "phasesCompleted": 0,
        "phasesTotal": 0,
    }


async def test_other_people_and_other_projects_keep_their_sessions(db: Database) -> None:
    mine = await begin(db)
    for actor, project in (
        (ME, "/projects/other"),
        (YOU, "/projects/shop"),
        (ELSEWHERE, "/projects/shop"),
    ):
        started = await db.write(sessions.start, actor, project, now=LATER)
        assert started.abandoned == ()
    assert read(db, sessions.active, ME, "/projects/shop") == mine.session


async def test_a_project_is_the_same_however_it_was_reached(db: Database, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    started = await db.write(sessions.start, ME, tmp_path / "link", now=NOON)

    assert started.session.project_dir == sessions.project_key(tmp_path / "real")
    assert read(db, sessions.active, ME, tmp_path / "real") == started.session
    assert read(db, sessions.active, ME, str(tmp_path / "link" / "." / ".." / "real"))


async def test_an_ended_session_is_completed_and_told_with_what_was_learnt(db: Database) -> None:
    await begin(db, issue=ISSUE)
    write(db, queries.insert_plan, ME, plan(of="s0001"))
    done = phase(1, status="complete", completed_at=NOON)
    write(db, queries.insert_phases, ME, [done, phase(2)])

    ended = await db.write(sessions.end, ME, "s0001", learnt=WrapUp(1, 2, 3, 4), now=LATER)

    assert (ended.session.status, ended.session.ended_at) == ("completed", LATER)
    assert read(db, queries.get_session, ME, "s0001") == ended.session
    assert read(db, sessions.active, ME, "/projects/shop") is None
    assert kinds(db, "s0001")[-1] == (
        "session_ended",
        {"status": "completed", "durationMs": 300_250},
    )
    told = read(db, events)[3:]
    assert [each.topic for each in told] == [
        "session:ended",
        "session:completed",
        "observer:status",
    ]
    assert (ended.summary.phases_completed, ended.summary.phases_total) == (1, 2)
    assert told[0].payload["summary"]["phasesTotal"] == 2
    assert told[1].payload == {
        "sessionId": "s0001",
        "knowledgeGaps": 1,
        "kataSpecs": 2,
        "dreyfusUpdates": 3,
        "memoriesStored": 4,
    }
    assert told[2].payload["active"] is False


async def test_a_session_ends_once(db: Database) -> None:
    await begin(db)
    await db.write(sessions.end, ME, "s0001", now=LATER)
    before = read(db, topics)

    with pytest.raises(Conflict, match="has ended already: it is completed"):
        await db.write(sessions.end, ME, "s0001", now=LATER)
    with pytest.raises(NotFound, match="`s9`"):
        await db.write(sessions.end, ME, "s9", now=LATER)
    with pytest.raises(NotFound):
        await db.write(sessions.end, YOU, "s0001", now=LATER)
    assert read(db, topics) == before


async def test_a_clock_that_was_set_back_gives_no_negative_duration(db: Database) -> None:
    await begin(db)
    ended = await db.write(sessions.end, ME, "s0001", now=NOON - timedelta(hours=1))
    assert ended.summary.duration_ms == 0


async def test_a_resumed_session_brings_back_phases_hints_files_and_the_hint_level(
    db: Database,
) -> None:
    await begin(db, issue=ISSUE)
    write(db, queries.insert_plan, ME, plan(of="s0001"))
    active = phase(2, status="active", hint_level="region", started_at=NOON)
    write(db, queries.insert_phases, ME, [phase(1), active])
    hints = [
        PhaseHint("h1", "ph2", "file", "b.py", "suggested"),
        PhaseHint("h2", "ph2", "line", "a.py", "focus", 3, None, "Here"),
        PhaseHint("h3", "ph1", "file", "other.py", "suggested"),
    ]
    write(db, queries.insert_hints, ME, hints)
    for number, (kind, path) in enumerate(
        [("file_open", "a.py"), ("file_open", "b.py"), ("file_close", "a.py")]
    ):
        at = NOON + timedelta(seconds=number)
        write(db, insert_actions, ME, [Action(f"f{number}", "s0001", kind, {"path": path}, at)])
    await begin(db, "t", now=LATER)

    again = LATER + timedelta(seconds=1)
    resumed = await db.write(sessions.resume, ME, "s0001", now=again, ids=counting("r"))

    assert (resumed.session.status, resumed.session.ended_at) == ("active", None)
    assert [each.id for each in resumed.abandoned] == ["t0001"]
    assert read(db, sessions.active, ME, "/projects/shop") == resumed.session
    assert kinds(db, "s0001")[-1] == ("session_resumed", {"previousSessionId": "s0001"})
    assert [each.action_type for each in resumed.actions] == ["session_ended", "session_resumed"]
    told = read(db, events)[-3:]
    assert [each.topic for each in told] == ["session:ended", "session:resumed", "observer:status"]
    restored = told[1].payload["restoredState"]
    assert restored == resumed.restored.model_dump(mode="json", by_alias=True)
    assert restored["openFiles"] == ["b.py"]
    assert restored["hintLevel"] == "region"
    assert [each["status"] for each in restored["phases"]] == ["pending", "active"]
    assert [each["path"] for each in restored["hints"]["fileHints"]] == ["b.py"]
    assert restored["hints"]["lineHints"] == [
        {"path": "a.py", "start": 3, "end": 3, "style": "focus", "hoverText": "Here"}
    ]
    assert restored["issueContext"]["number"] == 12


async def test_resuming_the_active_session_changes_nothing_but_says_so(db: Database) -> None:
    started = await begin(db)
    resumed = await db.write(sessions.resume, ME, "s0001", now=LATER)

    assert resumed.session == started.session
    assert resumed.abandoned == ()
    assert resumed.restored.issue_context is None
    assert read(db, topics)[2:] == ["session:resumed", "observer:status"]


async def test_a_completed_session_cannot_go_on(db: Database) -> None:
    await begin(db)
    await db.write(sessions.end, ME, "s0001", now=LATER)
    with pytest.raises(Conflict, match="completed") as caught:
        await db.write(sessions.resume, ME, "s0001", now=LATER)
    assert caught.value.hint
    with pytest.raises(NotFound):
        await db.write(sessions.resume, YOU, "s0001", now=LATER)


async def test_without_an_active_session_the_sentence_is_the_one_clients_know(
    db: Database,
) -> None:
    with pytest.raises(NotFound) as caught:
        read(db, sessions.need_active, ME, "/projects/shop")
    assert caught.value.message == "No active session"
    with pytest.raises(NotFound, match="no session to go on with"):
        read(db, sessions.left_last, ME, "/projects/shop")
    started = await begin(db)
    assert read(db, sessions.need_active, ME, "/projects/shop") == started.session
    await begin(db, "t", now=LATER)
    assert read(db, sessions.left_last, ME, "/projects/shop").id == "s0001"


async def test_a_start_that_fails_leaves_everything_as_it_was(db: Database) -> None:
    await begin(db)
    before = read(db, topics)
    used = iter(["s0001", "fresh", "fresh"])  # the new session would have the id of the old one

    with pytest.raises(PaigeError):
        await begin(db, now=LATER, ids=lambda _: next(used))

    assert read(db, sessions.active, ME, "/projects/shop").id == "s0001"  # type: ignore[union-attr]
    assert read(db, topics) == before
    assert [kind for kind, _ in kinds(db, "s0001")] == ["session_started"]


async def test_processes_that_start_at_once_leave_one_session_active(
    db: Database, db_settings: Settings
) -> None:
    arguments = database_arguments(db_settings)
    with python(START_WHEN_TOLD, *arguments) as one, python(START_WHEN_TOLD, *arguments) as other:
        assert [line(one), line(other)] == ["ready", "ready"]
        tell(one)
        tell(other)
        assert [line(one), line(other)] == ["done", "done"]

    found = read(db, queries.recent_sessions, ME, limit=50)
    assert len(found) == 20
    assert sum(each.status == "active" for each in found) == 1
    ended = read(
        db,
        Connection.scalar,
        text("SELECT count(*) FROM action_log WHERE action_type = 'session_ended'"),
    )
    assert ended == 19
    assert read(db, topics).count("session:ended") == 19


@given(
    st.lists(
        st.tuples(st.sampled_from(["file_open", "file_close"]), st.sampled_from("abcd")),
        max_size=30,
    )
)
def test_a_file_is_open_when_it_was_opened_and_not_closed_since(
    db_engine: str, steps: list[tuple[str, str]]
) -> None:
    row = Action("a", "s1", "file_open", None, NOON)
    actions = [replace(row, action_type=kind, data={"path": path}) for kind, path in steps]
    found = open_files(actions)
    last = {path: kind for kind, path in steps}
    assert sorted(found) == sorted(path for path, kind in last.items() if kind == "file_open")
    assert len(found) == len(set(found))
