"""The questions an exercise must answer well before anybody gets it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paige.exercise.rubric import default_rubric
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import Question as SheetQuestion
from paige.exercise.worksheet.values import Section, Worksheet
from paige.study.generation.checks import (
    check_exercise,
    faulty_questions,
    fits_level,
    keeps_to_scope,
    novel,
    numbers,
    solvable,
    unambiguous,
)
from paige.study.values import Exercise, ExerciseRequest, PastExercise, Question
from tests.conftest import NOON
from tests.study.small_courses import algorithms, malay


def question(**more: Any) -> Question:
    given: dict[str, Any] = {
        "id": "1",
        "prompt": "What is it?",
        "kind": "short",
        "item_id": "i1",
        "answers": ("that",),
    }
    return Question(**given | more)


def exercise(*questions: Question, **more: Any) -> Exercise:
    given: dict[str, Any] = {
        "id": "x",
        "course": "c",
        "concept_id": "greetings",
        "concept_title": "Greetings",
        "modality": "conversation",
        "bloom": "remember",
        "domain": "language",
        "kind": "short",
        "title": "Greetings",
        "prompt": "",
        "generated": NOON,
        "items": questions,
        "item_ids": tuple(each.item_id for each in questions),
    }
    return Exercise(**given | more)


def test_a_question_without_an_answer_cannot_be_solved() -> None:
    (fault,) = solvable(exercise(question(answers=())))
    assert (fault.check, fault.question) == ("solvable", "1")


def test_a_worksheet_that_cannot_be_read_back_cannot_be_solved() -> None:
    rows = (SheetQuestion(1, 1, "The first thing: ___"),)
    good = Section(1, "Things", rows, intro="Write what it is.")
    odd = Section(1, "Things", rows, intro="1. This line looks like a question.")
    for section, faults in ((good, 0), (odd, 1)):
        sheet = Worksheet(
            course="c",
            concept="greetings",
            title="T",
            sections=(section,),
            generated="2026-03-02T12:00:00Z",
            key={"1.1": "that"},
        )
        asked = exercise(
            question(id="1.1"), modality="worksheet", files={"a.md": render_worksheet(sheet)}
        )
        assert len(list(solvable(asked))) == faults


@pytest.mark.parametrize(
    "choices", [("that", "That!", "this"), ("one", "two", "Two")], ids=["right twice", "two wrong"]
)
def test_two_choices_that_say_the_same_are_ambiguous(choices: tuple[str, ...]) -> None:
    asked = question(kind="choice", choices=choices, key=("A",))
    assert any("same" in each.message for each in unambiguous(exercise(asked)))


def test_a_choice_without_a_right_one_is_ambiguous() -> None:
    asked = question(kind="choice", choices=("a", "b", "c"), key=())
    assert [each.message for each in unambiguous(exercise(asked))] == [
        "None of its choices is right"
    ]


def test_the_same_question_twice_is_ambiguous() -> None:
    twice = exercise(question(), question(id="2", prompt="what IS it"))
    (fault,) = unambiguous(twice)
    assert fault.question == "2"


def test_an_open_task_needs_something_to_be_judged_by() -> None:
    open_task = exercise(question(kind="long_form"), modality="long_form", kind="long_form")
    assert [each.check for each in unambiguous(open_task)] == ["unambiguous"]
    assert not list(unambiguous(replace(open_task, rubric=default_rubric())))


def test_what_could_be_guessed_does_not_fit_any_level() -> None:
    asked = question(kind="choice", choices=("yes", "no"), key=("A",))
    assert any("guessed" in each.message for each in fits_level(exercise(asked), "remember"))


def test_mere_recall_does_not_fit_a_higher_level() -> None:
    recalled = exercise(question(kind="translate"))
    assert any("recall" in each.message for each in fits_level(recalled, "analyze"))
    assert not list(fits_level(recalled, "remember"))


def test_a_judgement_needs_something_to_judge_from() -> None:
    bare = exercise(question(kind="long_form"), modality="long_form", prompt="Which is better?")
    assert any("too little" in each.message for each in fits_level(bare, "evaluate"))


def test_a_worked_example_is_not_asked_again_where_it_should_be_applied() -> None:
    asked = exercise(question(prompt="Greet your teacher at nine in the morning."), bloom="apply")
    taught = "atnoon" + "greetyourteacheratnineinthemorning" + "selamatpagi"
    assert [each.check for each in novel(asked, (), taught)] == ["novel"]
    assert not list(novel(replace(asked, bloom="remember"), (), taught))


def test_an_exercise_like_the_last_one_is_not_novel() -> None:
    asked = exercise(question(), question(id="2", item_id="i2", prompt="And this?"))
    last = PastExercise(
        at=NOON,
        exercise_id="before",
        modality="conversation",
        kind="short",
        item_ids=("i1", "i2"),
    )
    assert [each.check for each in novel(asked, (last,))] == ["novel"]
    other_form = replace(last, modality="worksheet")
    assert not list(novel(asked, (other_form,)))


def test_a_reworded_copy_of_the_last_question_is_not_novel() -> None:
    last = PastExercise(
        at=NOON,
        exercise_id="before",
        modality="conversation",
        kind="short",
        item_ids=("other",),
        prompts=("What is it?",),
    )
    (fault,) = novel(exercise(question(prompt="what is it")), (last,))
    assert fault.question == "1"


def test_what_needs_an_unlearned_concept_is_out_of_scope(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    asked = exercise(question(item_id="b-far"), concept_id="search")
    (fault,) = keeps_to_scope(asked, course, frozenset())
    assert "`trees`" in fault.message
    assert not list(keeps_to_scope(asked, course, frozenset({"trees"})))


def test_numbers_of_a_good_exercise() -> None:
    one_way = [question(id=str(n), kind="translate", direction="to") for n in range(4)]
    assert any("one direction" in each.message for each in numbers(exercise(*one_way)))
    essay = exercise(question(kind="long_form"), modality="long_form", points=("one",))
    assert any("two points" in each.message for each in numbers(essay))
    tests = "def test_one():\n    assert f(1) == 1\n"
    code = exercise(
        question(kind="code"),
        modality="code",
        kind="code",
        language="python",
        files={"test_exercise.py": tests},
    )
    assert any("three tests" in each.message for each in numbers(code))


def test_only_questions_that_are_wrong_themselves_are_left_out(tmp_path: Path) -> None:
    wanted = ExerciseRequest(concept_id="greetings", modality="conversation", bloom="analyze")
    asked = exercise(question(kind="translate"), question(id="2", prompt="Else?", answers=()))
    faults = check_exercise(asked, malay(tmp_path), wanted)
    assert faulty_questions(faults) == {"2"}
