"""A simulated learner: studies a course day by day with nothing but `paige study`.

Every day it looks at `paige study progress`, begins a session and answers step after step. What it
answers depends on its true memory (`study_memory.py`); Paige sees only answers, files and times.
Everything that happened is written down as records for `study_figures.py`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Protocol

from click.testing import CliRunner

from bench.study_answers import (
    Reply,
    Step,
    check,
    fill_in,
    question_text,
    read_on,
    seconds,
    sitting,
    write_code,
    write_response,
    wrong_text,
)
from bench.study_memory import Memory, Nature
from paige.doors.site.main import paige
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course

FIRST_DAY = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
_LONGEST_SESSION = 250
_HOUR_VARIES = 35.0
"""Minutes by which the time of the session differs from day to day."""
_HINT_HELPS, _ASKS = 0.5, 0.7
_TRIES = 3


class Paige(Protocol):
    """`paige study`, however it is run."""

    def __call__(self, *arguments: str) -> Any:  # noqa: ANN401 - whatever JSON it prints
        """What a command printed, as a value."""
        ...


def in_this_process(root: Path) -> Paige:
    """Commands run here, each with a fresh context: quick."""
    runner = CliRunner(env=_variables(root))

    def run(*arguments: str) -> Any:  # noqa: ANN401 - see above
        done = runner.invoke(paige, ["study", *arguments, "--json"], standalone_mode=False)
        if done.exception is not None:
            raise AssertionError(f"paige study {' '.join(arguments)}") from done.exception
        return json.loads(done.stdout)

    return run


def in_own_processes(root: Path) -> Paige:
    """Commands run as people run them: one process each."""
    program = str(Path(sys.executable).parent / "paige")
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}

    def run(*arguments: str) -> Any:  # noqa: ANN401 - see above
        done = subprocess.run(
            [program, "study", *arguments, "--json"],
            env={**kept, **_variables(root)},
            cwd=root,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"paige study {' '.join(arguments)}: {done.stderr}")
        return json.loads(done.stdout)

    return run


def _variables(root: Path) -> dict[str, str]:
    return {
        "PAIGE_TEACHING_DIR": str(root),
        "HOME": str(root),
        "DATA_DIR": str(root / "data"),
        "PAIGE_PROVIDER": "local",
    }


@dataclass(slots=True)
class Given:
    """One exercise as it was given, and what came of it."""

    id: str
    day: int
    session: str
    concept: str
    type: str
    opening: bool
    box: float
    modality: str
    why: list[str]
    instead: list[str]
    minutes_left: float
    """When its item began, with its lesson if it had one."""
    recall: float
    """How likely it truly was that this is remembered, when it was asked."""
    recalled: bool
    believed: float | None
    """How likely Paige thought it was, at the beginning of the day."""
    scheduled: bool
    """Whether it was known, and asked because it was due, for the first time that day."""
    late: float = 0.0
    share: float | None = None
    rating: int | None = None
    seconds: float = 0.0


@dataclass(slots=True)
class Day:
    """One day: what was true and what Paige believed in the morning, and the session."""

    day: int
    at: str
    truth: dict[str, float] = field(default_factory=dict)
    believed: dict[str, float] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)
    overdue: dict[str, float] = field(default_factory=dict)
    """Days since something was due that has not been asked."""
    minutes: float = 0.0
    planned_minutes: int = 0
    stage: str = ""
    taught: list[str] = field(default_factory=list)
    steps: int = 0
    problems: int = 0


class Learner:
    """Somebody who studies one course."""

    def __init__(self, root: Path, course: str, run: Paige, nature: Nature, seed: int) -> None:
        self.root = root
        self.course_name = course
        self.run = run
        self.nature = nature
        self.days: list[Day] = []
        self.given: list[Given] = []
        self.chance = Random(f"{course}/{seed}")
        self.memory = Memory(nature, Random(f"memory/{course}/{seed}"))
        self.course = load_course(DirectoryDocuments(root), course)
        self._now = FIRST_DAY
        self._item = (0, 0.0)
        """The item that is being done, and the minutes that were left when it began."""

    def study(self, days: int) -> Iterator[Day]:
        """Study for so many days, one session each."""
        for number in range(len(self.days), len(self.days) + days):
            varies = timedelta(minutes=self.chance.gauss(0.0, _HOUR_VARIES))
            self._now = FIRST_DAY + timedelta(days=number) + varies
            today = self._morning(number)
            if self.chance.random() >= self.nature.misses_days:
                self._session(today)
            self.days.append(today)
            yield today

    @property
    def day(self) -> float:
        """Now, in days since the first."""
        return (self._now - FIRST_DAY).total_seconds() / 86_400

    def _at(self) -> tuple[str, str]:
        return "--at", self._now.isoformat()

    def _morning(self, number: int) -> Day:
        """What is known before anything is done."""
        today = Day(number, self._now.isoformat())
        today.truth = {name: self.memory.recall(name, self.day) for name in self.memory.traces}
        (report,) = self.run("progress", "--course", self.course_name, *self._at())
        for each in report["concepts"]:
            today.statuses[each["id"]] = each["status"]
            if each["recall"] is not None:
                today.believed[each["id"]] = each["recall"]
            if each["due"] and each["id"] in report["due"]:
                due = datetime.fromisoformat(each["due"])
                today.overdue[each["id"]] = (self._now - due).total_seconds() / 86_400
        return today

    def _session(self, today: Day) -> None:
        seed = str(self.chance.randrange(10**6))
        step = self.run("start", "--course", self.course_name, "--seed", seed, *self._at())
        today.planned_minutes = step["minutes"]
        now: Given | None = None
        self._item = (0, 0.0)
        for _ in range(_LONGEST_SESSION):
            today.steps += 1
            number = step["item"]["number"] if step["item"] else 0
            if number != self._item[0]:
                self._item = (number, step["minutes_left"])
            today.problems += len(step["problems"])
            if now is not None and _is_over(step, now):
                self._ended(now, step)
                now = None
            if step["stage"] in ("over", "nothing"):
                today.stage = step["stage"]
                summary = step["summary"] or {}
                today.minutes = summary.get("minutes", 0.0)
                return
            if step["stage"] == "exercise" and now is None:
                now = self._begin(step, today)
            reply = self._reply(step, today, now)
            self._now += timedelta(seconds=reply.seconds)
            step = self._next(step, reply)
        raise AssertionError(f"The session of day {today.day} does not end: {step}")

    def _next(self, step: Step, reply: Reply) -> Step:
        number = str(step["step"])
        return self.run(
            "next", "--course", self.course_name, "--step", number, *reply.options, *self._at()
        )  # fmt: skip

    def _begin(self, step: Step, today: Day) -> Given:
        item, exercise = step["item"], step["exercise"]
        concept = item["concept"]
        recall = self.memory.recall(concept, self.day)
        first = all(each.concept != concept for each in self.given if each.day == today.day)
        known = today.statuses.get(concept) in ("review", "mastered")
        now = Given(
            id=exercise["id"],
            day=today.day,
            session=step["session"],
            concept=concept,
            type=item["type"],
            opening=item["opening"],
            box=item["minutes"],
            modality=exercise["modality"],
            why=exercise["why"],
            instead=exercise["instead"],
            minutes_left=self._item[1],
            recall=recall,
            recalled=self.chance.random() < recall,
            believed=today.believed.get(concept),
            scheduled=first and known and concept in today.overdue,
            late=today.overdue.get(concept, 0.0),
        )
        self.given.append(now)
        return now

    def _ended(self, now: Given, step: Step) -> None:
        result = step["result"]
        now.share = result["score"]["percentage"]
        now.rating = result["fsrs_rating"]
        now.seconds = round(now.seconds, 1)
        self.memory.practise(now.concept, self.day, recalled=now.recalled)

    def _reply(self, step: Step, today: Day, now: Given | None) -> Reply:
        if step["stage"] == "teach":
            concept = step["item"]["concept"]
            today.taught.append(concept)
            reply = read_on(self.chance)
            self.memory.learn(concept, self.day + reply.seconds / 86_400)
            return reply
        if step["stage"] == "check":
            return check(self.course, step, self.chance, right=self._knows(recalled=True))
        assert now is not None
        reply = self._work(step, now)
        now.seconds += reply.seconds
        return reply

    def _knows(self, *, recalled: bool) -> bool:
        """Whether one answer comes out right: with slips, and with guesses."""
        right = 1 - self.nature.slips if recalled else self.nature.guesses
        return self.chance.random() < right

    def _work(self, step: Step, now: Given) -> Reply:
        exercise = sitting(self.root, step)
        match step["expects"]:
            case "file":
                return self._file(step, exercise["exercise"], now)
            case "folder":
                return self._code(step, exercise, now)
            case "recall":
                took = seconds("flashcard", self.chance)
                return Reply(("--done", "--seconds", str(took)), took)
            case "self_check":
                right = "right" if self._knows(recalled=now.recalled) else "wrong"
                return Reply(("--rate", right, "--seconds", "2"), 2.0)
            case _:
                return self._talk(exercise, now)

    def _file(self, step: Step, exercise: dict[str, Any], now: Given) -> Reply:
        path = self.root / step["exercise"]["file"]
        if now.modality == "long_form":
            write_response(path, exercise, right=self._knows(recalled=now.recalled))
            took = seconds("long_form", self.chance)
        else:
            right = {each["id"]: self._knows(recalled=now.recalled) for each in exercise["items"]}
            fill_in(path, right)
            took = seconds("worksheet", self.chance, len(right))
        return Reply(("--done", "--seconds", str(took)), took)

    def _code(self, step: Step, exercise: dict[str, Any], now: Given) -> Reply:
        """Who knows it may slip and mend it; who does not is helped by hints, or hands it in."""
        tries, hints = exercise["ladder"]["attempts"], exercise["ladder"]["hints_used"]
        right = self._second(now, hints) if tries else self._knows(recalled=now.recalled)
        write_code(self.root / step["exercise"]["file"], right=right)
        took = seconds("code", self.chance, 1.0 if not tries else 0.4)
        final = ("--final",) if tries >= _TRIES - 1 else ()
        return Reply(("--done", "--seconds", str(took), *final), took)

    def _second(self, now: Given, hints: int) -> bool:
        """Whether another try is right: a slip is mended, a hint may bring it back."""
        if now.recalled:
            return True
        return self.chance.random() < (_HINT_HELPS if hints else self.nature.guesses)

    def _talk(self, exercise: dict[str, Any], now: Given) -> Reply:
        """Who has forgotten it tries, asks for a hint, tries again, and gives up in the end."""
        question = exercise["exercise"]["items"][exercise["at"]]
        tries, hints = exercise["ladder"]["attempts"], exercise["ladder"]["hints_used"]
        took = seconds(now.modality, self.chance)
        if tries >= _TRIES:
            return Reply(("--give-up",), took)
        if tries and not hints and not now.recalled and self.chance.random() < _ASKS:
            return Reply(("--hint",), took / 3)
        right = self._second(now, hints) if tries else self._knows(recalled=now.recalled)
        said = question_text(question) if right else wrong_text(question)
        return Reply(("--answer", said, "--seconds", str(took)), took)


def _is_over(step: Step, now: Given) -> bool:
    """Whether the exercise that was being done is finished: its result is the last one told."""
    told = step["result"]
    if told is not None and told["exercise_id"] == now.id:
        return True
    if step["exercise"] is None or step["exercise"]["id"] != now.id:
        raise AssertionError(f"`{now.id}` ended without a result: {step['says']}")
    return False
