"""How a nudge reaches a coding CLI: as text that is pasted where its person types.

Only programs that are known to be coding CLIs get it. What it says may hold names of files, so
nothing in it can end the paste or press a key.
"""

import re

from paige.base.paths import shipped
from paige.coach.message_parts import NudgeContext
from paige.models.prompts import fill

FILE = "coach/nudge.md"
CODING_CLIS = frozenset({"claude", "codex", "gemini", "copilot"})
PASTE, PASTED, ENTER = "\x1b[200~", "\x1b[201~", "\r"
LONGEST = 400
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def takes_nudges(program: str | None) -> bool:
    """Whether a program in the foreground is a coding CLI."""
    if program is None:
        return False
    return program.lower().removesuffix(".js").removesuffix(".exe") in CODING_CLIS


def pasted(signal: str, context: NudgeContext) -> str:
    """What is typed into a coding CLI, one paste and the key that sends it."""
    text = fill(
        shipped(FILE).read_text(encoding="utf-8").strip(),
        {"signal": _plain(signal.replace("_", " ")), "about": _about(context)},
        source=FILE,
    )
    return f"{PASTE}{text}{PASTED}{ENTER}"


def _about(context: NudgeContext) -> str:
    parts = (
        ("They are in", context.current_file),
        ("The phase is about", context.expected_file),
        ("Time there:", context.time_in_file),
        ("The phase:", context.phase_description),
    )
    return " ".join(f"{words} {_plain(value)}." for words, value in parts if value)


def _plain(text: str) -> str:
    return _CONTROL.sub(" ", text)[:LONGEST].strip().rstrip(".")
