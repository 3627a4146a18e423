"""What many learners get wrong reaches the next lesson of their class, and never who they are.

Learners study, each at their own desk. Their teacher sees what five of them or more get wrong,
plans a lesson, and finds it there. Nobody can tell from it who was meant.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from paige.app.accounts.people import PersonNew, add_person
from paige.app.accounts.sign_ins import add_token
from paige.app.application import App, open_app
from paige.app.class_answers import hand_out, take_files
from paige.app.class_errors import class_errors
from paige.app.erasure import erase, plan_erasure
from paige.app.person_apps import PersonApps
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.exercise.result import Result
from paige.exercise.values import ExerciseError, Score
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import BLANK, Question, Section, Worksheet
from paige.learner.files import LearnerFiles
from paige.plan.handout.issue import NewHandout
from paige.store.documents import DirectoryDocuments
from paige.study.class_errors import FEWEST, LearnerError, fold_errors, what_to_show
from paige.study.preferences import with_class
from tests.conftest import NOON
from tests.live import run_paige
from tests.server.conftest import BASE
from tests.server.plan_window import Teacher, teacher_in, yes
from tests.server.study_window import Learner

COURSE, CONCEPT = "python-algorithms", "linear-search"
WRONG = "def find_last(items, wanted):\n    return items.index(wanted)\n"
PUPILS = ("amira-q7", "boris-q7", "chidi-q7", "dewi-q7", "elspeth-q7", "farid-q7")
HEAD = Actor("local", "setup", frozenset({"admin"}))
ADDRESS = "/api/plan/classes/3B/misconceptions"
Json = dict[str, Any]


class School:
    """A server with accounts, used by one person after another."""

    def __init__(self, app: App, client: TestClient, tokens: dict[str, str]) -> None:
        self.app, self.client, self.tokens = app, client, tokens

    def sign_in(self, person: str) -> TestClient:
        """The same client, as somebody."""
        self.client.headers["authorization"] = f"Bearer {self.tokens[person]}"
        return self.client

    def join(self, person: str, class_id: str) -> None:
        """Say in one's own profile which class one is in."""
        answer = self.sign_in(person).put("/api/study/profile", json={"classId": class_id})
        assert answer.status_code == 200, answer.text
        assert answer.json()["classId"] == class_id

    def get_it_wrong(self, person: str) -> None:
        """Hand in a search that stops at the first element it finds."""
        folder = self.app.settings.data_dir / "people" / "local" / person / "teaching"
        learner = Learner(self.sign_in(person), folder, COURSE)
        learner.to_exercise("code", CONCEPT)
        learner.act(fileText=WRONG)
        learner.act("give_up")

    def get_the_same_wrong(self, person: str) -> None:
        """The same work as the first learner handed in: running it again would take a while."""
        desks = self.app.settings.data_dir / "people" / "local"
        below = Path("teaching", "learner", COURSE)
        shutil.copytree(desks / PUPILS[0] / below, desks / person / below)

    def seen_by(self, person: str) -> list[Json]:
        """The list as somebody sees it."""
        answer = self.sign_in(person).get(ADDRESS)
        assert answer.status_code == 200, answer.text
        return answer.json()["misconceptions"]


@contextmanager
def open_school(folder: Path) -> Iterator[School]:
    """Six learners, a teacher, an admin, a researcher; and a teacher of another school."""
    roles = {
        **dict.fromkeys(PUPILS, ("learner",)),
        "head": ("admin",),
        "ruth": ("researcher",),
        "tess": ("teacher",),
    }

    async def settle(app: App) -> dict[str, str]:
        tokens: dict[str, str] = {}
        for name, held in roles.items():
            person = await add_person(app, HEAD, PersonNew(id=name, name=name, roles=held))
            tokens[name] = (await add_token(app, HEAD, person.id, "a test")).secret
        other = Actor("elm", "setup", frozenset({"admin"}))
        await add_person(app, other, PersonNew(id="otto", roles=("teacher",)))
        tokens["otto"] = (await add_token(app, other, "otto", "a test")).secret
        return tokens

    settings = Settings(
        cwd=folder,
        environ={"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")},
        given_data_dir=folder / "data",
        accounts="on",
    )
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        tokens = anyio.run(settle, app)
        with TestClient(Site(app).asgi, base_url=BASE) as client:
            yield School(app, client, tokens)


