"""What an exercise must be before anybody gets it: five questions, each a function.

Can it be solved, is there a clear answer, does it fit the level, is it different from the last one,
does it keep to what was learned. `numbers` counts what a good exercise of its kind holds. A fault
names the question it is about, so that one bad question does not cost the whole exercise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from paige.exercise.values import Bloom
from paige.exercise.worksheet.parse import parse_worksheet
from paige.language.words import word_count
from paige.study.courses.values import Course, ItemKind
from paige.study.generation.item_choice import distance
from paige.study.generation.words import plain
from paige.study.generation.worksheets import unreadable
from paige.study.remediation import asked_in
from paige.study.values import Exercise, ExerciseRequest, PastExercise, Question

Check = Literal["solvable", "unambiguous", "level", "novel", "scope", "numbers"]
_OPEN: tuple[ItemKind, ...] = ("long_form", "image", "role_play", "socratic")
_RECALL: tuple[ItemKind, ...] = ("translate", "cloze", "choice", "match", "define")
_WORDS: tuple[ItemKind, ...] = ("translate", "match")
_HIGHER: tuple[Bloom, ...] = ("analyze", "evaluate", "create")
_MOST_REPEATED = 0.5
_LEAST_CHOICES, _LEAST_POINTS, _LEAST_TESTS = 3, 2, 3
_LEAST_CONTEXT, _LONG, _MANY_WORDS = 8, 20, 6
_RUBRIC = range(3, 7)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong: which check, with which question (empty: the whole), and a sentence."""

    check: Check
    question: str
    message: str


def check_exercise(
    exercise: Exercise, course: Course, wanted: ExerciseRequest
) -> tuple[Fault, ...]:
    """Everything that is wrong with an exercise."""
    return (
        *solvable(exercise),
        *unambiguous(exercise),
        *fits_level(exercise, wanted.bloom),
        *novel(exercise, wanted.history, _taught(course, exercise)),
        *keeps_to_scope(exercise, course, wanted.known),
        *numbers(exercise),
    )


def solvable(exercise: Exercise) -> Iterator[Fault]:
    """Can it be solved: every question has an answer, and a worksheet can be read back."""
    for each in exercise.items:
        if each.kind in _OPEN and not each.answers:
            continue
        if each.kind == "code":
            if not exercise.files:
                yield Fault("solvable", each.id, "There are no files to work on")
        elif not any(answer.strip() for answer in each.answers) and not each.blanks:
            yield Fault("solvable", each.id, "There is no answer to it")
    if exercise.modality == "worksheet":
        for text in exercise.files.values():
            sheet = parse_worksheet(text).worksheet
            for name in sorted(unreadable(sheet)):
                yield Fault("solvable", name, "An answer written there would not be found")


def unambiguous(exercise: Exercise) -> Iterator[Fault]:
    """Is there a clear answer: no wrong choice is right too, no question is asked twice."""
    asked: dict[str, str] = {}
    for each in exercise.items:
        yield from _clear_choices(each)
        shown = (each.prompt, each.spoken, each.context, each.starter, *each.choices)
        name = plain(" ".join(shown)) or each.prompt
        if name in asked and each.kind not in ("match", "categorise", "order"):
            yield Fault("unambiguous", each.id, f"It asks the same as question {asked[name]}")
        asked.setdefault(name, each.id)
    open_ended = exercise.modality in ("long_form", "image_review")
    if open_ended and not (exercise.rubric or exercise.reference):
        yield Fault("unambiguous", "", "Nothing says what a good answer holds")


def _clear_choices(question: Question) -> Iterator[Fault]:
    if not question.choices:
        return
    texts = [plain(each) or each.strip() for each in question.choices]
    if len(set(texts)) < len(texts):
        yield Fault("unambiguous", question.id, "Two of its choices are the same")
    if question.kind == "choice" and not question.key:
        yield Fault("unambiguous", question.id, "None of its choices is right")


