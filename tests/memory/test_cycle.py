"""The jobs, each over a memory small enough to see through."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.ids import new_id
from paige.memory.event import SCOPES, Draft, Provenance
from paige.memory.lifecycle import cycle, promotion_jobs
from paige.memory.lifecycle.cycle import policy_book
from paige.memory.lifecycle.job_run import JobResult, Run
from paige.memory.lifecycle.ledger import Ledger
from paige.memory.lifecycle.promotion import PRIVATE
from tests.memory.life import DAY, LIFE, NOON, SmallMemory
from tests.memory.test_patterns import tell


def run(memory: SmallMemory, job: Callable[[Run], JobResult], **changes: Any) -> JobResult:
    """Run a job over everything the memory holds, with a ledger made from its log."""
    ledger = changes.pop("ledger", None) or Ledger()
    ledger.take_in("main", memory.read(ledger.place("main").seq))
    now: datetime = changes.pop("now", NOON)
    memory.now = now
    fields = {
        "ledger": ledger,
        "reading": memory,
        "write": memory.write,
        "lifecycle": LIFE,
        "now": now,
        "expired": lambda: False,
        "limit": 1000,
        "session": "s1",
        "erase": memory.erase,
    }
    return job(Run(**{**fields, **changes}))


def preference(memory: SmallMemory, text: str = "likes tabs", **fields: Any) -> str:
    return memory.add(text, **{"type": "preference", "payload": {"key": "indent"}, **fields})


# Promotion


def test_what_a_session_learned_goes_to_its_project_with_where_it_comes_from() -> None:
    memory = SmallMemory()
    preference(memory, project="p1", provenance=Provenance("s1", "t1"))
    memory.add("hello", type="turn", project="p1")
    memory.add("the build needs Java", importance=0.9, project="p1")
    run(memory, promotion_jobs.promote_session)
    promoted = memory.of_type("promoted")
    assert [each.payload["source"] for each in promoted] == ["e1", "e3"]
    for each in promoted:
        assert (each.payload["from"], each.payload["to"]) == ("session", "project")
        assert "score" in each.payload["reason"]
    assert tuple(promoted[0].provenance) == ("s1", "t1")
    scopes = {each.event.text: each.event.scope for each in memory.all() if each.current}
    assert scopes == {
        "likes tabs": "project",
        "hello": "session",
        "the build needs Java": "project",
    }


def test_promoting_twice_promotes_once() -> None:
    memory = SmallMemory()
    preference(memory, project="p1")
    preference(memory, "likes tea")
    assert run(memory, promotion_jobs.promote_session).written == 3
    assert run(memory, promotion_jobs.promote_session).written == 0
    stale = Ledger(written=dict.fromkeys(each.id for each in memory.of_type("promoted")))
    assert run(memory, promotion_jobs.promote_session, ledger=stale).written == 0


def test_sessions_that_nobody_ended_are_ended_after_a_day() -> None:
    memory = SmallMemory()
    preference(memory, session="lost", project="p1")
    assert run(memory, promotion_jobs.promote_session, session=None).written == 0
    assert (
        run(memory, promotion_jobs.promote_session, session=None, now=NOON + 2 * DAY).written == 2
    )


def proven(memory: SmallMemory, project: str, *, success: bool = True) -> str:
    id = preference(memory, scope="project", project=project, importance=0.9)
    for _ in range(3):
        memory.add("", type="recalled", payload={"ids": [id]})
        memory.add("", type="outcome", payload={"success": success, "recalled": [id]})
    return id


def test_what_helped_in_two_projects_goes_everywhere_once() -> None:
    memory = SmallMemory()
    first, second = proven(memory, "p1"), proven(memory, "p2")
    assert run(memory, promotion_jobs.promote_project).written == 2
    (promoted,) = memory.of_type("promoted")
    assert (promoted.payload["to"], promoted.payload["source"]) == ("global", second)
    assert promoted.evidence == (first, second)
    copy = memory.get(promoted.payload["of"])[0].event
    assert (copy.scope, copy.text, copy.supersedes) == ("global", "likes tabs", second)
    assert run(memory, promotion_jobs.promote_project).written == 0


@pytest.mark.parametrize("second", [None, False])
def test_one_project_or_no_success_is_not_enough(second: bool | None) -> None:
    memory = SmallMemory()
    proven(memory, "p1")
    if second is not None:
        proven(memory, "p2", success=second)
    assert run(memory, promotion_jobs.promote_project).written == 0


@given(st.lists(st.tuples(st.sampled_from(SCOPES), st.sampled_from(["p1", "p2"])), max_size=8))
def test_private_memories_stay_private_whatever_jobs_run(placed: list[tuple[str, str]]) -> None:
    memory = SmallMemory()
    for scope, project in placed:
        id = preference(memory, scope=scope, project=project, importance=1.0)
        memory.add("", type="outcome", payload={"success": True, "recalled": [id]})
    before = {each.id: each.event.scope for each in memory.all()}
    for job in (promotion_jobs.promote_session, promotion_jobs.promote_project):
        run(memory, job)
    for each in memory.all():
        if before.get(each.id) in PRIVATE:
            assert each.event.scope == before[each.id]


# Summaries


def talk(memory: SmallMemory, count: int = 5, **fields: Any) -> None:
    for number in range(count):
        memory.add(f"In step {number} Ada changed file {number}.", **{"type": "turn", **fields})


def test_an_ended_session_is_summarised_and_its_memories_stay_near() -> None:
    memory = SmallMemory()
    talk(memory)
    assert run(memory, cycle.summarise_session).written == 1
    summary = memory.events[-1]
    assert (summary.scope, summary.session) == ("session", "s1")
    assert "Ada" in summary.text
    assert {each.tier for each in memory.all()} == {"hot"}
    assert run(memory, cycle.summarise_session).written == 0


def test_memories_get_warm_then_cold_each_time_with_a_summary() -> None:
    memory = SmallMemory()
    talk(memory, scope="project", project="p1")
    assert run(memory, cycle.summarise_tiers, now=NOON + 5 * DAY).written == 0
    assert run(memory, cycle.summarise_tiers, now=NOON + 40 * DAY).written == 1
    assert {each.tier for each in memory.all() if each.event.type == "turn"} == {"warm"}
    assert run(memory, cycle.summarise_tiers, now=NOON + 40 * DAY).written == 0
    assert run(memory, cycle.summarise_tiers, now=NOON + 400 * DAY).written == 1
    assert {each.tier for each in memory.all() if each.event.type == "turn"} == {"cold"}
    assert len([each for each in memory.events if each.type == "turn"]) == 5


def test_a_model_may_write_the_summary() -> None:
    memory = SmallMemory()
    talk(memory)
    run(memory, cycle.summarise_session, model=lambda _: "Ada changed some files.")
    assert memory.events[-1].text == "Ada changed some files."
    assert memory.events[-1].payload["method"] == "model"


def test_a_sweep_goes_on_where_it_stopped_and_starts_again_at_the_end() -> None:
    memory = SmallMemory()
    for session in ("s1", "s2", "s3"):
        talk(memory, scope="project", project="p1", session=session)
    ledger = Ledger()
    later = NOON + 40 * DAY
    dids = [run(memory, cycle.summarise_tiers, ledger=ledger, now=later, limit=5) for _ in range(4)]
    assert [(did.seen, did.written, did.more) for did in dids[:3]] == [(5, 1, True)] * 3
    assert len(memory.of_type("summary")) == 3
    assert ledger.marks["tiers"] == 0


def test_the_deadline_ends_a_job_early() -> None:
    memory = SmallMemory()
    talk(memory)
    did = run(memory, cycle.summarise_session, expired=lambda: True)
    assert did == JobResult(0, 0, True)


# Retention


def test_what_nobody_kept_leaves_the_near_memory_but_not_the_log() -> None:
    memory = SmallMemory()
    memory.add("a passing remark")
    kept = preference(memory, "likes tea")
    run(memory, promotion_jobs.promote_session)
    did = run(memory, cycle.retain, now=NOON + 15 * DAY)
    assert did.written == 1
    tiers = {each.id: each.tier for each in memory.all() if each.event.type != "summary"}
    assert tiers == {"e1": "cold", kept: "hot"}
    assert memory.events[0].text == "a passing remark"
    assert run(memory, cycle.retain, now=NOON + 16 * DAY).written == 0


def test_forgetting_that_was_interrupted_is_finished() -> None:
    memory = SmallMemory()
    memory.add("my address")
    memory.add("", type="forgotten", payload={"ids": ["e1"], "reason": "asked", "by": "me"})
    ledger = Ledger()
    run(memory, cycle.retain, ledger=ledger)
    assert memory.erased == {"e1"}
    assert dict(ledger.erase) == {}


# Patterns and warnings


def test_episodes_become_patterns_once() -> None:
    memory = SmallMemory()
    tell(memory, "success", "success", "success")
    ledger = Ledger()
    assert run(memory, cycle.derive_patterns, ledger=ledger).written == 1
    assert run(memory, cycle.derive_patterns, ledger=ledger) == JobResult()
    assert run(memory, cycle.derive_patterns).written == 0


def test_a_warning_is_confirmed_weakened_and_retired_by_what_happens() -> None:
    memory = SmallMemory()
    tell(memory, *["failure"] * 3)
    run(memory, cycle.derive_patterns, now=NOON + 4 * DAY)
    first = memory.of_type("anti_pattern")[-1]
    tell(memory, "failure")
    run(memory, cycle.derive_patterns, now=NOON + 6 * DAY)
    second = memory.of_type("anti_pattern")[-1]
    assert second.supersedes == first.id
    assert second.payload["confidence"] > first.payload["confidence"]
    assert second.payload["reason"].startswith("it failed again")
    run(memory, cycle.derive_patterns, now=NOON + 6 * DAY)
    assert memory.of_type("anti_pattern")[-1] == second
    tell(memory, "success", "success", "success")
    run(memory, cycle.derive_patterns, now=NOON + 9 * DAY)
    retired = memory.of_type("retracted")[-1]
    assert retired.payload["of"] == [second.id]
    assert "too little to warn" in retired.payload["reason"]
    assert memory.newest(("anti_pattern",), 10) == []


def test_a_warning_nothing_confirms_is_retired_by_time() -> None:
    memory = SmallMemory()
    memory.add("never use eval", type="anti_pattern", payload={"confidence": 0.8})
    assert run(memory, cycle.decay, now=NOON + 30 * DAY).written == 0
    assert run(memory, cycle.decay, now=NOON + 200 * DAY).written == 1
    assert run(memory, cycle.decay, now=NOON + 200 * DAY).written == 0
    assert memory.events[0].text == "never use eval"


def test_a_pattern_that_stops_working_is_retracted() -> None:
    memory = SmallMemory()
    tell(memory, *["success"] * 3)
    run(memory, cycle.derive_patterns)
    tell(memory, *["failure"] * 3)
    run(memory, cycle.derive_patterns, now=NOON + 9 * DAY)
    assert memory.of_type("retracted")[-1].payload["reason"] == "only 3 of 6 episodes worked"


# Improvement


def test_importance_follows_use_in_one_event_with_what_changed() -> None:
    memory = SmallMemory()
    good, bad, idle = (memory.add(text) for text in ("good", "bad", "idle"))
    for _ in range(6):
        memory.add("", type="recalled", payload={"ids": [good, bad]})
        memory.add("", type="outcome", payload={"success": True, "recalled": [good]})
        memory.add("", type="outcome", payload={"success": False, "recalled": [bad]})
    ledger = Ledger()
    assert run(memory, cycle.recalibrate, ledger=ledger).written == 1
    scores = memory.events[-1].payload["scores"]
    assert scores[good] > 0.5 > scores[bad]
    assert idle not in scores
    assert "6 of 6 tasks with it ended well" in str(memory.events[-1].payload["reasons"][good])
    assert run(memory, cycle.recalibrate, ledger=ledger).written == 0
    assert dict(ledger.touched) == {}


def test_policies_take_their_next_step_once() -> None:
    memory = SmallMemory()
    for number in range(60):
        payload = {"success": number % 2 == 0}
        memory.add("", type="outcome", payload=payload, session=f"s{number}")
    ledger = Ledger()
    assert run(memory, cycle.improve_policies, ledger=ledger).written == 1
    assert run(memory, cycle.improve_policies, ledger=ledger).written == 0
    (lineage,) = policy_book(ledger.policies, LIFE).lineages.values()
    assert lineage.tried is not None


def test_what_the_broker_refuses_is_reported_and_tried_again() -> None:
    memory = SmallMemory()
    preference(memory, project="p1")
    memory.refuse.add("preference")
    ledger, refused = Ledger(), []
    assert run(memory, promotion_jobs.promote_session, ledger=ledger, refused=refused).written == 1
    assert refused == ["preference: the test says no"]
    memory.refuse.clear()
    assert run(memory, promotion_jobs.promote_session, ledger=ledger).written == 1
    assert [each.event.scope for each in memory.all() if each.current] == ["project"]


def test_drafts_are_written_in_small_batches() -> None:
    memory = SmallMemory()
    sizes: list[int] = []

    def write(drafts: list[Draft]) -> Any:
        sizes.append(len(drafts))
        return memory.write(drafts)

    for number in range(LIFE.jobs.most_drafts + 5):
        preference(memory, f"likes {number}", project="p1", payload={"key": f"k{number}"})
    run(memory, promotion_jobs.promote_session, write=write)
    assert sizes == [LIFE.jobs.most_drafts, LIFE.jobs.most_drafts, 10]


def test_a_long_session_is_summarised_in_parts_and_a_pause_is_no_end() -> None:
    memory = SmallMemory()
    talk(memory, 10)
    assert run(memory, cycle.summarise_session, paused=True).written == 0
    talk(memory, LIFE.summary.most_group)
    assert run(memory, cycle.summarise_session, paused=True).written == 1
    assert run(memory, cycle.summarise_session, paused=True).written == 0
    assert run(memory, cycle.summarise_session).written == 1
    assert run(memory, cycle.summarise_session).written == 0
    parts = [each.payload["of"] for each in memory.of_type("summary")]
    assert [len(each) for each in parts] == [LIFE.summary.most_group, 10]
    assert set(parts[0]).isdisjoint(parts[1])


def test_a_session_stays_open_when_its_summary_failed() -> None:
    memory = SmallMemory()
    talk(memory)
    ledger = Ledger()
    run(
        memory,
        promotion_jobs.promote_session,
        ledger=ledger,
        failed=frozenset({"summarise_session"}),
    )
    assert list(ledger.sessions) == ["s1"]
    run(memory, promotion_jobs.promote_session, ledger=ledger)
    assert list(ledger.sessions) == []


def test_an_old_talk_that_was_just_imported_is_not_old() -> None:
    memory = SmallMemory()
    long_ago = NOON - 1000 * DAY
    for number in range(5):
        id = new_id(NOON, number.to_bytes(10))
        memory.add(f"line {number}", id=id, at=long_ago, scope="project", project="p1")
    assert run(memory, cycle.summarise_tiers, now=NOON + DAY).written == 0
    assert run(memory, cycle.summarise_tiers, now=NOON + 60 * DAY).written == 1
