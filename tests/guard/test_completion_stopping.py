"""Whether an agent may stop: the decision alone, over every combination that matters."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.events import KeepWorking
from paige.guard.completion.claims import Claim
from paige.guard.completion.project_wishes import CompletionWishes, read_wishes
from paige.guard.completion.records import Check, changing, read_record, result_of, told
from paige.guard.completion.recursion import depth_of, inside_hook, marked, run_of
from paige.guard.completion.stop import Facts, decide_stop, looks
from paige.guard.completion.verification import choose, risk_of
from paige.guard.fast.place import Place
from paige.guard.hook_event import NOTHING

NOBODY_ASKS = read_wishes(Place("/nowhere", "/nowhere", "", "", False))
ALL = ("acceptance", "tests", "regressions", "tasks", "review")
CLAIM = Claim("marker", "[DONE]")
GOOD = Check("tests", "passed")
BAD = Check("tests", "failed", "E  assert 1 == 2\n1 failed")


def asked(*strict: str, refusals: int = 3) -> CompletionWishes:
    return replace(NOBODY_ASKS, strict=strict, refusals=refusals)


def facts(*strict: str, **more: object) -> Facts:
    given = {"asked": asked(*strict), "claim": CLAIM, "open_boxes": {}, **more}
    return Facts(**given)  # type: ignore[arg-type]


def test_nobody_asks_for_anything_by_default() -> None:
    assert (NOBODY_ASKS.strict, NOBODY_ASKS.verify) == ((), ())
    assert not looks(NOBODY_ASKS, CLAIM)
    assert not NOBODY_ASKS.wants("stop")


def test_only_a_claim_is_looked_at_unless_a_project_asks_for_more() -> None:
    assert not looks(asked("tests"), None)
    assert looks(asked("tests"), CLAIM)
    assert looks(replace(asked("tests"), always=True), None)


def test_tests_that_failed_keep_an_agent_working_with_what_they_printed() -> None:
    outcome = decide_stop(facts("tests", result=result_of([BAD], ())))

    assert isinstance(outcome.decision, KeepWorking)
    assert "assert 1 == 2" in outcome.decision.reason
    assert "[DONE]" in outcome.decision.reason


def test_tests_that_passed_let_it_stop() -> None:
    assert decide_stop(facts("tests", result=result_of([GOOD], ()))) is NOTHING


def test_a_run_that_has_begun_is_waited_for() -> None:
    outcome = decide_stop(facts("tests", running=True))

    assert isinstance(outcome.decision, KeepWorking)
    assert "are running" in outcome.decision.reason


def test_what_could_not_be_checked_stops_nobody_and_the_person_is_told() -> None:
    skipped = result_of([Check("tests", "skipped", "too large to be run")], ())

    for known in (facts("tests", result=skipped), facts("tests", result=None)):
        outcome = decide_stop(known)
        assert outcome.decision is None
        assert outcome.notice


def test_only_what_passed_before_is_a_regression() -> None:
    fresh, worse = result_of([BAD], ()), result_of([BAD], ("tests",))

    assert decide_stop(facts("regressions", result=fresh)).decision is None
    assert "It passed before" in str(decide_stop(facts("regressions", result=worse)).decision)


@pytest.mark.parametrize(("gate", "words"), [("tasks", "open"), ("acceptance", "not met")])
def test_open_boxes_count_where_they_are_asked_for(gate: str, words: str) -> None:
    boxes = {gate: ("write the docs",)}

    assert words in str(decide_stop(facts(gate, open_boxes=boxes)).decision)
    assert decide_stop(facts(open_boxes=boxes)).decision is None


def test_a_review_that_found_faults_counts_where_it_is_asked_for() -> None:
    result = result_of([Check("review", "failed", "The lock is never released.")], ())

    assert "never released" in str(decide_stop(facts("review", result=result)).decision)


def test_waiting_is_counted_apart_and_has_an_end() -> None:
    assert decide_stop(facts("tests", running=True, waited=6, refused=9)).decision is not None
    assert decide_stop(facts("tests", running=True, waited=7)).decision is None


def test_no_stop_is_refused_for_ever() -> None:
    outcome = decide_stop(facts("tests", result=result_of([BAD], ()), refused=3))

    assert outcome.decision is None
    assert "stops although" in outcome.notice


STATUS = st.sampled_from(["passed", "failed", "skipped"])
CHECKS = st.lists(
    st.builds(Check, st.sampled_from(["tests", "lint", "review", "syntax"]), STATUS, st.text())
)


@given(CHECKS, st.integers(0, 9), st.booleans(), st.lists(st.text(max_size=9), max_size=3))
def test_without_a_strict_gate_nothing_is_ever_refused(
    checks: list[Check], refused: int, running: bool, left: list[str]
) -> None:
    result = result_of(checks, ("tests",)) if checks else None
    known = facts(
        result=result, refused=refused, running=running, open_boxes={"tasks": tuple(left)}
    )

    assert decide_stop(known).decision is None


@given(CHECKS, st.sampled_from(ALL), st.integers(3, 9))
def test_after_its_refusals_an_agent_may_always_stop(
    checks: list[Check], gate: str, refused: int
) -> None:
    known = facts(gate, result=result_of(checks, ()), refused=refused, open_boxes={gate: ("x",)})

    assert decide_stop(known).decision is None


@given(CHECKS)
def test_a_result_says_the_same_after_it_was_kept(
    tmp_path_factory: pytest.TempPathFactory, checks: list[Check]
) -> None:
    result = result_of(checks, ("lint",), profile="deep", risk="high", tree="t", run="r", at="now")
    path = tmp_path_factory.mktemp("checks") / "record.json"

    with changing(path) as change:
        change.set(result=result)

    assert read_record(path).result == result
    assert told(result)
    assert (result.status == "failed") == any(each.status == "failed" for each in checks)
    assert len(result.issues) == sum(each.status == "failed" for each in checks)


RISK = NOBODY_ASKS.tables["risk"]


@pytest.mark.parametrize(
    ("changed", "risk"),
    [
        ([], "low"),
        (["README.md", "docs/a.md"] * 40, "low"),
        (["src/a.py"], "low"),
        ([f"src/{n}.py" for n in range(9)], "medium"),
        ([f"src/{n}.py" for n in range(30)], "high"),
        (["src/auth/login.py"], "high"),
        ([".github/workflows/ci.yml"], "high"),
        (["db/migrations/0001.sql"], "high"),
        (["docs/migrations.md"], "low"),
    ],
)
def test_risk_is_what_was_changed_more_than_how_much(changed: list[str], risk: str) -> None:
    assert risk_of(changed, RISK) == risk


def test_the_profile_and_who_verifies_follow_the_risk_unless_they_are_named() -> None:
    deep = choose("auto", ["auth.py"], RISK, "claude-code", ["review"])
    quick = choose("auto", ["a.md"], RISK, "", ["syntax"])

    assert (deep.profile, deep.risk, deep.verifier) == ("deep", "high", "claude-code")
    assert (quick.profile, quick.verifier) == ("quick", "checks")
    assert choose("standard", ["auth.py"], RISK, "", ["tests"]).profile == "standard"


def test_what_a_hook_starts_knows_how_deep_it_is() -> None:
    once = marked({}, "r1")
    twice = marked(once, "r2")

    assert not inside_hook({})
    assert inside_hook(once)
    assert (depth_of(once), depth_of(twice)) == (1, 2)
    assert run_of(twice) == "r1"


@given(st.dictionaries(st.sampled_from(["PAIGE_HOOK_DEPTH"]), st.text(max_size=6)))
def test_an_odd_depth_is_no_fault_and_the_flag_alone_suffices(environ: dict[str, str]) -> None:
    assert depth_of(environ) >= 0
    assert inside_hook({**environ, "PAIGE_IN_HOOK": "1"})
