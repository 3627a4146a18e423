"""One search over all doors: what is found, for whom, and what happens when a source fails."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.agent import queries
from paige.agent.tables import SessionRow
from paige.app import guards
from paige.app.application import App, open_app
from paige.app.memory_use import open_graph, writer_of
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import BadInput, Unavailable
from paige.base.settings import Settings
from paige.doors.search.finder import Finder, Hit, Matches, Query
from paige.doors.search.sources import open_finder
from paige.guard.graph.values import NewTrace
from paige.guard.guards.parser import dump_guard
from paige.learner.gaps import Gap
from paige.learner.queries import NewKata, insert_kata, record_gap
from paige.memory.event import Draft
from tests.conftest import NOON
from tests.guard.guard_values import force_push
from tests.study import small_courses

pytestmark = pytest.mark.anyio
ME, ANNA, ELSEWHERE = Actor(), Actor(person="anna"), Actor(tenant="other-school")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, a workspace and courses."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "app"
    (root / ".git").mkdir(parents=True)
    small_courses.malay(tmp_path / "teaching")
    small_courses.algorithms(tmp_path / "teaching")
    return root


@pytest.fixture
def app(root: Path, tmp_path: Path, db_settings: Settings) -> Iterator[App]:
    settings = replace(
        db_settings,
        cwd=root,
        given_teaching_dir=tmp_path / "teaching",
        given_memory_path=tmp_path / "memory" / "events.jsonl",
        environ={"HOME": str(tmp_path)},
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


def add_session(app: App, id: str, title: str, text: str, *, door: str = "plan") -> None:
    row = SessionRow(id, app.actor.person, door, "active", NOON, NOON, title, messages_text=text)
    with app.database.transaction(write=True) as connection:
        queries.insert_session(connection, row, app.actor)


def add_file(app: App, path: str, text: str) -> None:
    place = app.settings.workspace / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def add_decision(app: App, command: str) -> None:
    said = {
        "id": f"d-{command}", "at": to_iso(NOON), "cli": "claude-code", "session": "s",
        "event": "pre_tool", "tool": "Bash", "input": {"command": command}, "decision": "deny",
        "rule": "git.force", "reason": "Forced pushes lose work.",
    }  # fmt: skip
    path = app.settings.data_dir / "spool" / "claude-code-s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{json.dumps(said)}\n", encoding="utf-8")


async def find(app: App, words: str, limit: int = 10) -> Matches:
    return await open_finder(app).find(words, limit=limit)


def hits(found: Matches) -> dict[str, list[str]]:
    assert found.problems == ()
    return {group.kind: [hit.id for hit in group.hits] for group in found.groups}


async def test_every_door_is_searched_at_once(app: App) -> None:
    add_session(app, "p1", "Pushing carts", "We push carts in 3B.")
    add_session(app, "c1", "Push to the remote", "", door="coach")
    add_file(app, "lessons/push.md", "# Push and pull\n\nForces.\n")
    add_file(app, "classes/3B.md", "They like to push.\n")
    add_decision(app, "git push --force")
    guards.create_from(app, guard=dump_guard(force_push()), why="It happened.")
    open_graph(app).store(NewTrace(type="violation", id="t1", what_happened="A push was forced"))
    app.memory.open().remember([Draft(text="Never push on a Friday")], writer_of(app))
    app.memory.open().documents.write(app.actor, "habits.md", "Push early.\n", base="")

    found = hits(await find(app, "push"))

    assert found["session"] == ["p1"]
    assert found["coaching"] == ["c1"]
    assert found["lesson"] == ["lessons/push.md"]
    assert found["file"] == ["classes/3B.md"]
    assert found["decision"] == ["d-git push --force"]
    assert found["guard"] == ["no-force-push"]
    assert found["trace"] == ["t1"]
    assert found["document"] == ["habits.md"]
    assert len(found["memory"]) == 1


async def test_courses_and_concepts_are_found_but_not_what_they_ask(app: App) -> None:
    shelf = hits(await find(app, "malay"))
    assert shelf["course"] == ["malay", "bahasa-melayu"], "the person's own, then a shipped one"
    assert "search" in hits(await find(app, "binary search"))["concept"]
    assert hits(await find(app, "selamat tengah")) == {}, "the vocabulary holds the answers"


async def test_a_kata_is_found_by_its_title_and_topic_by_its_owner_alone(app: App) -> None:
    gap = Gap(topic="Recursion", severity="low", evidence="Copied it")
    with app.database.transaction(write=True) as connection:
        record_gap(connection, app.actor, gap, gap_id="g1", now=NOON)
        insert_kata(
            connection,
            app.actor,
            "g1",
            NewKata(title="Flatten", description="A list"),
            kata_id="k1",
        )

    assert hits(await find(app, "flatten recursion")) == {"kata": ["k1"]}
    assert hits(await find(replace(app, actor=ANNA), "flatten")) == {}


@pytest.mark.db
async def test_nobody_finds_the_sessions_memories_and_documents_of_another(app: App) -> None:
    anna = replace(app, actor=ANNA)
    for each, whose in ((app, "mine"), (anna, "annas")):
        add_session(each, f"plan-{whose}", "Secret plan", "secret")
        add_session(each, f"coach-{whose}", "Secret issue", "", door="coach")
        draft = Draft(text=f"The secret of {whose}", scope="teacher")
        each.memory.open().remember([draft], writer_of(each))
        each.memory.open().documents.write(each.actor, f"{whose}.md", "A secret.\n", base="")

    mine, hers = hits(await find(app, "secret")), hits(await find(anna, "secret"))

    assert (mine["session"], mine["coaching"]) == (["plan-mine"], ["coach-mine"])
    assert (hers["session"], hers["coaching"]) == (["plan-annas"], ["coach-annas"])
    assert (mine["document"], hers["document"]) == (["mine.md"], ["annas.md"])
    assert len(mine["memory"]) == len(hers["memory"]) == 1
    assert mine["memory"] != hers["memory"]


@pytest.mark.db
async def test_another_tenant_finds_nothing_of_this_one(app: App) -> None:
    add_session(app, "p1", "Secret plan", "secret")
    open_graph(app).store(NewTrace(type="violation", id="t1", what_happened="A secret was told"))

    assert hits(await find(app, "secret")) == {"session": ["p1"], "trace": ["t1"]}
    assert hits(await find(replace(app, actor=ELSEWHERE), "secret")) == {}


async def test_a_workspace_that_nobody_opened_stays_empty(app: App) -> None:
    await find(app, "anything")

    assert not app.settings.workspace.exists()


async def test_a_changed_file_is_read_again_and_a_deleted_one_is_gone(app: App) -> None:
    finder = open_finder(app)
    add_file(app, "notes.md", "verymuch older words")
    assert hits(await finder.find("verymuch", limit=5)) == {"file": ["notes.md"]}

    add_file(app, "notes.md", "anotherword now")
    assert hits(await finder.find("verymuch", limit=5)) == {}
    assert hits(await finder.find("anotherword", limit=5)) == {"file": ["notes.md"]}

    (app.settings.workspace / "notes.md").unlink()
    assert hits(await finder.find("anotherword", limit=5)) == {}


async def test_memory_documents_and_files_outside_are_not_found_in_the_workspace(
    app: App, tmp_path: Path
) -> None:
    add_file(app, "memory/MEMORY.md", "treasure")
    (tmp_path / "outside.md").write_text("treasure")
    (app.settings.workspace / "inside.md").symlink_to(tmp_path / "outside.md")

    assert "file" not in hits(await find(app, "treasure"))


async def test_the_best_titles_come_first_and_more_is_said(app: App) -> None:
    add_file(app, "lessons/a.md", "# A poem\n\nabout loops\n")
    add_file(app, "lessons/b.md", "# Loops\n")
    add_file(app, "lessons/c.md", "# Loops for all\n")

    groups = {group.kind: group for group in (await find(app, "loops", limit=2)).groups}

    group = groups["lesson"]
    assert [hit.title for hit in group.hits] == ["Loops", "Loops for all"]
    assert group.more


async def test_a_source_that_fails_is_named_and_the_rest_is_shown() -> None:
    async def good(asked: Query) -> Sequence[Hit]:
        return [Hit(kind="course", id="x", title=asked.words)]

    async def closed(_: Query) -> Sequence[Hit]:
        raise Unavailable("The database does not answer", hint="Start it.")

    async def broken(_: Query) -> Sequence[Hit]:
        raise KeyError("inside")

    async def slow(_: Query) -> Sequence[Hit]:
        await anyio.sleep_forever()
        raise AssertionError

    sources: Any = {"courses": good, "coaching": closed, "traces": broken, "memories": slow}
    found = await Finder(sources, seconds=0.05).find("x", limit=5)

    assert [group.kind for group in found.groups] == ["course"]
    assert [(each.source, each.hint) for each in found.problems] == [
        ("coaching", "Start it."),
        ("traces", None),
        ("memories", None),
    ]


async def test_sources_are_asked_at_the_same_time() -> None:
    met = anyio.Event()

    async def first(_: Query) -> Sequence[Hit]:
        await met.wait()
        return ()

    async def second(_: Query) -> Sequence[Hit]:
        met.set()
        return ()

    sources: Any = {"courses": first, "coaching": second}
    assert (await Finder(sources).find("x", limit=5)).problems == ()


async def test_no_words_ask_nobody_and_too_many_letters_are_refused(app: App) -> None:
    assert await find(app, "   ") == Matches((), (), ())
    with pytest.raises(BadInput, match="501 characters"):
        await find(app, "x" * 501)
