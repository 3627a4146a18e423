"""The list of harmless actions: long, of every kind, and really harmless."""

from pathlib import Path

import pytest

from paige.base.errors import BadInput
from paige.guard.guards.trials import LEAST, harmless, probe, read_harmless, shipped_book
from paige.guard.guards.values import LearnedMatcher
from paige.guard.rules.loader import EXAMPLE_PLACE
from paige.guard.shell.judge import DENY, judge
from paige.guard.tools import (
    AGENT,
    FETCH,
    MCP,
    READ,
    SEARCH,
    SHELL,
    WORDS,
    WRITE,
    command_of,
    is_powershell,
    kind_of,
)
from tests.guard.guard_values import force_push
from tools import benign_actions


def test_there_are_more_than_enough_of_every_kind_and_host() -> None:
    listed = harmless()
    assert len(listed) > 1200 > LEAST
    kinds = [kind_of(each.past.example.tool) for each in listed if each.past.example.tool]
    for kind in (SHELL, WRITE, READ, SEARCH, FETCH, AGENT, MCP, WORDS):
        assert kinds.count(kind) >= 2, kind
    assert {each.past.event for each in listed} == {"pre_tool", "stop", "subagent_stop"}
    text = benign_actions.TARGET.read_text("utf-8")
    assert all(f'"cli": "{cli}"' in text for cli in benign_actions.CLIS)
    assert len({each.past.id for each in listed}) == len(listed)


def test_the_file_is_what_its_maker_makes() -> None:
    assert benign_actions.TARGET.read_text("utf-8") == benign_actions.text()


def test_no_shipped_rule_denies_any_of_them() -> None:
    book = dict(shipped_book())
    denied = [
        command
        for each in harmless()
        if (command := command_of(each.past.example.tool, dict(each.past.example.input)))
        and not is_powershell(each.past.example.tool)
        and judge(command, EXAMPLE_PLACE, book).decision == DENY
    ]
    assert denied == []


def test_a_narrow_guard_stops_none_and_a_wide_one_many() -> None:
    assert probe(force_push()) == ()
    assert len(probe(force_push(matcher=LearnedMatcher(command=("git", "push"))))) >= 4
    assert len(probe(force_push(matcher=LearnedMatcher(paths=("src/**",))))) > 50
    assert len(probe(force_push(matcher=LearnedMatcher(contains=("import",))))) > 10


def test_what_is_harmless_for_everybody_is_so_for_the_agent_of_a_guard() -> None:
    of_one = LearnedMatcher(tools=("read",), agents=("nobody-knows-this-agent",))
    assert len(probe(force_push(matcher=of_one))) > 50
    # Editing sources is a coder's work, and not a conductor's.
    edits = LearnedMatcher(tools=("write",), paths=("src/**",), roles=("conductor",))
    assert probe(force_push(matcher=edits)) == ()
    assert probe(force_push(matcher=LearnedMatcher(paths=("src/**",), agents=("coding-agent",))))


def test_a_fact_makes_a_tester_harmless() -> None:
    claim = LearnedMatcher(paths=("feature-list.json",), contains=('"tested": true',))
    assert probe(force_push(matcher=claim))
    unless = LearnedMatcher(
        paths=("feature-list.json",), contains=('"tested": true',), unless=("evidence",)
    )
    assert probe(force_push(matcher=unless)) == ()
    stops = LearnedMatcher(agents=("tester-agent",), unless=("tests-ran",))
    assert probe(force_push(event="stop", matcher=stops)) == ()
    assert probe(force_push(event="stop", matcher=LearnedMatcher(agents=("tester-agent",))))


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', '{"id": "x", "event": 3}', ""])
def test_a_damaged_list_is_no_list(tmp_path: Path, line: str) -> None:
    path = tmp_path / "benign.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"benign\.jsonl"):
        read_harmless(path)
