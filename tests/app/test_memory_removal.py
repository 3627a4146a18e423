"""A sentence that came in by every way is forgotten, and then it stands nowhere any more."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from paige.app.application import App, open_app
from paige.app.backup.tables import declared
from paige.app.memory_removal import Removal, forget
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.settings import Settings
from paige.doors.data.backup import back_up
from paige.doors.data.restore import Wish, restore
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.phases import read_phases
from paige.guard.spool_drain import graph_taking, spool_of
from paige.memory.access import Reader
from paige.memory.documents.captures import Proposal, record_decided, record_proposed
from paige.memory.event import Draft, Provenance
from paige.memory.forgotten_words import ForgottenWords
from paige.memory.intake.admission import Writer
from paige.memory.lifecycle.questions import qa_draft
from paige.memory.lifecycle.retention import Forget
from paige.memory.memory import Memory
from paige.memory.search_values import Ask
from paige.store.tables import METADATA
from tests.app.keeping import quiet
from tests.conftest import NOON

MARK = "zebra"
SAID = 'The zebra keys "hang" behind the purple door,\nnext to the "clock"'
ME = Actor()


@pytest.fixture
def app(db_settings: Settings) -> Iterator[App]:
    environ = {"HOME": str(db_settings.cwd)}
    with open_app(replace(db_settings, environ=environ), strict=False, now=lambda: NOON) as opened:
        yield opened


def lines(settings: Settings) -> list[dict[str, Any]]:
    """What hooks of one session write down."""
    told = {"cwd": str(settings.cwd)}
    failed = {"command": f"pytest -k '{SAID}'"}
    return [
        {"event": "post_tool", "tool": "Edit", "input": {"file_path": "a.py"}, **told},
        {"event": "prompt_submit", "prompt": f"No, that is wrong! {SAID}. Undo a.py", **told},
        {"event": "prompt_submit", "prompt": "x" * 150 + f" and then: {SAID} " + "y" * 900, **told},
        {"event": "response", "text": f"I know that {SAID}", **told},
        {"event": "post_tool_failure", "tool": "Bash", "input": failed, "error": SAID, **told},
        {
            "event": "post_tool",
            "tool": "AskUserQuestion",
            "input": {},
            "result": {"answers": {"Where are the keys?": SAID}},
            **told,
        },
        {
            "event": "pre_tool",
            "tool": "Bash",
            "input": failed,
            "decision": "deny",
            "rule": "shell",
            "reason": "No.",
            **told,
        },
    ]


def plant(app: App, memory: Memory) -> None:
    """Let a sentence come in by every way there is."""
    settings = app.settings
    writer = Writer(person=ME.person)
    payload = {"source": "import", "speaker": f"{MARK} Smith"}
    imported = Draft(text=f"{SAID} (imported)", scope="global", payload=payload)
    drafts = [
        Draft(text=SAID, scope="global"),
        Draft(text=f"{SAID}.", type="fact", scope="global", payload={"key": "keys"}),
        imported,
        qa_draft("Where?", SAID, confidence=0.9, scope="global"),
        Draft(text=SAID, type="policy", scope="global", payload={"role": "tester"}),
        Draft(text=f"{SAID}!", scope="session", session="coach"),
    ]
    for result in memory.remember(drafts, writer):
        assert result.status in ("stored", "duplicate", "refused"), result
    for line in lines(settings):
        note(str(settings.data_dir), "codex", "s1", line)
    place = Place(str(settings.cwd), str(settings.cwd), "", str(settings.data_dir), False)
    also = graph_taking(settings, app.database, system_clock, may_migrate=True)
    spool = spool_of(memory, settings, read_phases(place), also=also)
    while spool.drain(system_clock).more:
        pass
    plan_capture(app, memory)
    ids = [each.id for each in memory.search(Ask(query="zebra"), Reader(person="me")).results]
    assert ids
    memory.recall(Ask(query="zebra keys"), Reader(person="me"), writer)


def plan_capture(app: App, memory: Memory) -> None:
    """A run that recalled it, proposed to keep it, and was allowed to."""
    proposal = Proposal(key="r1:p", path="MEMORY.md", text=SAID, provenance=Provenance("s", "r1"))
    with app.database.of(ME).transaction(write=True) as connection:
        record_proposed(connection, ME, proposal, now=NOON)
        record_decided(connection, ME, proposal, "confirmed", final=SAID, now=NOON)
        for name, row in transcript():
            connection.execute(insert(METADATA.tables[name]), row)
    memory.documents.append(ME, "MEMORY.md", f"- {SAID}\n")
    memory.documents.append(ME, "MEMORY.md", "- Something else\n")


def transcript() -> list[tuple[str, dict[str, Any]]]:
    """What a conversation leaves in the tables of the agent."""
    own = {"tenant": "local", "person": ME.person}
    body = json.dumps({"answer": json.dumps({"text": SAID})})
    session = {"id": "s", "door": "plan", "status": "active", "messages_text": SAID, "title": SAID}
    run = {"id": "r1", "session_id": "s", "header": {"blobs": []}, "prompt": SAID, "state": "ended"}
    counted = {"number": 1, "format": 1, "turns": 1, "source": "local"}
    return [
        ("sessions", {**own, **session, "started_at": NOON}),
        ("runs", {**own, **run, **counted, "output": SAID, "created_at": NOON, "updated_at": NOON}),
        ("journal", {"run_id": "r1", "seq": 1, "step": "t1", "kind": "result", "body": body}),
        ("events", {**own, "seq": 10**6, "topic": "plan", "payload": {"a": [SAID]}, "at": NOON}),
    ]


def rows_with(app: App, mark: str) -> dict[str, int]:
    """Tables in which a word stands, also those that are not declared, as indexes."""
    found = {}
    with app.database.system.transaction(write=False) as connection:
        for table in declared():
            rows = connection.execute(select(table)).all()
            if count := sum(mark in str(row) for row in rows):
                found[table.name] = count
        if connection.dialect.name == "postgresql":
            query = (
                "SELECT oid::regclass::text FROM pg_class WHERE relkind='r' AND relname ~ '^mem'"
            )
            for name in connection.scalars(text(query)).all():
                rows = connection.execute(text(f"SELECT * FROM {name}")).all()
                if count := sum(mark in str(row) for row in rows):
                    found[name] = count
    return found


def files_with(root: Path, mark: str) -> list[str]:
    """Files in which a word stands, as bytes."""
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file() and mark.encode() in path.read_bytes()
    ]


def forget_all(app: App, memory: Memory) -> Removal:
    """Forget every memory that holds the sentence."""
    ids = [each.id for each in memory.all_events() if MARK in str((each.text, each.payload))]
    plan = memory.plan_forgetting(Forget(ids=frozenset(ids), by=ME.person))
    assert not plan.refused
    return forget(app, memory, plan)


@pytest.mark.db
def test_a_sentence_that_came_in_by_every_way_is_forgotten_everywhere(app: App) -> None:
    memory = app.memory.open()
    plant(app, memory)
    before = rows_with(app, MARK)
    for name in ("decision_sessions", "decisions", "memory_events", "journal", "runs", "sessions"):
        assert name in before

    done = forget_all(app, memory)

    assert done.lines
    assert rows_with(app, MARK) == {}
    memory.close()
    assert files_with(app.settings.cwd, MARK) == []
    assert not memory.search(Ask(query="zebra keys"), Reader(person="me")).results


@pytest.mark.db
def test_what_others_wrote_or_remember_stays_and_is_named(app: App) -> None:
    memory = app.memory.open()
    drafts = [Draft(text=SAID, scope="global", owner=name) for name in ("me", "ada")]
    drafts.append(Draft(text=SAID, scope="teacher", owner="ada"))
    mine, theirs, secret = (memory.remember([each], Writer(trusted=True))[0].id for each in drafts)
    own = app.settings.workspace / "lessons" / "keys.md"
    own.parent.mkdir(parents=True)
    own.write_text(f"# Keys\n\n{SAID}\n")
    backup = app.settings.cwd / "kept.paige"
    back_up(app.settings, backup, now=NOON, told=quiet)
    with app.database.system.transaction(write=True) as connection:
        connection.execute(
            insert(METADATA.tables["sessions"]),
            {"id": "a", "person": "ada", "door": "plan", "status": "active", "title": SAID,
             "messages_text": SAID, "started_at": NOON},
        )  # fmt: skip

    done = forget(app, memory, memory.plan_forgetting(Forget(ids=frozenset({mine or ""}))))

    assert [SAID in each.text for each in memory.all_events() if each.id == theirs] == [True]
    assert rows_with(app, MARK)["sessions"] == 1
    told = " ".join(done.remains)
    for name in (theirs, str(own), str(backup)):
        assert f"`{name}`" in told
    assert f"`{secret}`" not in told


def test_a_restored_backup_forgets_again_what_was_forgotten_since(
    db_settings: Settings, tmp_path: Path
) -> None:
    settings = replace(db_settings, environ={"HOME": str(tmp_path)})
    backup = tmp_path / "kept.paige"
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        memory = app.memory.open()
        kept = [Draft(text=text, scope="global") for text in (SAID, "The garden needs water")]
        memory.remember(kept, Writer(person="me"))
        back_up(settings, backup, now=NOON, told=quiet)
        forget_all(app, memory)

    restored = restore(settings, backup, Wish(replace=True), now=system_clock, told=quiet)

    assert any("forgotten" in note for note in restored.notes)
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        texts = [each.text for each in app.memory.open().all_events()]
        assert "The garden needs water" in texts
        assert not any(MARK in each for each in texts)


LONG = "Nobody may paint the west fence before the swallows have left. " * 4


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ("yes", "yes"),
        (f"They said: {LONG.strip()}", "They said: [forgotten]"),
        (LONG[:150] + "…", "[forgotten]"),
        ({"a": [LONG, 1, None], "b": "yes"}, {"a": ["[forgotten] ", 1, None], "b": "yes"}),
        (json.dumps({"a": json.dumps({"b": LONG})}), '{"a": "{\\"b\\": \\"[forgotten] \\"}"}'),
        ("Nobody may paint the fence", "Nobody may paint the fence"),
    ],
)
def test_a_copy_is_known_however_it_was_cut_or_packed(value: Any, clean: Any) -> None:
    words = ForgottenWords(frozenset(), (LONG.strip(),))
    assert words.without(value) == clean
    assert words.holds(value) == (value != clean)
