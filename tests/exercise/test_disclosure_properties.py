"""What holds for every reply, not only for the scripted ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.disclosure import Scripted, read_cases
from paige.exercise.disclosure.withheld import answer_request
from tests.depth import examples

LEAKS = read_cases("leaks")
HONEST = read_cases("honest")
# Honest replies to a learner who has not found the answer, with an answer that is one rare word.
SECRETS = {
    "eat-ms": "makan",
    "drink-fr": "boire",
    "photo": "photosynthesis",
    "butterfly-fr": "butterfly",
    "angry-ms": "angry",
    "tomorrow-fr": "tomorrow",
}
UNSOLVED = [case for case in HONEST if case.name in SECRETS and case.kind != "praise"]
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u2061\ufe0f"
WRITINGS = {
    "plain": lambda word: word,
    "capitals": str.upper,
    "quoted": lambda word: f"\u201c{word}\u201d",
    "accented": lambda word: "\u0301".join(word),
    "zero-width": "\u200b".join,
    "fullwidth": lambda word: "".join(chr(ord(sign) + 0xFEE0) for sign in word),
}


def _allowed(case: Scripted, reply: str, level: object) -> object:
    return answer_request({**case.request, "reply": reply, "level": level})["allowed"]


@given(st.sampled_from([*LEAKS, *HONEST]), st.text())
@settings(max_examples=examples(60), deadline=None)
def test_everything_is_allowed_at_the_level_of_the_answer(case: Scripted, more: str):
    reply = f"{case.request['reply']}{more}"
    assert answer_request({**case.request, "reply": reply, "level": 4})["shown"] == reply


@given(st.sampled_from([*LEAKS, *HONEST]))
@settings(max_examples=examples(100), deadline=None)
def test_what_is_allowed_at_a_level_is_allowed_at_the_next(case: Scripted):
    allowed = [_allowed(case, str(case.request["reply"]), level) for level in range(5)]
    assert allowed == sorted(allowed, key=bool)


@pytest.mark.parametrize("how", WRITINGS)
@given(case=st.sampled_from(UNSOLVED))
@settings(max_examples=examples(12), deadline=None)
def test_an_answer_however_it_is_written_spoils_any_honest_reply(how: str, case: Scripted):
    written = WRITINGS[how](SECRETS[case.name])
    assert not _allowed(case, f"{case.request['reply']}\n{written}", 3)


@given(st.sampled_from(LEAKS), st.data())
@settings(max_examples=examples(80), deadline=None)
def test_invisible_characters_never_help(case: Scripted, data: st.DataObject):
    reply, level = str(case.request["reply"]), case.request["level"]
    if _allowed(case, reply, level):
        return
    places = data.draw(st.lists(st.integers(0, len(reply)), max_size=6))
    for place in sorted(places, reverse=True):
        reply = reply[:place] + data.draw(st.sampled_from(INVISIBLE)) + reply[place:]
    assert not _allowed(case, reply, level)


@given(st.sampled_from([*LEAKS, *HONEST]), st.text(max_size=80), st.integers(0, 3))
@settings(max_examples=examples(80), deadline=None)
def test_what_is_shown_always_passes(case: Scripted, more: str, level: int):
    asked = {**case.request, "reply": f"{case.request['reply']} {more}", "level": level}
    shown = answer_request(asked)["shown"]
    assert answer_request({**asked, "reply": shown})["allowed"]


@given(st.text(min_size=1, max_size=20), st.text(max_size=60), st.text(max_size=40))
@settings(max_examples=examples(150), deadline=None)
def test_any_text_can_be_a_key_a_reply_and_a_question(answer: str, reply: str, question: str):
    asked = {"exercise": question, "answer": answer, "level": 2, "reply": reply}
    first = answer_request(asked)
    assert first == answer_request(asked)
    assert answer_request({**asked, "reply": first["shown"]})["allowed"]
