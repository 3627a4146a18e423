"""The subject knowledge that Paige comes with: complete, within limits, tied to real outcomes."""

import contextlib
import io
import re
from collections import Counter
from pathlib import Path

import pytest

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.values import Library
from paige.plan.lessons import lesson as limits
from paige.plan.lessons.faults import uneven
from paige.plan.local.brief import brief_of
from paige.plan.local.fit import fit
from paige.plan.local.topics import Topic, load_topics, read_topics, shipped_topics
from paige.store.documents import DirectoryDocuments
from tests.plan.composing import Composer, code_blocks

TOPICS = shipped_topics()
EACH = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.id)
FEWEST = {
    "Computing Science": 14,
    "Technologies": 6,
    "Mathematics": 14,
    "English": 10,
    "French": 10,
    "History": 8,
}
AMERICAN = re.compile(
    r"\b(?:color|colors|center|centers|favorite|behavior|neighbor|gray|meter|meters|liter|liters|"
    r"organize|organized|recognize|analyze|realize|math|program(?:me)?s? of study|catalog|"
    r"labor|honor|traveling|fulfill|practicing)\b",
    re.I,
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return load_all(DirectoryDocuments(shipped("workspace")))


def words_of(topic: Topic) -> str:
    parts = [topic.title, topic.outcome, *topic.criteria, *topic.prior, *topic.ideas]
    parts += [f"{word.word} {word.meaning}" for word in topic.words]
    parts += [each.sentence for each in topic.misconceptions]
    parts += [f"{each.question} {each.answer}" for each in topic.recall]
    for step in topic.steps:
        parts += [step.title, step.explain, step.example]
        parts += [
            f"{task.task} {task.answer}" for task in (*step.support, *step.core, *step.stretch)
        ]
        parts += [f"{check.question} {' '.join(check.options)}" for check in step.questions]
    return "\n".join([*parts, topic.eal, topic.asn, topic.stretch, topic.care])


def test_every_subject_has_enough_topics() -> None:
    counted = Counter(topic.subject for topic in TOPICS)
    assert {subject: counted[subject] >= number for subject, number in FEWEST.items()} == (
        dict.fromkeys(FEWEST, True)
    )


@EACH
def test_a_topic_has_all_a_lesson_needs(topic: Topic) -> None:
    assert len(topic.title) <= limits.TITLE_LENGTH
    assert len(f"I can {topic.outcome}.") <= limits.OUTCOME_LENGTH
    assert 2 <= len(topic.criteria) <= 4
    assert 1 <= len(topic.prior) <= 5
    assert 3 <= len(topic.ideas) <= 4
    assert 3 <= len(topic.words) <= 5
    assert all(len(word.word) <= limits.WORD_LENGTH for word in topic.words)
    assert all(len(word.meaning) <= limits.MEANING_LENGTH for word in topic.words)
    assert 2 <= len(topic.misconceptions) <= 3
    assert all(len(each.sentence) <= 250 for each in topic.misconceptions)
    assert len(topic.recall) >= 3
    assert len(topic.steps) >= 2
    assert all((topic.eal, topic.asn, topic.stretch))
    for step in topic.steps:
        assert all((step.title, step.explain, step.example, step.support, step.stretch))
        assert len(step.core) >= 2


@EACH
def test_a_topic_asks_at_least_eight_questions_with_plausible_wrong_answers(topic: Topic) -> None:
    questions = [question for step in topic.steps for question in step.questions]
    assert len(questions) >= 8
    assert len({check.question for check in questions}) == len(questions)
    for check in questions:
        assert len(check.distractors) >= 2, check.question
        folded = [option.casefold() for option in check.options]
        assert len(set(folded)) == len(folded), check.question
        assert not uneven(check), check.question


@EACH
def test_the_outcomes_of_a_topic_stand_in_its_curriculum_file(
    topic: Topic, library: Library
) -> None:
    file = library.file(topic.curriculum)
    assert file is not None
    known = {outcome.code for outcome in file.outcomes}
    assert set(topic.outcomes) <= known
    assert len(set(topic.outcomes)) == len(topic.outcomes)


@EACH
def test_a_topic_is_written_in_british_english_for_pupils_of_its_age(topic: Topic) -> None:
    words = words_of(topic)
    for language in ("python", "html", "css", "sql"):
        for block in code_blocks(words, language):
            words = words.replace(block, "")
    words = re.sub(r"`[^`]*`", "", words)
    assert AMERICAN.findall(words) == []


def test_no_two_topics_share_a_question_a_worked_example_or_an_explanation() -> None:
    checks = Counter(check for topic in TOPICS for step in topic.steps for check in step.questions)
    texts = Counter(
        text for topic in TOPICS for step in topic.steps for text in (step.explain, step.example)
    )
    assert [each for each, number in checks.items() if number > 1] == []
    assert [each for each, number in texts.items() if number > 1] == []


@pytest.mark.parametrize(
    ("topic", "code"),
    [
        (topic.id, block)
        for topic in TOPICS
        for step in topic.steps
        for block in code_blocks(f"{step.explain}\n{step.example}", "python")
    ],
)
def test_every_program_in_a_worked_example_runs(topic: str, code: str) -> None:
    given = iter(["2", "0", "3", "2468", "4"])

    def answer(_: str = "") -> str:
        return next(given)

    source = code.replace("input(", "answer(")
    names = {"answer": answer, "score": 60, "age": 13, "height": 150, "mark": 7}
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(source, topic, "exec"), names)


