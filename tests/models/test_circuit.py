from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from paige.models.circuit import Circuit, Policy, admit, after_failure
from tests.conftest import NOON

POLICY = Policy(failures=3, pause=timedelta(seconds=60))
steps = st.lists(st.tuples(st.sampled_from(["ok", "fail", "lost"]), st.integers(0, 90)))


@given(steps)
def test_a_circuit_lets_through_exactly_what_the_rules_say(steps: list[tuple[str, int]]) -> None:
    """A plain model beside it: failures in a row, and when the last trial or failure was."""
    circuit, now = Circuit(), NOON
    failures, since = 0, None
    for outcome, seconds in steps:
        now += timedelta(seconds=seconds)
        allowed, circuit = admit(circuit, now, POLICY)
        assert allowed == (since is None or now - since >= POLICY.pause)
        if not allowed:
            continue
        if since is not None:
            since = now
        if outcome == "ok":
            circuit, failures, since = Circuit(), 0, None
        elif outcome == "fail":
            circuit = after_failure(circuit, now, POLICY)
            failures += 1
            since = now if failures >= POLICY.failures else None


@given(st.integers(0, 20), st.integers(1, 10))
def test_an_open_circuit_never_stays_shut_for_longer_than_its_pause(
    failures: int, limit: int
) -> None:
    policy = Policy(failures=limit, pause=timedelta(seconds=60))
    circuit = Circuit()
    for _ in range(failures):
        circuit = after_failure(circuit, NOON, policy)

    assert admit(circuit, NOON, policy).allowed == (failures < limit)
    assert admit(circuit, NOON + policy.pause, policy).allowed


def test_a_trial_that_never_ends_lets_another_one_follow_a_pause_later() -> None:
    circuit = Circuit(failures=3, opened=NOON)
    trial = NOON + POLICY.pause

    allowed, circuit = admit(circuit, trial, POLICY)

    assert allowed
    assert not admit(circuit, trial + timedelta(seconds=59), POLICY).allowed
    assert admit(circuit, trial + POLICY.pause, POLICY).allowed
