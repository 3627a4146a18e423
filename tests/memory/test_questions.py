import pytest

from paige.memory.access import Reader
from paige.memory.lifecycle.questions import (
    Answered,
    Unanswered,
    difference,
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
) -> Answered | Unanswered:
    current = [each.event for each in memory.newest(("qa",), 100)]
    likeness = None if like is None else (lambda _one, _two: like)
    return look_up(question, current, now=NOON + days * DAY, thresholds=Q, likeness=likeness)


def test_the_same_question_in_other_signs_is_answered() -> None:
    found = ask(asked(("8000", 0.9)), "which PORT does the server use")
    assert found == Answered("8000", 0.9, "e1", "the same question, answered 0 days ago")


@pytest.mark.parametrize(
    ("confidence", "days", "why"),
    [
        (0.84, 0, "0.84 sure, 0.85 is needed"),
        (0.99, 31, "31 days old, 30 are allowed"),
    ],
)
def test_an_unsure_or_old_answer_is_not_given(confidence: float, days: int, why: str) -> None:
    found = ask(asked(("8000", confidence)), ASKED, days=days)
    assert isinstance(found, Unanswered)
    assert why in found.reason


def test_the_limits_themselves_are_enough() -> None:
    assert isinstance(ask(asked(("8000", 0.85)), ASKED, days=30), Answered)


def test_a_new_question_is_not_answered() -> None:
    assert ask(asked(("8000", 0.9)), "What is the weather?") == Unanswered(
        "the question was not asked before"
    )
    assert isinstance(ask(SmallMemory(), "", like=1.0), Unanswered)


def test_a_question_that_is_alike_is_answered_with_less_confidence() -> None:
    memory = asked(("8000", 0.95))
    found = ask(memory, "What port is the server on?", like=0.95)
    assert isinstance(found, Answered)
    assert found.confidence == pytest.approx(0.9025)
    assert isinstance(ask(memory, "What port is the server on?", like=0.89), Unanswered)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("May I run the tests?", "May I not run the tests?", "one of them says `not`"),
        ("Is 3 enough?", "Is 4 enough?", "the numbers differ"),
        ("Lint before commit?", "Lint after commit?", "one says `before`, the other `after`"),
    ],
)
def test_questions_that_only_look_alike_are_told_apart(one: str, other: str, why: str) -> None:
    assert difference(one, other) == why
    found = ask(asked(("yes", 1.0), question=one), other, like=0.99)
    assert found == Unanswered(f"only alike in words: {why}")


def test_a_corrected_answer_takes_the_place_of_the_wrong_one() -> None:
    memory = asked(("8000", 0.95))
    memory.now = NOON + DAY
    memory.write([qa_draft(ASKED, "9000", confidence=0.95, corrects="e1")])
    found = ask(memory, ASKED, days=1)
    assert isinstance(found, Answered)
    assert found.answer == "9000"


def test_a_later_unsure_answer_is_not_covered_by_an_earlier_sure_one() -> None:
    memory = asked(("8000", 0.95))
    memory.now = NOON + DAY
    memory.write([qa_draft(ASKED, "perhaps 9000", confidence=0.3)])
    assert isinstance(ask(memory, ASKED, days=1), Unanswered)


def test_normalising_keeps_the_words() -> None:
    assert normalise_question("  Don't   PANIC!? ") == "dont panic"


def test_nobody_is_answered_from_what_they_may_not_read() -> None:
    memory = SmallMemory()
    memory.write([qa_draft(ASKED, "8000", confidence=0.9, scope="teacher")])
    for person, kind in (("me", Answered), ("bo", Unanswered)):
        reader = Reader(person=person)
        assert isinstance(find_answer(memory, reader, ASKED, now=NOON, thresholds=Q), kind)
