"""Branches of a session: what each one begins with, and among which one chooses where."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.queries import branch_before
from paige.agent.tables import RunRow, SessionRow
from paige.base.actor import Actor
from paige.plan.branches import Point, begins_at, read_branches, read_lineage
from paige.plan.session_queries import PlanSearch, RunPlace
from paige.plan.sessions import RunsWanted, Viewer, first_of, list_sessions, read_transcript
from paige.store.engine import Database, open_sqlite
from tests.conftest import NOON
from tests.depth import examples

ME, OTHER = Actor(), Actor(person="someone else")
LOOKING = Viewer(ME, NOON)
ALL = RunsWanted(0, 200)


@dataclass
class Desk:
    """Sessions with runs, made one after the other."""

    connection: Connection
    made: int = 0
    paths: dict[str, list[str]] = field(default_factory=dict)  # what a person should see

    def begin(self, session: str, *, before: str | None = None, actor: Actor = ME) -> str:
        """A session with its first run; with `before` a branch in the place of that run."""
        at = NOON + timedelta(minutes=self.made)
        row = SessionRow(session, actor.person, "plan", "active", at, at, title=f"About {session}")
        earlier: list[str] = []
        if before is not None:
            replaced = queries.get_run(self.connection, actor, before)
            row = branch_before(replaced, row)
            seen = next(path for path in self.paths.values() if before in path)
            earlier = seen[: seen.index(before)]
        queries.insert_session(self.connection, row, actor)
        self.paths[session] = list(earlier)
        return self.say(session, actor=actor)

    def say(self, session: str, *, actor: Actor = ME, state: str = "ended") -> str:
        """One more run of a session."""
        self.made += 1
        at = NOON + timedelta(minutes=self.made)
        run = RunRow(
            id=f"r{self.made:03}",
            person=actor.person,
            session_id=session,
            number=queries.next_number(self.connection, actor, session),
            format=1,
            header={"tasks": [{"id": "t", "title": f"Task {self.made}"}]},
            prompt=f"Request {self.made}",
            state=state,
            source="local",
            created_at=at,
            updated_at=at,
        )
        queries.insert_run(self.connection, actor, run, {})
        self.paths[session].append(run.id)
        return run.id

    def seen(self, session: str, wanted: RunsWanted = ALL) -> list[str]:
        """The runs that a session shows."""
        found = read_transcript(self.connection, LOOKING, session, wanted)
        return [run.id for run in found.runs]

    def choices(self, session: str) -> dict[str, list[str]]:
        """What stands beside each run of a session."""
        lineage = read_lineage(self.connection, ME, session)
        found = read_branches(self.connection, ME, lineage)
        return {run: [place.id for place in places] for run, places in found.items()}


@pytest.mark.db
def test_a_branch_shows_what_was_said_before_it_and_both_are_offered(db: Database) -> None:
    with db.transaction(write=True) as connection:
        desk = Desk(connection)
        one = desk.begin("s")
        two, three = desk.say("s"), desk.say("s", state="waiting")
        other = desk.begin("b", before=two)
        again = desk.begin("c", before=one)
        deeper = desk.begin("d", before=other)
        desk.begin("foreign", actor=OTHER)

        assert desk.seen("s") == [one, two, three]
        assert desk.seen("b") == [one, other]
        assert desk.seen("c") == [again]
        assert desk.seen("d") == [one, deeper]
        assert desk.choices("s") == {one: [one, again], two: [two, other, deeper]}
        assert desk.choices("b") == {one: [one, again], other: [two, other, deeper]}
        assert desk.choices("c") == {again: [one, again]}
        # A branch begins with the tasks of that moment, not with those of the end.
        session = queries.get_session(connection, ME, "b")
        assert session.tasks == [{"id": "t", "title": "Task 2"}]
        listed = list_sessions(connection, LOOKING, PlanSearch())
        origins = {
            each.id: each.branch_of and (each.branch_of.id, each.branch_of.title) for each in listed
        }
        assert origins == {
            "s": None,
            "b": ("s", "About s"),
            "c": ("s", "About s"),
            "d": ("b", "About b"),
        }


@pytest.mark.db
def test_a_run_that_is_not_over_stays_with_its_session(db: Database) -> None:
    with db.transaction(write=True) as connection:
        desk = Desk(connection)
        one = desk.begin("s")
        open_run = desk.say("s", state="waiting")
        other = desk.begin("b", before=open_run)

        seen = read_transcript(connection, LOOKING, "s")
        assert (seen.session.state, [run.id for run in seen.runs]) == (
            "interrupted",
            [one, open_run],
        )
        assert desk.seen("b") == [one, other]
        assert desk.choices("b") == {other: [open_run, other]}


@contextmanager
def emptied(template: Path) -> Iterator[Connection]:
    """A database with nothing in it, for one example."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "paige.db"
        shutil.copy(template, path)
        with closing(open_sqlite(path)) as database, database.transaction(write=True) as opened:
            yield opened


@given(moves=st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), max_size=25))
@settings(max_examples=examples(60), deadline=None)
def test_nothing_that_was_said_is_lost_however_one_branches(
    moves: list[tuple[bool, int]], sqlite_template: Path
) -> None:
    with emptied(sqlite_template) as connection:
        desk = Desk(connection)
        desk.begin("s0")
        for branches, choice in moves:
            sessions = sorted(desk.paths)
            session = sessions[choice % len(sessions)]
            path = desk.paths[session]
            if branches:
                desk.begin(f"s{len(sessions)}", before=path[choice % len(path)])
            else:
                desk.say(session)
        for session, path in desk.paths.items():
            assert desk.seen(session) == path
            choices = desk.choices(session)
            for place, run in enumerate(path):
                paths = [each for each in desk.paths.values() if each[:place] == path[:place]]
                same = {each[place] for each in paths if len(each) > place}
                assert choices.get(run, [run]) == sorted(same)


def test_a_point_is_read_as_it_is_kept() -> None:
    assert Point.read(str(Point("a#b", 12))) == Point("a#b", 12)
    run = RunPlace("r", "b", 1, "ended", NOON)
    assert begins_at(run, {"b": Point("a", 0), "a": Point("o", 3), "o": None}) == Point("o", 3)
    assert begins_at(run._replace(number=2), {"b": Point("a", 0)}) == Point("b", 1)


@pytest.mark.parametrize(
    ("total", "first"), [(0, 0), (1, 0), (40, 0), (80, 0), (81, 40), (120, 40), (121, 80)]
)
def test_the_last_page_comes_with_the_one_before_it(total: int, first: int) -> None:
    assert first_of(RunsWanted(), total) == first
    assert first_of(RunsWanted(7), total) == min(7, total)


@pytest.mark.db
def test_a_long_session_is_read_in_pages(db: Database) -> None:
    with db.transaction(write=True) as connection:
        desk = Desk(connection)
        runs = [desk.begin("s"), *(desk.say("s") for _ in range(99))]
        other = desk.begin("b", before=runs[50])

        assert desk.seen("s", RunsWanted()) == runs[40:]
        assert desk.seen("s", RunsWanted(0, 40)) == runs[:40]
        assert desk.seen("s", RunsWanted(95, 40)) == runs[95:]
        assert desk.seen("s", RunsWanted(500, 40)) == []
        early = read_transcript(connection, LOOKING, "s", RunsWanted(0, 1))
        assert (early.first, early.total, early.session.state) == (0, 100, "ended")
        assert [place.run for place in early.branches[runs[50]]] == [runs[50], other]
