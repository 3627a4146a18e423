"""A whole session in the terminal: read, answer, ask for hints, work on files, turn cards.

Lines are read in the main thread, so that Ctrl+C is noticed at once; everything else happens in the
event loop behind the portal.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.base.clock import Clock
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.doors.frame.cli import Call
from paige.doors.frame.console import Console
from paige.exercise.values import modality
from paige.study.selection import shown
from paige.study.session.summary import StudySummary
from paige.study.session.view import StudyStep

OPERATIONS = "paige.doors.study.operations"
Given = Mapping[str, Any]
"""What somebody did, as the operation takes it."""
HELP = """\
Write your answer. These are for Paige:
  /hint             the next hint (after a try)
  /answer           show the answer; it counts as not known yet
  /done             the file is ready
  /final            hand it in for good, even if it is not right yet
  /instead KIND     the same as another kind of exercise
  /skip             leave this one out
  /stop             end the session here
  /leave            leave; `paige study start` goes on with it
  /help             this list"""
_PROMPTS = {
    "go_on": "Enter goes on > ",
    "text": "> ",
    "choice": "Letter > ",
    "entry": ">>> ",
    "file": "Enter when it is done > ",
    "folder": "Enter when it is done > ",
    "image": "Path of your photo, or /skip > ",
    "voice": "Path of your recording, or Enter > ",
    "recall": "Say it, or Enter turns the card > ",
    "self_check": "right, partly or wrong > ",
}
_COMMAND = re.compile(r"/[a-z]+(?:\s|$)")
"""Not every word with a slash: paths begin with one too."""
_OWN_FILES = ("file", "folder")
_GIVEN_FILES = ("image", "voice")
_RATINGS = {
    **dict.fromkeys(("r", "right", "y", "yes", "3"), 3),
    **dict.fromkeys(("p", "partly", "h", "half", "2"), 2),
    **dict.fromkeys(("w", "wrong", "n", "no", "1"), 1),
}
_ACTS: Mapping[str, Given] = {
    "/hint": {"act": "hint"},
    "/answer": {"act": "give_up"},
    "/giveup": {"act": "give_up"},
    "/done": {},
    "/final": {"final": True},
    "/skip": {"act": "skip"},
    "/stop": {"act": "stop"},
}


RULE = "-" * 60
_TYPES = {"new": "New", "review": "Recall", "assess": "One step further"}


class Left(Exception):
    """Somebody leaves; the session stays open."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A session in a terminal."""

    call: Call
    console: Console
    now: Clock
    learner: str | None

    def look(self, at: StudyStep) -> StudyStep:
        """Where the session stands."""
        return self.call(f"{OPERATIONS}:look_at", {"course": at.course, "learner": self.learner})

    def act(self, what: Given, at: StudyStep) -> StudyStep:
        """Do something."""
        where = {"course": at.course, "learner": self.learner}
        return self.call(f"{OPERATIONS}:act_here", {**what, **where})


def talk(session: Talk, seen: StudyStep) -> None:
    """Go on until the session is over or somebody leaves."""
    console = session.console
    if seen.resumed:
        console.say("Welcome back. You were here:")
    while True:
        for text in step_lines(seen):
            console.say(text)
        if seen.stage in ("over", "nothing"):
            return
        try:
            seen = _answered(session, seen)
        except Left:
            console.say("Your session is kept. `paige study start` goes on with it.")
            return


def _answered(session: Talk, seen: StudyStep) -> StudyStep:
    """Ask until something was done that moved the session on."""
    console = session.console
    waits = False
    while True:
        asked = session.now()
        what = _read(console, seen, waits=waits)
        if what is None:
            continue
        if what.get("act", "answer") == "answer":
            what = {**what, "seconds": (session.now() - asked).total_seconds()}
        try:
            return _done(session, what, seen, waits=waits)
        except (BadInput, NotFound, Refused) as error:
            _complain(console, error)
        except Unavailable as error:
            _complain(console, error)
            console.say("Your answer is kept: Enter tries again, /skip leaves it out.")
            waits = True


def _done(session: Talk, what: Given, seen: StudyStep, *, waits: bool) -> StudyStep:
    """Do it, or look on where somebody else was quicker or an answer still waits."""
    if waits and what.get("act") not in ("skip", "stop"):
        return session.look(seen)
    try:
        return session.act(what, seen)
    except Conflict as error:
        _complain(session.console, error)
        return session.look(seen)


def _read(console: Console, seen: StudyStep, *, waits: bool = False) -> Given | None:
    """What somebody does; nothing when it was a word for Paige or an empty line."""
    try:
        line = console.read(_PROMPTS.get(seen.expects, "> ")).strip()
    except (EOFError, KeyboardInterrupt) as error:
        console.say()
        raise Left from error
    if _COMMAND.match(line):
        return _command(console, line)
    if waits or seen.expects == "go_on" or (seen.expects in _OWN_FILES and _is_done(line)):
        return {}
    if seen.expects == "self_check":
        return _self_check(console, line)
    if seen.expects == "recall":
        return {"text": line}  # an empty line turns the card
    if seen.expects in _GIVEN_FILES:
        return _handed_in(line, seen)
    return {"text": line} if line else None


