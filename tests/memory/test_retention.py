import pytest

from paige.base.errors import BadInput
from paige.memory.event import Event
from paige.memory.lifecycle.retention import (
    Forget,
    ForgetPlan,
    forget,
    forget_draft,
    leaves,
    plan_forgetting,
)
from tests.memory.life import DAY, LIFE, NOON, SmallMemory, event, held

R = LIFE.retention


def plan(events: list[Event], ask: Forget, *, owner: str = "me") -> ForgetPlan:
    return plan_forgetting(lambda: events, ask, lambda each: each.owner == owner)


def test_what_a_session_said_leaves_after_its_time() -> None:
    old = held(1, at=NOON - 15 * DAY)
    assert leaves(old, long_term=(), now=NOON, thresholds=R)


@pytest.mark.parametrize(
    "changes",
    [
        {"at": NOON - 13 * DAY},
        {"last_recall": NOON - DAY},
        {"scope": "project", "project": "p1"},
        {"type": "fact"},
        {"tier": "cold"},
    ],
)
def test_what_is_young_used_shared_keyed_or_cold_stays(changes: dict[str, object]) -> None:
    kept = held(1, **{"at": NOON - 90 * DAY, **changes})
    assert not leaves(kept, long_term=(), now=NOON, thresholds=R)


def test_what_was_promoted_without_a_project_stays() -> None:
    kept = held(1, at=NOON - 90 * DAY)
    assert not leaves(kept, long_term=("e1",), now=NOON, thresholds=R)


def test_a_plan_shows_what_would_go_and_changes_nothing() -> None:
    found = plan([event(1, "my address"), event(2, "the weather")], Forget(ids=frozenset({"e1"})))
    assert [(each.id, each.shown, each.why) for each in found.going] == [
        ("e1", "my address", "asked for by id")
    ]


def test_a_summary_of_a_forgotten_memory_goes_with_it() -> None:
    events = [
        event(1, "my address"),
        event(2, "the weather"),
        event(3, "my address, the weather", type="summary", payload={"of": ["e1", "e2"]}),
        event(4, "all of it", type="summary", payload={"of": ["e3"]}),
    ]
    assert plan(events, Forget(ids=frozenset({"e1"}))).ids == ("e1", "e3", "e4")


def test_a_pattern_goes_only_when_all_its_evidence_does() -> None:
    events = [event(1), event(2), event(3, type="pattern", evidence=("e1", "e2"))]
    assert plan(events, Forget(ids=frozenset({"e1"}))).ids == ("e1",)
    assert plan(events, Forget(ids=frozenset({"e1", "e2"}))).ids == ("e1", "e2", "e3")


def test_earlier_versions_of_a_forgotten_fact_go_too() -> None:
    events = [event(1, "lives in A"), event(2, "lives in B", supersedes="e1"), event(3)]
    assert plan(events, Forget(ids=frozenset({"e2"}))).ids == ("e1", "e2")


def test_copies_of_a_forgotten_memory_go_too_and_better_words_stay() -> None:
    said = "the key lies under the mat"
    events = [
        event(1, said),
        event(2, said, supersedes="e1", payload={"promoted_from": "e1"}),
        event(3, "", type="recalled", payload={"ids": ["e9"], "query": f"Is it true that {said}?"}),
        event(4, "", type="recalled", payload={"ids": ["e1"], "query": "the key"}),
        event(5, "the key is with Anna", supersedes="e2"),
        event(6, said),  # somebody said it again, and has not asked
    ]
    assert plan(events, Forget(ids=frozenset({"e1"}))).ids == ("e1", "e2", "e3")


def test_all_of_an_owner_before_a_moment() -> None:
    events = [
        event(1, owner="bo", at=NOON - 2 * DAY),
        event(2, owner="bo"),
        event(3, at=NOON - 2 * DAY),
    ]
    assert plan(events, Forget(owner="bo"), owner="bo").ids == ("e1", "e2")
    assert plan(events, Forget(owner="bo", before=NOON - DAY), owner="bo").ids == ("e1",)
    assert plan(events, Forget(before=NOON - DAY), owner="me").ids == ("e3",)


def test_what_belongs_to_someone_else_is_refused_and_what_nobody_knows_is_named() -> None:
    found = plan([event(1, owner="bo")], Forget(ids=frozenset({"e1", "e9"})))
    assert (found.ids, found.missing) == ((), ("e9",))
    assert [each.id for each in found.refused] == ["e1"]


def test_a_wish_that_names_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="nothing is named"):
        plan([event(1)], Forget())


def test_forgetting_writes_the_event_and_takes_the_content() -> None:
    memory = SmallMemory()
    memory.add("my address")
    found = plan(memory.events, Forget(ids=frozenset({"e1"}), reason="moved", by="me"))

    assert forget(found, lambda draft: memory.write([draft]), memory.erase) == 1
    assert memory.all() == []
    assert memory.events[0].text == ""
    assert memory.events[1].payload == {"ids": ["e1"], "reason": "moved", "by": "me"}
    assert "address" not in str(forget_draft(found))


def test_an_empty_plan_does_nothing() -> None:
    found = plan([], Forget(ids=frozenset({"e1"})))
    assert forget(found, lambda _: pytest.fail("wrote"), lambda _: 0) == 0
