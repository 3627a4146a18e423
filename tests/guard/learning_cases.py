"""Groups, traces and actions of made-up histories, for the tests of learning."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from paige.guard.graph.values import Group, Trace
from paige.guard.guards.values import Example, Guard, GuardRecord, PastAction
from paige.guard.learning.patterns import LearnedPattern, find_patterns
from paige.guard.learning.settings import shipped_learning
from paige.memory.lifecycle.staged import Lineage, Stage, Step, begin, move, propose

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
AGENTS = ("coding-agent", "tester-agent")
PROJECTS = ("red", "green", "blue", "grey")


def group(**given: Any) -> Group:
    """One group; what is not given is ordinary."""
    at = given.pop("at", NOON)
    made: dict[str, Any] = {
        "project": "red",
        "agent": "coding-agent",
        "action": "mark-tested",
        "reason": "block-tested-true",
        "shape": ".claude/progress/feature-list.json",
        "type": "violation",
        "session": "s1",
        "day": at.date(),
        "count": 1,
        "overridden": 0,
        "first": at,
        "last": at,
    }
    return Group(**{**made, **given})


def trace(number: int = 1, **given: Any) -> Trace:
    """One trace of a refused write that calls a feature tested."""
    made: dict[str, Any] = {
        "id": f"trace-{number}",
        "project": "red",
        "at": NOON - timedelta(hours=number),
        "type": "violation",
        "agent": "coding-agent",
        "feature": "F-1",
        "source": "enforcement_hook",
        "session": f"s{number % 3}",
        "event": "pre_tool",
        "tool": "Write",
        "action": "mark-tested",
        "reason": "block-tested-true",
        "rule": "block-tested-true",
        "shape": ".claude/progress/feature-list.json",
        "target": ".claude/progress/feature-list.json",
    }
    return Trace(**{**made, **given})


def groups() -> st.SearchStrategy[list[Group]]:
    """Histories of a few agents in a few projects."""
    return st.lists(
        st.builds(
            lambda days, **given: group(at=NOON - timedelta(days=days), **given),
            days=st.integers(0, 60),
            project=st.sampled_from(PROJECTS),
            agent=st.sampled_from(AGENTS),
            action=st.sampled_from(("write", "run:git push")),
            session=st.sampled_from(("s1", "s2", "s3", "")),
            count=st.integers(1, 5),
            type=st.sampled_from(("violation", "correction", "decision", "approval")),
            overridden=st.integers(0, 2),
        ),
        max_size=30,
    )


def marking(feature: str) -> dict[str, Any]:
    """The input of a write that calls a feature tested."""
    return {
        "file_path": "/code/red/.claude/progress/feature-list.json",
        "content": f'{{"features": [{{"id": "{feature}", "status": "done", "tested": true}}]}}',
    }


def running(command: str, number: int = 1, **given: Any) -> Trace:
    """One trace of a refused command."""
    made: dict[str, Any] = {
        "tool": "Bash",
        "action": "run:git push",
        "reason": "git.push-force",
        "rule": "git.push-force",
        "shape": "git push --force",
        "target": command,
        "why": "A forced push overwrites what others pushed",
        "what_was_correct": "Push to a branch of your own.",
        "meta": {"input": {"command": command}, "cwd": "/code/red"},
    }
    return trace(number, **{**made, **given})


def past(number: int, tool: str, given: dict[str, Any], **more: Any) -> PastAction:
    """One action of the history that was allowed."""
    agent = more.pop("agent", "coding-agent")
    made: dict[str, Any] = {
        "id": f"line-{number}",
        "event": "pre_tool",
        "example": Example(tool=tool, input=given, agent=agent),
        "at": NOON,
        "cwd": "/code/red",
    }
    return PastAction(**{**made, **more})


def pattern_of(traces: Sequence[Trace], **given: Any) -> LearnedPattern:
    """The pattern behind some traces of one kind."""
    found = find_patterns(
        [
            group(
                project=each.project,
                agent=each.agent,
                action=each.action,
                reason=each.reason,
                shape=each.shape,
                session=f"s{number}",
                at=each.at,
            )
            for number, each in enumerate([*traces, *traces, *traces])
        ],
        shipped_learning().patterns,
        NOON,
    )
    return replace(found[0], **given)


def nothing() -> Lineage[Guard | None]:
    """The versions of a guard that was never proposed."""
    none: Guard | None = None
    return begin(none, at=NOON, reason="There was no guard.")


def record_of(guard: Guard, *stages: Stage, at: datetime = NOON) -> GuardRecord:
    """A guard that was proposed and went through some stages."""
    lineage = propose(nothing(), guard, at=NOON, reason="learned")
    for each in stages:
        lineage = move(lineage, 1, Step(each, at, "because"))
    return GuardRecord(id=guard.id, lineage=lineage)