def test_what_five_learners_get_wrong_is_in_the_next_lesson_and_no_name_is(tmp_path: Path) -> None:
    with open_school(tmp_path) as school:
        for person in PUPILS[:5]:
            school.join(person, "3b")
        school.join(PUPILS[5], "2A")
        school.get_it_wrong(PUPILS[0])
        for person in (*PUPILS[1:4], PUPILS[5]):
            school.get_the_same_wrong(person)
        assert school.seen_by("tess") == [], "four of the class, and one of another"

        school.get_it_wrong(PUPILS[4])
        [found] = [each for each in school.seen_by("tess") if each["kind"] == "logic_error"]
        assert (found["concept"], found["title"]) == (CONCEPT, "Linear search")
        assert found["learners"] == 5
        assert found["idea"] == "Steps that do not give the wanted result"
        assert found["helps"][0].startswith("Work through one failing example by hand")

        school.sign_in("tess")
        with teacher_in(school.client) as teacher:
            lesson, asked = _plan(teacher, "Linear search for 3B")
        assert "What five learners or more get wrong:" in asked
        line = 'Linear search: "Steps that do not give the wanted result" (5 learners)'
        assert line in asked
        misconceptions = lesson.partition("## Misconceptions")[2].partition("\n## ")[0]
        assert line in misconceptions
        assert "comes from the work of your own learners" in lesson

        everything = json.dumps(school.seen_by("tess")) + lesson + asked
        assert [name for name in PUPILS if name in everything] == []
        assert [name for name in PUPILS if name.partition("-")[0] in everything.lower()] == []

        _who_may(school)

        erase(school.app, HEAD, plan_erasure(school.app, HEAD, PUPILS[0]))
        assert school.seen_by("tess") == [], "four are left"


def _plan(teacher: Teacher, request: str) -> tuple[str, str]:
    """Plan a lesson; what came of it, and what the teacher was shown before."""
    shown: list[str] = []

    def look(asked: Json) -> Json:
        shown.append(asked.get("text", ""))
        return yes(asked)

    begun = teacher.ask(request, classId="3B")
    ended = teacher.finish(begun["run"], {"feedforward": look})
    assert ended["state"] == "ended", ended
    [item] = teacher.get("/lessons")
    read = teacher.http.get("/api/plan/file", params={"path": item["path"]})
    return read.json()["text"], "\n".join(shown)


def _who_may(school: School) -> None:
    assert school.seen_by("head") == school.seen_by("tess")
    for person in (PUPILS[0], "ruth"):
        refused = school.sign_in(person).get(ADDRESS)
        assert refused.status_code == 403, refused.text
        assert "Linear" not in refused.text
    other = school.sign_in("otto").get(ADDRESS)
    assert other.json()["misconceptions"] == [], "another school has a 3B of its own"
    unknown = school.sign_in("tess").get("/api/plan/classes/9Z/misconceptions")
    assert (unknown.status_code, unknown.json()["error"]["hint"][:9]) == (404, "There are")


# --- learners of one teaching folder, from the terminal -------------------------------------------


def _record(documents: DirectoryDocuments, name: str, number: int, *, root: str = "") -> None:
    files = LearnerFiles(documents, root=root or f"learners/{name}")
    error = ExerciseError("1", "off_by_one", "range(n)", "range(n + 1)", f"Ask {name} about it")
    at = NOON + timedelta(days=number)
    result = Result(
        exercise_id=f"e{number}",
        concept_id="invariants",
        course=COURSE,
        modality="worksheet",
        score=Score(0, 1, 0.0),
        timestamp=at,
        errors=(error,),
    )
    files.record(COURSE, result, session=f"s{number}", change_id=f"c{number}", now=at)


