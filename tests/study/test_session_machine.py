"""What holds for every session, whatever happens in it and wherever it is cut off."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Conflict, PaigeError
from paige.exercise.result import Result
from paige.exercise.values import score_of
from paige.learner.json_files import BrokenFile
from paige.store.documents import DirectoryDocuments, Document, Documents
from paige.study.courses.catalogue import load_course
from paige.study.selection import Choice
from paige.study.session.context import SessionContext, open_session_context
from paige.study.session.driver import Act, Skip, act, look, start
from paige.study.session.machine import (
    Step,
    begin,
    begun,
    checked,
    closed,
    exchanged,
    finished,
    handed_in,
    moved,
    outstanding,
    read,
    skipped,
    stopped,
)
from paige.study.session.session_store import dump_state, load_state
from paige.study.session.state import (
    FinishedExercise,
    SessionState,
)
from paige.study.values import (
    Answer,
    Exercise,
    HintWanted,
    OpenExercise,
    PlanItem,
    Question,
    SessionRequest,
)
from tests.conftest import NOON
from tests.study.simple_exercises import RIGHT, WRONG, SimpleExercises, mark
from tests.study.small_course import MALAY, write_malay

CONCEPTS = ("greetings", "numbers", "food")
plans = st.lists(
    st.builds(
        PlanItem,
        type=st.sampled_from(("new", "review", "assess")),
        concept_id=st.sampled_from(CONCEPTS),
        minutes=st.sampled_from((3.0, 5.0, 8.0)),
        bloom=st.sampled_from(("remember", "apply")),
        reason=st.just("because"),
        teach_again=st.booleans(),
    ),
    min_size=1,
    max_size=6,
).map(tuple)
texts = st.text(max_size=8)
EVENTS = st.sampled_from(
    (
        *("read", "read without check", "checked", "begun", "handed in", "hint", "moved"),
        *("finished", "finished and more", "exchanged", "skipped", "stopped", "closed"),
    )
)


def new_state(plan: tuple[PlanItem, ...], minutes: int = 25) -> SessionState:
    state = SessionState(
        session="20260302T120000Z",
        course=MALAY,
        kind="study",
        started=NOON,
        moved=NOON,
        minutes=minutes,
        plan=plan,
    )
    return begin(state)


def sitting_of(state: SessionState) -> OpenExercise:
    item = state.item
    assert item is not None
    exercise = Exercise(
        id=f"e{state.step}",
        course=MALAY,
        concept_id=item.concept_id,
        concept_title=item.concept_id,
        modality="conversation",
        bloom=item.bloom,
        domain="language",
        kind="short",
        title="Try",
        prompt="Say it",
        generated=state.moved,
        items=(Question(id="1", prompt="Say it", kind="short", answers=("it",)),),
    )
    return OpenExercise(exercise=exercise, started=state.moved)


def done_of(state: SessionState) -> FinishedExercise:
    item = state.item
    assert item is not None
    return FinishedExercise(
        change_id=state.change_id,
        exercise_id="e",
        concept_id=item.concept_id,
        type=item.type,
        modality="conversation",
        bloom=item.bloom,
        share=1.0,
        rating=3,
        at=state.moved,
    )


def happens(name: str, state: SessionState, text: str, now: datetime) -> SessionState:
    """The session after something happened."""
    result = Result(
        exercise_id="e", concept_id="greetings", modality="conversation", score=score_of(1, 1)
    )
    more = PlanItem(
        type="review", concept_id="food", minutes=3.0, bloom="remember", reason="it went wrong"
    )
    choice = Choice("conversation", None, None, ("so",))
    made: dict[str, Callable[[], Step]] = {
        "read": lambda: read,
        "read without check": lambda: partial(read, check=False),
        "checked": lambda: partial(checked, correct=True, says=(text,)),
        "begun": lambda: partial(begun, sitting=sitting_of(state), choice=choice),
        "handed in": lambda: partial(handed_in, event=Answer(text=text)),
        "hint": lambda: partial(handed_in, event=HintWanted()),
        "moved": lambda: partial(moved, sitting=sitting_of(state), says=(text,)),
        "finished": lambda: partial(finished, done=done_of(state), result=result, says=(text,)),
        "finished and more": lambda: partial(
            finished, done=done_of(state), result=result, says=(text,), more=(more,)
        ),
        "exchanged": lambda: partial(exchanged, modality="flashcard"),
        "skipped": lambda: partial(skipped, says=(text,)),
        "stopped": lambda: partial(stopped, says=(text,)),
        "closed": lambda: closed,
    }
    return made[name]()(state, now)


steps = st.lists(st.tuples(EVENTS, st.integers(0, 4000), texts), max_size=40)


def run(plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]) -> list[SessionState]:
    """The states a session went through; events that do not belong are left out."""
    states = [new_state(plan)]
    now = NOON
    for name, seconds, text in happened:
        now += timedelta(seconds=seconds)
        state = states[-1]
        needs_item = name in ("begun", "moved", "finished", "finished and more")
        if needs_item and state.item is None:
            continue
        with suppress(Conflict):
            states.append(happens(name, state, text, now))
    return states


@given(plans, steps)
def test_every_step_is_counted_once_and_time_only_grows(
    plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]
) -> None:
    states = run(plan, happened)
    assert [each.step for each in states] == list(range(1, len(states) + 1))
    for one, other in pairwise(states):
        assert other.spent >= one.spent
        assert other.moved >= one.moved
        assert len(other.done) >= len(one.done)
        assert not (one.closed and not other.closed)


@given(plans, steps)
def test_no_result_has_the_name_of_another(
    plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]
) -> None:
    names = [each.change_id for each in run(plan, happened)[-1].done]
    assert len(set(names)) == len(names)


@given(plans, steps)
def test_a_state_survives_being_written_down(
    plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]
) -> None:
    for state in run(plan, happened):
        assert load_state("a.state", dump_state(state)) == state


@given(plans, steps)
def test_what_is_outstanding_follows_from_the_state_alone(
    plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]
) -> None:
    for state in run(plan, happened):
        wanted = {
            "ready": "make",
            "exercise": "judge" if state.pending else "",
            "over": "" if state.closed else "close",
        }
        assert outstanding(state) == wanted.get(state.stage, "")


@given(plans, steps)
def test_a_session_that_is_over_asks_for_nothing(
    plan: tuple[PlanItem, ...], happened: list[tuple[str, int, str]]
) -> None:
    last = run(plan, [*happened, ("stopped", 0, "")])[-1]
    assert last.is_over
    assert last.item is None
    assert last.sitting is None
    assert last.pending is None


@given(plans)
def test_a_session_ends_when_everything_is_answered(plan: tuple[PlanItem, ...]) -> None:
    state = new_state(plan)
    for _ in range(10 * len(plan)):
        if state.is_over:
            break
        name = {
            "teach": "read",
            "check": "checked",
            "ready": "begun",
            "exercise": "finished",
        }[state.stage]
        state = happens(name, state, "", state.moved + timedelta(seconds=30))
    assert state.is_over
    assert len(state.done) + len(state.dropped) == len(plan)


@given(plans, st.integers(60, 600))
def test_nothing_is_begun_that_there_is_no_time_for(
    plan: tuple[PlanItem, ...], seconds: int
) -> None:
    state = new_state(plan, minutes=15)
    now = NOON
    while not state.is_over:
        if state.stage in ("ready", "teach") and state.at > 0 and state.item is not None:
            before = 15 - state.spent / 60
            # Teaching and its check belong to the box that was begun.
            if state.item.concept_id not in state.taught or state.stage == "teach":
                assert state.item.minutes <= before + 1e-9
        name = {
            "teach": "read",
            "check": "checked",
            "ready": "begun",
            "exercise": "finished",
        }[state.stage]
        pause = seconds if state.stage == "exercise" else 0
        now += timedelta(seconds=pause)
        state = happens(name, state, "", now)


def test_who_is_slower_than_planned_gets_less() -> None:
    item = PlanItem(type="review", concept_id="food", minutes=3, bloom="apply", reason="due")
    plan = tuple(replace(item, concept_id=name) for name in ("a", "b", "c", "d"))
    state = new_state(plan, minutes=12)
    now = NOON
    while not state.is_over:
        name = "begun" if state.stage == "ready" else "finished"
        now += timedelta(minutes=5 if name == "finished" else 0)
        state = happens(name, state, "", now)
    assert len(state.done) == 2  # ten of twelve minutes; another would take five
    assert state.dropped == ("c", "d")


def test_a_pause_counts_only_so_far() -> None:
    plan = (PlanItem(type="review", concept_id="food", minutes=3, bloom="apply", reason="due"),)
    state = new_state(plan)
    state = happens("begun", state, "", NOON)
    state = happens("handed in", state, "", NOON + timedelta(days=2))
    assert state.spent == 3 * 60
    assert state.minutes_left == 22


def test_a_second_answer_waits_for_the_first() -> None:
    plan = (PlanItem(type="review", concept_id="food", minutes=3, bloom="apply", reason="due"),)
    state = new_state(plan)
    state = happens("begun", state, "", NOON)
    state = happens("handed in", state, "one", NOON)
    with pytest.raises(Conflict, match="being judged"):
        happens("handed in", state, "two", NOON)


def test_a_state_of_another_version_is_told() -> None:
    state = new_state(
        (PlanItem(type="review", concept_id="a", minutes=3, bloom="apply", reason="due"),)
    )
    text = dump_state(replace(state, format=99))
    with pytest.raises(PaigeError, match="another Paige"):
        load_state("a.state", text)


def test_a_state_that_cannot_be_used_is_told_with_its_place_and_line() -> None:
    state = new_state(
        (PlanItem(type="review", concept_id="a", minutes=3, bloom="apply", reason="due"),)
    )
    begun = happens("begun", state, "", NOON)
    text = dump_state(begun)
    broken = text.replace('"bloom": "apply"', '"bloom": "dance"', 1)
    assert broken != text
    with pytest.raises(BrokenFile, match=r"`plan\.0\.bloom` cannot be used") as caught:
        load_state("a.state", broken)
    told = caught.value.problem
    assert "dance" in broken.splitlines()[told.line - 1]
    assert "Delete the file" in told.fix


class Killed(BaseException):
    """The process is gone."""


class Fragile:
    """Documents that die at a given write: before it, or just after it."""

    def __init__(self, documents: Documents, at: int, *, after: bool) -> None:
        self._documents, self._left, self._after = documents, at, after

    def paths(self, below: str = "") -> list[str]:
        return self._documents.paths(below)

    def read(self, path: str) -> Document:
        return self._documents.read(path)

    def write(self, path: str, text: str, *, base: str) -> Document:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        written = self._documents.write(path, text, base=base)
        if self._left == 0:
            raise Killed
        return written

    def delete(self, path: str, *, base: str) -> None:
        self._documents.delete(path, base=base)

    def watch(self) -> Any:
        return self._documents.watch()


SCRIPT: tuple[Act, ...] = (
    Answer(text=""),
    Answer(text="greetings"),
    Answer(text=WRONG),
    Answer(text=WRONG),
    Answer(text=RIGHT),
)
"""A lesson read, its check, a worksheet failed twice, and once more in conversation."""


def opened(documents: Documents, root: Path) -> SessionContext:
    course = load_course(DirectoryDocuments(root), MALAY)
    exercises = SimpleExercises(documents)
    return open_session_context(documents, course, exercises=exercises, mark=mark)


async def play(documents: Documents, root: Path, acts: list[Act], now: datetime) -> None:
    """Begin or go on, and do these; an act is taken off the list once it was begun."""
    room = opened(documents, root)
    await start(room, SessionRequest(), now=now, seed=3)
    while acts:
        what = acts.pop(0)
        now += timedelta(seconds=20)
        await act(room, what, now=now)


def records(root: Path) -> list[dict[str, Any]]:
    folder = root / "learner" / MALAY / "sessions"
    return [
        record
        for path in sorted(folder.glob("*.json"))
        for record in json.loads(path.read_text())["exercises"]
    ]


def writes_of_a_whole_session(root: Path) -> int:
    write_malay(root)
    counting = Fragile(DirectoryDocuments(root), 10**6, after=False)
    anyio.run(play, counting, root, list(SCRIPT), NOON)
    assert len(records(root)) == 2
    return 10**6 - counting._left


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_any_write_a_session_loses_at_most_one_answer(
    tmp_path: Path, after: bool
) -> None:
    total = writes_of_a_whole_session(tmp_path / "whole")
    assert total > 10
    for at in range(1, total + 1):
        root = tmp_path / f"{after}-{at}"
        write_malay(root)
        documents = DirectoryDocuments(root)
        acts = list(SCRIPT)
        with pytest.raises(Killed):
            anyio.run(play, Fragile(documents, at, after=after), root, acts, NOON)
        done_before = len(records(root))

        async def go_on(documents: Documents = documents, root: Path = root) -> str:
            room = opened(documents, root)
            moment = NOON + timedelta(minutes=10)
            turn = await look(room, now=moment)
            if turn.state is None:
                turn = await start(room, SessionRequest(), now=moment, seed=3)
            for _ in range(20):
                state = turn.state
                if state is None or state.is_over:
                    break
                moment += timedelta(seconds=20)
                turn = await act(room, Answer(text=RIGHT), now=moment, at_step=state.step)
            return "over"

        assert anyio.run(go_on) == "over"
        found = records(root)
        names = [each["change_id"] for each in found]
        assert len(set(names)) == len(names), (at, after)
        assert len(found) >= max(done_before, 1)
        known = opened(documents, root).known()
        assert not known.problems
        counted = sum(len(each.exercise_history) for each in known.progress.values())
        assert counted == len(found)


def test_an_answer_written_down_before_the_end_is_judged_by_the_next_process(
    tmp_path: Path,
) -> None:
    write_malay(tmp_path)
    documents = DirectoryDocuments(tmp_path)

    async def until_handed_in() -> None:
        room = opened(documents, tmp_path)
        await play(documents, tmp_path, list(SCRIPT[:2]), NOON)
        kept, _ = room.sessions.open_one()
        assert kept is not None
        stepped = handed_in(kept.state, NOON + timedelta(minutes=1), Answer(text=RIGHT))
        room.sessions.save(kept, stepped)

    anyio.run(until_handed_in)

    async def next_process() -> None:
        room = opened(documents, tmp_path)
        with pytest.raises(Conflict, match="only now been judged"):
            await act(room, Answer(text="something else"), now=NOON + timedelta(hours=1))

    anyio.run(next_process)
    (record,) = records(tmp_path)
    assert record["score"]["percentage"] == 1.0


def test_leaving_out_works_even_where_an_answer_waits(tmp_path: Path) -> None:
    write_malay(tmp_path)
    documents = DirectoryDocuments(tmp_path)

    async def skipped() -> None:
        await play(documents, tmp_path, [*SCRIPT[:2], Skip()], NOON)

    anyio.run(skipped)
    assert records(tmp_path) == []
