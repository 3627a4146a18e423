from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from paige.base.errors import Unavailable
from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.event import AgentRef, Draft, Event
from paige.memory.intake.admission import Writer, strip_recalled
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.intake.project_identity import Identity
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.log.log import Log
from tests.conftest import NOON
from tests.memory.folding import FoldedLogs

ME = Writer()


class Room:
    """A broker with a real log; `minutes` moves its clock."""

    def __init__(self, folder: Path) -> None:
        self.log = Log(folder / "events.jsonl")
        self.known = FoldedLogs(self.log)
        self.projects = ProjectLogs(self.log, folder / "projects.json")
        self.minutes = 0
        numbers = count()
        self.broker = Broker(
            self.log,
            self.known,
            now=self.now,
            randomness=lambda size: (next(numbers).to_bytes(10) * (size // 10 + 1))[:size],
            names=NameGate(),
            projects=self.projects,
        )

    def now(self) -> datetime:
        """Noon, and the minutes that passed."""
        return NOON + timedelta(minutes=self.minutes)

    def add(self, text: str = "", *, writer: Writer = ME, **fields: Any) -> RememberResult:
        """Remember one draft."""
        return self.broker.remember([Draft(text=text, **fields)], writer)[0]

    def events(self) -> list[Event]:
        """What the log holds."""
        return list(self.log.read())


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_draft_becomes_an_event_of_its_writer(room: Room) -> None:
    writer = Writer(person="anna", agent=AgentRef("coder", "musician", "codex"), trace="t1")
    added = room.add("loops before functions", writer=writer, acl=("role:mentor",))
    assert added.status == "stored"
    [event] = room.events()
    assert event == added.event
    assert (event.owner, event.scope, event.at) == ("anna", "global", NOON)
    assert event.acl == ("role:mentor",)
    assert event.agent.id == "coder"
    assert event.provenance.trace_id == "t1"


def test_a_batch_is_one_append_and_every_draft_has_its_result(room: Room) -> None:
    results = room.broker.remember(
        [Draft(text="one"), Draft(text=""), Draft(text="two"), Draft(text="one")], ME
    )
    assert [each.status for each in results] == ["stored", "refused", "stored", "duplicate"]
    assert [event.seq for event in room.events()] == [1, 2]
    assert results[3].id == results[0].id


@pytest.mark.parametrize(
    ("draft", "writer", "scope", "project"),
    [
        (Draft(text="x"), Writer(), "global", None),
        (Draft(text="x", project="p"), Writer(), "project", "p"),
        (Draft(text="x"), Writer(project="p"), "project", "p"),
        (Draft(text="x", scope="global"), Writer(project="p"), "global", None),
        (Draft(text="x", type="preference"), Writer(project="p"), "global", None),
        (Draft(text="x", payload={"source": "import"}), Writer(project="p"), "global", None),
        (Draft(text="x", scope="session", session="s"), Writer(project="p"), "session", "p"),
    ],
)
def test_the_scope_follows_from_what_is_given(
    room: Room, draft: Draft, writer: Writer, scope: str, project: str | None
) -> None:
    event = room.broker.remember([draft], writer)[0].event
    assert event is not None
    assert (event.scope, event.project) == (scope, project)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"text": "  "}, "`text` is empty"),
        ({"text": "x", "scope": "project"}, "no `project` is given"),
        ({"text": "x", "scope": "session"}, "no `session` is given"),
        ({"text": "x", "scope": "planet"}, "`scope` is `planet`"),
        ({"text": "x", "importance": 3}, "`importance` is `3`"),
        ({"text": "x", "at": datetime(2026, 1, 1)}, "`at` is"),
        ({"text": "x" * (2**20 + 1)}, "more than 1048576"),
        ({"text": "x", "payload": {"n": 2**64}}, "`payload.n`"),
        ({"text": "x", "payload": {"n": float("nan")}}, "`payload.n`"),
        ({"text": "x", "payload": {"n": {1, 2}}}, "`payload.n` holds a `set`"),
        ({"text": "x", "type": "episode", "outcome": "meh"}, "`outcome` is `meh`"),
        ({"type": "forgotten"}, "needs `payload.ids`"),
        ({"text": "x", "type": "qa", "payload": {"confidence": 2}}, "`payload.confidence` is `2`"),
        ({"text": "x", "owner": "bob"}, "may not write memories of `bob`"),
        ({"text": "x", "supersedes": "nothing"}, "`supersedes` is `nothing`"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(
    room: Room, fields: dict[str, Any], reason: str
) -> None:
    refused = room.broker.remember([Draft(**fields)], ME)[0]
    assert refused.status == "refused"
    assert reason in (refused.reason or "")
    assert room.events() == []


def test_deep_nesting_is_refused_and_not_a_crash(room: Room) -> None:
    value: Any = "x"
    for _ in range(5000):
        value = [value]
    refused = room.add("x", payload={"meta": value})
    assert (refused.status, room.events()) == ("refused", [])


def test_a_trusted_writer_may_name_another_owner(room: Room) -> None:
    assert room.add("x", owner="bob", writer=Writer(trusted=True)).status == "stored"
    assert room.events()[0].owner == "bob"


def test_secrets_never_reach_the_log(room: Room) -> None:
    key = "sk-ant-" + "a1B2" * 8
    room.add(
        f"the key is {key}",
        payload={"meta": {"deep": [f"token {key}"], key: 1}},
        task=f"use {key}",
        evidence=(key,),
    )
    assert key.encode() not in room.log.path.read_bytes()
    assert "[anthropic key]" in room.events()[0].text


def test_halves_of_characters_and_nul_are_made_storable(room: Room) -> None:
    assert room.add("a\ud800b\0c", payload={"meta": "\udfff"}).status == "stored"
    assert room.events()[0].text == "a?b\ufffdc"


def test_recalled_blocks_are_taken_out_again(room: Room) -> None:
    room.add("<paige-memory>\n- old\n</paige-memory>\nWhat is next?")
    assert room.events()[0].text == "What is next?"


def test_a_text_of_recalled_blocks_only_is_not_stored_again(room: Room) -> None:
    assert room.add("<paige-memory a='1'>old</paige-memory> ").status == "recalled"
    assert room.events() == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <paige-memory>x</paige-memory> b <PAIGE-MEMORY>y</PAIGE-MEMORY>", "a  b"),
        ("what is `<paige-memory>` for", "what is `<paige-memory>` for"),
        ("next\n<paige-memory>\ncut off", "next"),
        ("plain", "plain"),
    ],
)
def test_only_whole_blocks_and_cut_off_ones_are_stripped(text: str, kept: str) -> None:
    assert strip_recalled(text) == kept


