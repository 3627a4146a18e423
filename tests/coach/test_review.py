"""Reviews of katas over a real socket of the real program, with a model on loopback."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from paige.learner.gaps import Attempt, Constraint
from paige.learner.queries import add_attempt, assessments, get_gap, get_kata
from tests.coach.thinking_room import (
    COST,
    REVIEWED,
    SONNET,
    Room,
    add_kata,
    add_plan,
    add_stage,
    error,
    levels,
    material_of,
    thinking_room,
)
from tests.fakes.model_server import Hangup, Reply
from tests.fakes.wire_bodies import ANTHROPIC
from tests.server.windows import Window, window

CODE = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
TESTS = ("assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add(0, 0) == 0")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One server for this file."""
    with thinking_room(tmp_path_factory.mktemp("review")) as room:
        yield room


@pytest.fixture
def room(shared: Room) -> Room:
    """The server as at the beginning."""
    shared.reset()
    return shared


@pytest.fixture
def wire(room: Room) -> Iterator[Window]:
    """A window on it."""
    with window(room.live.ws) as opened:
        yield opened


def hand_in(wire: Window, code: str = CODE, *titles: str, kata: str = "k1") -> Any:
    asked = {"kataId": kata, "userCode": code, "activeConstraintTitles": list(titles)}
    return wire.ask("user:review", asked, answer="review:response")


def refused(wire: Window, kata: str = "k1") -> Any:
    asked = {"kataId": kata, "userCode": CODE, "activeConstraintTitles": []}
    return wire.ask("user:review", asked, answer="review:error")


def attempts(room: Room) -> tuple[Attempt, ...]:
    return room.read(get_kata, "k1").user_attempts


def tried(room: Room, *made: Attempt) -> None:
    for attempt in made:
        room.write(add_attempt, "k1", attempt)


def test_scenario_11_6_practice_review_happy_path(room: Room, wire: Window) -> None:
    session = wire.start_session()
    add_kata(room, instructor_notes="Mind the sign.", constraints=levels(1, 3))
    add_stage(room, "loops", "competent")
    before = (
        Attempt("a", "ok", 2, False, ("c1",)),
        Attempt("b", "no", 1, False, ()),
        Attempt("c", None, 1, False, ("c1", "c3")),
    )
    tried(room, *before)

    shown = hand_in(wire, CODE, "c1", "nobody knows this")
    wire.expect("practice:solution_review")
    wire.settle()

    assert shown == {
        "kataId": "k1",
        "correct": True,
        "feedback": "Well thought out.",
        "level": 5,
        "passed": True,
        "followUp": {
            "type": "constraint_escalation",
            "constraint": "No loops",
            "reason": "Next",
        },
        "dreyfusSignal": "advancing",
        "unlockedConstraints": [{"title": "c3", "description": "From 3", "minLevel": 3}],
    }
    (request,) = room.asked("review")
    assert "The learner's stage is competent" in request.body["system"]
    given = material_of(request)
    assert given["instructor_notes"] == "Mind the sign."
    assert "Mind the sign." not in request.body["system"]
    assert given["active_constraints"] == [{"title": "c1", "description": "From 1"}]
    assert [each["code"] for each in given["previous_attempts"]] == ["a"]
    assert attempts(room)[3] == Attempt(CODE, "Well thought out.", 5, True, ("c1",))
    (done,) = room.logged(session, "review_completed")
    judged = {name: done[name] for name in ("kataId", "level", "passed", "model", "success")}
    assert judged == {"kataId": "k1", "level": 5, "passed": True, "model": SONNET, "success": True}
    assert room.logged(session, "review_requested") == [{"kataId": "k1"}]
    (call,) = room.calls()
    assert (call.call_type, call.cost_estimate) == ("practice_review", pytest.approx(COST))


def test_scenario_11_7_practice_review_constraint_unlocking(room: Room, wire: Window) -> None:
    add_kata(room, constraints=levels(1, 3, 5, 7))
    tried(room, Attempt("x", "ok", 2, False), Attempt("y", "worse", 1, False))

    shown = hand_in(wire)

    assert [each["minLevel"] for each in shown["unlockedConstraints"]] == [3, 5]
    loaded = wire.ask("practice:open", {"kataId": "k1"}, answer="practice:kata_load")
    assert [each["minLevel"] for each in loaded["constraints"]] == [1, 3, 5]
    again = hand_in(wire)
    assert again["unlockedConstraints"] == [], "what is open cannot be opened once more"


