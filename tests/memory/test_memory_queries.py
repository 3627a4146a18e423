"""The SQL of memory: everything belongs to one person of one tenant."""

from datetime import timedelta

import pytest

from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.memory.documents import queries
from paige.memory.documents.captures import Proposal, record_decided, record_proposed
from paige.memory.documents.records import Cursor, EventRow, FileRow
from paige.memory.event import Provenance
from paige.store.engine import Database
from tests.conftest import NOON
from tests.store.running import read, write

ME, ANNA, ELSEWHERE = Actor(), Actor(person="anna"), Actor(tenant="school")
pytestmark = pytest.mark.db


def row(actor: Actor, path: str = "MEMORY.md", *, content: str = "text", seq: int = 1) -> FileRow:
    return FileRow(
        id=f"{actor.tenant}/{actor.person}/{path}",
        teacher_id=actor.person,
        scope="class" if "/" in path else "teacher",
        class_id=path.split("/")[1] if "/" in path else "",
        path=path,
        content=content,
        version=f"v{seq}",
        seq=seq,
        written_by="web",
        created_at=NOON,
        updated_at=NOON + timedelta(minutes=seq),
    )


def event(identity: str, **values: object) -> EventRow:
    given = {"event_type": "write", "scope": "teacher", "class_id": "", "path": "MEMORY.md"}
    return EventRow(id=identity, created_at=NOON, **{**given, **values})  # type: ignore[arg-type]


def test_a_document_is_put_changed_and_dropped(db: Database) -> None:
    write(db, queries.put_file, ME, row(ME))
    write(db, queries.put_file, ME, row(ME, content="new", seq=2))

    [found] = read(db, queries.list_files, ME)
    assert found == row(ME, content="new", seq=2)
    write(db, queries.drop_file, ME, "MEMORY.md")
    assert read(db, queries.find_file, ME, "MEMORY.md") is None


def test_documents_belong_to_one_person_of_one_tenant(db: Database) -> None:
    for actor in (ME, ANNA, ELSEWHERE):
        write(db, queries.put_file, actor, row(actor, content=f"{actor.tenant} {actor.person}"))
        write(db, queries.put_file, actor, row(actor, "classes/3B/MEMORY.md"))
    write(db, queries.drop_file, ANNA, "MEMORY.md")

    assert read(db, queries.find_file, ME, "MEMORY.md").content == "local me"
    assert read(db, queries.find_file, ANNA, "MEMORY.md") is None
    assert read(db, queries.find_file, ELSEWHERE, "MEMORY.md").content == "school me"
    assert [each.path for each in read(db, queries.list_files, ME, class_id="3B")] == [
        "classes/3B/MEMORY.md"
    ]
    assert [each.path for each in read(db, queries.list_files, ME, class_id="")] == ["MEMORY.md"]


def test_no_document_is_there_twice(db: Database) -> None:
    write(db, queries.put_file, ME, row(ME))
    twin = FileRow(**{name: getattr(row(ME), name) for name in FileRow.__dataclass_fields__})

    def insert_again(connection):
        connection.execute(
            queries.MEMORY_FILES.insert().values(
                tenant="local",
                **{**{n: getattr(twin, n) for n in FileRow.__dataclass_fields__}, "id": "x"},
            )
        )

    with pytest.raises(PaigeError):
        write(db, insert_again)


def test_what_happened_is_noted_once_and_only_its_person_sees_it(db: Database) -> None:
    first = event("e1", trace_id="t", session_id="s", version="v1", seq=1)

    assert write(db, queries.insert_event, ME, first)
    assert not write(db, queries.insert_event, ME, first)
    assert read(db, queries.find_event, ME, "e1") == first
    assert read(db, queries.events_of, ME, trace="t") == [first]
    assert read(db, queries.events_of, ME, session="s") == [first]
    assert read(db, queries.events_of, ME, session="another") == []
    for other in (ANNA, ELSEWHERE):
        assert read(db, queries.find_event, other, "e1") is None
        assert read(db, queries.events_of, other, trace="t") == []
        assert read(db, queries.writes_of, other, "MEMORY.md") == []
        assert read(db, queries.seq_of_version, other, "MEMORY.md", "v1") is None


def test_the_newest_comes_first(db: Database) -> None:
    for seq, version in enumerate(("a", "b", "a"), 1):
        write(db, queries.insert_event, ME, event(f"w{seq}", version=version, seq=seq))
        seen = event(f"r{seq}", event_type="read", version=version, seq=seq, trace_id="t")
        write(db, queries.insert_event, ME, seen)

    assert [each.seq for each in read(db, queries.writes_of, ME, "MEMORY.md", limit=2)] == [3, 2]
    assert read(db, queries.seq_of_version, ME, "MEMORY.md", "a") == 3
    assert read(db, queries.last_seen, ME, "t", "MEMORY.md") == "a"
    assert read(db, queries.last_seen, ME, "other", "MEMORY.md") is None


def test_clearing_leaves_what_is_only_here(db: Database) -> None:
    write(db, queries.put_file, ME, row(ME))
    write(db, queries.put_file, ELSEWHERE, row(ELSEWHERE))
    write(db, queries.insert_event, ME, event("w", version="v", seq=1))
    write(db, queries.insert_event, ME, event("r", event_type="read"))
    write(db, queries.set_cursor, ME, Cursor("log", 5, "e5"))
    write(db, queries.set_cursor, ME, Cursor("log", 6, "e6"))

    assert read(db, queries.get_cursor, ME) == Cursor("log", 6, "e6")
    write(db, queries.clear_documents, ME)

    assert read(db, queries.get_cursor, ME) == Cursor("", 0, "")
    assert read(db, queries.list_files, ME) == []
    assert [each.id for each in read(db, queries.events_of, ME)] == ["r"]
    assert len(read(db, queries.list_files, ELSEWHERE)) == 1


@pytest.mark.parametrize(
    ("decision", "final"),
    [("confirmed", "- Likes quizzes."), ("edited", "- Short quizzes."), ("dismissed", None)],
)
def test_a_proposal_and_its_decision_are_noted_once(
    db: Database, decision: str, final: str | None
) -> None:
    proposal = Proposal(
        key="run:hook/1",
        path="memory/classes/3B/MEMORY.md",
        text="- Likes quizzes.",
        provenance=Provenance("s", "t"),
    )
    for _ in range(2):
        write(db, record_proposed, ME, proposal, now=NOON)
        write(db, record_decided, ME, proposal, decision, final=final, now=NOON)
    write(db, record_decided, ME, proposal, "dismissed", now=NOON)

    noted = {each.event_type: each for each in read(db, queries.events_of, ME, session="s")}
    assert set(noted) == {"capture_proposed", f"capture_{decision}"}
    decided = noted[f"capture_{decision}"]
    assert (decided.path, decided.scope, decided.class_id) == (
        "classes/3B/MEMORY.md",
        "class",
        "3B",
    )
    assert (decided.proposed_text, decided.final_text) == ("- Likes quizzes.", final)
    assert decided.trace_id == "t"
    assert noted["capture_proposed"].final_text is None


def test_a_decision_without_its_text_is_refused(db: Database) -> None:
    proposal = Proposal(key="k", path="MEMORY.md", text="x")
    with pytest.raises(BadInput):
        write(db, record_decided, ME, proposal, "confirmed", now=NOON)
    with pytest.raises(BadInput):
        write(db, record_decided, ME, proposal, "dismissed", final="x", now=NOON)
