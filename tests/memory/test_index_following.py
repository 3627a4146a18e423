from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from paige.memory.access import Reader
from paige.memory.event import SCOPES, AgentRef, Event, Provenance, dump_event
from paige.memory.index.index import Index
from paige.memory.index.preparation import pack_event, prepare, unpack_event
from paige.memory.index.queries import MEMORY_COLUMNS
from paige.memory.retrieval.indexed_text import indexed_text, length_of, told_of
from paige.memory.search_values import Ask
from tests.memory.indexing import EMBEDDER, START, ListLog

ANNA = Reader(person="anna")
NAMES = st.text("abcÄ-1", max_size=4)
MAYBE = st.none() | NAMES
JSON = st.dictionaries(NAMES, st.none() | st.booleans() | st.integers(-9, 9) | NAMES, max_size=3)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40) | st.lists(
    st.sampled_from(["I", "my", "We", "us", "readQuestion", "i_x", "Ärger", "x2Y", ".", "?", "no"])
).map(" ".join)
EVENTS = st.builds(
    Event,
    id=st.just("e1"),
    seq=st.just(1),
    at=st.datetimes().map(lambda at: START.replace(year=1971 + at.year % 90, second=at.second)),
    type=st.sampled_from(["note", "turn", "fact"]),
    scope=st.sampled_from(SCOPES),
    owner=NAMES.filter(bool),
    project=MAYBE,
    session=MAYBE,
    acl=st.lists(NAMES, max_size=2).map(tuple),
    agent=st.builds(AgentRef, MAYBE, MAYBE, MAYBE),
    task=MAYBE,
    text=TEXTS,
    payload=JSON,
    outcome=MAYBE,
    importance=st.floats(0, 1),
    evidence=st.lists(NAMES, max_size=2).map(tuple),
    provenance=st.builds(Provenance, MAYBE, MAYBE),
    supersedes=MAYBE,
    extra=st.dictionaries(st.sampled_from(["one", "two", "three", "four"]), JSON),
)


@given(EVENTS)
def test_an_event_comes_back_as_it_was_packed(event: Event) -> None:
    assert unpack_event(pack_event(event)) == event


@given(TEXTS, st.none() | st.sampled_from(["Mo", "user"]))
@example("i_x and u\u017f", "Mo")
def test_short_cuts_give_what_the_ranking_defines(text: str, speaker: str | None) -> None:
    log = ListLog()
    event = log.add(text, payload={} if speaker is None else {"speaker": speaker})
    seals = {"salt": "", "digest": "", "prev": "", "hash": ""}
    for fields in (dump_event(event), dump_event(event) | seals):
        ready = prepare([fields], None).items[0].ready

        assert ready is not None
        memory = dict(zip(MEMORY_COLUMNS.split(", "), ready.memory, strict=True))
        assert memory["length"] == length_of(text)
        assert ready.told == told_of(text, speaker)
        assert ready.words == indexed_text(text)
        assert unpack_event(memory["body"]) == event


def test_lines_that_are_no_events_are_left_out() -> None:
    log = ListLog()
    good = dump_event(log.add("good"))
    bad = [good | {"scope": "galaxy"}, good | {"at": "noon"}, good | {"id": 7}, {"seq": 1}]

    assert [item.id for item in prepare([*bad, good], None).items] == [good["id"]]


def test_a_rebuilt_index_answers_as_the_one_that_grew(tmp_path: Path) -> None:
    """Event by event, in batches, or at once: the same rows, the same order, the same scores."""
    log = ListLog()
    grown = Index(tmp_path / "grown", EMBEDDER, logs=[log])
    asks = [Ask(query=query, k=100) for query in ("tea and bread", "bread", "rain", "")]
    words = ("tea", "bread", "rain", "school", "music")
    for number in range(120):
        said = log.add(
            f"{words[number % 5]} with {words[number % 3]} {number % 40}",
            type="fact" if number % 7 == 0 else "turn",
            session=f"s{number % 4}",
            payload={"key": f"k{number % 21}", "speaker": words[number % 2]},
        )
        target = log.events[max(0, said.seq - 9)].id
        if number % 10 == 3:
            log.add(type="rescoped", payload={"of": target, "project": "house"})
        if number % 10 == 5:
            log.add(type="recalled", session="s1", payload={"ids": [target]})
        if number % 20 == 7:
            log.add(type="forgotten", payload={"ids": [target]})
        if number % 20 == 11:
            log.add("instead " + said.text, supersedes=target)
        if number % 20 == 17:
            log.add(type="promoted", payload={"of": target, "to": "global"})
        grown.catch_up_all()
    rebuilt = Index(tmp_path / "rebuilt", EMBEDDER, logs=[log])

    for ask in asks:
        for each in (ask, replace(ask, history=True), replace(ask, project="house")):
            first = grown.search(each, ANNA).results
            assert first == rebuilt.search(each, ANNA).results
            assert first or each.project
    assert grown.verify() == rebuilt.verify() == []
    assert grown.counts() == rebuilt.counts()
