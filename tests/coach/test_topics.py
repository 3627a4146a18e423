"""The catalogue: every kata fails as it is given and passes with its solution, in the sandbox."""

import time
from pathlib import Path

import pytest

from paige.coach.local.python_reading import constructs_of
from paige.coach.local.topics import Topic, catalogue, sign_hits, topic_named, topics_in
from paige.exercise.code_exercise import CodeExercise, CodeTest, render_code_exercise
from paige.exercise.grading import grade
from paige.exercise.result import Result
from tests.conftest import NOON

each_topic = pytest.mark.parametrize("topic", catalogue(), ids=lambda topic: topic.id)


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


@each_topic
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
    levels = [level for _, _, level in topic.kata.constraints]
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


def test_topics_are_found_by_the_words_of_a_text() -> None:
    assert topics_in("The default argument is shared")[0].id == "mutable-defaults"
    assert topics_in("Nothing of that kind") == []


def test_a_file_made_to_hurt_the_patterns_is_read_at_once() -> None:
    function = "def f(x):\n" + "        \n" * 25
    texts = [function * 400, "def f(" * 15_000, "for a in b:\n" + " \t" * 40_000, "[[" * 40_000]
    start = time.thread_time()
    for text in texts:
        for topic in catalogue():
            sign_hits(
                topic, text, frozenset(constructs_of(text)) if topic.constructs else frozenset()
            )
    assert time.thread_time() - start < 2


@pytest.mark.parametrize(
    ("topic", "code"),
    [
        (
            "recursion-base",
            "def size(folder):\n    if not folder:\n        return 0\n    return size(x)",
        ),
        (
            "changing-while-iterating",
            "for each in items:\n    if each:\n        items.remove(each)\n",
        ),
        ("changing-while-iterating", "for key in table:\n    del table[key]\n"),
    ],
)
def test_what_only_the_syntax_tree_shows_is_a_sign_of_its_topic(topic: str, code: str) -> None:
    known = {each.id: each for each in catalogue()}
    assert sign_hits(known[topic], code, frozenset(constructs_of(code))) == 1
    assert (
        sign_hits(known[topic], "", frozenset(constructs_of("for a in b:\n    c.append(a)"))) == 0
    )
