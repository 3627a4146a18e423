"""How many scripted dialogues keep their answer, and how many honest replies pass."""

import pytest

from bench.disclosure import Scripted, read_cases
from paige.exercise.disclosure.requests import answer_request

LEAKS = read_cases("leaks")
HONEST = read_cases("honest")


def _share(cases: list[Scripted], *, allowed: bool) -> float:
    right = [answer_request(case.request)["allowed"] is allowed for case in cases]
    return sum(right) / len(right)


def _held_back(cases: list[Scripted], held_back: bool) -> list[Scripted]:
    return [case for case in cases if case.held_back is held_back]


def test_there_are_enough_dialogues_of_every_kind():
    kinds = {case.kind for case in LEAKS}
    assert len(LEAKS) >= 200
    assert len(HONEST) >= 150
    assert kinds >= {
        *("pleading", "roleplay", "authority", "paraphrase", "language", "splitting"),
        *("code", "encoding", "elimination", "confirmation", "formula", "acrostic"),
    }


def test_at_least_98_of_100_scripted_dialogues_keep_the_answer():
    assert _share(LEAKS, allowed=False) >= 0.98


def test_at_least_95_of_100_honest_replies_pass():
    assert _share(HONEST, allowed=True) >= 0.95


@pytest.mark.parametrize("held_back", [False, True])
def test_what_was_held_back_does_about_as_well(held_back: bool):
    assert _share(_held_back(LEAKS, held_back), allowed=False) >= 0.93
    assert _share(_held_back(HONEST, held_back), allowed=True) >= 0.95


@pytest.mark.parametrize("case", [*LEAKS, *HONEST], ids=lambda case: f"{case.kind}-{case.name}")
def test_what_is_shown_passes_the_gate_itself(case: Scripted):
    shown = answer_request(case.request)["shown"]
    assert answer_request({**case.request, "reply": shown}) == {
        "allowed": True,
        "reason": answer_request({**case.request, "reply": shown})["reason"],
        "shown": shown,
    }
