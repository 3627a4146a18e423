"""Making one exercise without a model: the right builder, then the checks.

The same course, wish and seed always give the same exercise. When the checks find a question at
fault it is left out and others are tried; what cannot be helped, because the course has nothing
else, is said in the exercise's remarks.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from random import Random

from paige.base.errors import NotFound
from paige.exercise.values import Modality
from paige.study.courses.values import Course
from paige.study.generating.cards import make_audio, make_cards
from paige.study.generating.checks import Fault, check_exercise, faulty_questions
from paige.study.generating.coding import make_code, make_repl
from paige.study.generating.conversations import make_conversation
from paige.study.generating.partners import make_partner
from paige.study.generating.texts import make_image, make_text
from paige.study.generating.worksheets import make_sheet
from paige.study.remediation import missed_again
from paige.study.values import Exercise, Wanted

Make = Callable[[Course, Wanted, Random, datetime], Exercise]
_MAKERS: Mapping[Modality, Make] = {
    "worksheet": make_sheet,
    "conversation": make_conversation,
    "code": make_code,
    "long_form": make_text,
    "image_review": make_image,
    "flashcard": make_cards,
    "repl": make_repl,
    "audio": make_audio,
    "collaborative": make_partner,
}
_TRIES = 3
_ONE_AT_A_TIME: tuple[Modality, ...] = ("conversation", "flashcard", "repl", "audio")


def generate(course: Course, wanted: Wanted, *, seed: int, now: datetime) -> Exercise:
    """An exercise from the course's own items. Raises: NotFound when there is nothing to ask."""
    again = missed_again(wanted.history)
    wanted = replace(wanted, items=tuple(dict.fromkeys((*wanted.items, *again))))
    best: tuple[int, Exercise, tuple[Fault, ...]] | None = None
    for number in range(_TRIES):
        try:
            exercise = _MAKERS[wanted.modality](course, wanted, Random(f"{seed}.{number}"), now)
        except NotFound:
            if best is None:
                raise
            break  # without what was at fault there is nothing left
        faults = check_exercise(exercise, course, wanted)
        exercise, faults = _mended(exercise, faults, course, wanted)
        if exercise.items and (best is None or len(faults) < best[0]):
            best = (len(faults), exercise, faults)
        if not faults:
            break
        wanted = _without(wanted, exercise, faults)
    if best is None:
        raise NotFound(
            f"Nothing about `{wanted.concept_id}` can be asked as {wanted.modality}",
            hint="Choose another kind of exercise, or repair the items of the course.",
        )
    _, exercise, faults = best
    remarks = tuple(dict.fromkeys(fault.message for fault in faults))
    return replace(exercise, remarks=(*exercise.remarks, *remarks))


def _without(wanted: Wanted, exercise: Exercise, faults: tuple[Fault, ...]) -> Wanted:
    """The same wish, for other items than those at fault."""
    asked = {each.id: each.item_id for each in exercise.items}
    wrong = (asked[each.question] for each in faults if each.question in asked)
    return replace(wanted, without=tuple(dict.fromkeys((*wanted.without, *wrong))))


def _mended(
    exercise: Exercise, faults: tuple[Fault, ...], course: Course, wanted: Wanted
) -> tuple[Exercise, tuple[Fault, ...]]:
    """The exercise without the questions at fault, where they stand by themselves."""
    wrong = faulty_questions(faults)
    if not wrong or exercise.modality not in _ONE_AT_A_TIME:
        return exercise, faults
    if exercise.conversation in ("roleplay", "socratic") and len(exercise.item_ids) == 1:
        return exercise, faults  # a dialogue has no turns to spare
    kept = tuple(each for each in exercise.items if each.id not in wrong)
    numbered = tuple(replace(each, id=str(number)) for number, each in enumerate(kept, 1))
    asked = {each.item_id for each in kept}
    mended = replace(
        exercise,
        items=numbered,
        item_ids=tuple(each for each in exercise.item_ids if each in asked),
    )
    return mended, check_exercise(mended, course, wanted)
