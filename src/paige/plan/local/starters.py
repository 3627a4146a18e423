"""Starters that recall what a class was taught: first what the lesson builds on, then older things.

Which questions are taken follows from the request, so the same request gives the same starter and
another one brings other questions back.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from paige.plan.handout_notes import WorksheetNote
from paige.plan.lesson import Check, Question
from paige.plan.local.topics import Topic

EARLIER = "From earlier: "
AGAIN = "Once more: "
"""How a question begins that many of the class got wrong in a worksheet."""


def seed_of(*parts: str) -> int:
    """A number that follows from some texts, the same in every process."""
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=4).digest(), "big")


def recall_questions(
    topic: Topic | None, taught: Sequence[Topic], number: int, seed: int
) -> tuple[Question, ...]:
    """Questions from memory: about what the topic builds on, the newest topics, and an old one.

    Only the topic's own subject is asked about: a class may have several with one teacher.
    """
    known = [each for each in taught if topic is None or each.curriculum == topic.curriculum]
    before = [each for each in known if topic is not None and each.id in topic.after]
    others = [each for each in known if each not in before and each != topic]
    questions: list[Question] = []
    if topic is not None:
        questions += _direct(topic, before, number, seed)
    recent = list(reversed(others))
    old = others[0] if len(others) > 1 else None
    for at, each in enumerate(recent):
        if len(questions) >= number - (old is not None) or each == old:
            break
        questions.append(_picked(each, seed + at))
    if old is not None and len(questions) < number:
        asked = _picked(old, seed)
        questions.append(Question(f"{EARLIER}{asked.question}", asked.answer))
    questions += _more(topic, before, others, seed)
    return tuple(_once(questions)[:number])


def with_again(
    again: Sequence[WorksheetNote], recalled: Sequence[Question], number: int
) -> tuple[Question, ...]:
    """Starter questions with what the last worksheet showed first; half of them at most."""
    first = [Question(again_question(each), each.right) for each in again[: max(1, number // 2)]]
    taken = {each.question.removeprefix(AGAIN) for each in first}
    rest = [each for each in recalled if each.question.removeprefix(EARLIER) not in taken]
    return tuple([*first, *rest][:number])


def again_question(note: WorksheetNote) -> str:
    """A question that is asked once more, however often it was asked before."""
    asked = note.asked
    while asked.startswith((AGAIN, EARLIER)):
        asked = asked.removeprefix(AGAIN).removeprefix(EARLIER)
    return f"{AGAIN}{asked}"


def as_question(check: Check) -> Question:
    """A check without its options."""
    return Question(check.question, check.answer)


def count_for(minutes: int) -> int:
    """How many questions fit into a starter, marked at once."""
    return max(2, min(6, minutes - 1))


def _direct(topic: Topic, before: Sequence[Topic], number: int, seed: int) -> list[Question]:
    """Half of the starter is about what this lesson needs."""
    wanted = max(1, number // 2)
    if not before:
        return list(topic.recall[:wanted])
    newest = list(reversed(before))
    return [_picked(newest[at % len(newest)], seed + at) for at in range(wanted)]


def _more(
    topic: Topic | None, before: Sequence[Topic], others: Sequence[Topic], seed: int
) -> Iterable[Question]:
    """What else could be asked when there are too few questions yet."""
    if topic is not None:
        yield from topic.recall
    for at in range(1, 4):
        for each in (*reversed(before), *reversed(others)):
            yield _picked(each, seed + at)


def _picked(topic: Topic, seed: int) -> Question:
    return as_question(topic.questions[seed % len(topic.questions)])


def _once(questions: Iterable[Question]) -> list[Question]:
    found: dict[str, Question] = {}
    for each in questions:
        found.setdefault(each.question.removeprefix(EARLIER), each)
    return list(found.values())
