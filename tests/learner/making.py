"""Results and moments for the tests of this room, and Hypothesis strategies of them."""

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import strategies as st

from paige.exercise.result import Result
from paige.exercise.values import BLOOM_LEVELS, MODALITIES, ExerciseError, score_of
from tests.conftest import NOON


def done(
    rating: int = 3,
    *,
    day: float = 0,
    concept: str = "greetings",
    correct: int = 9,
    hints: int = 0,
    **more: object,
) -> Result:
    """What came of ten questions, some days after noon of the test day."""
    at = NOON + timedelta(days=day)
    result = Result(
        exercise_id=f"{at:%Y%m%dT%H%M%SZ}-{concept}-ws",
        concept_id=concept,
        course="malay",
        modality="worksheet",
        bloom_level="remember",
        started=at - timedelta(minutes=12),
        completed=at,
        timestamp=at,
        score=score_of(correct, 10),
        fsrs_rating=rating,  # type: ignore[arg-type]
        hints_used=hints,
    )
    return replace(result, **more)  # type: ignore[arg-type]


errors = st.builds(
    ExerciseError,
    question=st.sampled_from(["1.1", "1.2", "2.1"]),
    error_type=st.sampled_from([None, "spelling", "word_order"]),
    expected=st.none() | st.text(max_size=5),
    actual=st.none() | st.text(max_size=5),
    detail=st.text(max_size=8),
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Any result of one of three concepts within three months."""
    minutes = draw(st.integers(0, 90 * 24 * 60))
    at: datetime = NOON + timedelta(minutes=minutes)
    return Result(
        exercise_id=f"e{minutes}",
        concept_id=draw(st.sampled_from(["greetings", "numbers", "food"])),
        course="malay",
        modality=draw(st.sampled_from(MODALITIES)),
        bloom_level=draw(st.none() | st.sampled_from(BLOOM_LEVELS)),
        completed=at,
        timestamp=at,
        score=score_of(draw(st.integers(0, 10)), 10),
        fsrs_rating=draw(st.sampled_from((1, 2, 3, 4))),
        hints_used=draw(st.integers(0, 2)),
        answer_shown=draw(st.booleans()),
        gradable=draw(st.sampled_from((True, True, True, False))),
        errors=tuple(draw(st.lists(errors, max_size=2))),
    )
