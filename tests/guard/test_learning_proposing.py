"""Guards out of patterns: generalised from the calls, tried on what was allowed, few a run."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from paige.guard.graph.values import Trace
from paige.guard.guards.parser import dump_guard, parse_guard
from paige.guard.guards.trials import matches
from paige.guard.guards.values import Example, Guard, LearnedMatcher
from paige.guard.learning.generalization import longest_shared
from paige.guard.learning.proposals import (
    Proposal,
    SkippedPattern,
    Surroundings,
    dump_proposal,
    guard_id,
    propose,
    propose_one,
)
from paige.guard.learning.settings import shipped_learning
from paige.memory.lifecycle.staged import Stage
from tests.depth import examples
from tests.guard.learning_cases import NOON, marking, past, pattern_of, record_of, running, trace

LEARNING = shipped_learning()
HERE = Surroundings(root="/code/red")
FORCED = (
    running("git push --force", 1),
    running("git push origin main --force", 2),
    running("cd sub && git push -u origin x --force", 3),
)
MARKED = tuple(
    trace(
        number,
        meta={"input": marking(f"F-{number}"), "cwd": "/code/red"},
        why="There is no evidence for the feature",
        what_was_correct="Run the tests first",
    )
    for number in (1, 2, 3)
)


def proposed(traces: tuple[Trace, ...], known: Surroundings = HERE, **given: Any) -> Guard:
    one = propose_one(pattern_of(traces, **given), traces, known, LEARNING, NOON)
    assert isinstance(one, Proposal), one
    return one.guard


def skipped(traces: tuple[Trace, ...], known: Surroundings = HERE, **given: Any) -> str:
    one = propose_one(pattern_of(traces, **given), traces, known, LEARNING, NOON)
    assert isinstance(one, SkippedPattern), one
    return one.why


def test_commands_become_the_words_they_share_wherever_those_stand() -> None:
    guard = proposed(FORCED)
    assert guard.matcher == LearnedMatcher(
        tools=("shell",), agents=("coding-agent",), command=("git", "push", "**", "--force")
    )
    assert matches(guard, Example(tool="Bash", input={"command": "git push a b c --force"},
                                  agent="coding-agent"))  # fmt: skip
    assert guard.event == "pre_tool"
    assert guard.decision == "deny"
    assert guard.evidence == ("trace-1", "trace-2", "trace-3")


BY_MAIN = tuple(replace(each, agent="main") for each in FORCED)


def test_what_the_main_agent_of_a_coding_cli_must_not_do_nobody_must() -> None:
    guard = proposed(BY_MAIN)
    assert guard.matcher == LearnedMatcher(
        tools=("shell",), command=("git", "push", "**", "--force")
    )
    for agent in ("main", "planner", "coding-agent"):
        call = Example(tool="bash", input={"command": "git push x --force"}, agent=agent)
        assert matches(guard, call), agent


def test_where_that_would_stop_what_was_fine_the_guard_is_for_the_main_agent_only() -> None:
    fine = past(1, "bash", {"command": "git push --force origin mine"}, agent="planner")
    guard = proposed(BY_MAIN, replace(HERE, history=(fine,)))
    assert guard.matcher.agents == ("main",)
    assert not matches(guard, fine.example)
    assert matches(guard, replace(fine.example, agent="main"))


def test_the_message_says_why_and_what_is_right() -> None:
    assert proposed(FORCED).message == (
        "A forced push overwrites what others pushed. Push to a branch of your own. "
        "This was refused 9 times before: do not try it in another way."
    )


def test_what_was_allowed_and_looks_most_alike_is_what_it_must_not_meet() -> None:
    history = (
        past(1, "Bash", {"command": "ls"}),
        past(2, "Bash", {"command": "git push origin main"}),
        past(3, "Bash", {"command": "git status"}),
        past(4, "Bash", {"command": "git push origin x --force"}, decision="deny"),
    )
    guard = proposed(FORCED, replace(HERE, history=history))
    assert [each.input["command"] for each in guard.must_not][:2] == [
        "git push origin main",
        "git status",
    ]
    assert len(guard.must_not) == 3


def test_nothing_is_proposed_that_would_have_stopped_what_was_fine() -> None:
    history = (past(1, "Bash", {"command": "git push --force origin mine"}),)
    why = skipped(FORCED, replace(HERE, history=history))
    assert why == "Nothing tells its calls from harmless ones."
    elsewhere = (replace(history[0], cwd="/code/green"),)
    assert proposed(FORCED, replace(HERE, history=elsewhere))


def test_what_a_person_corrected_afterwards_was_not_fine() -> None:
    history = (past(1, "Bash", {"command": "git push --force origin mine"}, corrected=True),)
    assert proposed(FORCED, replace(HERE, history=history))


def test_a_write_is_known_by_its_file_its_text_and_the_fact_that_would_make_it_right() -> None:
    guard = proposed(MARKED)
    assert guard.matcher == LearnedMatcher(
        tools=("write",),
        agents=("coding-agent",),
        paths=(".claude/progress/feature-list.json",),
        contains=('"tested": true',),
        unless=("evidence",),
    )
    again = Example(tool="Write", input=guard.must[0].input, agent="coding-agent")
    assert matches(guard, again)
    assert not matches(guard, replace(again, facts=("evidence",)))
    assert guard.must_not[0].facts == ("evidence",)


def test_other_writes_to_the_same_file_stay_possible() -> None:
    begun = {**marking("F-9"), "content": '{"features": [{"id": "F-9", "tested": false}]}'}
    guard = proposed(MARKED, replace(HERE, history=(past(1, "Write", begun),)))
    assert len(guard.must_not) == 2
    assert "F-9" in str(guard.must_not[1].input)


def test_files_become_the_folder_and_the_ending_they_share() -> None:
    def edit(number: int, path: str) -> Trace:
        return trace(
            number,
            agent="main",
            tool="Edit",
            action="edit-source",
            reason="block-direct-edit",
            shape="src/**/*.py",
            meta={
                "input": {"file_path": f"/code/red/{path}", "old_string": "a", "new_string": "b"},
                "cwd": "/code/red",
                "role": "conductor",
            },
        )

    guard = proposed((edit(1, "src/a.py"), edit(2, "src/b/c.py"), edit(3, "src/b/d.py")))
    assert guard.matcher == LearnedMatcher(
        tools=("write",), agents=("main",), roles=("conductor",), paths=("src/**/*.py",)
    )


def forged(number: int, command: str = "") -> Trace:
    """A refused forgery of evidence in a work tree, by a tool or by a command."""
    file = f".claude/progress/evidence/F{number}.json"
    tree = f"/code/red/.claude/worktrees/F{number}"
    given = {"file_path": f"{tree}/{file}", "content": '{"tree_hash": "0000", "ok": true}'}
    return trace(
        number,
        tool="Bash" if command else "Write",
        feature=f"F{number}",
        action="run:echo" if command else "write",
        reason="self-protection",
        shape=".claude/progress/evidence/F<n>.json",
        meta={"input": {"command": f"{command} {file}"} if command else given, "cwd": tree},
        why=f"`{tree}/{file}` is what Paige's gates rest on; it speaks for `F{number}`",
    )


def test_a_work_tree_is_the_project_for_whoever_works_in_it() -> None:
    guard = proposed((forged(1), forged(2), forged(3)))
    assert guard.matcher.paths == (".claude/progress/evidence/*.json",)
    assert guard.matcher.contains == ()
    assert guard.message.startswith(
        "`.claude/progress/evidence/F*.json` is what Paige's gates rest on; it speaks for "
        "the feature. "
    )
    assert "/code" not in str(dump_guard(guard))


def test_a_command_that_writes_is_known_by_the_file_and_not_by_its_words() -> None:
    guard = proposed(tuple(forged(n, "echo '{}' >") for n in (1, 2, 3)))
    assert guard.matcher == LearnedMatcher(
        tools=("shell",), agents=("coding-agent",), paths=(".claude/progress/evidence/*.json",)
    )


def test_a_guard_that_would_stop_a_harmless_action_of_the_list_is_not_proposed() -> None:
    calls = tuple(running(f"git status {n}", n, shape="git status") for n in (1, 2, 3))
    assert skipped(calls) == "Nothing tells its calls from harmless ones."


def test_of_calls_with_nothing_in_common_those_of_the_most_used_tools_count() -> None:
    odd = replace(MARKED[0], id="odd", tool="Bash", meta={"input": {"command": "echo hi"}})
    guard = proposed((*MARKED, odd))
    assert guard.matcher.tools == ("write",)
    assert len(guard.must) == 3


def test_a_stop_is_known_by_who_stops_and_never_blocked_for_good() -> None:
    stops = tuple(
        trace(n, agent="tester-agent", tool="", event="subagent_stop", action="stop", shape="",
              reason="force-tester-completion", meta={"role": "tester"})
        for n in (1, 2, 3)
    )  # fmt: skip
    guard = proposed(stops)
    assert guard.event == "subagent_stop"
    assert guard.matcher == LearnedMatcher(agents=("tester-agent",), unless=("tests-ran",))
    other = tuple(replace(each, reason="completion") for each in stops)
    assert skipped(other) == "Nothing tells its calls from harmless ones."


def test_what_an_agent_wrote_down_by_itself_is_no_evidence() -> None:
    own = tuple(replace(each, source="auto_detected") for each in FORCED)
    assert skipped(own) == "Only 0 of its calls can be executed."
    assert skipped((FORCED[0], *own[1:])) == "Only 1 of its calls can be executed."


def test_where_people_let_it_pass_the_rule_is_wrong() -> None:
    why = skipped(FORCED, overridden=3)
    assert why == "People let it pass 3 times: look at the rule instead."


@pytest.mark.parametrize("stages", [(), ("validate",), ("validate", "production")])
def test_a_guard_that_is_there_is_not_proposed_again(stages: tuple[Stage, ...]) -> None:
    there = replace(HERE, records=(record_of(proposed(FORCED), *stages),))
    assert "is there" in skipped(FORCED, there)


def test_another_guard_that_meets_all_the_calls_is_enough() -> None:
    wider = replace(
        proposed(FORCED), id="by-hand", pattern="", matcher=LearnedMatcher(command=("git",))
    )
    there = replace(HERE, records=(record_of(wider),))
    assert skipped(FORCED, there) == "The guard `by-hand` covers it."


def test_a_guard_that_was_taken_back_is_left_alone_for_a_while() -> None:
    gone = record_of(proposed(FORCED), "validate", "production", "rolled_back")
    there = replace(HERE, records=(gone,))
    assert "was taken back" in skipped(FORCED, there)
    later = NOON + timedelta(days=31)
    assert isinstance(propose_one(pattern_of(FORCED), FORCED, there, LEARNING, later), Proposal)


def test_a_pattern_of_what_a_guard_refuses_makes_no_second_guard() -> None:
    hits = tuple(replace(each, reason="guard:no-force") for each in FORCED)
    assert skipped(hits) == "The guard `no-force` refuses it already."


def test_secrets_of_allowed_calls_are_not_copied() -> None:
    token = "ghp_" + "a1B2" * 9
    history = (past(1, "Bash", {"command": f"git push https://me:{token}@host/x"}),)
    guard = proposed(FORCED, replace(HERE, history=history))
    assert guard.must_not
    assert token not in str(dump_guard(guard))


def test_the_file_of_a_proposal_can_be_read_back() -> None:
    for traces in (FORCED, MARKED):
        guard = proposed(traces)
        told = dump_proposal(Proposal(guard=guard, pattern=pattern_of(traces), why="x"))
        assert parse_guard(told["guard"]) == guard


def kinds_of_traces() -> list[tuple[Trace, ...]]:
    """Five patterns of which every one makes a guard."""
    programs = ("git push --force", "npm publish --all", "make deploy now", "rake db drop", "x y z")
    return [
        tuple(
            running(f"{program} {n}", n, action=f"run:{program[:4]}", shape=program)
            for n in (1, 2, 3)
        )
        for program in programs
    ]


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_there_are_never_more_than_three_proposals_and_the_strongest_come_first(count: int) -> None:
    found = [(pattern_of(each), each) for each in kinds_of_traces()[:count]]
    made = propose(found, HERE, LEARNING, NOON)
    assert [each.pattern for each in made.proposals] == [each for each, _ in found[:3]]
    assert len(made.proposals) + len(made.skipped) == count
    assert len({each.guard.id for each in made.proposals}) == len(made.proposals)


def test_a_run_looks_at_so_many_patterns_in_vain_and_no_more() -> None:
    few = replace(LEARNING, proposals=replace(LEARNING.proposals, most_tried=2))
    own = [tuple(replace(t, source="auto_detected") for t in each) for each in kinds_of_traces()]
    found = [(pattern_of(each), each) for each in (*own[:3], FORCED)]
    whys = [each.why for each in propose(found, HERE, few, NOON).skipped]
    assert whys[:2] == ["Only 0 of its calls can be executed."] * 2
    assert whys[2:] == ["There are stronger ones; run it again."] * 2


WORDS = st.sampled_from(
    ("git", "push", "--force", "origin", "main", "rm", "-rf", "src", "ls", "a*")
)
COMMANDS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
TEXTS = st.lists(
    st.sampled_from(('"tested": true', '"id": "F-1"', "import os", "x = 1", "print()")), max_size=4
).map("\n".join)
PATHS = st.sampled_from(("src/a.py", "src/b/c.py", "README.md", ".claude/progress/x.json"))
CALLS = st.one_of(
    COMMANDS.map(lambda command: ("Bash", {"command": command})),
    st.builds(
        lambda path, text: ("Write", {"file_path": f"/code/red/{path}", "content": text}),
        PATHS,
        TEXTS,
    ),
)
# Calls that have something in common, with other things between and around it.
FORMS = st.sampled_from((("npm", "publish", "--all"), ("rake", "db:drop"), ("x", "-y", "--zap")))
RELATED_COMMANDS = st.tuples(FORMS, st.lists(COMMANDS, min_size=2, max_size=4)).map(
    lambda made: [
        ("Bash", {"command": " ".join((made[0][0], more, *made[0][1:]))}) for more in made[1]
    ]
)
RELATED_WRITES = st.lists(st.tuples(st.integers(0, 9), TEXTS), min_size=2, max_size=4).map(
    lambda made: [
        (
            "Write",
            {
                "file_path": f"/code/red/.claude/progress/evidence/F{number}.json",
                "content": f"{text}\nforged by hand",
            },
        )
        for number, text in made
    ]
)
RELATED = st.one_of(RELATED_COMMANDS, RELATED_WRITES, st.lists(CALLS, min_size=2, max_size=4))


@settings(max_examples=examples(100), deadline=None)
@given(RELATED, st.lists(CALLS, max_size=5), st.booleans())
def test_a_proposed_guard_meets_what_it_must_and_nothing_that_it_must_not(
    calls: list[tuple[str, dict]], allowed: list[tuple[str, dict]], factual: bool
) -> None:
    reason = "block-tested-true" if factual else "some-rule"
    traces = tuple(
        trace(n, tool=tool, reason=reason, meta={"input": call, "cwd": "/code/red"})
        for n, (tool, call) in enumerate(calls)
    )
    history = tuple(past(n, tool, call) for n, (tool, call) in enumerate(allowed))
    known = replace(HERE, history=history)
    one = propose_one(pattern_of(traces), traces, known, LEARNING, NOON)
    event(type(one).__name__)
    if isinstance(one, SkippedPattern):
        return
    assert len(one.guard.must) >= LEARNING.proposals.least_examples
    assert all(matches(one.guard, each) for each in one.guard.must)
    assert not any(matches(one.guard, each) for each in one.guard.must_not)
    assert parse_guard(dump_guard(one.guard)) == one.guard
    if not factual:
        fine = [replace(each.example, input=_relative(each.example.input)) for each in history]
        assert not any(matches(one.guard, each) for each in fine)


@settings(max_examples=examples(30), deadline=None)
@given(RELATED, st.randoms(use_true_random=False))
def test_the_order_of_traces_makes_no_other_guard(calls: list, random) -> None:
    traces = [
        trace(n, tool=tool, meta={"input": call, "cwd": "/code/red"})
        for n, (tool, call) in enumerate(calls)
    ]
    pattern = pattern_of(traces)
    mixed = list(traces)
    random.shuffle(mixed)
    one = propose_one(pattern, traces, HERE, LEARNING, NOON)
    other = propose_one(pattern, mixed, HERE, LEARNING, NOON)
    if isinstance(one, Proposal) and isinstance(other, Proposal):
        assert one.guard.matcher == other.guard.matcher
        assert one.guard.must == other.guard.must
    else:
        assert one == other


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_shared_words_stand_in_both_in_this_order(left: list[str], right: list[str]) -> None:
    for words in (left, right):
        rest = iter(words)
        assert all(word in rest for word in longest_shared(left, right))
    assert longest_shared(left, left) == tuple(left)


def test_the_name_of_a_guard_is_safe_and_always_the_same() -> None:
    pattern = pattern_of(FORCED)
    assert guard_id(pattern) == guard_id(replace(pattern, count=99))
    assert guard_id(replace(pattern, action="Ü / ..")).startswith("guard-")


def _relative(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value.replace("/code/red/", "") for key, value in given.items()}