def test_a_teacher_without_accounts_sees_the_learners_of_the_teaching_folder(
    tmp_path: Path,
) -> None:
    documents = DirectoryDocuments(tmp_path / ".claude" / "teaching")
    for number, name in enumerate(PUPILS):
        _record(documents, name, number)
    for name in PUPILS[:5]:
        files = LearnerFiles(documents, root=f"learners/{name}")
        files.update_profile(lambda profile: with_class(profile, "3B"))
    joined = run_paige(tmp_path, "study", "profile", "--learner", PUPILS[5], "--class", "3B")
    assert joined.returncode == 0, joined.stderr
    assert "class         3B" in joined.stdout

    shown = run_paige(tmp_path, "plan", "misconceptions", "--class", "3b", "--json")
    assert shown.returncode == 0, shown.stderr
    answer = json.loads(shown.stdout)
    [found] = answer["misconceptions"]
    assert (answer["class"], found["title"], found["learners"]) == ("3B", "Loops that are right", 6)
    assert found["example"] == "“range(n + 1)” instead of “range(n)”", "all six wrote the same"
    assert found["since"] == "2026-03-06T12:00:00.000000Z", "when the fifth of them did"
    read = run_paige(tmp_path, "plan", "misconceptions", "--class", "3B")
    assert "6 learners, since 06 March 2026" in read.stdout
    assert "Helps: Check the first and the last round of the loop by hand." in read.stdout
    assert not any(name.partition("-")[0] in (shown.stdout + read.stdout) for name in PUPILS)

    for name in PUPILS[:2]:
        left = run_paige(tmp_path, "study", "profile", "--learner", name, "--class", "none")
        assert left.returncode == 0, left.stderr
    gone = run_paige(tmp_path, "plan", "misconceptions", "--class", "3B")
    assert (gone.returncode, gone.stdout) == (0, "")
    assert "Fewer are never shown" in gone.stderr


def test_a_name_that_no_class_can_have_is_said_to_be_one(tmp_path: Path) -> None:
    wrong = run_paige(tmp_path, "study", "profile", "--class", "../3B")
    assert wrong.returncode == 2
    assert "`../3B` cannot be the name of a class" in wrong.stderr
    unknown = run_paige(tmp_path, "plan", "misconceptions", "--class", "9Z")
    assert "There is no class `9Z`" in unknown.stderr


@pytest.mark.db
@pytest.mark.anyio
async def test_accounts_of_a_school_are_counted_on_both_databases(
    db_settings: Settings, tmp_path: Path
) -> None:
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    settings = replace(db_settings, accounts="on", environ=home)
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        for number, name in enumerate(PUPILS):
            await add_person(app, HEAD, PersonNew(id=name, roles=("learner",)))
            documents = DirectoryDocuments(settings.data_dir / "people/local" / name / "teaching")
            _record(documents, name, number, root="learner")
            files = LearnerFiles(documents, root="learner")
            files.update_profile(lambda profile: with_class(profile, "3B"))
        tess = PersonApps(app).of(Actor("local", "tess", frozenset({"teacher"})))
        [row] = (await class_errors(tess, "3B")).misconceptions
        assert (row.title, row.learners) == ("Loops that are right", 6)
        for name in PUPILS[:2]:
            erase(app, HEAD, plan_erasure(app, HEAD, name))
        assert (await class_errors(tess, "3B")).misconceptions == ()


# --- what a class hands in ------------------------------------------------------------------------

ROUNDS = Worksheet(
    course="computing",
    concept="fixed-loops",
    title="Rounds",
    generated="2026-03-02T09:00:00Z",
    sections=(Section(1, "Rounds", (Question(1, 1, "A loop over range(3) runs so often: ___"),)),),
    key={"1.1": "3"},
)


