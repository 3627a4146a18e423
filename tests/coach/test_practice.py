"""Practice: tests in the sandbox decide, a shipped kata without any key, and what is kept back."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.dashboard import load_kata
from paige.coach.inquiry.disclosure import kept_back, ladder_of, secret_of
from paige.coach.inquiry.kata_runs import run_kata
from paige.coach.inquiry.topics import TopicKata, catalogue
from paige.learner.gaps import Attempt, Constraint, Gap
from paige.learner.queries import (
    KataRow,
    NewKata,
    add_attempt,
    get_gap,
    get_kata,
    insert_kata,
    record_gap,
)
from paige.sandbox.terms import RunTerms
from paige.store.engine import Database
from tests.coach.making import ME
from tests.coach.thinking_room import Room, add_gap, thinking_room
from tests.conftest import NOON
from tests.server.windows import Window, window
from tests.store.running import read, write

TESTS = ("assert add(1, 2) == 3", "assert add(-1, 1) == 0", "adds two numbers")
RIGHT, WRONG = "def add(a, b):\n    return a + b\n", "def add(a, b):\n    return a - b\n"


@pytest.mark.parametrize(
    ("code", "passed", "unreadable"),
    [
        (RIGHT, 2, False),
        (WRONG, 0, False),
        ("def add(a, b:\n", 0, True),
        ("", 0, False),
        ("raise SystemExit(0)\n", 0, False),
        ("import os\nos._exit(0)\n", 0, False),
        ("def add(a, b):\n    while True:\n        pass\n", 0, False),
    ],
    ids=["right", "wrong", "no Python", "nothing", "exit", "hard exit", "no end"],
)
def test_only_what_passes_its_tests_is_passed(code: str, passed: int, unreadable: bool) -> None:
    run = run_kata(code, TESTS, now=NOON, terms=RunTerms(seconds=2))
    assert run is not None
    assert run.all_passed is (code == RIGHT)
    assert (run.passed, bool(run.unreadable)) == (passed, unreadable)
    assert run.in_words()


def test_a_kata_without_tests_is_not_run() -> None:
    assert run_kata(RIGHT, ("adds two numbers",), now=NOON) is None


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_javascript_is_tested_with_node() -> None:
    start = "function add(a, b) {\n}\n"
    cases = ("assert.equal(add(1, 2), 3)", "add(0, 0) === 0")
    good = run_kata(
        "export function add(a, b) { return a + b; }", cases, now=NOON, scaffolding=start
    )
    bad = run_kata("function add(a, b) { return a - b; }", cases, now=NOON, scaffolding=start)
    assert good is not None
    assert bad is not None
    assert (good.all_passed, bad.passed, bad.total) == (True, 1, 2)


def kata_row(*attempts: Attempt, notes: str = "", tests: tuple[str, ...] = TESTS) -> KataRow:
    """A kata with some attempts at it."""
    return KataRow("k", "me", "g", "Add", "Write `add(a, b)`", "def add(a, b):\n    ...\n", notes,
                   tests, (), attempts)  # fmt: skip


def failed(count: int) -> list[Attempt]:
    return [Attempt(f"x = {number}", passed=False) for number in range(count)]


def test_what_may_be_said_grows_with_the_attempts() -> None:
    levels = [ladder_of(failed(count), NOON).level for count in range(7)]
    assert levels == [0, 0, 1, 2, 3, 4, 4]
    assert secret_of(kata_row(*failed(4)), NOON) is not None
    assert secret_of(kata_row(*failed(6)), NOON) is None, "then the answer may be told"
    assert secret_of(kata_row(*failed(1), Attempt("y", passed=True)), NOON) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Think about the sign of the second number.", True),
        ("Here:\n```python\ndef add(first, second):\n    return second + first\n```\n", False),
        ("Your own:\n```python\ndef add(a, b):\n    return a - b\n```\nLook at the sign.", True),
        ("```python\nprint('unrelated')\n```", True),
    ],
)
def test_code_that_passes_the_tests_is_kept_back(text: str, shown: bool) -> None:
    secret = secret_of(kata_row(Attempt(WRONG, passed=False)), NOON)
    assert secret is not None
    assert (kept_back(secret, text, NOON) == text) is shown


def shipped_kata() -> TopicKata:
    return next(topic.kata for topic in catalogue() if topic.id == "off-by-one")


def test_the_solution_of_a_shipped_kata_is_a_secret() -> None:
    kata = shipped_kata()
    row = KataRow(
        "k", "me", "g", kata.title, kata.description, kata.scaffolding, kata.notes, kata.tests,
        (), (Attempt("x", passed=False),),
    )  # fmt: skip
    secret = secret_of(row, NOON)
    assert secret is not None
    told = f"Just write this, and you are done:\n```python\n{kata.solution}\n```"
    assert "(number - 1) * size" not in kept_back(secret, told, NOON)
    fine = "In `page`, which index does the first page begin with?"
    assert kept_back(secret, fine, NOON) == fine


@pytest.mark.db
def test_constraints_stay_open_after_a_worse_attempt(db: Database) -> None:
    gap = Gap(topic="adding", severity="low", evidence="x")
    write(db, record_gap, ME, gap, gap_id="g", now=NOON)
    closed = tuple(Constraint(f"c{level}", "", level) for level in (1, 4, 9))
    kata = NewKata(title="K", description="d", constraints=closed)
    write(db, insert_kata, ME, "g", kata, kata_id="k")
    for level in (5, 2):
        write(db, add_attempt, ME, "k", Attempt("x", level=level))
    loaded = read(db, load_kata, ME, "k")
    assert [each.title for each in loaded.constraints] == ["c1", "c4"]
    assert (loaded.kata.attempts_count, loaded.kata.best_level) == (2, 5)


@pytest.mark.db
def test_attempts_from_several_threads_are_all_kept(db: Database) -> None:
    gap = Gap(topic="adding", severity="low", evidence="x")
    write(db, record_gap, ME, gap, gap_id="g", now=NOON)
    write(db, insert_kata, ME, "g", NewKata(title="K", description="d"), kata_id="k")

    def hand_in(number: int) -> None:
        with db.transaction(write=True) as connection:
            _add(connection, ME, Attempt(f"x = {number}", level=1))

    threads = [threading.Thread(target=hand_in, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    made = read(db, get_kata, ME, "k").user_attempts
    assert sorted(each.code for each in made) == sorted(f"x = {n}" for n in range(8))


def _add(connection: Connection, actor: Actor, attempt: Attempt) -> None:
    add_attempt(connection, actor, "k", attempt)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A server without any model."""
    folder: Path = tmp_path_factory.mktemp("practice")
    with thinking_room(folder, PAIGE_PROVIDER="local", ANTHROPIC_API_KEY="") as opened:
        opened.reset()
        yield opened