def test_text_recalled_in_this_session_is_not_stored_again(room: Room) -> None:
    first = room.add("Prefers flowcharts first.")
    room.add(type="recalled", session="s1", payload={"ids": [first.id], "query": "q"})
    room.minutes = 5
    assert room.add("prefers  flowcharts FIRST.", session="s1").status == "recalled"
    assert room.add("prefers  flowcharts FIRST.", session="s2").status == "stored"


def test_the_same_at_another_time_is_another_memory(room: Room) -> None:
    first = room.add("yes", session="s", payload={"speaker": "anna"})
    again = room.add("yes", session="s", payload={"speaker": "anna"})
    room.minutes = 1
    later = room.add("yes", session="s", payload={"speaker": "anna"})
    assert [first.status, again.status, later.status] == ["stored", "duplicate", "stored"]
    assert again.id == first.id


def test_imports_are_never_dropped_and_never_supersede(room: Room) -> None:
    room.add("blue", type="fact", payload={"key": "colour"})
    line = Draft(text="red", type="fact", payload={"key": "colour", "source": "import"}, at=NOON)
    room.known.asked = 0
    results = room.broker.remember([line, line, line], ME)
    assert [each.status for each in results] == ["stored"] * 3
    assert all(event.supersedes is None for event in room.events())
    assert room.known.asked == 0


def test_an_id_that_is_known_is_a_duplicate(room: Room) -> None:
    assert room.add("one", id="a").status == "stored"
    assert room.add("two", id="a").status == "duplicate"
    both = room.broker.remember([Draft(text="b", id="b"), Draft(text="c", id="b")], ME)
    assert [each.status for each in both] == ["stored", "duplicate"]
    imported = Draft(text="two", id="a", payload={"source": "import"})
    assert room.broker.remember([imported], ME)[0].status == "duplicate"


def test_a_new_value_supersedes_the_current_fact(room: Room) -> None:
    old = room.add("blue", type="fact", payload={"key": "Colour"})
    room.minutes = 1
    new = room.add("red", type="fact", payload={"key": "colour"})
    room.minutes = 2
    newest = room.add("green", type="fact", payload={"key": "colour"})
    assert new.event is not None
    assert new.event.supersedes == old.id
    assert newest.event is not None
    assert newest.event.supersedes == new.id
    assert new.event.payload["importance_reasons"]["conflict"] > 0


def test_the_same_value_again_is_no_new_version(room: Room) -> None:
    first = room.add("Blue", type="fact", payload={"key": "colour"})
    room.minutes = 1
    again = room.add("blue", type="fact", payload={"key": "colour"})
    assert (again.status, again.id, len(room.events())) == ("duplicate", first.id, 1)


def test_two_values_in_one_batch_supersede_in_order(room: Room) -> None:
    results = room.broker.remember(
        [Draft(text=each, type="fact", payload={"key": "k"}) for each in ("a", "b", "b")], ME
    )
    assert [each.status for each in results] == ["stored", "stored", "duplicate"]
    assert results[1].event is not None
    assert results[1].event.supersedes == results[0].id


@pytest.mark.parametrize(
    "other",
    [
        {"scope": "project", "project": "p"},
        {"type": "note"},
        {"payload": {"key": "other"}},
        {"writer": Writer(person="bob")},
        {"type": "episode"},
    ],
)
def test_a_fact_elsewhere_supersedes_nothing(room: Room, other: dict[str, Any]) -> None:
    room.add("blue", type="fact", payload={"key": "colour"})
    room.minutes = 1
    fields = {"type": "fact", "payload": {"key": "colour"}, **other}
    added = room.add("red", **fields)
    assert added.event is not None
    assert added.event.supersedes is None


