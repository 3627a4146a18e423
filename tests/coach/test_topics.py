"""The catalogue: every kata fails as it is given and passes with its solution, in the sandbox."""

from pathlib import Path

import pytest

from paige.coach.inquiry.topics import Topic, catalogue, topic_named
from paige.exercise.code_exercise import CodeExercise, CodeTest, render_code_exercise
from paige.exercise.grading import grade
from paige.exercise.result import Result
from tests.conftest import NOON

each_topic = pytest.mark.parametrize("topic", catalogue(), ids=lambda topic: topic.id)
# Every kata runs twice in the sandbox: a third of them in every run, all of them in the soak.
each_run = pytest.mark.parametrize(
    "topic",
    [
        pytest.param(topic, marks=() if number % 3 == 0 else pytest.mark.soak)
        for number, topic in enumerate(catalogue())
    ],
    ids=lambda topic: topic.id,
)


def graded(topic: Topic, folder: Path, code: str) -> Result:
    """What the tests of a kata say about some code."""
    tests = [CodeTest(f"case_{n}", body) for n, body in enumerate(topic.kata.tests, 1)]
    files = render_code_exercise(
        CodeExercise(
            title=topic.kata.title,
            concept_id=topic.id,
            instructions=topic.kata.description,
            starter=code,
            solution=topic.kata.solution,
            tests=tuple(tests),
            imports=topic.kata.imports,
        )
    )
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return grade(folder, now=NOON)


@each_run
def test_a_kata_fails_as_it_is_given_and_passes_when_it_is_solved(
    topic: Topic, tmp_path: Path
) -> None:
    given = graded(topic, tmp_path / "given", topic.kata.scaffolding)
    solved = graded(topic, tmp_path / "solved", topic.kata.solution)
    assert given.gradable
    assert given.score.percentage < 1
    assert solved.score.percentage == 1, [test.message for test in solved.tests]


@each_topic
def test_a_kata_can_be_made_harder_step_by_step(topic: Topic) -> None:
    levels = [each.min_level for each in topic.kata.constraints]
    assert len(levels) >= 2
    assert levels == sorted(levels)
    assert levels[0] > 1, "the first constraint must be reached, not given"
    assert len(topic.kata.tests) >= 3
    assert topic.kata.notes not in topic.kata.description


def test_there_are_enough_topics_and_each_is_found_by_its_own_name() -> None:
    assert len(catalogue()) >= 12
    for topic in catalogue():
        found = topic_named(topic.name)
        assert found is not None
        assert found.id == topic.id
