"""A whole session as somebody has it in a terminal: recall, lessons, all five kinds of exercise.

Two concepts were learned a month ago. Today they come back, three are new, files are edited on the
disk between the steps, code runs in the sandbox, and a photo is handed in. Once by rules alone and
once with a model that answers over the wire.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from paige.base.clock import system_clock
from paige.doors.site.main import paige
from paige.study.delivery.code import CodeReview
from paige.study.delivery.judge import TutorTurn
from paige.study.delivery.photos import CriterionJudged, PhotoJudged
from paige.study.delivery.texts import DimensionJudged, EssayJudged
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import ServedModel, spoken
from tests.study.answering import fill_in, right_answer
from tests.study.small_course import FIVE, write_five
from tests.terminal import Terminal, paige_in_terminal

TEXT = (
    "A program in one file is read from top to bottom. In many files each part is changed and "
    "tested by itself, which is slower to begin with and safer later on.\n"
)
QUOTE = "each part is changed and tested by itself"
KINDS = ["worksheet", "code", "conversation", "long_form", "image_review"]


class Sitting:
    """Somebody at a terminal with the course `lima`, and the files behind it."""

    def __init__(self, root: Path, terminal: Terminal) -> None:
        self.root = root
        self.terminal = terminal

    def now(self) -> dict[str, Any]:
        """The exercise that is being done, with what only Paige knows."""
        paths = (self.root / "learner" / FIVE / "sessions").glob("*.state")
        return json.loads(max(paths).read_text())["sitting"]

    def file(self) -> Path:
        return self.root / self.now()["exercise"]["file_path"]

    def see(self, *texts: str) -> None:
        for text in texts:
            self.terminal.expect(text)

    def say(self, text: str) -> None:
        self.terminal.type(f"{text}\n")

    def learn(self, concept: str, title: str) -> None:
        """Read a lesson and answer the question after it."""
        self.see(f"New: {title}", "## Worked example", "Enter goes on")
        self.say("")
        self.see("A question about it", "> ")
        self.say(concept)
        self.see("Correct")

    def talk(self) -> None:
        """Answer every question of a conversation."""
        for question in self.now()["exercise"]["items"]:
            self.see(question["prompt"][:30], "> ")
            self.say((question["key"] or question["answers"])[0])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The course, two concepts of which were learned a month ago, and a photo."""
    write_five(tmp_path)
    Image.new("RGB", (400, 300), "white").save(tmp_path / "tree.png")
    then = system_clock() - timedelta(days=30)
    step = command(tmp_path, then, "start", "--course", FIVE, "--minutes", "25", "--seed", "3")
    for number in range(40):
        if step["stage"] == "over":
            break
        answer = right_answer(tmp_path, step)
        step = command(tmp_path, then + timedelta(seconds=20 * number), "next", *answer)
    assert [each["concept"] for each in step["summary"]["exercises"]] == ["words", "ideas"]
    return tmp_path


def command(root: Path, at: datetime, *arguments: str) -> dict[str, Any]:
    """One command in this process: what it printed."""
    variables = {"PAIGE_TEACHING_DIR": str(root), "HOME": str(root), "DATA_DIR": f"{root}/data"}
    done = CliRunner(env=variables).invoke(
        paige, ["study", *arguments, "--json", "--at", at.isoformat()], standalone_mode=False
    )
    assert done.exception is None, done.exception
    return json.loads(done.stdout)


