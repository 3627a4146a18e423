import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.doors.frame.batch import answer_lines
from paige.exercise.marking.free import SUMMARY, weights
from paige.exercise.marking.lexicon import SHIPPED
from paige.exercise.marking.marker import Marker, mark, mark_answer
from tests.depth import examples


def answered(lines: list[str]) -> list[dict]:
    out = io.StringIO()
    answer_lines(io.BytesIO("\n".join(lines).encode()), out, mark_answer)
    return [json.loads(line) for line in out.getvalue().splitlines()]


FLOAT = ("Why does ice float on water?", "Ice is less dense than water")
BULB = (
    "Why did the bulb go out when the switch was opened?",
    "the bulb is not in a closed path / the open switch makes a gap / there is no closed path",
)
FREE = [
    (*FLOAT, "because it is less dense than the water", "Ice is more dense than water"),
    (*FLOAT, "ice has less density than water", "water is less dense than ice"),
    (
        "What happens to a gas when it is heated?",
        "The gas expands because its particles move faster",
        "the gas contracts because its particles move slower",
        "",
    ),
    (
        "Why do hands get warm when rubbed?",
        "Friction between the hands produces heat",
        "",
        "Heat produces friction between the hands",
    ),
    (*BULB, "there was no longer a closed path with the bulb", "the bulb is in a closed path"),
    (
        "Why are two ends of one magnet different?",
        "One end is positive and attracts, so it pulls the other magnet",
        "One end is positive, it attracts and pulls the other magnet",
        "",
    ),
    (
        "What does a variable let a program do?",
        "It stores a value so that it can be used later",
        "a variable stores a value so it can be used later",
        "it never stores a value that can be used later",
    ),
    (
        "Explain what happens to prices when demand rises.",
        "Prices increase when demand increases",
        "the prices increase as demand increases",
        "the prices decrease as demand increases",
    ),
    (
        "Explain why the list keeps its old items.",
        "A tuple is immutable, so a new list is made",
        "because a tuple is immutable and a new list is made",
        "because a tuple is mutable and a new list is made",
    ),
]

WORDS = ["selamat", "pagi", "kucing", "maison", "café", "water", "green", "twelve", "rumah"]
texts = st.text(
    alphabet=st.characters(min_codepoint=32, max_codepoint=0x17F, exclude_characters="/"),
    min_size=1,
    max_size=40,
).filter(lambda text: text.strip() != "")
phrases = st.lists(
    st.sampled_from(WORDS),
    min_size=1,
    max_size=3,
).map(" ".join)


@pytest.mark.parametrize(
    ("question", "reference", "answer"), [row[:3] for row in FREE if row[2] and row[3]]
)
def test_an_explanation_in_own_words_is_correct(question: str, reference: str, answer: str):
    found = mark(question, reference, answer)
    assert found.verdict == "correct"
    assert found.feedback.startswith("Correct: ")


@pytest.mark.parametrize(
    ("question", "reference", "twin"), [(*row[:2], row[3]) for row in FREE if row[3]]
)
def test_its_contradicting_twin_is_not_correct(question: str, reference: str, twin: str):
    found = mark(question, reference, twin)
    assert found.verdict != "correct"
    assert found.score < 0.5


def test_a_contradiction_is_named():
    found = mark(*FLOAT, "Ice is more dense than water")
    assert "“more” contradicts “less”" in found.feedback
    assert found.error_type == "misconception"


def test_a_relation_turned_round_is_named():
    question = "Why do hands get warm when rubbed?"
    found = mark(question, "Friction causes heat in the hands", "Heat causes friction in the hands")
    assert "wrong way round" in found.feedback
    assert found.error_type == "causal_error"


def test_repeating_the_question_earns_nothing():
    found = mark(*FLOAT, "ice floats on water")
    assert found.verdict == "incorrect"
    assert "repeats the question" in found.feedback


def test_what_is_missing_is_said_in_the_words_of_the_reference():
    found = mark(*FLOAT, "because of the cold")
    assert found.verdict == "incorrect"
    assert "“dense”" in found.feedback
    assert "Ice is less dense than water" in found.feedback


@pytest.mark.parametrize("answer", ["", "  ", "___", "?", "I don't know", "IDK.", "tidak tahu"])
@pytest.mark.parametrize(("question", "reference"), [FLOAT, ("Good morning:", "selamat pagi")])
def test_no_answer_is_incorrect(question: str, reference: str, answer: str):
    found = mark(question, reference, answer)
    assert (found.verdict, found.score) == ("incorrect", 0.0)