def _is_done(line: str) -> bool:
    return line.lower() in ("", "done", "finished", "ready", "ok", "check my worksheet")


def _command(console: Console, line: str) -> Given | None:
    name, _, rest = line.partition(" ")
    if name in ("/leave", "/exit", "/quit"):
        raise Left
    if name in _ACTS:
        return _ACTS[name]
    if name == "/instead":
        return _instead(console, rest)
    console.say(HELP if name == "/help" else f"There is no `{name}`. `/help` lists what there is.")
    return None


def _instead(console: Console, rest: str) -> Given | None:
    try:
        return {"act": "instead", "modality": modality(rest)}
    except BadInput as error:
        _complain(console, error)
        return None


def _handed_in(line: str, seen: StudyStep) -> Given | None:
    """A photo or a recording, or what somebody says of their own where nobody else can judge."""
    rating = _RATINGS.get(line.lower()) if len(line) > 1 else None
    if rating is not None:
        return {"rating": rating}
    if line:
        return {"path": line}
    return {} if seen.expects == "voice" else None


def _self_check(console: Console, line: str) -> Given | None:
    """What somebody says of their own work."""
    rating = _RATINGS.get(line.lower())
    if rating is None:
        console.say("Say `right`, `partly` or `wrong`.")
        return None
    return {"rating": rating}


def _complain(console: Console, error: PaigeError) -> None:
    console.say(f"{error.message}. {error.hint or ''}".rstrip())


def step_lines(seen: StudyStep) -> Iterator[str]:
    """What there is to see at this step; paths are given whole."""
    yield from told_lines(seen)
    match seen.stage:
        case "nothing":
            return
        case "over":
            if seen.summary is not None:
                yield from summary_lines(seen.summary)
            return
        case "teach":
            yield from header(seen)
            for part in seen.lesson or ():
                yield part
                yield ""
        case "check":
            yield f"A question about it: {seen.question}"
        case "exercise":
            yield from exercise_lines(seen)
        case _:
            return


def told_lines(seen: StudyStep) -> Iterator[str]:
    """What was said about the last answer, and files that need a hand."""
    for problem in seen.problems:
        yield str(problem)
    yield from seen.says
    if seen.advice:
        yield seen.advice


def header(seen: StudyStep) -> Iterator[str]:
    """Where in the session this is."""
    item = seen.item
    if item is None:
        return
    opening = "Before anything new: " if item.opening else ""
    left = f"{seen.minutes_left:.0f} minutes left"
    yield RULE
    yield f"{opening}{_TYPES[item.type]}: {item.title} ({item.number} of {item.of}, {left})"
    yield RULE


def exercise_lines(seen: StudyStep) -> Iterator[str]:
    """The exercise, or the question of it that is asked now."""
    given, root = seen.exercise, Path(seen.root)
    if given is None:
        return
    if given.instead or not given.questions or given.questions[0].id == "1":
        yield from header(seen)
        yield f"[{shown(given.modality)}] {given.why[-1] if given.why else ''}".rstrip()
        yield ""
    yield given.body
    for path in given.open:
        yield f"File: {root / path}"
    for question in given.questions:
        if question.audio:
            yield f"Listen: {root / question.audio}"
    if given.run:
        file = given.file or ""
        yield f"Try it: {given.run.replace(file, str(root / file))}"
    if given.offer is not None and given.instead:
        yield f"If you like, do it as {shown(given.offer)}: /instead {given.offer}"


def summary_lines(summary: StudySummary) -> Iterator[str]:
    """What a session came to."""
    yield RULE
    yield from summary.says
    for each in summary.exercises:
        help_ = f", {each.hints_used} hints" if each.hints_used else ""
        help_ = ", answer shown" if each.answer_shown else help_
        when = f", again {each.due:%a %d %b}" if each.due else ""
        yield f"  {each.concept}  {shown(each.modality)}  {each.share:.0%}{help_}{when}"


def how_to_answer(seen: StudyStep) -> Iterator[str]:
    """How a program, or somebody without a terminal, goes on."""
    match seen.expects:
        case "nothing":
            return
        case "go_on":
            yield "Go on: paige study next --done"
        case "file" | "folder":
            yield "When it is ready: paige study next --done"
        case "image" | "voice":
            yield "Hand it in: paige study next --file PATH, or leave it out: --skip"
        case "recall":
            yield "Answer: paige study next --answer TEXT, or turn the card: --done"
        case "self_check":
            yield "Judge it yourself: paige study next --rate right, partly or wrong"
        case _:
            yield "Answer: paige study next --answer TEXT (also --hint, --give-up, --skip, --stop)"
