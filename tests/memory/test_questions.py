import pytest

from paige.memory.access import Reader
from paige.memory.lifecycle.questions import (
    KnownAnswer,
    differ,
    find_answer,
    look_up,
    normalise_question,
    qa_draft,
)
from tests.memory.life import DAY, LIFE, NOON, SmallMemory

Q = LIFE.questions
ASKED = "Which port does the server use?"


def asked(*answers: tuple[str, float], question: str = ASKED) -> SmallMemory:
    memory = SmallMemory()
    for answer, confidence in answers:
        memory.write([qa_draft(question, answer, confidence=confidence)])
    return memory


def ask(
    memory: SmallMemory, question: str, *, days: int = 0, like: float | None = None
) -> KnownAnswer | None:
    current = [each.event for each in memory.newest(("qa",), 100)]
    likeness = None if like is None else (lambda _one, _two: like)
    return look_up(question, current, now=NOON + days * DAY, thresholds=Q, likeness=likeness)


def test_the_same_question_in_other_signs_is_answered() -> None:
    found = ask(asked(("8000", 0.9)), "which PORT does the server use")
    assert found == KnownAnswer("8000", 0.9, "e1", "the same question, answered 0 days ago")


@pytest.mark.parametrize(
    ("confidence", "days"),
    [(0.84, 0), (0.99, 31)],
)
def test_an_unsure_or_old_answer_is_not_given(confidence: float, days: int) -> None:
    assert ask(asked(("8000", confidence)), ASKED, days=days) is None


def test_the_limits_themselves_are_enough() -> None:
    assert isinstance(ask(asked(("8000", 0.85)), ASKED, days=30), KnownAnswer)


def test_a_new_question_is_not_answered() -> None:
    assert ask(asked(("8000", 0.9)), "What is the weather?") is None
    assert ask(SmallMemory(), "", like=1.0) is None


def test_a_question_that_is_alike_is_answered_with_less_confidence() -> None:
    memory = asked(("8000", 0.95))
    found = ask(memory, "What port is the server on?", like=0.95)
    assert isinstance(found, KnownAnswer)
    assert found.confidence == pytest.approx(0.9025)
    assert ask(memory, "What port is the server on?", like=0.89) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("May I run the tests?", "May I not run the tests?"),
        ("Is 3 enough?", "Is 4 enough?"),
        ("Lint before commit?", "Lint after commit?"),
    ],
)
def test_questions_that_only_look_alike_are_told_apart(one: str, other: str) -> None:
    assert differ(one, other)
    assert ask(asked(("yes", 1.0), question=one), other, like=0.99) is None


def test_a_corrected_answer_takes_the_place_of_the_wrong_one() -> None:
    memory = asked(("8000", 0.95))
    memory.now = NOON + DAY
    memory.write([qa_draft(ASKED, "9000", confidence=0.95, corrects="e1")])
    found = ask(memory, ASKED, days=1)
    assert isinstance(found, KnownAnswer)
    assert found.answer == "9000"


def test_a_later_unsure_answer_is_not_covered_by_an_earlier_sure_one() -> None:
    memory = asked(("8000", 0.95))
    memory.now = NOON + DAY
    memory.write([qa_draft(ASKED, "perhaps 9000", confidence=0.3)])
    assert ask(memory, ASKED, days=1) is None


def test_normalising_keeps_the_words() -> None:
    assert normalise_question("  Don't   PANIC!? ") == "dont panic"


def test_nobody_is_answered_from_what_they_may_not_read() -> None:
    memory = SmallMemory()
    memory.write([qa_draft(ASKED, "8000", confidence=0.9, scope="teacher")])
    for person in ("me", "bo"):
        found = find_answer(memory, Reader(person=person), ASKED, now=NOON, thresholds=Q)
        assert (found is None) == (person == "bo")