def test_not_knowing_is_right_where_it_is_asked_for():
    assert mark("I don't know in Malay", "tidak tahu", "tidak tahu").verdict == "correct"


def test_a_question_without_accepted_answers_cannot_be_marked():
    with pytest.raises(BadInput, match="no accepted answer"):
        mark("Why?", " / ", "because")


def test_alternatives_may_be_a_list():
    assert mark("rumah", ["house", "home"], "home").matched == "home"


@given(question=texts, reference=st.lists(texts, min_size=1, max_size=4), at=st.integers(0, 3))
@settings(max_examples=examples(200), deadline=None)
def test_an_accepted_answer_is_always_correct(question: str, reference: list[str], at: int):
    assert mark(question, reference, reference[at % len(reference)]).verdict == "correct"


@given(question=texts, reference=texts, answer=st.text(max_size=80))
@settings(max_examples=examples(200), deadline=None)
def test_any_answer_gets_a_bounded_mark_with_a_reason_and_always_the_same(
    question: str, reference: str, answer: str
):
    found = mark(question, reference, answer)
    assert 0.0 <= found.score <= 1.0
    assert len(found.feedback) > 8
    assert found.matched is not None
    assert Marker().mark(question, reference, answer) == found


@given(reference=phrases, answer=phrases, data=st.data())
@settings(max_examples=examples(150), deadline=None)
def test_case_spaces_and_end_marks_never_change_a_verdict(
    reference: str, answer: str, data: st.DataObject
):
    changed = data.draw(
        st.sampled_from(
            [
                answer.upper(),
                answer.title(),
                f"  {answer} ",
                answer.replace(" ", "  "),
                answer + ".",
            ]
        )
    )
    for question in ("Translate:", "Explain why this is so."):
        assert mark(question, reference, changed).verdict == (
            mark(question, reference, answer).verdict
        )


@given(answer=st.sampled_from([row[2] for row in FREE if row[2]]), row=st.sampled_from(FREE))
@settings(max_examples=examples(60), deadline=None)
def test_case_and_end_marks_never_change_the_verdict_on_an_explanation(
    answer: str, row: tuple[str, ...]
):
    verdict = mark(row[0], row[1], answer).verdict
    for changed in (answer.upper(), f" {answer}.", answer.replace(" ", "   "), f"{answer}!"):
        assert mark(row[0], row[1], changed).verdict == verdict


def test_lines_are_answered_in_order_and_bad_ones_with_what_is_wrong():
    lines = [
        json.dumps({"question": "Morning:", "reference": "pagi", "answer": "pagi", "more": 1}),
        "{not json",
        "",
        json.dumps({"question": "Morning:", "reference": "pagi"}),
        json.dumps({"question": "Morning:", "reference": 3, "answer": "pagi"}),
        json.dumps({"question": "Morning:", "reference": "", "answer": "pagi"}),
        json.dumps([]),
        json.dumps({"question": "Morning:", "reference": ["pagi"], "answer": "malam"}),
    ]
    answers = answered(lines)
    assert [answer.get("verdict") for answer in answers] == [
        "correct", None, None, None, None, None, "incorrect",
    ]  # fmt: skip
    assert set(answers[0]) == {"verdict", "score", "feedback"}
    wrong = [answer["error"] for answer in answers[1:6]]
    assert [error["line"] for error in wrong] == [2, 4, 5, 6, 7]
    assert [error["message"] for error in wrong[1:]] == [
        "`answer` is missing",
        "`reference` is not a text",
        "There is no accepted answer to mark against",
        "this is not a JSON object",
    ]


def test_thousands_of_lines_are_answered_one_by_one():
    line = json.dumps({"question": FLOAT[0], "reference": FLOAT[1], "answer": "it is less dense"})
    assert len(answered([line] * 3000)) == 3000


def test_the_weights_say_what_they_were_fitted_on_and_belong_to_measures():
    data = json.loads((SHIPPED / "weights.json").read_text(encoding="utf-8"))
    assert all(len(source["sha256"]) == 64 for source in data["fitted_on"].values())
    for kind, names in SUMMARY.items():
        assert set(data["models"][kind]["weights"]) <= set(names)
        assert weights()[kind].partial < weights()[kind].correct
