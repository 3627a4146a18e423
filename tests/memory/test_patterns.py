from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import Event
from paige.memory.lifecycle.episodes import Episode, episode_draft
from paige.memory.lifecycle.patterns import (
    Kind,
    cases_of,
    derive,
    outdated,
    pattern_draft,
    wilson_lower,
)
from tests.memory.life import DAY, LIFE, NOON, SmallMemory

P = LIFE.patterns


def told(*outcomes: str, project: str | None = "p1", **fields: object) -> SmallMemory:
    """A memory with one kind of episode, ended like this."""
    memory = SmallMemory()
    tell(memory, *outcomes, project=project, **fields)
    return memory


def tell(memory: SmallMemory, *outcomes: str, project: str | None = "p1", **fields: object) -> None:
    for number, outcome in enumerate(outcomes, len(memory.events)):
        episode = Episode(f"run tests in a{number}.py", "pytest", None, outcome, "clear cache", 0.5)
        draft = episode_draft(episode, project=project, session=f"s{number}")
        memory.add(
            draft.text,
            **{
                "type": "episode",
                "task": draft.task,
                "outcome": outcome,
                "payload": draft.payload,
                "project": project,
                "session": f"s{number}",
                "at": NOON + number * DAY,
                **fields,
            },
        )


def known(memory: SmallMemory) -> dict[tuple[Kind, str], Event]:
    return {
        (each.event.type, each.event.key or ""): each.event  # type: ignore[misc]
        for each in memory.newest(("pattern", "anti_pattern"), 100)
    }


def learn(memory: SmallMemory) -> list[str]:
    """Derive and write; returns the texts of what was new."""
    cases = cases_of(memory.events)
    drafts = [pattern_draft(each) for each in derive(cases, known(memory), P)]
    assert all(result.status == "stored" for result in memory.write(drafts))
    return [draft.text for draft in drafts]


def test_three_successes_make_a_pattern_with_its_evidence() -> None:
    memory = told("success", "success", "success")
    assert learn(memory) == [
        "Works: run tests in a2.py with pytest by `clear cache`. "
        "3 of 3 episodes worked; confidence 0.53."
    ]
    pattern = memory.events[-1]
    assert (pattern.type, pattern.scope, pattern.project) == ("pattern", "project", "p1")
    assert pattern.evidence == ("e1", "e2", "e3")
    assert pattern.payload["shape"]["task"] == "run tests in <file>"


def test_three_failures_make_a_warning() -> None:
    memory = told("failure", "failure", "success", "failure")
    (text,) = learn(memory)
    assert text.startswith("Avoid: ")
    assert memory.events[-1].payload["kind"] == "failed_fix"
    assert memory.events[-1].payload["validated_at"].startswith("2026-03-05")


@pytest.mark.parametrize(
    "outcomes", [("success", "success"), ("success", "failure", "success", "failure")]
)
def test_too_few_or_mixed_episodes_make_nothing(outcomes: tuple[str, ...]) -> None:
    assert learn(told(*outcomes)) == []


def test_deriving_again_writes_nothing() -> None:
    memory = told("success", "success", "success")
    assert len(learn(memory)) == 1
    assert learn(memory) == []


def test_more_evidence_supersedes_the_pattern_when_it_matters() -> None:
    memory = told("success", "success", "success")
    learn(memory)
    first = memory.events[-1].id
    tell(memory, *["success"] * 5)
    assert len(learn(memory)) == 1
    assert memory.events[-1].supersedes == first
    tell(memory, "success")
    assert learn(memory) == []  # 9 instead of 8 of them changes little


def test_a_pattern_that_stops_working_is_outdated() -> None:
    memory = told("success", "success", "success")
    learn(memory)
    assert outdated(cases_of(memory.events), known(memory), P) == []
    tell(memory, "failure", "failure")
    ((pattern, reason),) = outdated(cases_of(memory.events), known(memory), P)
    assert (pattern.type, reason) == ("pattern", "only 3 of 5 episodes worked")


def test_episodes_of_two_projects_or_owners_are_not_mixed() -> None:
    memory = told("success", "success", project="p1")
    tell(memory, "success", project="p2")
    tell(memory, "success", project="p1", owner="bo")
    assert learn(memory) == []


def test_private_episodes_make_private_patterns() -> None:
    memory = told(*["success"] * 3, scope="class")
    memory.events = [
        replace(each, payload={**each.payload, "class_id": "2A"}) for each in memory.events
    ]
    learn(memory)
    assert (memory.events[-1].scope, memory.events[-1].class_id) == ("class", "2A")


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_lower_bound_is_below_the_share_and_grows_with_evidence(wins: int, losses: int) -> None:
    total = wins + losses
    low = wilson_lower(wins, total)
    assert 0 <= low <= 1
    if total:
        assert low <= wins / total + 1e-9
        assert wilson_lower(2 * wins, 2 * total) >= low - 1e-9


@given(st.lists(st.sampled_from(["success", "failure"]), max_size=30))
def test_deriving_is_idempotent_whatever_happened(outcomes: list[str]) -> None:
    memory = told(*outcomes)
    learn(memory)
    count = len(memory.events)
    learn(memory)
    assert len(memory.events) == count
