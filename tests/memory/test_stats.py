from collections.abc import Iterable

from paige.memory.event import Event
from paige.memory.lifecycle.ledger import Ledger
from paige.memory.lifecycle.outcomes import Outcome
from paige.memory.lifecycle.stats import PHASES, EventCount, phase_of, stats_of
from tests.memory.life import DAY, NOON, event

EVENTS = [
    event(1),
    event(2, type="fact", at=NOON + DAY),
    event(3, type="summary"),
    event(4, type="recalled"),
    event(5, type="importance"),
    event(6, type="outcome"),
]
OUTCOMES = [
    *(Outcome(at=NOON, success=n % 4 != 0, recalled=("m",), retries=1) for n in range(80)),
    *(Outcome(at=NOON, success=n % 2 == 0, retries=2) for n in range(80)),
    Outcome(at=NOON - 100 * DAY, success=False),
]


def counted(events: Iterable[Event]) -> dict[str, EventCount]:
    ledger = Ledger()
    ledger.take_in("main", events)
    return ledger.counts


def test_the_cycle_is_complete_when_all_four_phases_left_events() -> None:
    stats = stats_of(counted(EVENTS), OUTCOMES, since=NOON - DAY)
    assert stats.cycle_complete
    assert {each.phase: each.events for each in stats.cycle} == {
        "record": 3,
        "organise": 1,
        "recall": 1,
        "improve": 1,
    }
    assert stats.cycle[0].last == NOON + DAY


def test_a_phase_that_did_not_run_is_named() -> None:
    stats = stats_of(counted(EVENTS[:3]), [], since=NOON)
    assert not stats.cycle_complete
    assert stats.lines(cycle=True)[-1] == "cycle missing: recall, improve"


def test_the_window_counts_and_the_lift_is_shown() -> None:
    stats = stats_of(counted(EVENTS), OUTCOMES, since=NOON - DAY, policies=2)
    shown = stats.as_json()
    assert shown["outcomes"]["with_memory"]["tasks"] == 80
    assert shown["outcomes"]["without_memory"] == {
        "tasks": 80,
        "success_rate": 0.5,
        "retries": 2.0,
        "corrections": 0.0,
        "tool_calls": 0.0,
    }
    assert shown["outcomes"]["success_lift"] == 0.25
    assert shown["policies_in_production"] == 2
    assert "success lift +25.0% (better)" in stats.lines()


def test_every_phase_has_a_type_and_unknown_types_record() -> None:
    assert {phase_of(each) for each in ("note", "summary", "recalled", "policy")} == set(PHASES)
    assert phase_of("something new") == "record"


def test_nothing_happened_yet() -> None:
    stats = stats_of({}, [], since=NOON)
    assert (stats.events, stats.cycle_complete) == (0, False)
    assert stats.as_json()["cycle"]["recall"] == {
        "ran": False,
        "events": 0,
        "last": None,
        "types": {},
    }
