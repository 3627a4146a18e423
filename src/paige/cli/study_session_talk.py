"""A whole session in the terminal: read, answer, ask for hints, work on files, turn cards.

Lines are read in the main thread, so that Ctrl+C is noticed at once; everything else happens in the
event loop behind the portal.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from anyio.from_thread import BlockingPortal

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.cli.console import Console
from paige.cli.study_session_lines import step_lines
from paige.exercise.values import modality
from paige.study.session.room import Room
from paige.study.session.running import Act, Instead, Skip, Stop, Turn, act, look
from paige.study.session.views import View, view
from paige.study.values import Answer, GaveUp, HintWanted, SelfCheck

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
_CHECKS: dict[str, SelfCheck] = {
    **dict.fromkeys(("r", "right", "y", "yes", "3"), "right"),
    **dict.fromkeys(("p", "partly", "h", "half", "2"), "partly"),
    **dict.fromkeys(("w", "wrong", "n", "no", "1"), "wrong"),
}


class Left(Exception):
    """Somebody leaves; the session stays open."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A session in a terminal."""

    room: Room
    console: Console
    now: Callable[[], datetime]
    root: Path
    portal: BlockingPortal

    def seen(self, turn: Turn) -> View:
        """What there is to see after something was done."""
        return self.portal.call(partial(view, self.room, turn, now=self.now()))

    def look(self) -> Turn:
        """Where the session stands."""
        return self.portal.call(partial(look, self.room, now=self.now()))

    def act(self, what: Act) -> Turn:
        """Do something."""
        return self.portal.call(partial(act, self.room, what, now=self.now()))


def talk(session: Talk, turn: Turn) -> None:
    """Go on until the session is over or somebody leaves."""
    console = session.console
    seen = session.seen(turn)
    if turn.resumed:
        console.say("Welcome back. You were here:")
    while True:
        for text in step_lines(seen, session.root):
            console.say(text)
        if seen.stage in ("over", "nothing"):
            return
        try:
            seen = _answered(session, seen)
        except Left:
            console.say("Your session is kept. `paige study start` goes on with it.")
            return


def _answered(session: Talk, seen: View) -> View:
    """Ask until something was done that moved the session on."""
    console = session.console
    waits = False
    while True:
        asked = session.now()
        what = _read(console, seen, waits=waits)
        if what is None:
            continue
        if isinstance(what, Answer):
            what = replace(what, seconds=(session.now() - asked).total_seconds())
        try:
            turn = _done(session, what, waits=waits)
        except (BadInput, NotFound, Refused) as error:
            _complain(console, error)
            continue
        except Unavailable as error:
            _complain(console, error)
            console.say("Your answer is kept: Enter tries again, /skip leaves it out.")
            waits = True
            continue
        return session.seen(turn)


def _done(session: Talk, what: Act, *, waits: bool) -> Turn:
    """Do it, or look on where somebody else was quicker or an answer still waits."""
    if waits and not isinstance(what, Skip | Stop):
        return session.look()
    try:
        return session.act(what)
    except Conflict as error:
        _complain(session.console, error)
        return session.look()


def _read(console: Console, seen: View, *, waits: bool = False) -> Act | None:
    """What somebody does; nothing when it was a word for Paige or an empty line."""
    try:
        line = console.read(_PROMPTS.get(seen.expects, "> ")).strip()
    except (EOFError, KeyboardInterrupt) as error:
        console.say()
        raise Left from error
    if _COMMAND.match(line):
        return _command(console, line)
    if waits or seen.expects == "go_on" or (seen.expects in _OWN_FILES and _is_done(line)):
        return Answer()
    if seen.expects == "self_check":
        return _self_check(console, line)
    if seen.expects == "recall":
        return Answer(text=line)  # an empty line turns the card
    if seen.expects in _GIVEN_FILES:
        return _handed_in(line, seen)
    return Answer(text=line) if line else None


def _is_done(line: str) -> bool:
    return line.lower() in ("", "done", "finished", "ready", "ok", "check my worksheet")


def _command(console: Console, line: str) -> Act | None:
    name, _, rest = line.partition(" ")
    match name:
        case "/hint":
            return HintWanted()
        case "/answer" | "/giveup":
            return GaveUp()
        case "/done":
            return Answer()
        case "/final":
            return Answer(final=True)
        case "/skip":
            return Skip()
        case "/stop":
            return Stop()
        case "/leave" | "/exit" | "/quit":
            raise Left
        case "/instead":
            return _instead(console, rest)
        case "/help":
            console.say(HELP)
        case _:
            console.say(f"There is no `{name}`. `/help` lists what there is.")
    return None


def _instead(console: Console, rest: str) -> Instead | None:
    try:
        return Instead(modality(rest))
    except BadInput as error:
        _complain(console, error)
        return None


def _handed_in(line: str, seen: View) -> Act | None:
    """A photo or a recording, or what somebody says of their own where nobody else can judge."""
    check = _CHECKS.get(line.lower()) if len(line) > 1 else None
    if check is not None:
        return Answer(self_check=check)
    if line:
        return Answer(path=line)
    return Answer() if seen.expects == "voice" else None


def _self_check(console: Console, line: str) -> Answer | None:
    """What somebody says of their own work."""
    check = _CHECKS.get(line.lower())
    if check is None:
        console.say("Say `right`, `partly` or `wrong`.")
        return None
    return Answer(self_check=check)


def _complain(console: Console, error: PaigeError) -> None:
    console.say(f"{error.message}. {error.hint or ''}".rstrip())
