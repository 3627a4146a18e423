"""`paige study start|next|review|quiz|due|progress|profile`, as people and programs use them."""

import json
import signal
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from watchfiles import watch

from paige.base.errors import BadInput, Conflict, NotFound
from paige.doors.site.main import paige
from tests import nursery
from tests.fakes.served_model import ServedModel
from tests.live import PAIGE, environment, run_paige
from tests.study.answering import fill_in, right_answer
from tests.study.small_course import (
    FIVE,
    MALAY,
    PYTHON,
    write_five,
    write_malay,
    write_python,
)
from tests.terminal import Terminal, paige_in_terminal

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Shell:
    """Runs commands in this process; time goes on by a minute with each."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = NOON
        self.more: dict[str, str] = {}

    def run(self, *arguments: str, at: bool = True) -> Result:
        when = ["--at", self.now.isoformat()] if at else []
        self.now += timedelta(minutes=1)
        variables = {
            "PAIGE_TEACHING_DIR": str(self.root),
            "HOME": str(self.root),
            "DATA_DIR": str(self.root / "data"),
            **self.more,
        }
        result = CliRunner(env=variables).invoke(
            paige, ["study", *arguments, *when], catch_exceptions=True, standalone_mode=False
        )
        if result.exception is not None:
            raise result.exception
        return result

    def json(self, *arguments: str, at: bool = True) -> Any:
        return json.loads(self.run(*arguments, "--json", at=at).stdout)

    def whole(self, *begin: str, answer: Callable[[dict[str, Any]], list[str]] | None = None):
        """A session to its end: every step that was shown."""
        steps = [self.json(*begin)]
        for _ in range(80):
            step = steps[-1]
            if step["stage"] in ("over", "nothing"):
                return steps
            options = answer(step) if answer else right_answer(self.root, step)
            steps.append(self.json("next", "--step", str(step["step"]), *options))
        raise AssertionError("The session does not end")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    write_malay(tmp_path)
    return Shell(tmp_path)


def test_a_program_drives_a_whole_session_step_by_step(shell: Shell) -> None:
    steps = shell.whole("start", "--course", MALAY, "--seed", "4")
    assert [step["stage"] for step in steps[:3]] == ["teach", "check", "exercise"]
    assert steps[-1]["stage"] == "over"
    summary = steps[-1]["summary"]
    assert summary["share"] == 1.0
    assert {each["concept"] for each in summary["exercises"]} == {"greetings", "numbers"}
    kinds = [each["modality"] for each in summary["exercises"]]
    assert kinds[0] == "worksheet"
    assert kinds[1] != "worksheet"
    shell.now += timedelta(days=3)
    later = shell.whole("next", "--course", MALAY)
    assert later[0]["item"]["opening"]
    assert later[0]["item"]["type"] == "review"
    assert later[-1]["summary"]["exercises"][0]["modality"] == "conversation"


def test_looking_again_shows_the_same_step(shell: Shell) -> None:
    first = shell.json("start", "--course", MALAY)
    again = shell.json("next")
    assert again["resumed"]
    for name in ("session", "step", "stage", "lesson", "item"):
        assert again[name] == first[name]


def test_the_last_course_is_meant_when_none_is_named(shell: Shell) -> None:
    write_python(shell.root)
    with pytest.raises(BadInput, match="Which course"):
        shell.json("start")
    shell.json("start", "--course", MALAY)
    assert shell.json("next")["course"] == MALAY


def test_an_answer_for_a_step_that_is_past_is_refused(shell: Shell) -> None:
    first = shell.json("start", "--course", MALAY)
    shell.json("next", "--done")
    with pytest.raises(Conflict, match="by now"):
        shell.json("next", "--done", "--step", str(first["step"]))


def test_options_that_do_not_go_together_are_refused(shell: Shell) -> None:
    shell.json("start", "--course", MALAY)
    with pytest.raises(BadInput, match="do not go together"):
        shell.run("next", "--hint", "--skip")
    with pytest.raises(BadInput, match="names no question"):
        shell.run("next", "--part", "one")
    with pytest.raises(BadInput, match="not a modality"):
        shell.run("next", "--instead", "juggling")
    with pytest.raises(BadInput, match="not a moment"):
        shell.run("next", "--at", "noon", at=False)
    with pytest.raises(BadInput, match="time zone"):
        shell.run("next", "--at", "2026-03-02T12:00:00", at=False)


def test_nothing_to_answer_without_a_session(shell: Shell) -> None:
    with pytest.raises(NotFound, match="No session is open"):
        shell.run("next", "--course", MALAY, "--answer", "x")
    with pytest.raises(NotFound, match="no course `x`"):
        shell.run("start", "--course", "x")


def test_words_are_for_people_and_tell_how_to_go_on(shell: Shell) -> None:
    shown = shell.run("start", "--course", MALAY)
    assert "# Greetings" in shown.stdout
    assert "paige study next --done" in shown.stderr
    asked = shell.run("next", "--done")
    assert "in one word" in asked.stdout
    assert "--answer TEXT" in asked.stderr
    sheet = shell.run("next", "--answer", "greetings")
    assert str(shell.root / "learner" / MALAY / "worksheets") in sheet.stdout
    assert "--done" in sheet.stderr


def test_a_worksheet_left_open_is_wrong_and_comes_back(shell: Shell) -> None:
    shell.json("start", "--course", MALAY)
    shell.json("next", "--done")
    step = shell.json("next", "--answer", "greetings")
    path = shell.root / step["exercise"]["file"]
    head, rule, questions = path.read_text().partition("\n---\n")
    path.write_text(head + rule + questions.replace("___", "nonsense", 1))
    step = shell.json("next", "--done")
    assert step["result"]["score"]["percentage"] < 0.5
    assert step["item"]["reason"] == "It did not go well before"
    assert step["exercise"]["modality"] == "conversation"


def test_code_is_run_and_may_be_mended(tmp_path: Path) -> None:
    write_python(tmp_path)
    shell = Shell(tmp_path)
    step = shell.json("start", "--course", PYTHON)
    assert step["item"]["concept"] == "loops"
    shell.json("next", "--done")
    step = shell.json("next", "--answer", "loops")
    assert (step["expects"], step["exercise"]["modality"]) == ("folder", "code")
    again = shell.json("next", "--done")
    assert again["stage"] == "exercise"
    assert again["says"]
    done = shell.json("next", *right_answer(tmp_path, again))
    assert done["result"]["modality"] == "code"
    assert done["result"]["score"]["percentage"] == 1.0


def test_cards_are_turned_and_judged_by_the_learner(shell: Shell) -> None:
    shell.whole("start", "--course", MALAY)
    shell.now += timedelta(days=4)
    step = shell.json("review", "--cards")
    assert (step["expects"], step["exercise"]["modality"]) == ("recall", "flashcard")
    turned = shell.json("next", "--done")
    assert turned["expects"] == "self_check"
    assert "The answer" in turned["says"][0]
    after = shell.json("next", "--rate", "right")
    assert after["expects"] in ("recall", "nothing")


def test_a_quiz_asks_and_teaches_nothing(shell: Shell) -> None:
    steps = shell.whole("quiz", "--course", MALAY, "--concept", "greetings")
    assert {step["stage"] for step in steps} <= {"exercise", "over"}
    assert steps[0]["kind"] == "quiz"
    assert steps[0]["exercise"]["modality"] == "worksheet"


def test_due_and_progress_say_the_same(shell: Shell) -> None:
    shell.whole("start", "--course", MALAY)
    shell.now += timedelta(days=30)
    (due,) = shell.json("due")
    (progress,) = shell.json("progress")
    assert due["due"] == progress["due"]
    assert set(due["due"]) == {"greetings", "numbers"}
    assert progress["counts"]["review"] == 2
    shown = shell.run("progress").stdout
    assert "What you would remember" in shown
    assert "Greetings" in shown
    assert "2 due" in shell.run("due").stdout


def test_nobody_who_has_begun_nothing_sees_an_error(shell: Shell) -> None:
    assert shell.json("due") == []
    assert "No course was begun" in shell.run("progress").stderr


def test_the_profile_is_shown_and_changed(shell: Shell) -> None:
    assert "25 minutes" in shell.run("profile", at=False).stdout
    changed = shell.json(
        "profile", "--minutes", "15", "--prefer", "conversation", "--avoid", "code",
        "--retention", "0.85", "--easy", "sat,sun", "--exam", "melayu=2026-05-01", at=False,
    )  # fmt: skip
    preferences = changed["learning_preferences"]
    assert preferences["session_duration_minutes"] == 15
    assert preferences["modality_preferences"]["preferred"] == ["conversation"]
    assert preferences["scheduling"]["exams"] == {"melayu": "2026-05-01"}
    assert preferences["scheduling"]["retention"] == 0.85
    again = shell.json("profile", "--neutral", "code", "--exam", "melayu=none", at=False)
    assert again["learning_preferences"]["modality_preferences"]["avoided"] == []
    assert again["learning_preferences"]["scheduling"]["exams"] == {}
    with pytest.raises(BadInput, match="retention"):
        shell.run("profile", "--retention", "2", at=False)
    assert shell.json("start", "--course", MALAY)["minutes"] == 15


def test_another_learner_has_files_of_their_own(shell: Shell) -> None:
    shell.whole("start", "--course", MALAY)
    step = shell.json("start", "--course", MALAY, "--learner", "mei")
    assert step["stage"] == "teach"
    assert (shell.root / "learners" / "mei" / MALAY).is_dir()
    with pytest.raises(BadInput, match="name of a learner"):
        shell.run("start", "--course", MALAY, "--learner", "../x")


def test_damaged_files_are_told_with_their_line_and_stop_nothing(shell: Shell) -> None:
    shell.whole("start", "--course", MALAY)
    (shell.root / "learner" / "profile.json").write_text('{\n "a": 1,\n}\n')
    (shell.root / "learner" / MALAY / "progress.json").write_text("{\n oops\n}\n")
    items = shell.root / "courses" / MALAY / "items" / "food.jsonl"
    items.write_text(items.read_text() + "{broken\n")
    shell.now += timedelta(days=3)
    step = shell.json("start")
    places = {(each["file"], each["line"]) for each in step["problems"]}
    assert ("learner/profile.json", 3) in places
    assert (f"learner/{MALAY}/progress.json", 2) in places
    assert any(file.endswith("food.jsonl") for file, _ in places)
    assert all(each["fix"] for each in step["problems"])
    assert step["stage"] == "exercise"


def test_kill_9_at_the_first_write_loses_at_most_this_answer(shell: Shell) -> None:
    shell.whole("start", "--course", MALAY)
    shell.now += timedelta(days=30)
    step = shell.json("start")
    options = right_answer(shell.root, step)
    folder = shell.root / "learner" / MALAY / "sessions"
    with nursery.start(
        [PAIGE, "study", "next", *options, "--json", "--at", shell.now.isoformat()],
        env=environment(shell.root, PAIGE_TEACHING_DIR=str(shell.root)),
        cwd=shell.root,
        stdout=subprocess.PIPE,
    ) as process:
        # The first thing written is the answer; it is there whole or not at all.
        next(watch(folder, debounce=1, step=1, rust_timeout=30_000, yield_on_timeout=True))
        process.send_signal(signal.SIGKILL)
    seen = shell.json("next")
    assert seen["step"] >= step["step"]
    seen = shell.whole("next")[-1]
    assert seen["stage"] == "over"
    log = json.loads((folder / f"{step['session']}.json").read_text())
    names = [each["change_id"] for each in log["exercises"]]
    assert len(names) == len(set(names)) == len(seen["summary"]["exercises"])


def in_a_conversation(shell: Shell) -> dict[str, Any]:
    """A review of something learned a month ago, at its first question."""
    shell.whole("start", "--course", MALAY)
    shell.now += timedelta(days=30)
    step = shell.json("start")
    assert step["exercise"]["modality"] == "conversation"
    return step


TUTOR = json.dumps(
    {"verdict": "correct", "score": 1, "error_type": "", "reply": "Yes, people say that too."}
)


def test_with_a_model_an_answer_the_rules_do_not_know_may_be_right(
    shell: Shell, model: ServedModel
) -> None:
    step = in_a_conversation(shell)
    shell.more = model.variables
    model.says(TUTOR)
    step = shell.json("next", "--answer", "hello there, dear friend")
    assert any("people say that too" in line for line in step["says"])
    while step["stage"] == "exercise" and not step["result"]:
        step = shell.json("next", *right_answer(shell.root, step))
    assert step["result"]["source"] == "anthropic"


def test_kill_9_while_the_model_thinks_keeps_the_answer(shell: Shell, model: ServedModel) -> None:
    step = in_a_conversation(shell)
    model.keeps_silent()
    with nursery.start(
        [PAIGE, "study", "next", "--answer", "hello there", "--at", shell.now.isoformat()],
        env=environment(
            shell.root,
            PAIGE_TEACHING_DIR=str(shell.root),
            DATA_DIR=str(shell.root / "data"),
            **model.variables,
        ),
        cwd=shell.root,
    ) as process:
        try:
            assert model.asked.wait(30)
        finally:
            process.kill()
    shell.more = model.variables
    model.says(TUTOR)
    with pytest.raises(Conflict, match="only now been judged"):
        shell.json("next", "--answer", "typed again")
    seen = shell.json("next")
    assert seen["step"] > step["step"]
    assert any("people say that too" in line for line in seen["says"])


def test_a_person_studies_in_a_terminal(tmp_path: Path) -> None:
    write_malay(tmp_path)
    variables = {"PAIGE_TEACHING_DIR": str(tmp_path)}
    with paige_in_terminal(
        tmp_path, "study", "start", "--course", MALAY, "--minutes", "10", "--seed", "2", **variables
    ) as terminal:
        terminal.expect("# Greetings")
        terminal.expect("Enter goes on")
        terminal.type("\n")
        terminal.expect("in one word")
        terminal.type("greetings\n")
        terminal.expect("Correct")
        terminal.expect("File: ")
        terminal.expect("Enter when it is done")
        terminal.type("/help\n")
        terminal.expect("/instead KIND")
        terminal.type("/instead flashcard\n")
        terminal.expect("Enter turns the card")
        terminal.type("\n")
        terminal.expect("right, partly or wrong")
        terminal.type("perhaps\n")
        terminal.expect("Say `right`")
        terminal.type("right\n")
        terminal.type("/leave\n")
        terminal.expect("Your session is kept")
        assert terminal.end() == 0
    with paige_in_terminal(tmp_path, "study", "start", **variables) as terminal:
        terminal.expect("Welcome back")
        terminal.expect("Enter turns the card")
        assert terminal.leave("\x03") == 0
        assert "Your session is kept" in terminal.shown
    with paige_in_terminal(tmp_path, "study", "start", **variables) as terminal:
        terminal.expect("Enter turns the card")
        terminal.type("/stop\n")
        terminal.expect("1 exercise")
        assert terminal.end() == 0


def test_all_five_kinds_of_exercise_in_one_session_in_a_terminal(tmp_path: Path) -> None:
    write_five(tmp_path)
    photo = tmp_path / "tree.png"
    Image.new("RGB", (40, 40), "white").save(photo)
    sessions = tmp_path / "learner" / FIVE / "sessions"

    def current() -> dict[str, Any]:
        (path,) = sessions.glob("*.state")
        return json.loads(path.read_text())["sitting"]

    def taught(terminal: Terminal, concept: str, title: str) -> None:
        terminal.expect(f"# {title}")
        terminal.expect("Enter goes on")
        terminal.type("\n")
        terminal.expect("in one word")
        terminal.type(f"{concept}\n")
        terminal.expect("Correct")

    with paige_in_terminal(
        tmp_path, "study", "start", "--course", FIVE, "--minutes", "60", "--seed", "3",
        PAIGE_TEACHING_DIR=str(tmp_path),
    ) as terminal:  # fmt: skip
        taught(terminal, "words", "Words")
        terminal.expect("[worksheet]")
        terminal.expect("Enter when it is done")
        fill_in(tmp_path / current()["exercise"]["file_path"])
        terminal.type("done\n")
        terminal.expect("right")

        taught(terminal, "ideas", "Ideas")
        terminal.expect("[conversation]")
        sitting = current()
        for question in sitting["exercise"]["items"]:
            terminal.expect(question["prompt"][:30])
            terminal.expect("> ")
            terminal.type(f"{question['answers'][0]}\n")

        taught(terminal, "doubling", "Doubling")
        terminal.expect("[code]")
        terminal.expect("Enter when it is done")
        terminal.type("\n")  # not written yet: the tests say so, and it may be mended
        terminal.expect("Enter when it is done")
        folder = tmp_path / current()["exercise"]["file_path"]
        (folder / "exercise.py").write_text((folder / "solution.py").read_text())
        terminal.type("\n")

        taught(terminal, "shape", "The shape of programs")
        terminal.expect("[conversation]")  # two files would follow each other
        terminal.expect("> ")
        terminal.type("/instead long_form\n")
        terminal.expect("[long-form]")
        terminal.expect("Enter when it is done")
        response = tmp_path / current()["exercise"]["file_path"]
        text = "A file is read from top to bottom. Parts are changed and tested alone. " * 4
        response.write_text(f"{response.read_text()}\n{text}\n")
        terminal.type("done\n")
        terminal.expect("right, partly or wrong > ")
        terminal.type("right\n")

        taught(terminal, "drawing", "Drawing a tree")
        terminal.expect("/instead image_review")
        terminal.expect("> ")
        terminal.type("/instead image_review\n")
        terminal.expect("Path of your photo")
        terminal.type(f"{photo}\n")
        terminal.expect("right, partly or wrong")
        terminal.type("right\n")
        terminal.expect("5 exercises")
        assert terminal.end() == 0
    (log,) = sessions.glob("*.json")
    kinds = [each["modality"] for each in json.loads(log.read_text())["exercises"]]
    assert kinds == ["worksheet", "conversation", "code", "long_form", "image_review"]


def test_the_real_program_answers_in_json(tmp_path: Path) -> None:
    write_malay(tmp_path)
    done = run_paige(
        tmp_path, "study", "next", "--course", MALAY, "--json", PAIGE_TEACHING_DIR=str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stage"] == "teach"
    wrong = run_paige(tmp_path, "study", "start", "--course", "x", PAIGE_TEACHING_DIR=str(tmp_path))
    assert wrong.returncode == 1
    assert "There is no course `x`" in wrong.stderr