def study(root: Path, own_answer: str, **variables: str) -> Iterator[str]:
    """The session; yields what each part showed."""
    with paige_in_terminal(
        root, "study", "start", "--minutes", "60", "--seed", "3",
        PAIGE_TEACHING_DIR=str(root), DATA_DIR=str(root / "data"), **variables,
    ) as terminal:  # fmt: skip
        me = Sitting(root, terminal)
        me.see("Before anything new: Recall")
        me.see("> ")
        me.say("/instead worksheet")
        me.see("[worksheet]", "You asked for it", "File: ", "Enter when it is done")
        fill_in(me.file())
        me.say("done")
        me.see("right", "It comes back in")
        yield terminal.shown

        me.learn("doubling", "Doubling")
        me.see("The last one was a file (worksheet), so this one is not", "> ")
        me.say("/instead code")
        me.see("[code]", "Try it: ", "Enter when it is done")
        me.say("")  # nothing was written yet: the tests fail, and it may be mended
        me.see("Enter when it is done")
        folder = me.file()
        (folder / "exercise.py").write_text((folder / "solution.py").read_text())
        me.say("")
        me.see("All 3 tests passed")
        yield terminal.shown

        me.see("Recall: ", "[conversation]")
        me.talk()
        me.see("It comes back in")
        yield terminal.shown

        me.learn("shape", "The shape of programs")
        me.see("[long-form]", "Enter when it is done")
        response = me.file()
        response.write_text(response.read_text() + TEXT)
        me.say("done")
        if own_answer:
            me.see("Nobody here can judge a text", "right, partly or wrong > ")
            me.say(own_answer)
        me.see("It comes back in")
        yield terminal.shown

        me.learn("drawing", "Drawing a tree")
        me.see("/instead image_review", "> ")
        me.say("/instead image_review")
        me.see("This is an offer", "Path of your photo")
        me.say(str(root / "nowhere.png"))
        me.see("There is no file", "Path of your photo")
        me.say(str(root / "tree.png"))
        if own_answer:
            me.see("right, partly or wrong")
            me.say(own_answer)
        me.see("5 exercises in")
        assert terminal.end() == 0
        yield terminal.shown


def records(root: Path) -> list[dict[str, Any]]:
    """What today's session recorded."""
    log = max((root / "learner" / FIVE / "sessions").glob("*.json"))
    return json.loads(log.read_text())["exercises"]


def test_a_session_with_all_five_kinds_by_rules_alone(root: Path) -> None:
    *_, whole = study(root, "right")
    assert [each["modality"] for each in records(root)] == KINDS
    assert [each["source"] for each in records(root)] == ["local"] * 3 + ["self"] * 2
    summary = whole.rpartition("5 exercises in")[2]
    assert "% right" in summary
    for title in ("words", "doubling", "ideas", "shape", "drawing"):
        assert re.search(rf"{title}  .*, again ", summary), title
    assert "Traceback" not in whole
    evaluated = next((root / "learner" / FIVE / "worksheets").glob("*-words.md"))
    assert "status: evaluated" in max(evaluated.parent.glob("*.md")).read_text()


def scripted(request: Recorded) -> Reply:
    """What the model says, by what it is asked for."""
    asked = json.dumps(request.body)
    if '"image"' in asked:
        names = ("structure", "labels", "completeness")
        seen = PhotoJudged(
            readable=True,
            confidence=0.9,
            seen=["a root", "three leaves"],
            criteria=[CriterionJudged(name=each, score=1, why="It is there.") for each in names],
            message="A tree with three leaves.",
        )
        return spoken(request, seen.model_dump_json())
    if "text of the learner" in asked:
        names = re.findall(r"- (\w[\w ]*) \(weight", asked)
        judged = EssayJudged(
            dimensions=[
                DimensionJudged(name=each, score=4, quote=QUOTE, why="Says what changes.")
                for each in names
            ],
            strengths=["Both sides are there"],
            improvements=[],
            next_time="Add an example.",
        )
        return spoken(request, judged.model_dump_json())
    if "code of the learner" in asked:
        review = CodeReview(uses_concept=True, comments=["Short and clear."], question="Why 2 * n?")
        return spoken(request, review.model_dump_json())
    turn = TutorTurn(verdict="correct", score=1, error_type="", reply="That says it too.")
    return spoken(request, turn.model_dump_json())


def test_the_same_session_with_a_model_on_the_wire(root: Path, model: ServedModel) -> None:
    model.answers_with(scripted)
    _, code_part, _, text_part, whole = study(root, "", **model.variables)
    found = {each["modality"]: each for each in records(root)}
    assert list(found) == KINDS
    assert found["long_form"]["source"] == found["image_review"]["source"] == "anthropic"
    assert found["long_form"]["score"]["percentage"] == 1.0
    assert "Short and clear." in code_part
    assert QUOTE in text_part
    assert "Next time: Add an example." in text_part
    assert "A tree with three leaves." in whole
    assert "without a model" not in whole
    assert model.requests
