"""Work done by hand: a model looks at the photo, or the learner does and it is written down.

Whether a photo can be read comes first. What cannot be read is never wrong: it is asked for again.
"""

import io
from dataclasses import replace
from pathlib import Path

from anyio import to_thread
from pydantic import BaseModel, Field

from paige.base.errors import BadInput, Unavailable
from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.values import (
    IMAGE_CRITERIA,
    ExerciseError,
    Score,
    image_rating,
    score_of,
    with_help,
)
from paige.models.calls import Call
from paige.models.messages import Image
from paige.models.prompts import render
from paige.study.delivery.results import Session, about_result, evaluated, self_checked
from paige.study.exercise_tools import ExerciseTools, ask_model
from paige.study.remediation import asked_by
from paige.study.values import Answer, Evaluation, Exercise

SURE = 0.5
"""Below this a reading is too unsure to count."""
MOST_BYTES = 30 * 2**20
_LONGEST_SIDE = 1568
"""Models see no more than that, and smaller pictures are quicker."""
_MOST_PIXELS = 80_000_000
SUPPLEMENT = (
    "A photo shows less than it seems to: this counts beside other work, not instead of it."
)


class CriterionJudged(BaseModel):
    """One thing that was looked at."""

    name: str
    score: float = Field(ge=0, le=1)
    why: str


class PhotoJudged(BaseModel):
    """What somebody saw on a photo."""

    readable: bool
    confidence: float = Field(ge=0, le=1)
    seen: list[str]
    criteria: list[CriterionJudged]
    message: str


async def mark_photo(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
    """What a photo shows. Raises: NotFound, BadInput when it is no picture."""
    if answer.self_check is not None:
        return self_checked(exercise, answer.self_check, ladder, session)
    if not answer.path:
        return _unmeasured(exercise, session, "No photo was named.", offer=not tools.asks_a_model)
    photo = await to_thread.run_sync(read_photo, tools.place(answer.path))
    session = replace(session, remarks=(*session.remarks, SUPPLEMENT))
    asked = await ask_model(tools, _call(exercise), (photo,))
    if asked.value is None:
        said = asked.remark or "Nobody here can look at photos."
        return _unmeasured(exercise, session, said, offer=True)
    judged = asked.value
    if not judged.readable or judged.confidence < SURE or not judged.criteria:
        said = judged.message.strip() or "The photo could not be read for sure."
        return _unmeasured(exercise, session, f"{said} {_AGAIN}", offer=False)
    return _judged(exercise, judged, ladder, replace(session, source=asked.by))


_AGAIN = "That is no mistake of yours: try a clearer photo, or tell what you wrote."


def read_photo(path: Path) -> Image:
    """A picture made small enough to send, without what a camera notes beside it.

    Raises: BadInput when it is no picture.
    """
    try:
        from PIL import Image as Pictures  # noqa: PLC0415 - heavy, and only photos need it
        from PIL import ImageOps  # noqa: PLC0415 - the same
    except ImportError:
        raise Unavailable("Photos need Pillow", hint="Install it: `pip install pillow`.") from None
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise BadInput(
            f"`{path.name}` is no photo Paige can read",
            hint=f"Give a JPEG or PNG file of at most {MOST_BYTES // 2**20} MB.",
        )
    try:
        with Pictures.open(path) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise BadInput(f"`{path.name}` is too large", hint="Make the picture smaller.")
            upright = ImageOps.exif_transpose(opened) or opened
            upright = upright.convert("RGB")
            upright.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
            data = io.BytesIO()
            upright.save(data, "JPEG", quality=85)
    except (OSError, ValueError, SyntaxError, Pictures.DecompressionBombError) as error:
        raise BadInput(
            f"`{path.name}` is no photo Paige can read",
            hint="Save it as JPEG or PNG and try again.",
        ) from error
    return Image("image/jpeg", data.getvalue())


def how_to_check(exercise: Exercise) -> str:
    """How somebody can look at their own work."""
    criteria = IMAGE_CRITERIA[exercise.image or "diagram"]
    listed = " ".join(question for _, question in criteria)
    target = "; ".join(exercise.reference)
    return f"Compare it with: {target}. {listed} Then say: right, partly or wrong."


def _unmeasured(exercise: Exercise, session: Session, said: str, *, offer: bool) -> Evaluation:
    more = f" {how_to_check(exercise)}" if offer else ""
    result = Result(
        **about_result(exercise, session),
        score=score_of(0, 1),
        gradable=False,
        message=f"{said}{more}",
        extra=asked_by(exercise),
    )
    return evaluated(result)


def _judged(
    exercise: Exercise, judged: PhotoJudged, ladder: Ladder, session: Session
) -> Evaluation:
    names = [name for name, _ in IMAGE_CRITERIA[exercise.image or "diagram"]]
    known = {each.name.strip().casefold(): each for each in judged.criteria}
    found = [known[name] for name in names if name in known] or judged.criteria
    share = sum(each.score for each in found) / len(found)
    weak = [each for each in found if each.score < 0.6]
    rating = with_help(
        image_rating(share), hints_used=ladder.hints_used, answer_shown=ladder.answer_shown
    )
    result = Result(
        **about_result(exercise, session),
        score=Score(round(share * len(found), 4), len(found), round(share, 6)),
        fsrs_rating=rating,
        errors=tuple(
            ExerciseError(each.name, None, None, None, each.why, {"item": exercise.item_ids[0]})
            for each in weak
        ),
        strengths=tuple(each.why for each in found if each.score >= 0.85),
        hints_used=ladder.hints_used,
        answer_shown=ladder.answer_shown,
        message=judged.message,
        remarks=session.remarks,
        extra=asked_by(exercise),
        details_extra={
            "seen": judged.seen,
            "confidence": judged.confidence,
            "criteria": [each.model_dump() for each in found],
        },
    )
    seen = f"I read: {'; '.join(judged.seen)}." if judged.seen else ""
    return evaluated(result, (), seen)


def _call(exercise: Exercise) -> Call[PhotoJudged]:
    criteria = IMAGE_CRITERIA[exercise.image or "diagram"]
    return Call(
        call_type="study_photo",
        model="sonnet",
        system_prompt=render(
            "study/photo",
            task=exercise.prompt,
            reference="\n".join(f"- {each}" for each in exercise.reference),
            criteria="\n".join(f"- {name}: {question}" for name, question in criteria),
        ),
        user_message="Here is the photo.",
        response_schema=PhotoJudged,
    )
