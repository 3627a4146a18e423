"""One run of learning over a real graph: from traces to proposals, report and metrics."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.guard.fast.place import Place
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import NewTrace, Trace, TraceQuery
from paige.guard.guards.values import Example, GuardRecord, PastAction
from paige.guard.learning.learning import (
    approaches_of,
    dump_learned,
    idle_runs,
    known,
    learn,
    learned_lines,
    report_of,
    success,
    switches_of,
)
from paige.guard.learning.metrics import dump_metrics
from paige.guard.learning.proposals import Surroundings
from paige.guard.learning.settings import read_learning, shipped_learning
from paige.store.engine import Database
from tests.guard.learning_cases import NOON, marking, nothing, record_of, running, trace

HERE = Surroundings(root="/code/red", project="red")
DAY = timedelta(days=1)


@pytest.fixture
def graph(db: Database) -> ContextGraph:
    return ContextGraph(db, Actor(), lambda: NOON, project="red")


def new(given: Trace) -> NewTrace:
    return NewTrace(**{each: getattr(given, each) for each in asdict(given)})


def marked(count: int, **given: Any) -> list[NewTrace]:
    """Refused claims of a coding agent, each in a session of its own."""
    return [
        new(
            trace(
                number,
                session=f"s{number}",
                meta={"input": marking(f"F-{number}"), "cwd": "/code/red"},
                why="There is no evidence for the feature",
                what_was_correct="Run the tests first",
                **{"id": f"trace-{given.get('project', 'red')}-{number}", **given},
            )
        )
        for number in range(1, count + 1)
    ]


def attempt(number: int, **meta: Any) -> NewTrace:
    return NewTrace(
        type="decision",
        action="attempt",
        at=NOON - 2 * DAY + timedelta(minutes=number),
        agent="coding-agent",
        feature="F-1",
        session=f"a{number}",
        meta={"attempt": number, "claimed": True, "verified": True, **meta},
    )


@pytest.mark.db
def test_repeated_refusals_become_a_pattern_and_a_guard(graph: ContextGraph) -> None:
    graph.store_many(marked(4))
    found = learn(graph, HERE, NOON)
    (pattern,) = found.patterns
    assert (pattern.count, pattern.sessions, pattern.project) == (4, 4, "red")
    assert len(pattern.traces) == 4
    (proposal,) = found.proposals
    assert proposal.guard.matcher.contains == ('"tested": true',)
    assert proposal.guard.matcher.unless == ("evidence",)
    assert set(proposal.guard.evidence) == set(pattern.traces)
    assert len(proposal.guard.must) == 4
    told = dump_learned(found)
    assert json.loads(json.dumps(told)) == told
    assert "coding-agent tried" in "\n".join(learned_lines(found))


@pytest.mark.db
def test_a_run_changes_nothing_and_looks_nothing_up(graph: ContextGraph) -> None:
    graph.store_many(marked(4))
    before = graph.query(TraceQuery(), budget=False)
    assert learn(graph, HERE, NOON) == learn(graph, HERE, NOON)
    assert graph.query(TraceQuery(), budget=False) == before
    later = report_of(graph, HERE, NOON + 3 * DAY)
    assert later.rows[0].numbers == {"stored": 4, "never_retrieved": 4}


@pytest.mark.db
def test_what_was_looked_up_is_counted_in_the_report(graph: ContextGraph) -> None:
    stored = graph.store_many(marked(10))
    for each in stored[:5]:
        graph.get(each.id, "summary")
    row = report_of(graph, HERE, NOON + 3 * DAY).rows[0]
    assert (row.measured, row.cases, row.verdict) == (0.5, 10, "ok")


def test_mistakes_of_another_project_make_no_guard_here(graph: ContextGraph) -> None:
    graph.store_many(marked(4, project="green"))
    found = learn(graph, HERE, NOON)
    assert found.patterns == ()
    assert found.proposals == ()
    everywhere = learn(graph, Surroundings(), NOON)
    assert [each.project for each in everywhere.patterns] == ["green"]
    assert everywhere.proposals == ()


def test_a_mistake_of_three_projects_makes_a_universal_guard(graph: ContextGraph) -> None:
    for project in ("red", "green", "blue"):
        graph.store_many(marked(2, project=project))
    found = learn(graph, HERE, NOON)
    assert [(each.scope, each.projects) for each in found.patterns] == [("universal", 3)]
    assert [each.guard.scope for each in found.proposals] == ["universal"]


def test_a_mistake_only_a_person_noticed_makes_a_guard_too(graph: ContextGraph) -> None:
    corrections = [
        new(
            running(
                f"npm publish --tag {number}",
                number,
                id=f"trace-c{number}",
                type="correction",
                source="user_correction",
                event="post_tool",
                action="run:npm publish",
                reason="corrected",
                rule="",
                what_was_correct="no, never publish from here",
                session=f"s{number}",
                shape="npm publish --tag <n>",
            )
        )
        for number in (1, 2, 3)
    ]
    graph.store_many(corrections)
    (proposal,) = learn(graph, HERE, NOON).proposals
    assert proposal.guard.event == "pre_tool"
    assert proposal.guard.matcher.command == ("npm", "publish", "--tag")
    assert "never publish from here" in proposal.guard.message


def test_the_report_has_the_numbers_of_attempts_and_reflections(graph: ContextGraph) -> None:
    graph.store_many(
        [attempt(n, approach=("regex", "parser")[n % 2], verified=n != 3) for n in range(1, 8)]
    )
    graph.store_many(
        [
            NewTrace(
                type="decision",
                action="reflect",
                at=NOON - DAY,
                what_happened="It failed",
                what_was_correct=words,
            )
            for words in ("Be careful",) * 3 + ("Close the file in src/a/b.py",) * 3
        ]
    )
    rows = {each.name: each for each in report_of(graph, HERE, NOON).rows}
    assert rows["Over-indexing recent failures"].verdict == "warning"
    assert rows["Over-indexing recent failures"].numbers["turned_back"] == 5
    assert rows["Generic reflections"].measured == 0.5
    assert rows["Self-scoring without validation"].measured == pytest.approx(1 / 7)


@pytest.mark.db
def test_metrics_are_compared_where_the_first_guard_began_to_block(graph: ContextGraph) -> None:
    early = [replace(each, at=NOON - 5 * DAY) for each in marked(3)]
    late = [replace(each, at=NOON, id=f"{each.id}-late", session="z") for each in marked(1)]
    graph.store_many([*early, *late])
    graph.store_many(
        [
            NewTrace(type="decision", action="close-feature", feature=f"F-{n}", at=NOON)
            for n in (1, 2)
        ]
    )
    (proposal,) = learn(graph, HERE, NOON).proposals
    blocking = record_of(proposal.guard, "validate", "production", at=NOON - 2 * DAY)
    guards = replace(HERE, records=(blocking,))
    told = dump_metrics(success(graph, guards, NOON + DAY))
    rows = {each["name"]: each for each in told["metrics"]}
    assert told["moment"] == "2026-03-08T12:00:00.000000Z"
    assert (rows["Repeated mistakes"]["before"], rows["Repeated mistakes"]["after"]) == (
        pytest.approx(2 / 3, abs=1e-3),
        0.0,
    )
    assert rows["User prompts needed"]["after"] == 0.0
    assert told["premature_blocked"] == 1


def test_turns_without_a_call_between_refused_stops_are_counted() -> None:
    def past(event: str, session: str, tool: str = "", decision: str = "allow") -> PastAction:
        example = Example(tool=tool)
        return PastAction(id="x", event=event, example=example, session=session, decision=decision)

    stop, call = ("stop", "a", "", "keep_working"), ("pre_tool", "a", "Bash")
    history = [past(*each) for each in (stop, stop, stop, call, stop)]
    assert idle_runs(history) == [2]
    assert idle_runs([past("stop", "b"), past("pre_tool", "b", "Bash")]) == []


def test_ways_that_were_tried_are_told_by_feature_in_order() -> None:
    assert approaches_of([]) == []
    assert switches_of(GuardRecord(id="x", lineage=nothing())) == ()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Place]:
    """A place whose project has some settings of its own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    def made(text: str) -> Place:
        path = tmp_path / "app" / ".ai" / "guard" / "learning.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        root = str(tmp_path / "app")
        return Place(root, root, str(tmp_path / "home"), str(tmp_path / "data"), True)

    return made


