"""The engines that answer without a model, for doors that ask by purpose.

Making and marking exercises go by rules of their own when there is no model; these engines say the
same in the form in which a model would have been asked.
"""

from paige.exercise.rubric import estimate
from paige.models.local import Registry
from paige.study.delivering.texts import DimensionJudged, EssayGiven, EssayJudged
from paige.study.delivering.tutoring import AnswerGiven, TutorTurn
from paige.study.generating.by_model import ItemsWanted, MadeItems

ITEMS, ESSAY, TUTOR = "study_items", "study_essay", "study_tutor"


def register(registry: Registry) -> None:
    """Add the engines of studying."""
    registry.register(ITEMS, ItemsWanted, _no_items)
    registry.register(ESSAY, EssayGiven, mark_essay)
    registry.register(TUTOR, AnswerGiven, say_mark)


def _no_items(wanted: ItemsWanted) -> MadeItems:
    """Rules write nothing new: the course's own items are used."""
    return MadeItems(items=[])


def mark_essay(given: EssayGiven) -> EssayJudged:
    """A text marked by what can be counted."""
    counted = estimate(given.text, given.rubric, given.reference)
    return EssayJudged(
        dimensions=[
            DimensionJudged(name=each.name, score=each.score, quote="", why=each.reason)
            for each in counted.score.dimensions
        ],
        strengths=[],
        improvements=[f"Write about: {each}" for each in counted.missing[:2]],
        next_time=counted.caveat,
    )


def say_mark(given: AnswerGiven) -> TutorTurn:
    """A mark as a tutor's turn."""
    marked = given.marked
    return TutorTurn(
        verdict=marked.verdict,
        score=marked.score,
        error_type=marked.error_type or "",
        reply=marked.feedback,
    )
