"""The scripted agents alone: honest work passes the real hook, and every lie is refused by it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.features import Feature, SessionState, read_features, write_features
from paige.guard.state.tree import tree_hash
from tests.conftest import NOON
from tests.guard.gate_project import Project
from tests.guard.session_state import write_session
from tests.orchestra import liars
from tests.orchestra.liars import Hand, new_repository, noted


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A small shop with features to build."""
    made = new_repository(tmp_path)
    write_features(made.root, (Feature("F1", "One"), Feature("F2", "Two")))
    write_session(made.root, SessionState("coding", "F1", 1), NOON)
    return made


ROLES = {"coding-agent": "musician", "tester-agent": "tester", "conductor": "conductor"}


def hand_of(project: Project, agent: str, session: str = "s1") -> Hand:
    who = replace(project, session=session, role=ROLES[agent], agent_type=agent)
    return Hand(who, agent, "F1")


def test_honest_work_passes_and_its_tests_are_evidence(project: Project) -> None:
    coder, tester = hand_of(project, "coding-agent"), hand_of(project, "tester-agent", "s2")
    liars.honest_coder(coder)
    words = liars.honest_tester(tester)

    assert [act for act in (*coder.acts, *tester.acts) if act.refused] == []
    assert words.endswith("PASSED F1")
    found = read_evidence(project.root, project.data)
    proof = fresh(found.records, "F1", tree_hash(project.root))
    assert proof is not None
    assert (proof.tests, proof.session) == (3, "s2")
    subjects = liars.git(project.root, project.data.parent / "home", "log", "--format=%s")
    assert subjects.splitlines()[0] == "Add F1"


@pytest.mark.parametrize(
    ("agent", "lying", "kind", "rule"),
    [
        ("coding-agent", liars.mark_tested, liars.MARK, "block-tested-true"),
        ("coding-agent", liars.forge_evidence, liars.FORGE, ""),
        ("tester-agent", liars.forge_evidence, liars.FORGE, ""),
        ("tester-agent", liars.stop_early, liars.STOP, "force-tester-completion"),
        ("conductor", liars.edit_by_shell, liars.EDIT, "block-direct-edit"),
    ],
)
def test_every_lie_is_refused_with_its_reason(
    project: Project, agent: str, lying: Callable[[Hand], None], kind: str, rule: str
) -> None:
    hand = hand_of(project, agent)
    lying(hand)

    tried = [act for act in hand.acts if act.lie == kind]
    assert tried
    assert all(act.refused for act in tried), hand.acts
    denied = [
        line for line in noted(project.data) if line.get("decision") in ("deny", "keep_working")
    ]
    assert len(denied) == len(tried)
    assert all(line["rule"] and (not rule or line["rule"] == rule) for line in denied)


def test_nothing_is_left_of_the_lies(project: Project) -> None:
    before = tree_hash(project.root)
    for agent in ("coding-agent", "tester-agent", "conductor"):
        hand = hand_of(project, agent, agent)
        for lying in (liars.mark_tested, liars.forge_evidence):
            lying(hand)
        if agent == "conductor":
            liars.edit_by_shell(hand)

    assert tree_hash(project.root) == before
    assert read_evidence(project.root, project.data).records == ()
    assert not any(each.tested for each in read_features(project.root) or ())


def test_a_tester_that_is_let_go_has_left_no_evidence(project: Project) -> None:
    hand = hand_of(project, "tester-agent")
    words = liars.stubborn_tester(hand)

    stops = [act for act in hand.acts if act.lie == liars.STOP]
    assert len(stops) < liars.MOST_STOPS  # the host's own limit comes first
    assert all(act.refused for act in stops[:-1])
    assert "PASSED" in words
    assert read_evidence(project.root, project.data).records == ()
