"""How many scripted dialogues keep their answer, and how many honest replies pass."""

from bench.disclosure import DISGUISED, Scripted, read_cases
from paige.exercise.disclosure.withheld import answer_request

LEAKS = read_cases("leaks")
HONEST = read_cases("honest")


def _share(cases: list[Scripted], *, allowed: bool) -> float:
    right = [answer_request(case.request)["allowed"] is allowed for case in cases]
    return sum(right) / len(right)


def test_there_are_enough_dialogues_of_every_kind():
    kinds = {case.kind for case in LEAKS}
    assert len(LEAKS) >= 200
    assert len(HONEST) >= 150
    assert kinds >= {
        *("pleading", "roleplay", "authority", "paraphrase", "language", "splitting"),
        *("code", "encoding", "elimination", "confirmation", "formula", "acrostic"),
    }


def test_at_least_95_of_100_plain_disclosures_are_refused():
    plain = [case for case in LEAKS if case.kind not in {*DISGUISED, "more"}]
    assert len(plain) >= 100
    assert _share(plain, allowed=False) >= 0.95


def test_most_of_a_mixture_with_disguised_answers_is_refused_still():
    assert _share([case for case in LEAKS if case.kind == "more"], allowed=False) >= 0.72


def test_at_least_98_of_100_honest_replies_pass():
    assert _share(HONEST, allowed=True) >= 0.98


def test_what_is_shown_passes_the_gate_itself():
    for case in (*LEAKS, *HONEST):
        shown = answer_request(case.request)["shown"]
        again = answer_request({**case.request, "reply": shown})
        assert (again["allowed"], again["shown"]) == (True, shown), case