@pytest.mark.anyio
async def test_the_answers_of_a_class_count_for_themselves(tmp_path: Path) -> None:
    settings = Settings(
        cwd=tmp_path, environ={"HOME": str(tmp_path)}, given_data_dir=tmp_path / "data"
    )
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        asked = NewHandout(
            markdown=render_worksheet(ROUNDS), source="rounds.md", class_id="3B", tokens=6
        )
        made = await hand_out(app, asked)
        folder = tmp_path / "in"
        folder.mkdir()
        blank = made.handout.worksheet.replace("`___`", "the blank")
        for number in range(4):
            (folder / f"sheet-{number}.md").write_text(blank.replace(BLANK, "4", 1))
        await take_files(app, made.handout.id, folder)
        assert (await class_errors(app, "3B")).misconceptions == ()

        (folder / "sheet-4.md").write_text(blank.replace(BLANK, "4", 1))
        taken = await take_files(app, made.handout.id, folder)
        assert (taken.taken, taken.problems) == (5, ())
        rows = (await class_errors(app, "3B")).misconceptions
        assert [row.learners for row in rows] == [5]
        assert "4" in rows[0].example
        assert rows[0].since is None


# --- the fold -------------------------------------------------------------------------------------

NAMES = tuple(f"zq{number}name" for number in range(9))
ERRORS = st.builds(
    LearnerError,
    place=st.sampled_from(["accounts", "folder", "worksheet:a"]),
    learner=st.sampled_from(NAMES),
    concept=st.sampled_from(["loops", "lists", "zq1name-notes", "zq9name"]),
    course=st.sampled_from(["", "python"]),
    error_type=st.sampled_from([None, "off_by_one", "logic_error", "made up"]),
    what=st.sampled_from(["", "range(4)", "zq2name said so", "Oliver Brown wrote 5", "ZQ3NAME"]),
    at=st.one_of(st.none(), st.datetimes(datetime(2026, 1, 1), datetime(2026, 6, 1))),
)


def _distinct(errors: list[LearnerError]) -> int:
    return len({(each.place, each.learner) for each in errors})


@given(st.lists(ERRORS, max_size=120))
def test_no_group_has_fewer_than_five_learners_of_one_place(errors: list[LearnerError]) -> None:
    for found in fold_errors(errors, what_to_show(NAMES)):
        own = [each for each in errors if each.concept == found.concept]
        most = max(_distinct([e for e in own if e.place == place]) for place in _places(own))
        assert FEWEST <= found.learners <= most


@given(st.lists(ERRORS, max_size=120))
def test_no_text_of_a_group_holds_a_name(errors: list[LearnerError]) -> None:
    said = repr(fold_errors(errors, what_to_show(NAMES, ["loops", "lists"]))).lower()
    assert not any(name in said for name in NAMES)
    assert "oliver" not in said, "a name that nobody told us of"


@given(st.lists(ERRORS, max_size=120), st.sampled_from(NAMES))
def test_whoever_leaves_is_counted_no_more(errors: list[LearnerError], gone: str) -> None:
    before = {(e.concept, e.kind, e.idea, e.example): e.learners for e in _fold(errors)}
    left = [each for each in errors if each.learner != gone]
    after = {(e.concept, e.kind): e.learners for e in _fold(left)}
    for (concept, kind, _, _), learners in before.items():
        assert after.get((concept, kind), FEWEST - 1) <= max(
            count for (c, k, _, _), count in before.items() if (c, k) == (concept, kind)
        )
        assert learners >= FEWEST
    assert set(after) <= {(concept, kind) for concept, kind, _, _ in before}


@given(st.lists(ERRORS, max_size=60), st.randoms(use_true_random=False))
def test_the_order_in_which_errors_come_does_not_matter(
    errors: list[LearnerError], chance: Any
) -> None:
    mixed = list(errors)
    chance.shuffle(mixed)
    assert _fold(mixed) == _fold(errors)


def test_one_person_known_from_three_places_is_not_three_people() -> None:
    people = NAMES[:4]
    places = ("accounts", "folder", "worksheet:a", "worksheet:b")
    errors = [
        LearnerError(place=place, learner=name, concept="loops", error_type="off_by_one")
        for place in places
        for name in people
    ]
    assert fold_errors(errors) == ()


def _fold(errors: list[LearnerError]) -> Any:
    return fold_errors(errors, what_to_show(NAMES))


def _places(errors: list[LearnerError]) -> set[str]:
    return {each.place for each in errors}
