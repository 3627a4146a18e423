"""`paige coach explain`, `review`, `practice`, `issues`, `materials`: the coach in a terminal."""

import json
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.coach import queries
from paige.coach.log.queries import insert_actions
from paige.coach.records import Action, PhaseRow, PlanRow
from paige.learner.gaps import Constraint, Gap
from paige.learner.queries import NewKata, get_gap, get_kata, insert_kata, record_gap
from paige.store.engine import open_sqlite
from paige.store.migrate import migrate
from tests.fakes.served_model import served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import run_paige
from tests.store.running import read, write

ME = Actor()
CART = """from src.prices import price_of


def total(items):
    result = 0
    for item in items:
        result += price_of(item)
    return result
"""
SOLVED = """def page(items, number, size):
    start = (number - 1) * size
    return items[start : start + size]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project in its own home, with a gap and a kata for it."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "cart.py").write_text(CART)
    (tmp_path / "src" / "prices.py").write_text("def price_of(item):\n    return item['price']\n")
    (tmp_path / ".paige").mkdir()
    with closing(open_sqlite(tmp_path / ".paige" / "paige.db")) as database:
        migrate(database)
        gap = Gap(topic="off by one errors", severity="high", evidence="x")
        write(database, record_gap, ME, gap, gap_id="g1", now=system_clock())
        kata = NewKata(
            title="Pages",
            description="`page(items, number, size)` returns one page.",
            scaffolding_code="def page(items, number, size):\n    ...\n",
            instructor_notes="secret",
            test_cases=("assert page([1, 2, 3], 1, 2) == [1, 2]", "assert page([1], 2, 2) == []"),
            constraints=(
                Constraint("No range", "Do not use `range`.", 1),
                Constraint("Backwards", "Count from the end, too.", 4),
                Constraint("Lazy", "Use a generator.", 9),
            ),
        )
        write(database, insert_kata, ME, "g1", kata, kata_id="kata-pages")
    return tmp_path


def coach(folder: Path, *arguments: str, code: int = 0, **extra: str) -> str:
    done = run_paige(folder, "coach", *arguments, **extra)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def data(folder: Path, *arguments: str, code: int = 0, **extra: Any) -> Any:
    done = run_paige(folder, "coach", *arguments, "--json", **extra)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_without_any_key_lines_say_what_they_are_and_nobody_explains_them(shop: Path) -> None:
    found = data(shop, "explain", "src/cart.py:4-8")
    words = coach(shop, "explain", "src/cart.py:7")

    assert found["path"] == "src/cart.py"
    assert found["explanation"].startswith("Explaining code needs a model")
    assert "It defines `total(items)`." in found["explanation"]
    assert found["key_concepts"] == []
    assert found["related_files"] == ["src/prices.py"]
    assert (found["phase_connection"], found["model"]) == (None, "local")
    assert "It calls `price_of`." in words


def test_an_explanation_knows_the_phase(shop: Path) -> None:
    session = data(shop, "start")["session"]
    with closing(open_sqlite(shop / ".paige" / "paige.db")) as database:
        write(database, queries.insert_plan, ME, PlanRow("p1", session, "text", system_clock()))
        phase = PhaseRow("f1", "p1", 1, "Sum", "Look", "active", "line", ("src/cart.py",))
        write(database, queries.insert_phases, ME, [phase])
    assert "phase 1, “Sum”" in data(shop, "explain", "src/cart.py")["phase_connection"]


@pytest.mark.parametrize(
    ("place", "code", "words"),
    [
        ("src/none.py:1", 1, "none.py"),
        ("src/cart.py:9-3", 2, "Lines 9 to 3 are none"),
        ("src/cart.py:x", 2, "names no lines"),
        ("src/cart.py:99", 2, "has 8 lines"),
        ("../outside.py:1", 3, "outside"),
    ],
)
def test_what_cannot_be_explained_is_said(shop: Path, place: str, code: int, words: str) -> None:
    assert words in coach(shop, "explain", place, code=code)


def test_a_model_explains_where_there_is_one(shop: Path) -> None:
    with served_model() as model:
        model.answers(ANTHROPIC.answer('{"explanation": "It adds."}'))
        found = data(shop, "explain", "src/cart.py:4-8", code=0, **model.variables)
        (request,) = model.requests
    assert found["explanation"] == "It adds."
    assert found["model"] == "claude-sonnet-4-5-20250929"
    assert "price_of(item)" in request.body["messages"][0]["content"]


def test_a_kata_is_listed_shown_solved_and_closes_its_gap(shop: Path) -> None:
    listed = coach(shop, "practice")
    shown = coach(shop, "practice", "pages", "--out", str(shop / "try.py"))
    assert "kata-pages  Pages (off by one errors): 0 attempts" in listed
    assert "constraint  No range" in shown
    assert "Backwards" not in shown
    assert "secret" not in shown
    assert (shop / "try.py").read_text() == "def page(items, number, size):\n    ...\n"

    untouched = data(shop, "review", "kata-pages", "try.py", code=1)
    (shop / "try.py").write_text("def page(items, number, size):\n    return items[:size]\n")
    wrong = coach(shop, "review", "pages", "try.py", code=1)
    (shop / "try.py").write_text(SOLVED)
    right = data(shop, "review", "pages", "try.py")

    assert "no code of your own yet" in untouched["feedback"]
    assert "not yet, level" in wrong
    assert "1 of 2 tests pass." in wrong
    assert (right["passed"], right["level"]) == (True, 5)
    assert [each["title"] for each in right["unlocked_constraints"]] == ["Backwards"]
    assert right["follow_up"]["constraint"].startswith("Backwards")
    with closing(open_sqlite(shop / ".paige" / "paige.db")) as database:
        assert read(database, get_gap, ME, "g1").addressed is True
        made = read(database, get_kata, ME, "kata-pages").user_attempts
    assert [each.passed for each in made] == [False, False, True]
    assert "best level 5" in coach(shop, "practice")


def test_a_constraint_raises_the_level(shop: Path) -> None:
    one_line = """def page(items, number, size):
    return items[(number - 1) * size : number * size]