def test_what_a_program_shows_is_what_the_example_says() -> None:
    by_id = {topic.id: topic for topic in TOPICS}
    shown = io.StringIO()
    code = next(code_blocks(by_id["traversing"].steps[0].example, "python"))
    with contextlib.redirect_stdout(shown):
        exec(compile(code, "example", "exec"), {})
    assert shown.getvalue() == "74 2\n"
    assert "Shown: `74 2`" in by_id["traversing"].steps[0].example


@pytest.fixture(scope="module")
def composer(tmp_path_factory: pytest.TempPathFactory) -> Composer:
    return Composer(tmp_path_factory.mktemp("topics"))


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("iteration for 3B", "fixed-loops"),
        ("a lesson on while loops for 3B", "conditional-loops"),
        ("finding the percentage of an amount for 2A", "percentages"),
        ("the Highland Clearances for 2C", "clearances"),
        ("giving opinions in French", "fr-opinions"),
        ("similes and metaphors for 2C", "imagery"),
        ("HTML for 3B", "web-pages"),
        ("ww1 for 2C, history", "first-world-war-causes"),
        ("phishing messages for 1B", "phishing"),
        ("bubble sort", "sorting"),
    ],
)
def test_lessons_are_found_by_what_teachers_call_them(
    composer: Composer, text: str, id: str
) -> None:
    found = fit(brief_of(text, composer.sources)).topic
    assert found is not None
    assert found.id == id


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("subject = 1", "`bad.toml`: `subject`"),
        ("subject = ", "`bad.toml` is not TOML"),
        ('subject = "X"\ncurriculum = "x"\nextra = 1\ntopic = []', "`extra`"),
    ],
)
def test_a_broken_file_is_named_with_the_key(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=re.escape(message)):
        read_topics(text, "bad.toml")


def test_topics_that_build_on_nothing_are_refused(tmp_path: Path) -> None:
    good = shipped("plan/topics/history.toml").read_text("utf-8")
    broken = tmp_path / "history.toml"
    broken.write_text(good.replace('after = ["sources"]', 'after = ["saucers"]'), "utf-8")
    with pytest.raises(BadInput, match="builds on `saucers`"):
        load_topics([broken])
    broken.write_text(good, "utf-8")
    with pytest.raises(BadInput, match="Two topics have the id `sources`"):
        load_topics([broken, broken])
