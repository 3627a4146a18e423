"""How a simulated learner answers a step of `paige study next`: options, files, and time.

It knows every right answer, because it looks where no learner looks: into the state of the session
and the course. Its memory decides whether it uses what it knows.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from paige.exercise.worksheet.values import BLANK
from paige.study.courses.values import Course

Step = Mapping[str, Any]
NOTHING = "I do not remember"
_SECONDS = {
    "lesson": (100.0, 0.25),
    "check": (25.0, 0.35),
    "conversation": (20.0, 0.35),
    "worksheet": (22.0, 0.25),
    "flashcard": (11.0, 0.3),
    "repl": (40.0, 0.3),
    "collaborative": (30.0, 0.3),
    "code": (250.0, 0.3),
    "long_form": (290.0, 0.2),
    "audio": (25.0, 0.3),
}
"""Median seconds of a step, and how much they vary."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody does at a step, and how long it takes."""

    options: tuple[str, ...]
    seconds: float


def seconds(kind: str, chance: Random, times: float = 1.0) -> float:
    """How long something takes."""
    median, spread = _SECONDS[kind]
    return round(median * times * chance.lognormvariate(0.0, spread), 1)


def sitting(root: Path, step: Step) -> dict[str, Any]:
    """The exercise that is being done, with its answers."""
    path = root / "learner" / step["course"] / "sessions" / f"{step['session']}.state"
    return json.loads(path.read_text(encoding="utf-8"))["sitting"]


def read_on(chance: Random) -> Reply:
    """A lesson is read."""
    return Reply(("--done",), seconds("lesson", chance))


def check(course: Course, step: Step, chance: Random, *, right: bool) -> Reply:
    """The question after a lesson."""
    answer = course.teaching[step["item"]["concept"]].checks[0].answers[0]
    said = answer if right else NOTHING
    return Reply(("--answer", said), seconds("check", chance))


def question_text(question: Mapping[str, Any]) -> str:
    """The right answer to one question."""
    if question["choices"]:
        return ", ".join(question["key"])
    if question["kind"] == "true_false":
        return f"{question['answers'][0]}, because {question['explanation']}"
    if len(question["blanks"]) > 1:
        return "; ".join(each[0] for each in question["blanks"])
    if question["key"]:
        return ", ".join(question["key"])
    return question["answers"][0]


def wrong_text(question: Mapping[str, Any]) -> str:
    """An answer that is not right."""
    letters = [chr(ord("A") + at) for at in range(len(question["choices"]))]
    others = [letter for letter in letters if letter not in question["key"]]
    if others:
        return others[0]
    if question["kind"] == "true_false":
        return "false" if question["answers"][0] == "true" else "true"
    return "pass" if question["kind"] in ("repl", "code") else NOTHING


def fill_in(path: Path, right: Mapping[str, bool]) -> None:
    """Fill in a worksheet from its own key; what is not right stays open or gets nonsense."""
    text = path.read_text(encoding="utf-8")
    key = dict(re.findall(r"^(\d+\.\d+): (.*)$", text, re.MULTILINE))
    head, marker, tail = text.partition("<!-- ANSWER_KEY")
    section, lines = 0, []
    for line in head.splitlines():
        section += line.startswith("## Section")
        number = re.match(r"(?:\| )?(\d+)\. ", line)
        name = f"{section}.{number[1]}" if number else ""
        if name in key and BLANK in line:
            line = _filled(line, key[name], right=right.get(name, True))
        lines.append(line)
    path.write_text("\n".join([*lines, marker + tail]), encoding="utf-8")


def _filled(line: str, key: str, *, right: bool) -> str:
    gaps = line.count(BLANK)
    answers = [each.split(" / ")[0].strip() for each in key.split(";", gaps - 1)]
    for at in range(gaps):
        answer = answers[at] if at < len(answers) else answers[-1]
        line = line.replace(BLANK, answer if right else "nonsense", 1)
    return line


def write_response(path: Path, exercise: Mapping[str, Any], *, right: bool) -> None:
    """Write a text that says everything it should, or one that says next to nothing."""
    said = [*exercise["reference"], *exercise["points"]] if right else [NOTHING]
    explained = [each["explanation"] for each in exercise["items"]] if right else []
    body = "\n\n".join(f"{each.rstrip('.')}." for each in (*said, *explained) if each)
    if right:
        body += "\n\nFor example, this shows in daily life. Therefore it matters. " * 2
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text.rstrip()}\n\n{body}\n", encoding="utf-8")


def write_code(folder: Path, *, right: bool) -> None:
    """Write the solution, or leave the file as it is."""
    if right:
        solution = (folder / "solution.py").read_text(encoding="utf-8")
        (folder / "exercise.py").write_text(solution, encoding="utf-8")
