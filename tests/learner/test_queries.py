from datetime import timedelta

import pytest
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, PaigeError
from paige.learner.gaps import Attempt, Constraint, Gap
from paige.learner.queries import (
    Assessment,
    NewKata,
    add_attempt,
    address_gap,
    address_mastered,
    assessments,
    find_assessment,
    gaps,
    get_gap,
    get_kata,
    insert_kata,
    katas,
    record_gap,
    stage_for,
    upsert_assessment,
)
from paige.store.engine import Database
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell
from tests.store.running import read, write

pytestmark = pytest.mark.db

ME, OTHER = Actor(person="me"), Actor(person="you")
ELSEWHERE = Actor(tenant="school", person="me")
LOOPS = Gap(
    topic="list comprehensions", severity="low", evidence="Asked twice", related_concepts=("lists",)
)
KATA = NewKata(
    title="Flatten",
    description="Flatten a list",
    scaffolding_code="def flatten(xs): ...",
    instructor_notes="Watch for strings",
    test_cases=("flatten([[1]]) == [1]",),
    constraints=(Constraint("No loops", "Use recursion", 2),),
)
SESSION = text(
    "INSERT INTO sessions (id, person, door, status, tasks, decisions, messages_text, started_at, "
    "updated_at) VALUES ('s1', 'me', 'coach', 'active', '[]', '[]', '', "
    "'2026-03-02T12:00:00.000000Z', '2026-03-02T12:00:00.000000Z')"
)
ATTEMPTS = (
    OPEN_DATABASE
    + """
from datetime import UTC, datetime
from paige.learner.gaps import Gap
from paige.learner.gaps import Attempt
from paige.learner.queries import add_attempt, record_gap
name = sys.argv[3]
print("ready", flush=True)
input()
for n in range(10):
    with database.transaction(write=True) as connection:
        add_attempt(connection, Actor(), "k1", Attempt(f"{name}{n}"))
    with database.transaction(write=True) as connection:
        gap = Gap(topic=f"topic number {n}", severity="low", evidence=name)
        now = datetime(2026, 3, 2, tzinfo=UTC)
        record_gap(connection, Actor(), gap, gap_id=f"{name}{n}", now=now)
print("done", flush=True)
"""
)


def judged(area: str, stage: str = "competent", **more: object) -> Assessment:
    row = {"id": area, "person": "me", "skill_area": area, "stage": stage, "confidence": 0.5}
    row |= {"evidence": "Three sessions", "assessed_at": NOON}
    return Assessment(**{**row, **more})  # type: ignore[arg-type]


def test_a_stage_is_stored_once_for_each_area_of_each_person(db: Database) -> None:
    write(db, upsert_assessment, ME, judged("React", "novice"))
    later = judged("React", id="another", confidence=0.8, assessed_at=NOON + timedelta(days=1))
    stored = write(db, upsert_assessment, ME, later)
    assert (stored.id, stored.stage, stored.confidence) == ("React", "competent", 0.8)
    assert read(db, assessments, ME) == [stored]
    write(db, upsert_assessment, OTHER, judged("React", "expert", id="o"))
    write(db, upsert_assessment, ELSEWHERE, judged("React", "expert", id="e"))
    assert read(db, assessments, ME) == [stored]
    assert read(db, find_assessment, ME, "Vue") is None


def test_wrong_stages_and_confidences_are_refused(db: Database) -> None:
    with pytest.raises(BadInput, match="confidence"):
        write(db, upsert_assessment, ME, judged("x", confidence=2.0))
    with pytest.raises(PaigeError):
        write(db, upsert_assessment, ME, judged("x", "guru"))


def test_the_stage_for_a_topic_is_that_of_its_area_and_novice_otherwise(db: Database) -> None:
    write(db, upsert_assessment, ME, judged("React state management", "proficient"))
    assert read(db, stage_for, ME, "state management in React") == "proficient"
    assert read(db, stage_for, ME, "closures") == "novice"
    assert read(db, stage_for, OTHER, "React state management") == "novice"


def test_a_gap_that_comes_back_in_other_words_raises_its_frequency(db: Database) -> None:
    first = write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    assert (first.is_new, first.gap) == (True, read(db, get_gap, ME, "g1"))
    write(db, address_gap, ME, "g1")
    again = Gap(
        topic="List comprehension",
        severity="high",
        evidence="Copied one",
        related_concepts=("sets", "lists"),
    )
    later = NOON + timedelta(days=2)
    second = write(db, record_gap, ME, again, gap_id="g2", now=later)
    stored = read(db, get_gap, ME, "g1")
    assert (second.is_new, second.gap) == (False, stored)
    assert (stored.frequency, stored.severity, stored.addressed) == (2, "high", False)
    assert stored.evidence == "Asked twice\nCopied one"
    assert stored.related_concepts == ("lists", "sets")
    assert stored.last_encountered_at == later
    assert len(read(db, gaps, ME)) == 1