def test_scenario_11_8_practice_review_multiple_submissions(room: Room, wire: Window) -> None:
    add_kata(room)
    first, second = Attempt("one", "no", 1, False), Attempt("two", "nearly", 2, False)
    tried(room, first, second)

    hand_in(wire)

    given = material_of(room.asked("review")[0])
    assert given["previous_attempts"] == [
        {"code": "one", "review": "no", "level": 1, "passed": False},
        {"code": "two", "review": "nearly", "level": 2, "passed": False},
    ]
    assert attempts(room)[:2] == (first, second)
    assert [each.code for each in attempts(room)] == ["one", "two", CODE]


def test_scenario_11_9_practice_review_kata_not_found(room: Room, wire: Window) -> None:
    assert refused(wire, "nothing") == {"kataId": "nothing", "error": "Kata not found"}
    assert room.asked("review") == []


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (error(500), "has a fault of its own (500)"),
        (error(429, "rate_limit_error"), "allows no more requests now (429)"),
        (Hangup(), "anthropic"),
        (ANTHROPIC.refusal("No."), "refused"),
    ],
    ids=["500", "429", "hang up", "refusal"],
)
def test_scenario_11_10_practice_review_api_failure(
    room: Room, wire: Window, reply: Reply, words: str
) -> None:
    session = wire.start_session()
    add_kata(room)
    room.says["review"] = reply

    said = refused(wire)
    wire.settle()

    assert said["kataId"] == "k1"
    assert words in said["error"]
    (done,) = room.logged(session, "review_completed")
    assert done["success"] is False
    assert attempts(room) == ()


def test_tests_overrule_a_model_that_says_passed(room: Room, wire: Window) -> None:
    add_kata(room, test_cases=TESTS, constraints=levels(1, 3))

    shown = hand_in(wire, WRONG)

    assert (shown["passed"], shown["correct"], shown["level"]) == (False, False, 1)
    assert "1 of 3 tests pass." in shown["feedback"]
    assert shown["feedback"].startswith("Well thought out.")
    assert shown["followUp"]["type"] == "retry_hint"
    assert shown["dreyfusSignal"] == "stable"
    assert shown["unlockedConstraints"] == []
    assert room.read(get_gap, "g1").addressed is False
    given = material_of(room.asked("review")[0])
    assert (given["test_results"]["passed"], given["test_results"]["total"]) == (1, 3)


def test_tests_overrule_a_model_that_says_failed(room: Room, wire: Window) -> None:
    add_kata(room, test_cases=TESTS)
    again = {"type": "retry_hint", "constraint": None, "reason": "Again"}
    room.answer("review", correct=False, passed=False, level=4, follow_up=again)

    shown = hand_in(wire)
    wire.expect("practice:solution_review")

    assert (shown["passed"], shown["correct"], shown["level"]) == (True, True, 4)
    assert shown["feedback"].endswith("All 3 tests pass.")
    assert shown["followUp"] is None
    assert room.read(get_gap, "g1").addressed is True
    assert [each.skill_area for each in room.read(assessments)] == ["loops"]


def test_syntax_overrules_a_model_about_a_constraint(room: Room, wire: Window) -> None:
    loops = Constraint("No loops", "Solve it without `for` or `while`.", 1)
    add_kata(room, test_cases=("assert total([1, 2]) == 3",), constraints=(loops,))
    loop = "def total(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n"

    broken = hand_in(wire, loop, "No loops")
    kept = hand_in(wire, "def total(xs):\n    return sum(xs)\n", "No loops")

    assert (broken["correct"], broken["passed"]) == (True, False)
    assert "“No loops” does not hold yet" in broken["feedback"]
    assert kept["passed"] is True


def test_the_solution_is_kept_out_of_a_review(room: Room, wire: Window) -> None:
    add_kata(room, test_cases=TESTS)
    given_away = (
        "Nearly. Write this:\n\n```python\ndef add(x, y):\n    return y + x\n```\n\nThen run."
    )
    room.answer("review", feedback=given_away, passed=False, correct=False, level=2)

    failing = hand_in(wire, WRONG)
    passing = hand_in(wire, CODE)

    assert "return y + x" not in failing["feedback"]
    assert "kept back" in failing["feedback"]
    assert "Nearly." in failing["feedback"]
    assert "return y + x" not in (attempts(room)[0].review or "")
    assert "return y + x" in passing["feedback"], "whoever solved it may read it"


