"""What somebody asks of a session, as an act or a wish of the room."""

from collections.abc import Mapping

from paige.app.study_asked import ActAsked, SessionAsked
from paige.base.errors import BadInput
from paige.exercise.values import Rating
from paige.study.quiz import QuizWish
from paige.study.session.running import Act, Instead, Skip, Stop, Wish
from paige.study.values import Answer, GaveUp, HintWanted, SelfCheck

RATINGS: Mapping[Rating, SelfCheck] = {1: "wrong", 2: "partly", 3: "right", 4: "right"}
"""What somebody says of their own work; who knew it at once says 4."""
AT_ONCE: Rating = 4


def wish_of(asked: SessionAsked) -> Wish:
    """The session somebody wants."""
    quiz = QuizWish(concepts=asked.concepts, unit=asked.unit, count=asked.count)
    return Wish(
        kind=asked.kind,
        minutes=asked.minutes,
        ahead=asked.ahead,
        quiz=quiz if asked.kind == "quiz" else None,
        prefer=asked.prefer,
        anew=asked.anew,
    )


def act_of(asked: ActAsked) -> Act:
    """What it means. Raises: BadInput."""
    match asked.act:
        case "hint":
            return HintWanted()
        case "give_up":
            return GaveUp()
        case "skip":
            return Skip()
        case "stop":
            return Stop()
        case "instead":
            if asked.modality is None:
                raise BadInput("Which kind of exercise?", hint="Name it as `modality`.")
            return Instead(asked.modality)
        case "answer":
            return _answer(asked)


def _answer(asked: ActAsked) -> Answer:
    return Answer(
        text=asked.text,
        question=asked.question,
        parts=asked.parts,
        path=asked.path,
        self_check=None if asked.rating is None else RATINGS[asked.rating],
        seconds=asked.seconds,
        confident=asked.sure or asked.rating == AT_ONCE,
        final=asked.final,
    )