def test_gaps_are_those_of_one_person_and_the_most_urgent_come_first(db: Database) -> None:
    write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    urgent = Gap(topic="closures", severity="high", evidence="")
    write(db, record_gap, ME, urgent, gap_id="g2", now=NOON)
    write(db, record_gap, OTHER, LOOPS, gap_id="g3", now=NOON)
    assert [gap.id for gap in read(db, gaps, ME)] == ["g2", "g1"]
    write(db, address_gap, ME, "g2")
    assert [gap.id for gap in read(db, gaps, ME, addressed=False)] == ["g1"]
    for actor in (OTHER, ELSEWHERE):
        with pytest.raises(NotFound):
            read(db, get_gap, actor, "g1")
        with pytest.raises(NotFound):
            write(db, address_gap, actor, "g1")


def test_a_gap_belongs_to_its_session_and_outlives_it(db: Database) -> None:
    write(db, Connection.execute, SESSION)
    gap = Gap(topic="closures", severity="low", evidence="", session_id="s1")
    write(db, record_gap, ME, gap, gap_id="g1", now=NOON)
    assert [each.id for each in read(db, gaps, ME, session_id="s1")] == ["g1"]
    write(db, Connection.execute, text("DELETE FROM sessions"))
    assert read(db, get_gap, ME, "g1").session_id is None
    nowhere = Gap(topic="generators", severity="low", evidence="", session_id="s9")
    with pytest.raises(PaigeError):
        write(db, record_gap, ME, nowhere, gap_id="g2", now=NOON)


def test_a_kata_belongs_to_the_gap_it_names_and_goes_with_it(db: Database) -> None:
    write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    stored = write(db, insert_kata, ME, "g1", KATA, kata_id="k1")
    assert (stored.constraints, stored.test_cases) == (KATA.constraints, KATA.test_cases)
    assert stored.user_attempts == ()
    (listed,) = read(db, katas, ME)
    assert (listed.kata, listed.topic) == (stored, "list comprehensions")
    assert read(db, katas, ME, gap_id="g9") == []
    assert read(db, katas, OTHER) == []
    with pytest.raises(NotFound):
        write(db, insert_kata, OTHER, "g1", KATA, kata_id="k2")
    with pytest.raises(NotFound):
        read(db, get_kata, OTHER, "k1")
    write(db, Connection.execute, text("DELETE FROM knowledge_gaps"))
    with pytest.raises(NotFound, match="k1"):
        read(db, get_kata, ME, "k1")


def test_attempts_are_added_and_a_passed_one_closes_the_gap(db: Database) -> None:
    write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    write(db, insert_kata, ME, "g1", KATA, kata_id="k1")
    first, second = Attempt("a", "Nearly", 2, False), Attempt("b", "Yes", 4, True, ("No loops",))
    write(db, add_attempt, ME, "k1", first)
    assert not read(db, get_gap, ME, "g1").addressed
    assert write(db, add_attempt, ME, "k1", second).user_attempts == (first, second)
    assert read(db, get_kata, ME, "k1").user_attempts == (first, second)
    assert read(db, get_gap, ME, "g1").addressed
    with pytest.raises(NotFound):
        write(db, add_attempt, OTHER, "k1", first)


def test_a_mastered_concept_closes_the_gaps_it_is_named_in(db: Database) -> None:
    write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    other = Gap(topic="closures", severity="low", evidence="")
    write(db, record_gap, ME, other, gap_id="g2", now=NOON)
    closed = write(db, address_mastered, ME, "lists")
    assert [gap.id for gap in closed] == ["g1"]
    closed = write(db, address_mastered, ME, "c17", "Closure")
    assert [gap.id for gap in closed] == ["g2"]
    assert read(db, gaps, ME, addressed=False) == []


def test_processes_that_write_at_once_lose_nothing(db: Database, db_settings: object) -> None:
    write(db, record_gap, ME, LOOPS, gap_id="g1", now=NOON)
    write(db, insert_kata, ME, "g1", KATA, kata_id="k1")
    arguments = database_arguments(db_settings)  # type: ignore[arg-type]
    with python(ATTEMPTS, *arguments, "a") as one, python(ATTEMPTS, *arguments, "b") as two:
        assert [line(one), line(two)] == ["ready", "ready"]
        tell(one)
        tell(two)
        assert [line(one), line(two)] == ["done", "done"]
    codes = {each.code for each in read(db, get_kata, ME, "k1").user_attempts}
    assert codes == {f"{name}{n}" for name in "ab" for n in range(10)}
    met = [gap.frequency for gap in read(db, gaps, ME) if gap.id != "g1"]
    assert met == [2] * 10
