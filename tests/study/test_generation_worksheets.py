"""Worksheets: every form, both directions, distractors, and a key that marks itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import NotFound
from paige.exercise.values import BLOOM_LEVELS, Bloom
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import parse_worksheet
from paige.study.courses.values import Course, Word
from paige.study.generation.generator import generate
from paige.study.generation.worksheets import fill_in, right_answers
from paige.study.values import Exercise, ExerciseRequest, PastExercise
from tests.conftest import NOON
from tests.depth import examples
from tests.study.made_courses import CONCEPT, course_of, items_of, lines, words
from tests.study.small_courses import algorithms, interview, malay, memory


def sheet(course: Course, concept: str, seed: int = 1, **more: Any) -> Exercise:
    bloom: Bloom = more.pop("bloom", "remember")
    wanted = ExerciseRequest(concept_id=concept, modality="worksheet", bloom=bloom, **more)
    return generate(course, wanted, seed=seed, now=NOON)


def text_of(exercise: Exercise) -> str:
    (text,) = exercise.files.values()
    return text


def titles(exercise: Exercise) -> list[str]:
    return [each.title for each in parse_worksheet(text_of(exercise)).worksheet.sections]


def marked_by_its_key(exercise: Exercise) -> float:
    text = text_of(exercise)
    template = parse_worksheet(text).worksheet
    filled = fill_in(text, template, right_answers(template))
    result = mark_worksheet(parse_worksheet(filled))
    assert result.gradable
    return result.score.percentage


@settings(max_examples=examples(80))
@given(
    st.lists(lines(), min_size=1, max_size=12),
    st.lists(words, max_size=10, unique_by=lambda word: word.id),
    st.sampled_from(["language", "technical", "conceptual", "interview"]),
    st.sampled_from(BLOOM_LEVELS),
    st.integers(0, 1000),
)
def test_every_generated_worksheet_parses_and_its_key_marks_itself_all_right(
    listed: Sequence[dict[str, Any]],
    vocabulary: Sequence[Word],
    domain: Any,
    bloom: Bloom,
    seed: int,
) -> None:
    course = course_of(items_of(listed, domain), vocabulary, domain)
    try:
        exercise = sheet(course, CONCEPT, seed, bloom=bloom)
    except NotFound:
        return

    empty = parse_worksheet(text_of(exercise))
    assert not empty.key_changed
    assert not empty.problems
    assert sum(not each.answered for each in empty.answers.values()) == len(exercise.items)
    assert {each.id for each in exercise.items} == {q.id for q in empty.worksheet.questions}
    assert marked_by_its_key(exercise) == 1.0


@given(st.lists(lines(), min_size=1, max_size=8), st.integers(0, 99))
def test_the_same_seed_gives_the_same_worksheet(listed: list[dict[str, Any]], seed: int) -> None:
    course = course_of(items_of(listed))
    try:
        first = sheet(course, CONCEPT, seed)
    except NotFound:
        return
    assert sheet(course, CONCEPT, seed) == first


def test_a_vocabulary_sheet_mixes_directions_and_matches_with_distractors(tmp_path: Path) -> None:
    exercise = sheet(malay(tmp_path), "greetings")

    directions = {each.direction for each in exercise.items if each.kind == "translate"}
    assert directions == {"to", "from"}
    assert "Matching" in titles(exercise)
    table = next(
        each
        for each in parse_worksheet(text_of(exercise)).worksheet.sections
        if each.title == "Matching"
    )
    assert len(table.choices) >= len(table.questions) + 2
    assert marked_by_its_key(exercise) == 1.0


def test_no_word_is_asked_twice_on_a_sheet(tmp_path: Path) -> None:
    course = malay(tmp_path)
    for seed in range(8):
        words = [each.rpartition(".")[0] for each in sheet(course, "greetings", seed).item_ids]
        assert len([each for each in words if each]) == len({each for each in words if each})


def test_a_language_sheet_has_one_item_that_tests_when_something_does_not_apply(
    tmp_path: Path,
) -> None:
    course = malay(tmp_path)
    for seed in range(6):
        exercise = sheet(course, "greetings", seed, bloom="apply")
        assert any(each.discrimination for each in exercise.items)


def test_every_form_of_a_technical_sheet(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    found: set[str] = set()
    for seed, bloom in enumerate(("remember", "understand", "apply") * 3):
        exercise = sheet(course, "search", seed, bloom=bloom)
        found |= set(titles(exercise))
        assert marked_by_its_key(exercise) == 1.0

    assert found >= {
        *("Definitions", "What Comes Out?", "Put in Order", "Sort", "Fill in the Code"),
        *("True or False", "Choose"),
    }


def test_every_form_of_a_conceptual_sheet(tmp_path: Path) -> None:
    found = set(titles(sheet(memory(tmp_path), "spacing", count=4)))
    assert found == {"Matching", "Put in Order", "True or False", "In Your Own Words"}


def test_an_interview_sheet_has_an_outline_with_a_line_for_each_point(tmp_path: Path) -> None:
    exercise = sheet(interview(tmp_path), "conflict")
    text = text_of(exercise)
    assert "Outline" in titles(exercise)
    for point in ("Situation", "Task", "Action", "Result"):
        assert f"{point}: ___" in text


def test_code_above_a_question_stays_code_and_its_answer_is_found(tmp_path: Path) -> None:
    exercise = sheet(algorithms(tmp_path), "search", items=("b-print",), bloom="apply")
    assert "```python\nfor n in range(3):" in text_of(exercise)
    assert marked_by_its_key(exercise) == 1.0


def test_true_or_false_wants_a_reason_so_that_guessing_is_half_right(tmp_path: Path) -> None:
    exercise = sheet(memory(tmp_path), "spacing", items=("m-false",), count=4)
    text = text_of(exercise)
    template = parse_worksheet(text).worksheet
    name = next(each.id for each in exercise.items if each.kind == "true_false")
    answers = {**right_answers(template), name: ("false", "___")}
    result = mark_worksheet(parse_worksheet(fill_in(text, template, answers)))
    assert result.score.correct == len(exercise.items) - 0.5


def test_the_next_sheet_asks_other_things(tmp_path: Path) -> None:
    course = malay(tmp_path)
    first = sheet(course, "greetings")
    past = PastExercise(
        at=NOON,
        exercise_id=first.id,
        modality="worksheet",
        kind=first.kind,
        item_ids=first.item_ids,
    )
    second = sheet(course, "greetings", history=(past,))
    shared = set(first.item_ids) & set(second.item_ids)
    assert len(shared) <= len(second.item_ids) / 2


def test_a_concept_without_items_has_no_worksheet() -> None:
    with pytest.raises(NotFound, match="worksheet"):
        sheet(course_of(), CONCEPT)