def test_a_project_changes_its_own_numbers_but_not_who_may_block(
    place: Callable[[str], Place],
) -> None:
    found = read_learning(
        place(
            '[patterns]\nleast_count = 5\n[promotion]\npromote = "policy"\n'
            "[rollback]\nleast_overrides = 1\n[keep]\nmost_changed = 99\n"
        )
    )
    assert found.patterns.least_count == 5
    assert found.promotion == shipped_learning().promotion
    assert found.rollback == shipped_learning().rollback
    assert found.keep == shipped_learning().keep


def test_a_person_may_let_a_policy_promote(place: Callable[[str], Place], tmp_path: Path) -> None:
    config = tmp_path / "home" / ".config" / "ai" / "guard" / "learning.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[promotion]\npromote = "policy"\n', encoding="utf-8")
    assert read_learning(place("")).promotion.promote == "policy"
    config.write_text('[promotion]\npromote = "anybody"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="anybody"):
        read_learning(place(""))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[patterns]\nleast_cuont = 3\n", "least_cuont"),
        ("[patterns]\nhalf_life_days = 0\n", "half_life_days"),
        ("[patterns]\nleast_sessions = 0\n", "least_sessions"),
        ("[patterns\n", "not TOML"),
    ],
)
def test_a_number_that_cannot_be_used_is_named(
    place: Callable[[str], Place], text: str, named: str
) -> None:
    with pytest.raises(BadInput, match=named):
        read_learning(place(text))


def test_what_is_known_of_a_place_is_read_from_its_files(place: Callable[[str], Place]) -> None:
    here = place("[proposals]\nmost = 1\n")
    agents = Path(here.root) / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "coding-agent.md").write_text("# Coding\n", encoding="utf-8")
    progress = Path(here.root) / ".claude" / "progress" / "feature-list.json"
    progress.parent.mkdir()
    progress.write_text('{"features": [{"id": "F", "tested": true}]}', encoding="utf-8")
    found = known(here)
    assert found.tested == 1
    assert list(found.agents) == ["coding-agent"]
    assert found.learning is not None
    assert found.learning.proposals.most == 1
    assert found.project.startswith("app")
    progress.write_text("{", encoding="utf-8")
    assert known(here).tested == 0
