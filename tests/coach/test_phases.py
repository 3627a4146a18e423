"""Phases: moved on once, with their times, and told."""

from dataclasses import replace
from datetime import timedelta

import pytest

from paige.base.errors import NotFound, PaigeError
from paige.coach import queries
from paige.coach.log.queries import actions_since
from paige.coach.phases import PhaseChange, update_phase, with_status
from paige.store.engine import Database
from tests.coach.making import ME, YOU, counting, events, phase, plan, planned, session, topics
from tests.conftest import NOON
from tests.store.running import read, write

pytestmark = [pytest.mark.anyio, pytest.mark.db]

LATER = NOON + timedelta(minutes=5)


async def test_a_phase_begins_and_is_told(db: Database) -> None:
    write(db, planned)

    update = await db.write(
        update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON, ids=counting("a")
    )

    assert update.changed
    assert update.phase == replace(phase(1), status="active", started_at=NOON)
    assert read(db, queries.find_phase, ME, "p1", 1) == update.phase
    [action] = read(db, actions_since, ME, "s1")
    assert update.actions == (action,)
    assert (action.action_type, action.data) == (
        "phase_started",
        {"phaseId": "ph1", "phaseNumber": 1, "title": "Phase 1"},
    )
    [event] = read(db, events)
    assert event.topic == "coaching:phase_update"
    assert event.payload == {
        "phase": 1,
        "status": "active",
        "description": "Look at the handler",
        "id": "ph1",
        "title": "Phase 1",
        "hintLevel": "none",
    }


async def test_a_phase_is_completed_and_keeps_when_it_began(db: Database) -> None:
    write(db, planned)
    await db.write(update_phase, ME, "s1", PhaseChange(2, "active"), now=NOON)
    done = await db.write(update_phase, ME, "s1", PhaseChange(2, "complete"), now=LATER)

    assert (done.phase.started_at, done.phase.completed_at) == (NOON, LATER)
    kinds = [each.action_type for each in read(db, actions_since, ME, "s1")]
    assert kinds == ["phase_started", "phase_completed"]
    assert read(db, topics) == ["coaching:phase_update"] * 2


async def test_a_phase_that_is_there_already_is_left_alone(db: Database) -> None:
    write(db, planned)
    first = await db.write(update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON)
    again = await db.write(update_phase, ME, "s1", PhaseChange(1, "active"), now=LATER)

    assert not again.changed
    assert (again.phase, again.actions) == (first.phase, ())
    assert len(read(db, events)) == len(read(db, actions_since, ME, "s1")) == 1


async def test_a_phase_that_goes_back_is_told_but_is_no_progress(db: Database) -> None:
    write(db, planned)
    await db.write(update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON)
    back = await db.write(update_phase, ME, "s1", PhaseChange(1, "pending"), now=LATER)

    assert back.phase == phase(1)
    assert back.actions == ()
    assert read(db, topics) == ["coaching:phase_update"] * 2


@pytest.mark.parametrize(
    ("status", "started", "completed"),
    [("pending", None, None), ("active", LATER, None), ("complete", NOON, LATER)],
)
def test_the_times_go_with_the_status(
    db_engine: str, status: str, started: object, completed: object
) -> None:
    before = phase(1, status="complete", started_at=NOON, completed_at=NOON)
    after = with_status(before, status, LATER)  # type: ignore[arg-type]
    assert (after.status, after.started_at, after.completed_at) == (status, started, completed)


async def test_a_number_that_is_not_there_is_answered_with_those_that_are(db: Database) -> None:
    write(db, planned)
    with pytest.raises(NotFound, match="no phase 7") as caught:
        await db.write(update_phase, ME, "s1", PhaseChange(7, "active"), now=NOON)
    assert caught.value.hint == "The phases are 1, 2, 3."
    assert read(db, topics) == []


async def test_without_a_plan_or_phases_that_is_what_is_said(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    with pytest.raises(NotFound, match="has no plan"):
        await db.write(update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON)
    write(db, queries.insert_plan, ME, plan())
    with pytest.raises(NotFound) as caught:
        await db.write(update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON)
    assert caught.value.hint == "The plan has no phases."


async def test_another_person_cannot_move_a_phase(db: Database) -> None:
    write(db, planned)
    with pytest.raises(NotFound):
        await db.write(update_phase, YOU, "s1", PhaseChange(1, "active"), now=NOON)


async def test_an_action_that_cannot_be_written_takes_the_change_back(db: Database) -> None:
    write(db, planned)
    await db.write(
        update_phase, ME, "s1", PhaseChange(1, "active"), now=NOON, ids=lambda _: "taken"
    )

    with pytest.raises(PaigeError):
        await db.write(
            update_phase, ME, "s1", PhaseChange(1, "complete"), now=LATER, ids=lambda _: "taken"
        )

    found = read(db, queries.find_phase, ME, "p1", 1)
    assert found is not None
    assert found.status == "active"
    assert read(db, topics) == ["coaching:phase_update"]
