"""What waits behind every door: for whom, in which order, and when a door cannot be opened."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.agent import queries
from paige.agent.journal import Gate
from paige.agent.tables import RunRow, SessionRow
from paige.app import guards
from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.doors.search import notices
from paige.doors.search.notices import Notice, in_order, what_waits
from paige.guard.guards.files import FOLDER, guard_folders
from paige.guard.guards.parser import dump_guard
from paige.learner.files import LearnerFiles
from paige.orchestra.running import project_files
from paige.store.documents import DirectoryDocuments
from tests.conftest import NOON
from tests.guard.guard_values import force_push
from tests.learner.making import done
from tests.server import learned_project
from tests.study import small_courses

pytestmark = pytest.mark.anyio
ANNA, ELSEWHERE = Actor(person="anna"), Actor(tenant="other-school")
CHOICE = {"kind": "choices", "title": "Is the draft right?", "text": "", "options": []}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "app"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def app(root: Path, tmp_path: Path, db_settings: Settings) -> Iterator[App]:
    settings = replace(
        db_settings,
        cwd=root,
        given_teaching_dir=tmp_path / "teaching",
        environ={"HOME": str(tmp_path)},
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


def add_session(app: App, id: str, title: str | None, door: str = "plan", **more: Any) -> None:
    row = SessionRow(id, app.actor.person, door, "active", NOON, NOON, title, **more)
    with app.database.transaction(write=True) as connection:
        queries.insert_session(connection, row, app.actor)


def ask(app: App, session: str, run: str, *, at: datetime = NOON, state: str = "waiting") -> None:
    row = RunRow(run, app.actor.person, session, 1, 1, {}, "loops", state, "local", NOON, NOON)
    with app.database.transaction(write=True) as connection:
        queries.insert_run(connection, app.actor, row, {})
        queries.open_gate(connection, app.actor, run, Gate("g", 1, CHOICE), now=at)


def add_lines(app: App, commands: list[str]) -> None:
    """Lines as hooks write them, one a minute; a guard in shadow notes what it would refuse."""
    path = app.settings.data_dir / "spool" / "claude-code-s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "id": f"l{number}", "at": to_iso(NOON + timedelta(minutes=number)),
            "cli": "claude-code", "session": f"s{number % 3}", "event": "pre_tool",
            "cwd": str(app.settings.cwd), "tool": "Bash", "input": {"command": command},
            "decision": "deny" if "force" in command else "none",
            **({"shadow": ["no-force-push"]} if "force" in command else {}),
        }
        for number, command in enumerate(commands)
    ]  # fmt: skip
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")


async def waiting(app: App) -> list[Notice]:
    found = await what_waits(app)
    assert found.problems == ()
    return list(found.notices)


async def test_where_nothing_happened_nothing_waits(app: App) -> None:
    assert await waiting(app) == []


@pytest.mark.db
async def test_a_question_waits_until_it_is_answered_or_its_run_ended(app: App) -> None:
    add_session(app, "s1", "Loops for 3B")
    add_session(app, "s2", "Poems")
    ask(app, "s1", "r1")
    ask(app, "s2", "r2", state="ended")

    [found] = await waiting(app)

    assert (found.kind, found.door, found.link) == ("question", "plan", "/plan?session=s1")
    assert (found.title, found.detail) == ("Loops for 3B", "Is the draft right?")
    assert found.since == NOON
    with app.database.transaction(write=True) as connection:
        [gate] = queries.gates_of(connection, app.actor, "r1")
        queries.answer_gate(connection, app.actor, gate, {"picked": {}}, now=NOON)
    assert await waiting(app) == []


@pytest.mark.db
async def test_nobody_is_told_what_waits_for_another(app: App) -> None:
    add_session(app, "s1", "Mine")
    ask(app, "s1", "r1")
    add_session(app, "c1", "My issue", "coach", issue_title="My issue")

    assert {each.link for each in await waiting(app)} == {"/plan?session=s1", "/coach"}
    assert await waiting(replace(app, actor=ANNA)) == []
    assert await waiting(replace(app, actor=ELSEWHERE)) == []


async def test_due_reviews_of_a_begun_course_wait_by_day(app: App, tmp_path: Path) -> None:
    small_courses.malay(tmp_path / "teaching")
    files = LearnerFiles(DirectoryDocuments(tmp_path / "teaching"))
    files.record("malay", done(3, day=-30), change_id="c1", session="s", now=NOON)

    [found] = await waiting(app)

    assert (found.kind, found.door, found.link, found.count) == (
        "reviews",
        "study",
        "/study/malay",
        1,
    )
    assert found.title == "Malay"
    assert found.since is not None
    assert found.since < NOON
    tomorrow = replace(app, now=lambda: NOON + timedelta(days=1))
    [again] = await waiting(tomorrow)
    assert again.id != found.id, "what was seen yesterday is told again today"


async def test_a_proposed_guard_waits_and_one_in_shadow_once_it_saw_enough(app: App) -> None:
    guards.create_from(app, guard=dump_guard(force_push()), why="It happened.")
    [proposed] = await waiting(app)
    assert (proposed.kind, proposed.title) == ("proposal", "no-force-push")

    guards.shadow(app, "no-force-push", why="Watch.", by="p", force=True)

    assert await waiting(app) == [], "it has seen nothing yet"
    add_lines(app, ["git status"] * 60 + ["git push --force"] * 4)
    [watched] = await waiting(app)
    assert (watched.kind, watched.link) == ("shadow", "/guard/guards?id=no-force-push")
    assert watched.id != proposed.id


async def test_a_blocked_feature_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with learned_project.opened(tmp_path, NOON) as app:
        learned_project.add_orchestra(app, NOON)

        blocked = [each for each in await waiting(app) if each.kind == "blocked"]

    assert [each.link for each in blocked] == ["/guard/orchestra"]
    assert blocked[0].door == "guard"


async def test_a_door_that_cannot_be_opened_is_named_and_hides_no_other(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def closed(_: App) -> list[Notice]:
        raise Unavailable("The files cannot be read", hint="Look at the disk.")

    async def broken(_: App) -> list[Notice]:
        raise KeyError("inside")

    monkeypatch.setattr(
        notices,
        "SOURCES",
        {**notices.SOURCES, "guards": ("guard", closed), "orchestra": ("orchestra", broken)},
    )
    add_session(app, "s1", "Loops")
    ask(app, "s1", "r1")

    found = await what_waits(app)

    assert [each.link for each in found.notices] == ["/plan?session=s1"]
    assert [(each.source, each.hint) for each in found.problems] == [
        ("guards", "Look at the disk."),
        ("orchestra", None),
    ]


def test_questions_come_first_then_the_newest() -> None:
    def made(id: str, kind: Any, hours: int | None) -> Notice:
        since = None if hours is None else NOON + timedelta(hours=hours)
        return Notice(id=id, kind=kind, door="plan", link="/plan", title=id, since=since)

    rows = [
        made("old", "coaching", 1),
        made("none", "blocked", None),
        made("new", "reviews", 5),
        made("asked", "question", 0),
    ]

    assert [each.id for each in in_order(rows)] == ["asked", "new", "old", "none"]


def test_the_folders_that_are_looked_for_are_those_the_rooms_use(app: App) -> None:
    place = guards.place_for(app)
    known = notices.guard_places(place)

    assert project_files.PROGRESS == notices.PROGRESS
    assert FOLDER == notices.GUARDS
    for _, folder in guard_folders(place):
        assert any(folder == each or each in folder.parents for each in known)
