"""What a filled-in worksheet is worth, and what is said about it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from paige.exercise.result import Attempt, dump_result, load_result
from paige.exercise.values import AnswerMark
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import parse_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.tables import choice_letter
from paige.exercise.worksheet.values import Choice, Question, Section, Worksheet

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
CHOICES = (Choice("A", "Leaving at night"), Choice("B", "Morning greeting"))
SHEET = Worksheet(
    course="malay",
    concept="greetings",
    title="Greetings",
    generated="2026-02-22T14:30:00Z",
    sections=(
        Section(
            1,
            "Words",
            (
                Question(1, 1, "Good morning: ___"),
                Question(1, 2, "Thank you: ___"),
                Question(1, 3, "Good night: ___"),
                Question(1, 4, "I ___ to the ___."),
            ),
        ),
        Section(
            2,
            "Matching",
            (Question(2, 1, "Selamat pagi"), Question(2, 2, "Selamat tinggal")),
            choices=CHOICES,
        ),
    ),
    key={
        "1.1": "selamat pagi",
        "1.2": "terima kasih",
        "1.3": "selamat malam / malam",
        "1.4": "go / walk; shop",
        "2.1": "B",
        "2.2": "A",
    },
)


def plain(question: str, reference: str, answer: str) -> AnswerMark:
    """A marker that knows equal, nearly equal and different."""
    accepted = reference.split(" / ")
    if answer.casefold() in accepted:
        return AnswerMark("correct", 1.0, "Right.")
    if any(answer[:3].casefold() == each[:3] for each in accepted):
        return AnswerMark("partial", 0.6, f"Close to {accepted[0]}.")
    return AnswerMark("incorrect", 0.0, "Not this.")


def fill(**answers: str):
    """The sheet with these answers, named like `a11` for 1.1."""
    text = render_worksheet(SHEET)
    where = {
        "a11": ("Good morning: ___", "Good morning: {}"),
        "a12": ("Thank you: ___", "Thank you: {}"),
        "a13": ("Good night: ___", "Good night: {}"),
        "a14": ("I ___ to the ___.", "I {}."),
        "a21": ("| 1. Selamat pagi | ___", "| 1. Selamat pagi | {}"),
        "a22": ("| 2. Selamat tinggal | ___", "| 2. Selamat tinggal | {}"),
    }
    for name, answer in answers.items():
        old, new = where[name]
        text = text.replace(old, new.format(answer))
    return parse_worksheet(text)


ALL_RIGHT = {
    "a11": "selamat pagi",
    "a12": "terima kasih",
    "a13": "malam",
    "a14": "walk to the shop",
    "a21": "b.",
    "a22": "Leaving at night",
}


def test_everything_right_is_easy() -> None:
    result = mark_worksheet(fill(**ALL_RIGHT), plain, Attempt(now=NOON))
    assert result.score.correct == result.score.total == 6
    assert (result.fsrs_rating, result.errors, result.remarks) == (4, (), ())
    assert result.exercise_id == "20260222T143000Z-greetings-ws"
    assert result.message == "6 of 6 right."
    assert result.strengths == ("Words: 4 of 4 right", "Matching: 2 of 2 right")
    assert load_result(dump_result(result)) == result


def test_each_wrong_answer_is_explained_with_its_kind() -> None:
    wrong = {**ALL_RIGHT, "a11": "terima kasih", "a13": "selamta malam", "a22": "B", "a12": ""}
    result = mark_worksheet(fill(**wrong), plain)
    by_question = {error.question: error for error in result.errors}
    assert set(by_question) == {"1.1", "1.2", "1.3", "2.2"}
    assert by_question["1.1"].error_type == "vocabulary_confusion"
    assert "selamat pagi" in by_question["1.1"].detail
    assert by_question["1.3"].error_type == "spelling"
    assert by_question["1.2"].actual is None
    assert by_question["1.2"].detail.startswith("Not answered on line")
    assert by_question["2.2"].expected == "A. Leaving at night"
    assert "Morning greeting" in by_question["2.2"].detail
    assert result.score.correct == 2.5
    assert result.fsrs_rating == 1
    assert result.message == "2 of 6 right, 1 partly right, 1 not answered."
    assert any(line.startswith("2 times: a word mixed up") for line in result.improvements)


def test_several_blanks_of_one_question_are_marked_one_by_one() -> None:
    result = mark_worksheet(fill(**{**ALL_RIGHT, "a14": "walk to the moon"}), plain)
    assert result.errors[0].question == "1.4"
    assert result.errors[0].actual == "walk; moon"
    assert "Blank 2" in result.errors[0].detail
    assert result.score.correct == 5.5


def test_hints_and_shown_answers_lower_the_rating_not_the_score() -> None:
    hinted = mark_worksheet(fill(**ALL_RIGHT), plain, Attempt(hints_used=1))
    shown = mark_worksheet(fill(**ALL_RIGHT), plain, Attempt(answer_shown=True))
    assert (hinted.score.percentage, hinted.fsrs_rating) == (1.0, 2)
    assert (shown.score.percentage, shown.fsrs_rating) == (1.0, 1)


def test_an_edited_key_is_said_and_the_kept_one_is_used() -> None:
    text = render_worksheet(SHEET).replace("1.1: selamat pagi", "1.1: hello")
    text = text.replace("Good morning: ___", "Good morning: hello")
    trusted = mark_worksheet(parse_worksheet(text, template=SHEET), plain)
    assert "not the one it was made with" in trusted.remarks[0]
    assert trusted.score.correct == 0
    assert "not the one it was made with" in mark_worksheet(parse_worksheet(text), plain).remarks[0]


def test_without_a_key_nothing_is_graded() -> None:
    result = mark_worksheet(parse_worksheet(render_worksheet(replace(SHEET, key=None))), plain)
    assert result.gradable is False
    assert "no answer key" in result.message


def test_stray_text_is_mentioned() -> None:
    text = render_worksheet(SHEET).replace(
        "Thank you: ___", "Thank you: terima kasih\n(not sure about that)"
    )
    result = mark_worksheet(parse_worksheet(text), plain)
    assert any("(not sure about that)" in remark for remark in result.remarks)


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("b", "B"),
        ("B.", "B"),
        ("(b)", "B"),
        ("b)", "B"),
        ("Morning greeting", "B"),
        ("B. Morning greeting", "B"),
        ("morning  GREETING.", "B"),
        ("A. Morning greeting", None),
        ("Z", None),
        ("both", None),
        ("", None),
    ],
)
def test_ways_to_say_a_letter(answer: str, letter: str | None) -> None:
    assert choice_letter(answer, CHOICES) == letter


def test_the_marker_that_comes_with_paige_is_used_when_none_is_given() -> None:
    assert mark_worksheet(fill(**ALL_RIGHT)).fsrs_rating == 4
    assert mark_worksheet(fill(a11="nothing like it")).score.correct == 0
