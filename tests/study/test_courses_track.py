"""An Exercism track taken in as a course."""

import json
from pathlib import Path

import pytest

from paige.exercise.grading import grade
from paige.store.documents import DirectoryDocuments
from paige.study.courses.intake import ImportOptions, IntakeResult, import_course
from tests.conftest import NOON
from tests.study.course_folders import said

SOLUTION = "def f():\n    return 1\n"
TESTS = """\
import unittest

from snake import f


class Test(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(), 1)
"""


def concept(slug: str, *teaches: str, needs: tuple[str, ...] = (), **more: object) -> dict:
    return {"slug": slug, "concepts": teaches, "prerequisites": needs, **more}


def practice(slug: str, *practises: str, needs: tuple[str, ...] = ()) -> dict:
    return {"slug": slug, "practices": practises, "prerequisites": needs, "difficulty": 2}


EXERCISES = {
    "concept": [
        concept("lasagna", "basics", "names"),
        concept("arcade", "bools", needs=("basics",)),
        concept("mitigation", "conditionals", needs=("basics", "bools")),
        concept("log-levels", "enums", needs=("bools", "comprehensions")),
        concept("bill", "old", status="deprecated"),
    ],
    "practice": [
        practice("hello-world"),
        practice("bob", "conditionals", needs=("conditionals",)),
        practice("leap", "conditionals", "bools", needs=("bools",)),
        practice("spell", "names", "basics"),
        practice("recursion", "recursion", needs=("conditionals", "names")),
        practice("yacht", "enums", needs=("enums",)),
        practice("photo"),
    ],
}


@pytest.fixture
def track(tmp_path: Path) -> Path:
    root = tmp_path / "snake"
    names = ("basics", "names", "bools", "conditionals", "enums", "spare")
    listed = [{"slug": slug, "name": slug.title()} for slug in names]
    config = {"language": "Snake", "slug": "snake", "blurb": "It\nhisses.", "exercises": EXERCISES}
    write(root / "config.json", {**config, "concepts": listed})
    write(root / "concepts/basics/introduction.md", "# Basics\n\nBegin here.\n\n## More\n\nText.\n")
    links = [{"url": "https://docs.example/x", "description": "Docs"}]
    write(root / "concepts/basics/links.json", links)
    for kind, exercises in EXERCISES.items():
        for each in exercises:
            own = root / "exercises" / kind / each["slug"]
            write(own / "snake.py", "def f():\n    pass\n")
            write(own / "snake_test.py", TESTS)
            write(own / ".docs/instructions.md", f"# {each['slug']}\n\nReturn 1.\n")
            write(own / ".docs/hints.md", "## General\n\n- One.\n- Two.\n- Three.\n- Four.\n")
            write(own / ".meta/example.py", SOLUTION)
            write(own / ".approaches/x.md", "Secret.")
            listed_files = {"solution": ["snake.py"], "test": ["snake_test.py"]}
            example = {"example": [".meta/example.py"]}
            write(own / ".meta/config.json", {"files": {**listed_files, **example}})
    (root / "exercises/practice/photo/picture.png").write_bytes(b"\x89PNG\x00")
    return root


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def take(root: Path, track: Path) -> IntakeResult:
    return import_course(DirectoryDocuments(root), "exercism", track, ImportOptions(), now=NOON)


def test_a_track_becomes_a_course_with_every_exercise_it_still_offers(
    tmp_path: Path, track: Path
) -> None:
    taken = take(tmp_path / "own", track)

    course = taken.course
    assert (course.name, course.title, course.domain) == ("snake", "Snake", "technical")
    assert course.config.description == "It hisses."
    assert (taken.added, taken.there) == (10, 0)
    assert {name: [item.id for item in items] for name, items in course.items.items()} == {
        "first-steps": ["hello-world"],
        "basics": ["lasagna"],
        "names": ["spell"],
        "bools": ["arcade"],
        "conditionals": ["mitigation", "bob", "leap", "recursion"],
        "enums": ["log-levels", "yacht"],
    }
    assert taken.left_out == ("`photo`: its file `picture.png` is not text",)


def test_what_no_exercise_teaches_is_named_and_what_needs_it_is_a_problem(
    tmp_path: Path, track: Path
) -> None:
    course = take(tmp_path / "own", track).course

    assert not course.concepts["comprehensions"].taught
    assert "enums" not in course.graph.order
    assert [each.partition(": ")[2].partition(".")[0] for each in said(course)] == [
        "`enums` cannot be reached: `comprehensions` is never taught",
        "`comprehensions` is never taught, but needed by `enums`",
    ]


def test_an_exercise_says_what_else_has_to_be_known(tmp_path: Path, track: Path) -> None:
    course = take(tmp_path / "own", track).course

    assert course.item("recursion").needs == ("names",)
    assert course.item("bob").needs == ()
    assert course.item("leap").tags == ("practice", "difficulty-2")
    assert course.item("leap").hints == ("One.", "Two.", "Three.")
    assert course.item("leap").prompt == "# leap\n\nReturn 1."


def test_the_texts_of_a_track_teach(tmp_path: Path, track: Path) -> None:
    course = take(tmp_path / "own", track).course

    assert course.teaching["basics"].explanation == (
        "Begin here.\n\n## More\n\nText.\n\n## Read on\n\n- [Docs](https://docs.example/x)"
    )
    assert set(course.teaching) == {"basics"}


def test_the_files_of_an_exercise_can_be_written_and_graded(tmp_path: Path, track: Path) -> None:
    item = take(tmp_path / "own", track).course.item("leap")

    assert item.code is not None
    assert not any(name.startswith(".approaches") for name in item.code.files)
    for name, text in item.code.files.items():
        write(tmp_path / "leap" / name, text)
    assert grade(tmp_path / "leap", now=NOON).score.correct == 0
    write(tmp_path / "leap" / "snake.py", item.code.files[".meta/example.py"])
    assert grade(tmp_path / "leap", now=NOON).score.percentage == 1.0


def test_a_track_taken_in_twice_adds_nothing_twice(tmp_path: Path, track: Path) -> None:
    own = tmp_path / "own"
    first = take(own, track)
    before = {path: path.read_bytes() for path in own.rglob("*.json*")}
    again = take(own, track)

    assert (again.added, again.there) == (0, 10)
    assert again.course == first.course
    assert {path: path.read_bytes() for path in own.rglob("*.json*")} == before
