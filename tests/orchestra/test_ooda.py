"""The record of a round, and the traces of attempts."""

from paige.orchestra.reflection import Attempt
from paige.orchestra.running.aftermath import (
    MOST_LINES,
    RoundFacts,
    attempt_trace,
    closing_trace,
    round_of,
)
from paige.orchestra.values import Judge, Merge, RunAgent, Verify, WriteFeatures
from tests.orchestra.machine_events import proof_for

SEEN = RoundFacts(
    missing=("tests",),
    failures=("test_a: 1 != 2",),
    files=("a.py",),
    reflections=("A comma is a decimal sign here",),
)


def test_a_round_says_what_was_seen_known_chosen_and_done() -> None:
    action = RunAgent(key="k", agent="coding-agent", feature="A", attempt=2, missing=("tests",))
    found = round_of(action, SEEN)
    assert found is not None
    assert found.observe == ("missing: tests", "failed: test_a: 1 != 2", "changed: a.py")
    assert found.orient == ("A comma is a decimal sign here",)
    assert found.decide == "mend the cause of the failure first"
    assert found.act == "start coding-agent, attempt 2"
    assert found.feature == "A"


def test_every_action_that_starts_work_has_a_round_and_no_other() -> None:
    proof = proof_for("A")
    for action in (
        RunAgent(key="k", agent="coding-agent", feature="A"),
        RunAgent(key="k", agent="coding-agent", feature="A", attempt=2),
        RunAgent(key="k", agent="tester-agent", feature="A"),
        RunAgent(key="k", agent="initializer-agent"),
        Verify(key="k", phase="verifying", feature="A"),
        Judge(key="k", feature="A"),
        Merge(key="k", feature="A", proof=proof),
    ):
        found = round_of(action, RoundFacts())
        assert found is not None
        assert found.observe == ("nothing has been tried yet",)
        assert found.decide
        assert found.act
    assert round_of(WriteFeatures(), RoundFacts()) is None


def test_a_round_is_bounded() -> None:
    many = RoundFacts(failures=[f"line {each} " + "x" * 5000 for each in range(500)])
    found = round_of(Judge(key="k", feature="A"), many)
    assert found is not None
    assert len(found.observe) == MOST_LINES
    assert all(len(each) <= 300 for each in found.observe)


def test_an_attempt_sets_what_was_claimed_beside_what_was_found() -> None:
    trace = attempt_trace(
        Attempt(
            feature="A",
            attempt=2,
            missing=("evidence",),
            files=("src/a.py", "src/b.py", "README"),
        ),
        "shop",
        claimed=True,
        verified=False,
    )
    assert (trace.type, trace.action, trace.reason) == ("decision", "attempt", "evidence")
    assert trace.meta["claimed"]
    assert not trace.meta["verified"]
    assert trace.meta["approach"] == "./*, src/*.py"
    assert closing_trace(proof_for("A")).action == "close-feature"
