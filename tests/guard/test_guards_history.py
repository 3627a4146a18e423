"""History: what was decided is found again, and what a guard would have done to it."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from paige.base.clock import to_iso
from paige.guard.decision_log import keep
from paige.guard.fast.place import Place
from paige.guard.graph.values import Trace
from paige.guard.guards.history import pasts_of, read_history, read_lines, with_traces
from paige.guard.guards.trials import acted, replay, seen_in, shipped_book
from paige.guard.guards.values import LearnedMatcher, PastAction, Replay, ShadowHistory
from paige.guard.learning.keep_or_change import measure
from tests.guard.guard_values import NOON, bash, force_push, proposed

PLACE = Place("/w/app", "/w/app", "/home/u", "", False)


def line(number: int, command: str, decision: str = "none", **more: Any) -> dict[str, Any]:
    return {
        "id": f"l{number}",
        "at": to_iso(NOON + timedelta(minutes=number)),
        "cli": "claude-code",
        "session": "s1",
        "event": "pre_tool",
        "cwd": "/w/app",
        "tool": "Bash",
        "input": {"command": command},
        "call": f"c{number}",
        "decision": decision,
        "rule": "git.force" if decision == "deny" else "",
        **more,
    }


def corrected(at: datetime) -> Trace:
    """That a person said of a forced push that it was wrong."""
    meta = {"input": {"command": "git push --force"}, "corrected_line": "post"}
    return Trace(
        id="t", project="p", at=at, type="correction", session="s1", tool="Bash", meta=meta
    )


def run(guard: Any, pasts: Any) -> Replay:
    return replay(guard, acted(pasts, PLACE, shipped_book()))


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")


def test_what_was_refused_speaks_for_a_guard_and_what_was_fine_against_it() -> None:
    lines = [
        line(1, "git push --force", "deny"),
        line(2, "git push --force-with-lease"),
        line(3, "git push"),
        line(4, "git push --force", "ask"),
        line(5, "git push --force", "ask"),
        line(6, "git push --force", event="post_tool", call="c5"),
    ]
    found = run(force_push(), pasts_of(lines))
    assert found.actions == 5
    assert found.already == ("l1", "l4")
    # One ran without a word, one a person was asked about and let run.
    assert [each.id for each in found.harmless] == ["l2", "l5"]
    assert not found.clean


def test_a_correction_turns_a_harmless_hit_into_a_right_one() -> None:
    pasts = list(pasts_of([line(1, "git push --force"), line(2, "git status")]))
    said = corrected(NOON + timedelta(minutes=3))
    assert not run(force_push(), pasts).clean
    marked = with_traces(pasts, [said])
    found = run(force_push(), marked)
    assert found.clean
    assert found.corrected == ("l1",)


def test_what_paige_had_no_opinion_on_was_fine_only_if_it_ran() -> None:
    passed = line(1, "git push --force", passed=True)
    ran = line(2, "git push --force", passed=True)
    after = {**line(3, "git push --force"), "event": "post_tool", "call": "c2"}

    pasts = list(pasts_of([passed, ran, after]))

    assert [(each.decision, each.allowed) for each in pasts] == [("pass", False), ("pass", True)]


def test_what_was_said_before_an_action_is_not_about_it() -> None:
    pasts = list(pasts_of([line(5, "git push --force")]))
    assert [each.corrected for each in with_traces(pasts, [corrected(NOON)])] == [False]


def test_what_an_agent_only_says_counts_for_nothing() -> None:
    pasts = list(pasts_of([line(1, "git push --force"), line(2, "git push --force", "ask")]))
    said = replace(corrected(NOON + timedelta(minutes=9)), meta={"input": pasts[0].example.input})
    approval = replace(said, type="approval", meta={"asked_line": "l2"})
    found = with_traces(pasts, [said, replace(said, type="approval"), approval])
    assert [(each.corrected, each.approved) for each in found] == [(False, False), (False, True)]


def test_a_refusal_that_only_the_graph_still_knows_counts() -> None:
    kept = replace(
        corrected(NOON),
        type="violation",
        event="pre_tool",
        meta={"input": {"command": "git push --force"}, "line": "old", "decision": "deny"},
    )
    assert run(force_push(), with_traces([], [kept])).already == ("old",)


def test_the_spool_and_the_log_are_one_history(tmp_path: Path) -> None:
    old = [line(1, "git push --force", "deny"), line(2, "git status")]
    keep(tmp_path, old)
    write(tmp_path / "spool" / "claude-code-s1.jsonl", [line(2, "git status"), line(3, "ls")])
    write(tmp_path / "spool" / "claude-code-s2.jsonl.draining", [line(4, "pwd")])
    (tmp_path / "spool" / "half.jsonl").write_text('{"id": "x", "at"', encoding="utf-8")

    found = read_history(Place("/w/app", "/w/app", "", str(tmp_path), False))

    assert [each.id for each in found] == ["l1", "l2", "l3", "l4"]
    assert found[0].example.input == {"command": "git push --force"}


def test_the_log_keeps_who_acted_and_what_guards_noted(tmp_path: Path) -> None:
    noted = line(1, "ls", role="tester", shadow=["a"], overrode=["b"], same="0f")
    keep(tmp_path, [noted, line(2, "", event="stop", tool="", shadow=["a"])])
    found = read_lines(tmp_path)
    assert [each["id"] for each in found] == ["l1", "l2"]
    assert (found[0]["role"], found[0]["shadow"], found[0]["overrode"]) == ("tester", ["a"], ["b"])
    assert found[0]["same"] == "0f"


def test_a_text_that_was_not_kept_makes_a_hit_unclear(tmp_path: Path) -> None:
    given = {"file_path": "/w/app/feature-list.json", "content": '"tested": true'}
    keep(
        tmp_path,
        [line(1, "", tool="Write", input=given), line(2, "", "deny", tool="Write", input=given)],
    )
    pasts = read_history(Place("/w/app", "/w/app", "", str(tmp_path), False))
    guard = force_push(
        matcher=LearnedMatcher(paths=("feature-list.json",), contains=('"tested": true',))
    )
    found = run(guard, pasts)
    assert (found.unclear, found.already, found.clean) == (("l1",), ("l2",), True)


def test_a_guard_with_a_fact_leaves_judging_to_shadow() -> None:
    guard = force_push(matcher=LearnedMatcher(command=("git", "push"), unless=("evidence",)))
    found = run(guard, pasts_of([line(1, "git push"), line(2, "git push", "deny")]))
    assert (found.unclear, found.already, found.clean) == (("l1",), ("l2",), True)


def test_a_guard_of_a_project_is_tried_on_that_project_only() -> None:
    pasts = [*pasts_of([line(1, "git push --force", cwd="/w/other"), line(2, "git push --force")])]
    assert len(acted(pasts, PLACE, shipped_book(), scope="project")) == 1
    assert len(acted(pasts, PLACE, shipped_book(), scope="universal")) == 2


def test_an_action_in_a_worktree_is_judged_from_there_even_when_it_is_gone() -> None:
    cwd = "/w/app/.claude/worktrees/F-1"
    guard = force_push(matcher=LearnedMatcher(paths=("shop/*.py",)))
    lines = [
        line(1, "echo x > shop/a.py", "deny", cwd=cwd),
        line(2, "echo x > a.py", "deny", cwd=f"{cwd}/shop"),
        line(3, "echo x > shop/a.py", "deny"),
        line(4, f"echo x > {cwd}/shop/a.py", "deny"),
    ]
    assert run(guard, pasts_of(lines)).already == ("l1", "l2", "l3")
    assert len(acted(pasts_of(lines), PLACE, shipped_book(), scope="project")) == 4


def test_only_sessions_of_whoever_a_guard_is_about_are_counted() -> None:
    guard = force_push(matcher=LearnedMatcher(command=("git", "push"), agents=("conductor",)))
    lines = [line(each, "git push", "deny", agent_type="conductor", session=f"c{each}")
             for each in range(4)]  # fmt: skip
    lines += [line(each, "ls", agent_type="coder", session=f"s{each}") for each in range(4, 40)]
    actions = acted(pasts_of(lines), PLACE, shipped_book())
    facts = measure(proposed(guard), replay(guard, actions), ShadowHistory(), actions)
    assert (facts.rate, facts.rate_before) == (1.0, 1.0)
    assert (facts.labels, facts.changed, facts.wasted) == (4, 0, 1.0)


def test_what_hooks_noted_is_counted_since_the_guard_is_there() -> None:
    lines = [
        line(1, "git push --force", shadow=["no-force-push"]),
        line(2, "git push --force", "deny", shadow=["no-force-push"]),
        line(3, "git push --force", shadow=["other"]),
        line(4, "git push --force", shadow=["no-force-push"]),
        line(5, "git push --force", "deny", rule="guard:no-force-push"),
    ]
    pasts = {each.id: each for each in pasts_of(lines)}
    since = to_iso(NOON + timedelta(minutes=2))
    seen = seen_in(force_push(), lines, pasts, since=since, overridden=["l5"])
    assert (seen.events, seen.hits, seen.harmless, seen.overridden) == (4, 3, 1, 1)
    assert seen.last == (False, False, True)


decided = st.sampled_from(["none", "deny", "ask", "allow", "modify"])


@given(st.lists(st.tuples(st.sampled_from(["git push", "git push --force", "ls"]), decided,
                          st.booleans(), st.booleans()), max_size=12))  # fmt: skip
def test_every_hit_is_counted_once_and_in_one_place(
    made: list[tuple[str, str, bool, bool]],
) -> None:
    pasts = [
        PastAction(
            id=f"l{at}",
            event="pre_tool",
            example=bash(command),
            decision=decision,
            corrected=wrong,
            approved=approved,
        )
        for at, (command, decision, wrong, approved) in enumerate(made)
    ]
    found = run(force_push(), pasts)
    groups = [*found.already, *found.corrected, *(each.id for each in found.harmless)]
    assert sorted(groups) == sorted(
        each.id for each in pasts if each.example.input["command"] == "git push --force"
    )
    assert all(each.allowed and not each.corrected for each in found.harmless)