def fits_level(exercise: Exercise, bloom: Bloom) -> Iterator[Fault]:
    """Does it fit the level: not to be guessed, not mere recall where more is wanted."""
    for each in exercise.items:
        if each.choices and each.kind == "choice" and len(each.choices) < _LEAST_CHOICES:
            yield Fault("level", each.id, "It could be guessed: there are only two choices")
        if each.kind == "true_false" and exercise.modality == "flashcard":
            yield Fault("level", each.id, "It could be guessed: it is true or false")
    bare = _RECALL if bloom in _HIGHER else _WORDS if bloom == "understand" else ()
    if exercise.items and all(each.kind in bare for each in exercise.items):
        yield Fault("level", "", f"It asks only for recall, and {bloom} wants more")
    bare_question = word_count(exercise.prompt) < _LEAST_CONTEXT
    if bloom == "evaluate" and exercise.modality == "long_form" and bare_question:
        yield Fault("level", "", "There is too little to judge from")
    if distance(exercise.bloom, bloom) > 2:
        yield Fault("level", "", f"It is at the level {exercise.bloom}, not {bloom}")


def _taught(course: Course, exercise: Exercise) -> str:
    teaching = course.teaching.get(exercise.concept_id)
    return plain(" ".join(teaching.examples)) if teaching else ""


def novel(exercise: Exercise, history: Sequence[PastExercise], taught: str = "") -> Iterator[Fault]:
    """Is it different from the last one: other items, or at least another form of them.

    `taught` are the worked examples: where something is to be applied, it must be to a new case.
    """
    if exercise.bloom not in ("remember", "understand"):
        for each in exercise.items:
            asked = plain(each.prompt)
            if len(asked) > _LONG and asked in taught:
                yield Fault("novel", each.id, "It is the worked example of the teaching text")
    if not history:
        return
    last = history[-1]
    same_form = last.modality == exercise.modality and last.kind in (None, exercise.kind)
    again = set(exercise.item_ids) & set(last.item_ids)
    share = len(again) / len(exercise.item_ids) if exercise.item_ids else 0.0
    if same_form and share > _MOST_REPEATED:
        yield Fault("novel", "", "Most of it was asked in the last exercise on this concept")
    asked = {plain(each) for each in last.prompts if plain(each)}
    for each in exercise.items:
        if same_form and each.item_id not in again and plain(asked_in(each)) in asked:
            yield Fault("novel", each.id, "It was asked in the last exercise on this concept")


def keeps_to_scope(exercise: Exercise, course: Course, known: frozenset[str]) -> Iterator[Fault]:
    """Does it keep to what was learned: nothing needs a concept that was not met."""
    met = known | course.graph.before(exercise.concept_id) | {exercise.concept_id}
    needs = {
        each.id: each.needs
        for item in course.items.get(exercise.concept_id, ())
        for each in (item, *item.variants)
    }
    for each in exercise.items:
        missing = [need for need in needs.get(each.item_id, ()) if need not in met]
        if missing:
            yield Fault("scope", each.id, f"It needs `{missing[0]}`, which was not learned yet")


def numbers(exercise: Exercise) -> Iterator[Fault]:
    """Does it hold what its kind should: distractors, both directions, points, tests, a rubric."""
    yield from _word_numbers(exercise)
    if exercise.modality == "long_form":
        if len(exercise.points) < _LEAST_POINTS:
            yield Fault("numbers", "", "It asks for fewer than two points")
        if exercise.rubric and len(exercise.rubric.dimensions) not in _RUBRIC:
            yield Fault("numbers", "", "Its rubric should have three to six dimensions")
    if exercise.kind == "code" and exercise.language == "python":
        tests = "\n".join(text for name, text in exercise.files.items() if "test" in name)
        if 0 < tests.count("assert ") + tests.count("raises(") < _LEAST_TESTS:
            yield Fault("numbers", "", "It has fewer than three tests")


def _word_numbers(exercise: Exercise) -> Iterator[Fault]:
    translated = [each for each in exercise.items if each.kind == "translate"]
    plain_ones = [each for each in translated if not each.choices]
    if len(plain_ones) >= 4 and len({each.direction for each in translated}) == 1:
        yield Fault("numbers", "", "All translations go in one direction")
    spare = [each for each in exercise.items if len(each.choices) >= _LEAST_CHOICES]
    if exercise.modality == "worksheet" and len(translated) >= _MANY_WORDS and not spare:
        yield Fault("numbers", "", "No question has similar words beside the right one")
    for each in exercise.items:
        right = max(len(each.key), 1)
        if each.kind == "choice" and 0 < len(each.choices) - right < 2:
            yield Fault("numbers", each.id, "It has fewer than two wrong choices")


def faulty_questions(faults: Sequence[Fault]) -> frozenset[str]:
    """The questions that must not be asked; what is wrong with the whole is another matter."""
    serious: tuple[Check, ...] = ("solvable", "unambiguous", "scope", "level")
    return frozenset(each.question for each in faults if each.question and each.check in serious)
