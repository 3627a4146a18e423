"""Search shows exactly what the rule of `access.py` allows, by words and by meaning."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.memory.access import Reader, may_read
from paige.memory.event import SCOPES, AgentRef
from paige.memory.index import classes
from paige.memory.index import classes as classes_module
from paige.memory.index.index import Index
from paige.memory.search_values import Ask
from tests.depth import examples
from tests.memory.indexing import EMBEDDER, ListLog

NAMES = st.sampled_from(["anna", "ben", "cleo"])
PROJECTS = st.sampled_from(["garden", "house", None])
SESSIONS = st.sampled_from(["s1", "s2", None])
AGENTS = st.sampled_from(["coder", "reviewer", None])
LISTED = st.sampled_from(
    ["*", "person:anna", "ben", "role:researcher", "agent:coder", "project:garden", "nobody:x", ""]
)
EVENTS = st.lists(
    st.fixed_dictionaries(
        {
            "scope": st.sampled_from(SCOPES),
            "owner": NAMES,
            "project": PROJECTS,
            "session": SESSIONS,
            "agent": AGENTS.map(lambda name: AgentRef(id=name)),
            "acl": st.lists(LISTED, max_size=2).map(tuple),
            "type": st.sampled_from(["note", "turn", "fact"]),
        }
    ),
    max_size=12,
)
READERS = st.builds(
    Reader,
    person=NAMES | st.none(),
    roles=st.frozensets(st.sampled_from(["researcher", "conductor"])),
    agent=AGENTS,
    session=SESSIONS,
    projects=st.none() | st.frozensets(st.sampled_from(["garden", "house"])),
)
# (what happens, to which of the events): applied after them
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["rescoped", "promoted", "supersedes", "forgotten"]), st.integers(0, 11)
    ),
    max_size=3,
)
# Words that mean the same without sharing one, for a search by meaning alone.
BY_WORDS, BY_MEANING = "tomato plants", "vegetable gardening"
TEXT = "Tomato plants need plenty of water"


def ids(index: Index, ask: Ask, reader: Reader) -> list[str]:
    return [result.id for result in index.search(ask, reader).results]


def fill(log: ListLog, events: list[dict], changes: list[tuple[str, int]]) -> None:
    for event in events:
        log.add(TEXT, **event)
    said = list(log.events)
    for what, place in changes:
        if place >= len(said):
            continue
        target = said[place].id
        if what == "supersedes":
            log.add(TEXT, scope="teacher", owner="dora", supersedes=target)
        elif what == "forgotten":
            log.add(type=what, payload={"ids": [target]})
        elif what == "promoted":
            log.add(type=what, payload={"of": target, "to": "global"})
        else:
            log.add(type=what, payload={"of": target, "project": "house"})


@pytest.mark.parametrize("few", [64, 0], ids=["by class", "by mark"])
@pytest.mark.parametrize("small", [8192, 0], ids=["small", "large"])
@pytest.mark.parametrize("query", [BY_WORDS, BY_MEANING], ids=["words", "meaning"])
@settings(max_examples=examples(25))
@given(events=EVENTS, changes=CHANGES, readers=st.lists(READERS, min_size=1, max_size=4))
def test_a_search_shows_all_that_may_be_read_and_nothing_else(
    few: int,
    small: int,
    query: str,
    events: list[dict],
    changes: list[tuple[str, int]],
    readers: list[Reader],
) -> None:
    log = ListLog()
    fill(log, events, changes)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(classes_module, "FEW", few)
        patch.setattr(classes, "SMALL", small)
        index = Index(Path(folder), EMBEDDER, logs=[log])
        everything = index.search(
            Ask(query="", k=100, history=True),
            Reader(person=None, roles=frozenset({"none"})),
        )
        assert all(not result.event.forgotten for result in everything.results)
        for reader in readers:
            results = index.search(Ask(query=query, k=1000), reader).results
            assert all(may_read(reader, result.event) for result in results)
            assert sorted(r.id for r in results) == sorted(expected(index, log, reader))
            for project in ("garden", "house"):
                narrow = index.search(Ask(query=query, k=1000, project=project), reader).results
                assert {r.id for r in narrow} == {
                    r.id for r in results if r.event.project == project
                }
            for scope in ("global", "project", "session"):
                narrow = index.search(Ask(query=query, k=1000, scope=scope), reader).results
                assert {r.id for r in narrow} == {r.id for r in results if r.scope == scope}
            in_session = index.search(Ask(query=query, k=1000, session="s1"), reader).results
            assert {r.id for r in in_session} == {r.id for r in results if r.event.session == "s1"}
        index.close()


def expected(index: Index, log: ListLog, reader: Reader) -> list[str]:
    """By the rule itself, from the events as they stand now."""
    with index.reading() as connection:
        rows = connection.execute(
            "SELECT id FROM memories WHERE superseded_by IS NULL AND duplicate_of IS NULL"
        ).fetchall()
    owners = [Reader(person=owner) for owner in ("anna", "ben", "cleo", "dora")]
    shown = []
    for (id_,) in rows:
        event = next(found for owner in owners if (found := index.event(id_, owner)))
        if may_read(reader, event):
            shown.append(id_)
    return shown


def test_history_obeys_the_rule_too(tmp_path: Path) -> None:
    log = ListLog()
    old = log.add("The code is 1234", owner="anna", scope="teacher")
    log.add("The code is 9876", owner="anna", scope="global", supersedes=old.id)
    index = Index(tmp_path, EMBEDDER, logs=[log])
    ben = Reader(person="ben")

    assert len(ids(index, Ask(query="code", history=True), Reader(person="anna"))) == 2
    assert ids(index, Ask(query="code", history=True), ben) == [log.events[1].id]
    assert index.event(old.id, ben) is None


def test_a_neighbour_that_may_not_be_read_lends_no_words(tmp_path: Path) -> None:
    log = ListLog()
    log.add("The diagnosis is measles", type="turn", session="s", scope="teacher", owner="anna")
    log.add("I see, thank you", type="turn", session="s", scope="global", owner="anna")
    index = Index(tmp_path, None, logs=[log])

    assert ids(index, Ask(query="measles"), Reader(person="ben")) == []
    assert len(ids(index, Ask(query="measles"), Reader(person="anna"))) == 1