"""
    (shop / "try.py").write_text(one_line)
    found = data(shop, "review", "pages", "try.py", "--with", "no range")
    assert (found["passed"], found["level"]) == (True, 6)
    by_place = """def page(items, number, size):
    places = range((number - 1) * size, min(number * size, len(items)))
    return [items[place] for place in places]
"""
    (shop / "try.py").write_text(by_place)
    broken = data(shop, "review", "pages", "try.py", "--with", "No range", code=1)
    assert (broken["correct"], broken["passed"]) == (True, False)


def test_two_files_that_nobody_tested_do_not_pass(shop: Path) -> None:
    session = data(shop, "start")["session"]
    files = ("main.go", "notes.md")
    now = system_clock()
    with closing(open_sqlite(shop / ".paige" / "paige.db")) as database:
        write(database, queries.insert_plan, ME, PlanRow("p1", session, "text", now))
        phase = PhaseRow("f1", "p1", 1, "Sum", "Add them up", "active", "line", files)
        write(database, queries.insert_phases, ME, [phase])

        def note(name: str, kind: Any, about: dict[str, Any], second: int) -> None:
            done = Action(name, session, kind, about, now + timedelta(seconds=second))
            write(database, insert_actions, ME, [done])

        for number, path in enumerate(files, 1):
            (shop / path).write_text("nothing anybody could run")
            note(f"s{number}", "file_save", {"path": path}, number)
        untested = data(shop, "review", code=1)
        note("t1", "test_run", {"passed": 0, "failed": 0}, 3)
        without = data(shop, "review", code=1)
        note("t2", "test_run", {"passed": 2, "failed": 0}, 4)
        tested = data(shop, "review")
        note("s9", "file_save", {"path": "main.go"}, 5)
        changed = data(shop, "review", code=1)

    assert [each["passed"] for each in (untested, without, tested, changed)] == [
        False,
        False,
        True,
        False,
    ]
    assert "No tests have been run" in untested["feedback"]
    assert "Add them up" in untested["feedback"]
    assert "had 0 tests" in without["feedback"]
    assert "all of them passed" in tested["feedback"]
    assert "after the tests ran" in changed["feedback"]


def test_katas_that_are_not_there_are_said(shop: Path) -> None:
    assert "Kata not found" in coach(shop, "practice", "nothing", code=1)
    assert "go together" in coach(shop, "review", "pages", code=2)
    assert "cannot be read" in coach(shop, "review", "pages", "none.py", code=1)
    assert "No active session" in coach(shop, "review", code=1)


def test_issues_are_listed_and_not_judged_without_any_key(shop: Path) -> None:
    issues = [
        {"number": 1, "title": "Rewrite the architecture", "body": "A breaking change, security"},
        {"number": 2, "title": "Fix typo in README", "labels": ["good first issue"]},
        {"number": 3, "title": "Last page is off by one", "body": "An error at the end"},
    ]
    (shop / "issues.json").write_text(json.dumps(issues))
    found = data(shop, "issues")
    words = coach(shop, "issues")

    assert [each["number"] for each in found] == [1, 2, 3]
    assert {each["suitability"] for each in found} == {"unknown"}
    assert {each["estimated_difficulty"] for each in found} == {"unknown"}
    assert "#2  not judged  Fix typo in README" in words
    assert "needs a model" in words


def test_without_issues_and_gh_that_is_said(shop: Path) -> None:
    empty = shop / "bin"
    empty.mkdir()
    assert "GitHub CLI not found" in coach(shop, "issues", code=1, PATH=str(empty))


def test_reading_is_found_without_any_key(shop: Path) -> None:
    found = data(shop, "materials")
    assert [each["knowledge_gap"] for each in found] == ["off by one errors"]
    assert all(each["url"].startswith("https://") for each in found[0]["resources"])
    assert found[0]["practice_connection"] == "Then try the kata “Pages”."
    assert "https://" in coach(shop, "materials")


def test_without_a_gap_there_is_nothing_to_read(tmp_path: Path) -> None:
    assert data(tmp_path, "materials") == []
    assert "No gap is open" in coach(tmp_path, "materials")
    assert "There are no katas yet" in coach(tmp_path, "practice")
