from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import Event
from paige.memory.lifecycle.ledger import MOST_OUTCOMES, Ledger, load_ledger, save_ledger
from paige.memory.lifecycle.outcomes import PolicyRef
from tests.memory.life import NOON, event

kinds = st.sampled_from(
    [
        ("note", {}),
        ("turn", {"speaker": "a"}),
        ("episode", {"tool": "x"}),
        ("outcome", {"success": True, "recalled": ["e1", "e2"], "retries": 1}),
        ("outcome", {"success": False, "policy": {"role": "*", "scope": "*", "version": 2}}),
        ("recalled", {"ids": ["e3"], "policy": {"role": "*", "scope": "*", "version": 1}}),
        ("policy", {"role": "*", "scope": "*", "version": 1, "stage": "experiment"}),
        ("promoted", {"of": ["e1"], "from": "session", "to": "session"}),
        ("forgotten", {"ids": ["e1", "e4"]}),
        ("summary", {"of": ["e1"]}),
        ("strange", {"ids": 7}),
    ]
)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    chosen = draw(st.lists(st.tuples(kinds, st.integers(0, 2)), max_size=30))
    return [
        event(
            number,
            type=kind,
            payload=payload,
            session=f"s{session}",
            at=NOON + timedelta(minutes=number),
        )
        for number, ((kind, payload), session) in enumerate(chosen, 1)
    ]


@given(histories(), st.integers(0, 30))
def test_going_on_from_a_saved_ledger_equals_reading_from_the_start(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], cut: int
) -> None:
    path = tmp_path_factory.mktemp("ledger") / "cycle.json"
    whole, first = Ledger(), Ledger()
    whole.take_in("main", events)
    first.take_in("main", events[:cut])
    save_ledger(path, first)
    later = load_ledger(path)
    assert later == first
    later.take_in("main", events[cut:])
    assert later == whole


def test_it_knows_what_the_jobs_need() -> None:
    ledger = Ledger()
    taken = ledger.take_in(
        "main",
        [
            event(1, "likes tea"),
            event(2, "likes tea", session="s2"),
            event(3, type="turn", scope="project", project="p1"),
            event(4, type="note", payload={"source": "import"}, session="s9"),
            event(
                5,
                type="outcome",
                payload={
                    "success": True,
                    "recalled": ["e1"],
                    "policy": {"role": "a", "scope": "b", "version": 3},
                },
            ),
            event(6, type="promoted", payload={"of": ["e1"], "to": "session"}, id="d-1"),
        ],
    )
    assert taken == 6
    assert ledger.place("main") == (6, "d-1")
    assert list(ledger.sessions) == ["s1", "s2"]
    assert list(ledger.touched) == ["e1"]
    assert list(ledger.long_term) == ["e1"]
    assert list(ledger.written) == ["d-1"]
    assert ledger.outcomes[0].policy == PolicyRef("a", "b", 3)
    assert ledger.reinforced(event(1, "Likes  TEA")) == 1
    assert ledger.reinforced(event(1, "likes tea", owner="bo")) == 0


def test_what_is_forgotten_is_forgotten_here_too() -> None:
    ledger = Ledger()
    ledger.take_in(
        "main",
        [
            event(1, type="outcome", payload={"success": True, "recalled": ["e9"]}),
            event(2, type="forgotten", payload={"ids": ["e1", "e9"]}),
        ],
    )
    assert (ledger.outcomes, dict(ledger.touched)) == ([], {})
    assert list(ledger.erase) == ["e1", "e9"]


def test_it_does_not_grow_without_end() -> None:
    ledger = Ledger()
    for number in range(2 * MOST_OUTCOMES + 1):
        ledger.apply(event(number, type="outcome", payload={"success": True}))
    assert len(ledger.outcomes) == MOST_OUTCOMES


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 99}', b'{"version": 1}', b"[]"])
def test_a_damaged_ledger_is_made_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cycle.json"
    assert load_ledger(path) == Ledger()
    path.write_bytes(content)
    assert load_ledger(path) == Ledger()


def test_an_outcome_belongs_to_the_policy_its_session_recalled_with() -> None:
    ledger = Ledger()
    ref = {"role": "coder", "scope": "*", "version": 4}
    ledger.take_in(
        "main",
        [
            event(1, type="recalled", payload={"ids": [], "policy": ref}),
            event(2, type="outcome", payload={"success": True}),
            event(3, type="outcome", payload={"success": True}, session="s2"),
        ],
    )
    assert [each.policy for each in ledger.outcomes] == [PolicyRef("coder", "*", 4), None]
