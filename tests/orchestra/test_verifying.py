"""What is looked at before work moves on, and what an agent learns of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.guard.completion.records import Check, Result
from paige.guard.state.evidence_files import (
    Evidence,
    evidence_folder,
    read_evidence,
    write_evidence,
)
from paige.guard.state.files import write_object
from paige.orchestra.machine import CHECKS as CHECKING
from paige.orchestra.values import (
    Missing,
    Refused,
    Return,
    TestsFailed,
    TestsPassed,
    Verified,
)
from paige.orchestra.verification import (
    CHECKS,
    EvidenceQuery,
    Observation,
    check,
    event_after,
    is_test,
    prove,
    read_plan,
    told,
)
from tests.conftest import NOON

WANTED = EvidenceQuery(feature="A", tree="t1", sessions=frozenset(("s",)), since=to_iso(NOON))
GOOD = Evidence(
    argv=("pytest",),
    cwd="/p",
    exit_code=0,
    tests=5,
    tree_hash="t1",
    at=to_iso(NOON),
    tool_use_id=None,
    session="s",
    feature="A",
    seal="5ea1" * 4,
)
BAD = replace(GOOD, exit_code=1)
DONE = Return(agent="tester-agent", claims="passed", summary="done")


def outcome_of(*records: Evidence, claims: str = "passed", **more: object) -> object:
    observed = Observation(
        returned=replace(DONE, claims=claims),
        wanted=WANTED,
        records=records,
        **more,  # pyright: ignore[reportArgumentType]
    )
    return event_after("checking_tests", "k", observed)


def test_each_transition_of_the_machine_has_its_checks() -> None:
    assert set(CHECKS) == set(CHECKING.values())
    assert all(kinds for kinds in CHECKS.values())


def test_a_sealed_good_run_of_the_tester_is_a_proof() -> None:
    found = outcome_of(GOOD)
    assert isinstance(found, TestsPassed)
    assert (found.proof.feature, found.proof.tree, found.proof.tests) == ("A", "t1", 5)


@pytest.mark.parametrize(
    "lie",
    [
        replace(GOOD, tree_hash="t0"),
        replace(GOOD, tests=0),
        replace(GOOD, session="of the coder"),
        replace(GOOD, feature="B"),
        replace(GOOD, at="2020-01-01T00:00:00.000000Z"),
        replace(GOOD, seal=""),
    ],
)
def test_a_run_of_others_or_for_other_files_proves_nothing(lie: Evidence) -> None:
    found = outcome_of(lie)
    assert isinstance(found, Refused | TestsFailed)
    assert prove((lie,), WANTED) is None


def test_a_tester_that_only_says_so_is_refused_in_both_directions() -> None:
    assert outcome_of() == Refused("k", ("evidence",))
    assert outcome_of(claims="failed") == Refused("k", ("evidence",))


def test_a_failing_run_sends_the_feature_back() -> None:
    assert outcome_of(BAD) == TestsFailed("k")
    assert outcome_of(BAD, claims="failed") == TestsFailed("k")
    assert outcome_of(GOOD, claims="failed") == TestsFailed("k")


def test_nobody_gets_past_a_failure_by_running_fewer_tests() -> None:
    assert outcome_of(BAD, replace(GOOD, tests=1)) == TestsFailed("k")
    assert isinstance(outcome_of(BAD, GOOD), TestsPassed)
    assert outcome_of(GOOD, BAD) == TestsFailed("k")


def test_a_tester_may_add_tests_and_nothing_else() -> None:
    assert isinstance(outcome_of(GOOD, changed=("tests/test_a.py",)), TestsPassed)
    assert outcome_of(GOOD, changed=("src/a.py",)) == Refused("k", ("scope",))


def test_state_files_are_nobodys_but_the_orchestras() -> None:
    found = outcome_of(GOOD, state_before="x", state_after="y")
    assert found == Refused("k", ("state_files",))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("src/a_test.go", True),
        ("web/a.spec.ts", True),
        ("conftest.py", True),
        ("src/test/java/AppTest.java", True),
        ("src/contest.py", False),
        ("src/latest/a.py", False),
        ("src/attest.py", False),
    ],
)
def test_files_of_tests_are_known_by_their_place_and_name(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_code_moves_on_with_changes_that_pass_the_checks() -> None:
    passed = Result(status="passed", checks=(Check("tests", "passed"),))
    observed = Observation(returned=DONE, changed=("a.py",), result=passed)
    assert event_after("verifying", "k", observed) == Verified("k")
    worse_ones: tuple[tuple[dict[str, Any], Missing], ...] = (
        ({"changed": ()}, "changes"),
        ({"result": replace(passed, status="failed")}, "checks"),
        ({"returned": Return(agent="coding-agent")}, "report"),
    )
    for change, missing in worse_ones:
        worse = replace(observed, **change)
        assert event_after("verifying", "k", worse) == Refused("k", (missing,))
    unknown = replace(observed, result=replace(passed, status="unknown"))
    assert event_after("verifying", "k", unknown) == Verified("k")


def test_a_leader_changes_nothing() -> None:
    assert check("checking_lead", Observation(returned=DONE)) == ()
    assert check("checking_lead", Observation(returned=DONE, changed=("a",))) == ("scope",)


def test_a_plan_becomes_features() -> None:
    plan = ({"id": "F1", "title": "One", "acceptance": ["it runs"]},)
    observed = Observation(returned=replace(DONE, features=plan))
    found = event_after("checking_plan", "k", observed)
    assert isinstance(found, Verified)
    assert [(each.id, each.acceptance) for each in found.items] == [("F1", ("it runs",))]


@pytest.mark.parametrize(
    "plan",
    [
        [],
        [{"title": "no id"}],
        [{"id": "../up", "title": "x"}],
        [{"id": "a b", "title": "x"}],
        [{"id": "-a", "title": "x"}],
        [{"id": "A", "title": ""}],
        [{"id": "A", "title": 3}],
        [{"id": "A", "title": "x", "acceptance": "all"}],
        [{"id": "A", "title": "x"}, {"id": "a", "title": "y"}],
        [{"id": f"F{each}", "title": "x"} for each in range(201)],
    ],
)
def test_a_plan_that_cannot_be_worked_on_is_refused(plan: list[dict[str, object]]) -> None:
    with pytest.raises(BadInput):
        read_plan(plan)
    observed = Observation(returned=replace(DONE, features=tuple(plan)))
    assert event_after("checking_plan", "k", observed) == Refused("k", ("features",))


def test_an_agent_learns_the_kind_of_thing_and_not_how_it_is_looked_for() -> None:
    for kind in get_args(Missing):
        said = told((kind,)).casefold()
        assert said
        for word in ("hash", "seal", "judge", "session", "sandbox", "json", "verifier", "exit"):
            assert word not in said
    assert told(("tests", "tests")).count("\n") == 0


def test_a_forged_record_is_no_evidence_and_a_real_one_is(tmp_path: Path) -> None:
    root, data = tmp_path / "p", tmp_path / "d"
    path = write_evidence(root, data, replace(GOOD, seal=""))
    real = read_evidence(root, data).records
    proof = prove(real, WANTED)
    assert proof is not None
    assert (root / proof.path) == path
    path.unlink()
    forged = {"argv": ["pytest"], "cwd": "/", "exit_code": 0, "tests": 9, "tree_hash": "t1",
              "at": GOOD.at, "tool_use_id": None, "session": "s", "feature": "A",
              "seal": "f" * 64}  # fmt: skip
    write_object(evidence_folder(root) / "forged.json", forged)
    assert prove(read_evidence(root, data).records, WANTED) is None


RECORDS = st.lists(
    st.builds(
        replace,
        st.just(GOOD),
        exit_code=st.integers(0, 1),
        tests=st.integers(0, 3),
        tree_hash=st.sampled_from(("t1", "t2")),
        session=st.sampled_from(("s", "other")),
        feature=st.sampled_from((None, "A", "B")),
    ),
    max_size=6,
)


@given(RECORDS, st.sampled_from(("", "passed", "failed")))
def test_tests_pass_only_with_a_good_run_of_the_tester_for_these_files(
    records: list[Evidence], claims: str
) -> None:
    found = outcome_of(*records, claims=claims)
    own = [
        each
        for each in records
        if each.session == "s" and each.tree_hash == "t1" and each.feature != "B"
    ]
    if isinstance(found, TestsPassed):
        assert own[-1].good
        assert claims != "failed"
    if not own:
        assert found == Refused("k", ("evidence",))
