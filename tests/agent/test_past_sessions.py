"""`search_sessions` and `read_session`, on both engines."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.agent.queries import insert_session, spans_of
from paige.agent.runs import NewRun, start_run
from paige.agent.tables import SessionRow
from paige.base.actor import Actor
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, make_runtime, run
from tests.conftest import NOON

pytestmark = [pytest.mark.anyio, pytest.mark.db]

COLLEAGUE = Actor(person="colleague")
OTHER_SCHOOL = Actor(tenant="other")


def session(name: str, text: str, *, class_id: str | None = None, days: int = 0) -> SessionRow:
    when = NOON - timedelta(days=days)
    return SessionRow(
        id=name,
        person="me",
        door="plan",
        status="active",
        started_at=when,
        updated_at=when,
        title=text.split(".")[0],
        class_id=class_id,
        messages_text=text,
    )


def store(db: Database, *rows: SessionRow, actor: Actor = ME) -> None:
    with db.transaction(write=True) as connection:
        for row in rows:
            insert_session(connection, replace(row, person=actor.person), actor)


async def search(db: Database, folder: Path, **given: Any) -> list[str]:
    """The ids of the stored sessions a search finds, in order; not those that only searched."""
    text = await said(db, folder, calls("search_sessions", **given))
    if text == "No earlier session matches.":
        return []
    found = [part.partition(" (")[0] for part in text.split("\n\n")]
    return [name for name in found if not name.startswith("019")]


async def said(db: Database, folder: Path, use: Any, **more: Any) -> str:
    model = Scripted([use, "Done"])
    await run(make_runtime(db, folder, provider=model), **more)
    return model.requests[1].messages[-1].blocks[0].content


async def test_sessions_are_found_by_words_class_and_days(db: Database, tmp_path: Path) -> None:
    store(
        db,
        session("loops-3B", "Loops for 3B. Flowcharts first.", class_id="3B", days=7),
        session("loops-2C", "Loops for 2C. Straight to code.", class_id="2C", days=3),
        session("poems-3B", "Poems for 3B. Read aloud.", class_id="3B", days=1),
    )

    assert set(await search(db, tmp_path, query="loops")) == {"loops-3B", "loops-2C"}
    assert await search(db, tmp_path, query="loops code") == ["loops-2C"]
    assert await search(db, tmp_path, query="LOOP", class_id="3B") == ["loops-3B"]
    assert await search(db, tmp_path, class_id="3B") == ["poems-3B", "loops-3B"]
    assert await search(db, tmp_path, since="2026-02-27") == ["poems-3B", "loops-2C"]
    assert await search(db, tmp_path, until="2026-02-26") == ["loops-3B"]
    assert await search(db, tmp_path, since="2026-02-27", until="2026-02-27") == ["loops-2C"]
    assert await search(db, tmp_path, query="flowcharts", class_id="2C") == []
    assert await search(db, tmp_path, query="nothing of the kind") == []


async def test_the_last_day_counts_to_its_end(db: Database, tmp_path: Path) -> None:
    evening = NOON.replace(day=1, hour=23, minute=59)
    store(db, replace(session("late", "Late work."), updated_at=evening))

    assert await search(db, tmp_path, until="2026-03-01") == ["late"]
    assert await search(db, tmp_path, since="2026-03-01", until="2026-03-01") == ["late"]
    assert await search(db, tmp_path, until="2026-02-28") == []


async def test_the_session_that_searches_does_not_find_itself(db: Database, tmp_path: Path) -> None:
    store(db, session("before", "Loops.", class_id="3B", days=1))
    use = calls("search_sessions", class_id="3B", limit=1)

    text = await said(db, tmp_path, use, prompt="Loops", class_id="3B")

    assert text == "before (2026-03-01, class 3B): Loops\nLoops."


async def test_only_so_many_are_shown(db: Database, tmp_path: Path) -> None:
    store(db, *(session(f"s{number}", "Loops.", days=number) for number in range(1, 15)))

    assert await search(db, tmp_path, query="loops", limit=3) == ["s1", "s2", "s3"]
    assert len(await search(db, tmp_path, query="loops")) == 10


async def test_a_long_session_is_shown_by_its_beginning(db: Database, tmp_path: Path) -> None:
    store(db, session("long", "Loops. " + "and more " * 100))

    text = await said(db, tmp_path, calls("search_sessions", query="loops"))

    assert len(text) < 400
    assert text.endswith("…")


@pytest.mark.parametrize("words", ['"', "loops*", "NEAR(a b)", "a' OR 1=1 --", "%", "(", "\x00"])
async def test_whatever_is_searched_for_is_an_answer(
    db: Database, tmp_path: Path, words: str
) -> None:
    store(db, session("loops", "Loops."))

    assert await search(db, tmp_path, query=words) in ([], ["loops"])


async def test_nobody_finds_or_reads_the_sessions_of_others(db: Database, tmp_path: Path) -> None:
    store(db, session("theirs", "Loops of a colleague."), actor=COLLEAGUE)
    store(db, session("elsewhere", "Loops of another school."), actor=OTHER_SCHOOL)

    assert await search(db, tmp_path, query="loops") == []
    for name in ("theirs", "elsewhere", "missing"):
        text = await said(db, tmp_path, calls("read_session", session_id=name))
        assert text.startswith(f"There is no session `{name}`")


async def test_a_session_is_read_as_a_conversation(db: Database, tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "a.md").write_text("inside the tool")
    runtime = make_runtime(db, tmp_path, [calls("read_file", path="a.md"), "A plan"])
    first = await run(runtime, "Plan loops\nfor 3B")
    again = NewRun(
        agent="helper", prompt="Shorter", purpose="t", door="plan", session=first.run.session_id
    )
    await start_run(make_runtime(db, tmp_path, ["A shorter plan"]), ME, again)

    text = await said(db, tmp_path, calls("read_session", session_id=first.run.session_id))

    assert text == "\n\n".join(
        [
            f"Session {first.run.session_id}, 2026-03-02, Plan loops",
            "Person: Plan loops\nfor 3B",
            "Agent:  [used read_file]",
            "Agent: A plan",
            "Person: Shorter",
            "Agent: A shorter plan",
        ]
    )


async def test_lookups_are_traced(db: Database, tmp_path: Path) -> None:
    script = [calls("search_sessions", query="loops", class_id="3B"), "Done"]
    state = await run(make_runtime(db, tmp_path, script))
    with db.transaction(write=False) as connection:
        [span] = [s for s in spans_of(connection, ME, state.run.id) if s.kind == "tool"]

    assert '"query": "loops"' in span.attributes
    assert '"class": "3B"' in span.attributes
