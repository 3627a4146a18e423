"""A lesson is held to its limits, and every fault says where it is."""

from dataclasses import replace

import pytest
from hypothesis import given

from paige.plan.lessons.faults import faults, faults_in, uneven
from paige.plan.lessons.lesson import Activity, Check, Keyword, Lesson, Question, render
from tests.plan.lessons import any_lessons, loops_lesson


def with_cycle(**changes: object) -> Lesson:
    lesson = loops_lesson()
    return replace(lesson, cycles=(replace(lesson.cycles[0], **changes),))


def with_check(check: Check) -> Lesson:
    return with_cycle(checks=(check, loops_lesson().cycles[0].checks[1]))


def test_a_good_lesson_has_no_fault() -> None:
    assert faults(loops_lesson()) == []
    assert faults_in(render(loops_lesson())) == []


@pytest.mark.parametrize(
    ("lesson", "section", "message"),
    [
        (replace(loops_lesson(), title="x" * 81), "lesson", "81 characters; 80"),
        (replace(loops_lesson(), outcome="Pupils learn"), "learning-outcome", "begin with `I can`"),
        (replace(loops_lesson(), outcome="I can " + "x" * 185), "learning-outcome", "190"),
        (replace(loops_lesson(), success_criteria=("One",)), "success-criteria", "2 to 4"),
        (replace(loops_lesson(), curriculum=()), "curriculum", "no curriculum outcome"),
        (replace(loops_lesson(), prior_knowledge=()), "before-the-lesson", "1 to 5"),
        (replace(loops_lesson(), key_points=("a", "b")), "key-learning-points", "3 to 4"),
        (replace(loops_lesson(), keywords=()), "keywords", "1 to 5"),
        (replace(loops_lesson(), keywords=(Keyword("x" * 31, "y"),)), "keywords", "31 characters"),
        (replace(loops_lesson(), keywords=(Keyword("x", "y" * 201),)), "keywords", "201"),
        (replace(loops_lesson(), keywords=(Keyword("x", ""),)), "keywords", "has no meaning"),
        (replace(loops_lesson(), misconceptions=("x" * 251,)), "misconceptions", "251"),
        (replace(loops_lesson(), misconceptions=("x",) * 4), "misconceptions", "1 to 3"),
        (replace(loops_lesson(), cycles=loops_lesson().cycles * 4), "learning-cycle-1", "1 to 3"),
        (replace(loops_lesson(), minutes=45), "lesson", "take 50 minutes, the lesson has 45"),
        (replace(loops_lesson(), minutes=0), "lesson", "cannot be taught"),
        (replace(loops_lesson(), starter=Activity(0, "", ())), "starter", "no minutes"),
        (
            replace(loops_lesson(), exit_check=Activity(5, "", (Question("a", ""),))),
            "exit-check",
            "empty",
        ),
        (with_cycle(practice=""), "learning-cycle-1", "practice is missing"),
        (with_cycle(checks=()), "learning-cycle-1", "0 checks"),
        (with_check(Check("Why?", "a", ("b",))), "learning-cycle-1", "1 wrong options"),
        (with_check(Check("Why?", "a", ("b", "A"))), "learning-cycle-1", "are the same"),
        (
            with_check(Check("Why?", "because it repeats the steps below it", ("no", "yes"))),
            "learning-cycle-1",
            "give the answer away",
        ),
    ],
)
def test_every_limit_is_checked(lesson: Lesson, section: str, message: str) -> None:
    found = [each for each in faults(lesson) if message in each.message]
    assert [each.section for each in found] == [section]


def test_a_fault_points_to_its_line() -> None:
    lesson = with_check(Check("Which one is it?", "a", ("b",)))
    text = render(lesson)
    (fault,) = faults_in(text)
    assert "Which one is it?" in text.split("\n")[fault.line - 1]
    assert str(fault).startswith(f"Line {fault.line} (learning-cycle-1): ")


def test_what_cannot_be_read_is_a_fault_too() -> None:
    (fault,) = faults_in(render(loops_lesson()).replace("## Starter (5 min)", "## Starter"))
    assert fault.section == "starter"
    assert "Write `## Starter (8 min)`" in fault.message


def test_short_answers_may_differ_in_length() -> None:
    assert not uneven(Check("?", "7", ("14", "none of them")))
    assert uneven(Check("?", "a long and careful right answer", ("no", "a long and careful one")))


@given(any_lessons)
def test_faults_name_lines_that_exist(lesson: Lesson) -> None:
    lines = render(lesson).split("\n")
    assert all(1 <= fault.line <= len(lines) for fault in faults(lesson))
