"""Response files: the template, and finding what someone wrote, wherever they wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.response import (
    looks_like_response,
    read_response,
    render_response,
    response_result,
    word_count,
)
from paige.exercise.result import Attempt, dump_result, load_result
from paige.exercise.rubric import default_rubric, score_rubric
from paige.exercise.values import ResponseTask

TASK = ResponseTask(
    id="r1",
    concept_id="sorting-tradeoffs",
    course="intro-to-algorithms",
    title="Sorting Algorithm Trade-offs",
    question="Compare and contrast merge sort and quicksort. Address the following:",
    generated="2026-02-22T14:30:00Z",
    bloom_level="evaluate",
    points=(
        "Time complexity in best, average, and worst cases",
        "Space complexity",
        "Stability",
        "When you would choose one over the other in practice",
    ),
)
TEMPLATE = """\
<!-- RESPONSE -->
<!-- course: intro-to-algorithms -->
<!-- concept: sorting-tradeoffs -->
<!-- bloom_level: evaluate -->
<!-- generated: 2026-02-22T14:30:00Z -->

# Question: Sorting Algorithm Trade-offs

Compare and contrast merge sort and quicksort. Address the following:

1. Time complexity in best, average, and worst cases
2. Space complexity
3. Stability
4. When you would choose one over the other in practice

**Your response** (write below this line):

---


"""
ANSWER = "Merge sort is stable.\n\nQuicksort is usually faster:\n\n---\n\n1. less memory"
MARK = "**Your response** (write below this line):"


def test_the_template_is_the_documented_one() -> None:
    assert render_response(TASK) == TEMPLATE


def test_an_untouched_template_is_empty() -> None:
    for task in (None, TASK):
        found = read_response(TEMPLATE, task)
        assert found.empty
        assert found.words == 0
        assert (found.course, found.concept, found.bloom_level) == (
            "intro-to-algorithms",
            "sorting-tradeoffs",
            "evaluate",
        )
        assert found.title == "Sorting Algorithm Trade-offs"


@pytest.mark.parametrize(
    "text",
    [
        TEMPLATE + ANSWER,
        (TEMPLATE + ANSWER).replace("\n", "\r\n"),
        "\ufeff" + TEMPLATE + ANSWER + "\n\n",
        TEMPLATE.replace("---\n", "") + ANSWER,
        TEMPLATE.replace("---\n", "***\n") + ANSWER,
        TEMPLATE.replace(MARK, "Your response:") + ANSWER,
        TEMPLATE.replace(MARK, "## My answer") + ANSWER,
        TEMPLATE.replace(MARK, "**Response**") + ANSWER,
        TEMPLATE.replace(MARK, "__Your response__ (write below this line)") + ANSWER,
        TEMPLATE.replace(MARK + "\n", "") + ANSWER,
        TEMPLATE + ANSWER.replace("stable.", "stable.<!-- check this -->"),
        TEMPLATE.replace("<!-- RESPONSE -->\n", "") + ANSWER,
    ],
)
def test_the_answer_is_found_however_the_template_was_edited(text: str) -> None:
    found = read_response(text)
    assert found.text == ANSWER
    assert found.problems == ()
    assert not found.empty


def test_an_answer_on_the_line_of_the_marker_is_found() -> None:
    text = TEMPLATE.replace(MARK + "\n\n---", f"{MARK} Merge sort is stable.")
    assert read_response(text).text == "Merge sort is stable."


@pytest.mark.parametrize("task", [None, TASK], ids=["alone", "with its task"])
def test_an_answer_above_the_line_is_found_and_said_to_be_there(task: ResponseTask | None) -> None:
    text = TEMPLATE.replace(MARK, f"Merge sort is stable.\n\nIt is slow.\n\n{MARK}")
    found = read_response(text, task)
    assert found.text == "Merge sort is stable.\n\nIt is slow."
    line = text.split("\n").index("Merge sort is stable.") + 1
    assert [problem.line for problem in found.problems] == [line]
    assert "Move it below" in found.problems[0].fix


def test_an_answer_without_any_marker_or_rule_is_found() -> None:
    text = TEMPLATE.replace(MARK, "").replace("---", "") + "Merge sort is stable."
    assert read_response(text).text == "Merge sort is stable."


@pytest.mark.parametrize("text", ["TODO", "(your answer here)", "...", "Write your response here."])
def test_a_placeholder_is_no_answer(text: str) -> None:
    assert read_response(TEMPLATE + text).empty


@given(st.text(max_size=300))
def test_no_text_makes_it_fail(text: str) -> None:
    read_response(text)
    read_response(TEMPLATE + text, TASK)


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=20))
def test_what_is_written_below_the_line_comes_back(words: list[str]) -> None:
    text = " ".join(["Xylophone", *words])
    found = read_response(TEMPLATE + text)
    assert found.text == text
    assert found.words == len(words) + 1


def test_words_are_counted_as_people_do() -> None:
    assert word_count("It's a well-known trade-off, isn't it?") == 6
    assert word_count("--- *** ...") == 0
    assert looks_like_response(TEMPLATE)
    assert not looks_like_response("# Notes\n\nSomething else")


def test_a_judged_answer_becomes_a_result() -> None:
    scores = {"Accuracy": 4, "Completeness": 2, "Reasoning Depth": 4, "Communication": 4}
    judged = score_rubric(default_rubric(), scores)
    result = response_result(read_response(TEMPLATE + ANSWER), judged, source="model-x")
    assert result.score.correct == 3.5
    assert (result.score.total, result.fsrs_rating, result.source) == (4, 4, "model-x")
    assert [error.question for error in result.errors] == ["Completeness"]
    assert result.exercise_id == "20260222T143000Z-sorting-tradeoffs-lf"
    assert load_result(dump_result(result)) == result


def test_an_answer_that_nobody_judged_has_no_score_and_no_praise() -> None:
    result = response_result(read_response(TEMPLATE + ANSWER), None, Attempt(hints_used=1))
    assert result.gradable is False
    assert result.score.correct == 0
    assert (result.errors, result.strengths, result.improvements) == ((), (), ())
    assert "without a model" in result.message


def test_an_empty_answer_is_not_graded() -> None:
    result = response_result(read_response(TEMPLATE), None)
    assert result.gradable is False
    assert result.score.correct == 0
    assert "Nothing was written" in result.message
