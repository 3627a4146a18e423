from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from paige.memory.lifecycle.recalibration import Signals, recalibrate, recalibrate_batch
from tests.memory.life import DAY, LIFE

R = LIFE.recalibration
QUIET = Signals(first=0.5, now=0.5, age=DAY)
signals = st.builds(
    Signals,
    first=st.floats(0, 1),
    now=st.floats(0, 1),
    age=st.floats(0, 900).map(lambda days: timedelta(days=days)),
    recalls=st.integers(0, 100),
    since_recall=st.none() | st.floats(0, 900).map(lambda days: timedelta(days=days)),
    successes=st.integers(0, 50),
    failures=st.integers(0, 50),
    usual_success=st.floats(0, 1),
    reinforced=st.integers(0, 30),
    novelty=st.none() | st.floats(0, 1),
    conflicts=st.integers(0, 3),
)


def test_nothing_happened_nothing_changes() -> None:
    assert recalibrate(QUIET, R) == (0.5, ())


def test_a_memory_that_helped_becomes_more_important() -> None:
    value, reasons = recalibrate(replace(QUIET, recalls=4, successes=6), R)
    assert value > 0.6
    assert reasons == (
        "recalled 4 times (+0.05)",
        "6 of 6 tasks with it ended well (+0.15)",
    )


def test_a_memory_that_misled_becomes_less_important() -> None:
    assert recalibrate(replace(QUIET, recalls=6, successes=0, failures=6), R).value < 0.5


def test_success_that_everyone_has_makes_nothing_important() -> None:
    usual = replace(QUIET, successes=9, failures=1, usual_success=0.9)
    assert recalibrate(usual, R).reasons == ()


def test_a_contradicted_and_a_never_used_memory_sink() -> None:
    assert recalibrate(replace(QUIET, conflicts=1), R).value == 0.35
    old = recalibrate(replace(QUIET, age=200 * DAY), R)
    assert old.value == 0.4
    assert old.reasons == ("not used for 200 days (-0.10)",)


def test_running_batches_again_ends_at_a_fixed_value() -> None:
    now, values = replace(QUIET, recalls=50, successes=50), []
    for _ in range(10):
        values.append(recalibrate(now, R).value)
        now = replace(now, now=values[-1])
    assert values[-1] == values[-2] <= 0.5 + R.recalled + R.outcomes + R.least_change


def test_a_batch_holds_only_what_changed() -> None:
    batch = {"same": QUIET, "helped": replace(QUIET, recalls=8)}
    assert list(recalibrate_batch(batch, R)) == ["helped"]


@given(signals)
def test_importance_stays_a_share_and_moves_in_small_steps(given_signals: Signals) -> None:
    value, reasons = recalibrate(given_signals, R)
    assert 0 <= value <= 1
    assert abs(value - given_signals.now) <= R.most_step + 1e-4
    assert bool(reasons) == (value != given_signals.now)