def submit(wire: Window, code: str, *titles: str) -> dict[str, object]:
    sent = {"kataId": "k1", "code": code, "activeConstraints": list(titles)}
    return wire.ask("practice:submit_solution", sent, answer="review:response")


def test_a_shipped_kata_is_practised_without_any_key(room: Room) -> None:
    kata = shipped_kata()
    add_gap(room, "loop boundaries and off-by-one errors")
    new = NewKata(
        title=kata.title,
        description=kata.description,
        scaffolding_code=kata.scaffolding,
        instructor_notes=kata.notes,
        test_cases=kata.tests,
        constraints=kata.constraints,
    )
    room.write(insert_kata, "g1", new, kata_id="k1")
    with window(room.live.ws) as wire:
        loaded = wire.ask("practice:open", {"kataId": "k1"}, answer="practice:kata_load")
        start = submit(wire, kata.scaffolding)
        wrong = submit(wire, kata.scaffolding.replace("+ 1", "+ 2"))
        right = submit(wire, kata.solution)
        harder = submit(wire, kata.solution, kata.constraints[0].title)

    assert loaded["constraints"] == []
    assert "no code of your own yet" in str(start["feedback"])
    assert (wrong["passed"], wrong["unlockedConstraints"]) == (False, [])
    assert "tests pass" in str(wrong["feedback"])
    assert right["passed"] is True
    assert [each["minLevel"] for each in right["unlockedConstraints"]] == [3, 5]  # type: ignore[attr-defined, index]
    assert harder["passed"] is True
    assert int(str(harder["level"])) > int(str(right["level"]))
    assert room.read(get_gap, "g1").addressed is True
    assert room.model.requests == []
