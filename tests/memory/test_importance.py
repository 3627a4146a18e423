from hypothesis import given
from hypothesis import strategies as st

from paige.memory.intake.broker import Signals, importance_of

SIGNALS = st.builds(
    Signals,
    explicit=st.none() | st.floats(0, 1),
    outcome=st.sampled_from([None, "success", "failure", "other"]),
    novelty=st.none() | st.floats(-1, 2),
    conflict=st.booleans(),
)


@given(SIGNALS)
def test_it_is_always_between_nothing_and_one(signals: Signals) -> None:
    found = importance_of(signals)
    assert 0 <= found.value <= 1
    assert found == importance_of(signals)


def test_without_signals_it_is_the_middle_and_has_no_reasons() -> None:
    assert importance_of(Signals()) == (0.5, {})


@given(SIGNALS, st.floats(0, 1))
def test_a_given_value_wins(signals: Signals, value: float) -> None:
    found = importance_of(signals._replace(explicit=value))
    assert found == (value, {"given": value})


@given(SIGNALS.map(lambda signals: signals._replace(explicit=None)))
def test_every_signal_counts_in_its_direction(signals: Signals) -> None:
    plain = signals._replace(outcome=None, conflict=False)
    value = importance_of(plain).value
    assert importance_of(plain._replace(outcome="failure")).value > value
    assert importance_of(plain._replace(conflict=True)).value > value
    new = importance_of(signals._replace(novelty=1.0))
    old = importance_of(signals._replace(novelty=0.0))
    assert new.value > old.value


def test_failures_teach_more_than_successes() -> None:
    assert (
        importance_of(Signals(outcome="failure")).value
        > importance_of(Signals(outcome="success")).value
    )
