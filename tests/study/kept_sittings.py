"""A sitting as another process finds it: in its session's file."""

from paige.study.session.session_store import dump_state, load_state
from paige.study.session.state import SessionState
from paige.study.values import OpenExercise
from tests.conftest import NOON


def kept(sitting: OpenExercise) -> OpenExercise:
    """The sitting after it was written into the file of its session and read again."""
    state = SessionState(
        session="s",
        course=sitting.exercise.course,
        kind="study",
        started=NOON,
        moved=NOON,
        minutes=25,
        plan=(),
        stage="exercise",
        sitting=sitting,
    )
    found = load_state("s.state", dump_state(state)).sitting
    assert found is not None
    return found