def test_notes_of_the_instructor_do_not_slip_out(room: Room, wire: Window) -> None:
    notes = "Compare with this:\n```python\ndef mean(xs):\n    return sum(xs) / len(xs)\n```"
    add_kata(room, title="Mean", description="Write `mean(xs)`", instructor_notes=notes)
    told = "You are close. In `mean` you need sum(xs) / len(xs). Try it with three numbers."
    room.answer("review", feedback=told, passed=False, correct=False, level=2)

    shown = hand_in(wire, "def mean(xs):\n    return xs[0]\n")

    assert "sum(xs) / len(xs)" not in shown["feedback"]


def test_no_code_is_passed_on_like_any_other(room: Room, wire: Window) -> None:
    add_kata(room)
    room.answer("review", correct=False, passed=False, level=1, feedback="No code submitted.")
    shown = hand_in(wire, "")
    assert shown["feedback"] == "No code submitted."
    assert material_of(room.asked("review")[0])["user_code"] == ""


def test_constraints_that_nobody_knows_are_passed_over(room: Room, wire: Window) -> None:
    add_kata(room, constraints=levels(2))
    hand_in(wire, CODE, "x", "y")
    assert material_of(room.asked("review")[0])["active_constraints"] == []
    assert attempts(room)[0].constraints == ()


def test_two_at_once_lose_no_attempt(room: Room, wire: Window) -> None:
    add_kata(room)
    codes = [f"def add(a, b):\n    return a + b  # {number}\n" for number in range(6)]
    for code in codes:
        wire.send("user:review", {"kataId": "k1", "userCode": code})
    for _ in codes:
        wire.expect("review:response")
    assert sorted(each.code for each in attempts(room)) == sorted(codes)


def test_a_review_works_without_a_session(room: Room, wire: Window) -> None:
    wire.start_session()
    wire.end_session()
    add_kata(room)
    room.model.requests.clear()
    assert hand_in(wire)["passed"] is True
    assert "The learner's stage is novice" in room.asked("review")[0].body["system"]
    assert room.calls()[-1].session_id is None


def test_both_messages_hand_in_and_get_both_answers(room: Room, wire: Window) -> None:
    add_kata(room)
    wire.send("practice:submit_solution", {"kataId": "k1", "code": CODE}, id="mine")
    response = wire.expect("review:response")
    review = wire.expect("practice:solution_review")

    assert response["kataId"] == review["kataId"] == "k1"
    assert review["review"] == response["feedback"]
    assert {frame["id"] for frame in wire.frames if frame.get("id") == "mine"} == {"mine"}


def test_a_kata_is_opened_without_its_notes_and_tests(room: Room, wire: Window) -> None:
    add_kata(room, instructor_notes="secret", test_cases=("assert add(1, 2) == 3",))
    loaded = wire.ask("practice:open", {"kataId": "k1"}, answer="practice:kata_load")
    assert "secret" not in json.dumps(loaded)
    assert "assert" not in json.dumps(loaded)


def test_the_work_in_a_phase_is_reviewed_against_it(room: Room, wire: Window) -> None:
    session = wire.start_session()
    add_plan(room, session)
    text = "def total(items):\n    return sum(items) + 0\n"
    wire.ask("file:save", {"path": "src/cart.py", "content": text}, answer="fs:save_ack")
    cursor = {"line": 1, "column": 1}
    unsaved = {"path": "src/shop.py", "content": "import src\n", "cursorPosition": cursor}
    wire.send("buffer:update", unsaved)

    shown = wire.ask("user:review", {}, answer="review:response")

    given = material_of(room.asked("review")[0])
    assert given["kata_description"].startswith("Phase 1: Find the sum")
    assert "+import src" in given["user_code"]
    assert given["saved_files"] == {"src/cart.py": text}
    assert given["expected_files"] == ["src/cart.py"]
    assert (shown["kataId"], shown["feedback"]) == (None, REVIEWED["feedback"])


def test_without_a_phase_there_is_nothing_to_review(room: Room, wire: Window) -> None:
    wire.start_session()
    said = wire.ask("user:review", {}, answer="review:error")
    assert "No phase is active" in said["error"]
    wire.end_session()
    assert wire.ask("user:review", {}, answer="review:error")["error"] == "No active session"
    assert room.asked("review") == []
