from paige.memory.event import AgentRef
from paige.memory.lifecycle.summaries import Summary, circle_of, group, passages, summary_draft
from tests.memory.life import DAY, NOON, held

SAID = Summary("in short", "extract", "no model is set")


def test_one_session_is_one_group_in_order_of_time() -> None:
    memories = [held(n, at=NOON - n * DAY) for n in range(1, 5)]
    (found,) = group(memories, "session end", least=2, most=100)
    assert found.ids == ("e4", "e3", "e2", "e1")


def test_without_a_session_and_from_warm_to_cold_a_month_is_one_group() -> None:
    place = {"scope": "project", "project": "p1"}
    memories = [held(n, at=NOON - 20 * n * DAY, session=f"s{n}", **place) for n in range(4)]
    parts = {each.part: each.ids for each in group(memories, "warm to cold", least=1, most=9)}
    assert parts == {"03/2026": ("e0",), "02/2026": ("e1",), "01/2026": ("e3", "e2")}


def test_memories_with_different_readers_are_never_summarised_together() -> None:
    memories = [
        held(1),
        held(2, owner="bo"),
        held(3, scope="project", project="p1"),
        held(4, acl=("role:head",)),
        held(5, scope="class", payload={"class_id": "2A"}),
        held(6, scope="class", payload={"class_id": "3B"}),
        held(7, scope="agent", agent=AgentRef("a1")),
        held(8, scope="learner", payload={"learner": "l1"}),
    ]

    groups = group(memories, "session end", least=1, most=9)
    assert len(groups) == len(memories)
    assert len({circle_of(each) for each in memories}) == len(memories)


def test_small_groups_are_left_and_large_ones_are_cut() -> None:
    memories = [held(n) for n in range(10)]
    assert [len(each.held) for each in group(memories, "session end", least=3, most=4)] == [4, 4]
    assert group([held(1, "   ")], "session end", least=1, most=4) == []


def test_a_summary_says_what_it_is_of_and_keeps_the_place() -> None:
    memories = [
        held(n, at=NOON + n * DAY, scope="class", payload={"class_id": "2A"}, acl=("bo",))
        for n in range(2)
    ]
    (found,) = group(memories, "hot to warm", least=1, most=9)
    draft = summary_draft(found, "hot to warm", SAID, "old")
    assert (draft.type, draft.text, draft.scope) == ("summary", "in short", "class")
    assert (draft.acl, draft.session, draft.importance) == (("bo",), "s1", 0.6)
    assert draft.payload == {
        "of": ["e0", "e1"],
        "tier": "warm",
        "boundary": "hot to warm",
        "from": "2026-03-02T12:00:00.000000Z",
        "to": "2026-03-03T12:00:00.000000Z",
        "method": "extract",
        "reason": "old; no model is set",
        "class_id": "2A",
    }
    assert draft.id == summary_draft(found, "hot to warm", SAID, "other").id
    assert [each.id for each in passages(found)] == ["e0", "e1"]