def test_two_classes_have_their_own_facts(room: Room) -> None:
    for class_id, text in (("3B", "five minutes"), ("2A", "ten minutes")):
        room.add(text, type="fact", scope="class", payload={"key": "start", "class_id": class_id})
    room.minutes = 1
    payload = {"key": "start", "class_id": "3B"}
    added = room.add("four minutes", type="fact", scope="class", payload=payload)
    assert added.event is not None
    assert added.event.supersedes == room.events()[0].id


def test_a_fact_that_arrives_late_replaces_nothing(room: Room) -> None:
    room.add("blue", type="fact", payload={"key": "colour"})
    late = room.add("red", type="fact", payload={"key": "colour"}, at=NOON - timedelta(days=1))
    assert late.event is not None
    assert late.event.supersedes is None


def test_what_is_superseded_must_be_readable_by_the_writer(room: Room) -> None:
    secret = room.add("hers", scope="learner", writer=Writer(person="anna"))
    assert room.add("mine", supersedes=secret.id).status == "refused"
    own = room.add("mine", scope="learner")
    assert room.add("mine, better", supersedes=own.id).status == "stored"
    assert room.add("tried", type="episode", supersedes=own.id).status == "refused"


def test_named_pupils_are_refused_for_teachers_and_classes(room: Room) -> None:
    for scope in ("teacher", "class"):
        refused = room.add("Aisha needs more time.", scope=scope)
        assert refused.status == "refused"
        assert "`Aisha`" in (refused.reason or "")
        assert "the EAL pair" in (refused.reason or "")
        assert room.add("The EAL pair needs more time.", scope=scope).status == "stored"
    assert room.add("Aisha needs more time.").status == "stored"
    assert room.add("Bohdan sat down.", payload={"anonymous": True}).status == "refused"


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "ok", "payload": {"question": "Is Oliver ready?"}},
        {"text": "ok", "payload": {"meta": {"about": ["Priya Patel"]}}},
        {"text": "ok", "payload": {"speaker": "Callum"}},
        {"text": "ok", "task": "seat Olena elsewhere"},
        {"text": "ok", "evidence": ("told oliver to sit",)},
        {"text": "# 3B\n\n- Aisha: loops", "type": "file_written", "payload": {"path": "a.md"}},
    ],
)
def test_the_gate_reads_everything_that_is_kept(room: Room, fields: dict[str, Any]) -> None:
    assert room.add(scope="class", **fields).status == "refused"
    assert room.events() == []


def test_a_project_with_its_own_log_keeps_its_own_events(room: Room, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / ".ai/memory").mkdir(parents=True)
    room.projects.add(Identity("shop-1", root, "shop"))
    results = room.broker.remember(
        [Draft(text="a"), Draft(text="b", project="shop-1"), Draft(text="c", project="other")], ME
    )
    assert [each.status for each in results] == ["stored"] * 3
    assert [event.text for event in room.events()] == ["a", "c"]
    own = Log(root / ".ai/memory/events.jsonl")
    assert [(event.text, event.seq) for event in own.read()] == [("b", 1)]
    again = ProjectLogs(room.log, tmp_path / "projects.json")
    assert [log.path for log in again.all()] == [room.log.path, own.path]


def test_importance_is_given_or_weighed(room: Room) -> None:
    given = room.add("x", importance=0.9)
    room.known.new = 0.0
    dull = room.add("y")
    room.known.new = 1.0
    failed = room.add("z", type="episode", outcome="failure")
    values = [each.event.importance for each in (given, dull, failed) if each.event]
    assert values == [0.9, 0.35, 0.75]
    assert failed.event is not None
    assert set(failed.event.payload["importance_reasons"]) == {"novelty", "outcome"}


def test_without_an_index_memories_are_logged_all_the_same(tmp_path: Path) -> None:
    class Down(FoldedLogs):
        def events(self) -> Iterator[Event]:
            raise Unavailable("The index does not answer")

        def novelty(self, text: str, reader: Reader, *, project: str | None = None) -> float:
            raise Unavailable("The index does not answer")

    room = Room(tmp_path)
    log = Log(tmp_path / "other.jsonl")
    down = Broker(
        log,
        Down(log),
        now=room.now,
        randomness=lambda size: bytes(size),
        names=NameGate(),
        projects=ProjectLogs(log),
    )
    assert down.remember([Draft(text="x", id="a", session="s")], ME)[0].status == "stored"
    assert len(list(log.read())) == 1


def test_writers_in_several_threads_store_a_fact_once_per_value(room: Room) -> None:
    def write() -> None:
        for number in range(5):
            room.add(f"value {number}", type="fact", payload={"key": "k"}, id=f"fact-{number}")

    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = room.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.id for event in events}) == len(events)
    superseded = [event.supersedes for event in events if event.supersedes]
    assert len(superseded) == len(set(superseded)) == len(events) - 1
