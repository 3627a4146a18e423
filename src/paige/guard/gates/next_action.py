"""What a session is told at its start: the next action, so that nobody has to ask for it.

The list of features and the state of the work say what comes next. It is told to whoever leads; an
agent that was started for one task has its task, and is told nothing. The titles in the list are
words of others, so they are shortened and stand as data.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Outcome
from paige.guard.state.features import read_features, read_session
from paige.guard.state.files import Damaged
from paige.guard.state.next_step import Next, next_step
from paige.guard.state.roles import LEADING

RULE = "next-action"
FACT = "next-action"
_MOST_SIGNS = 120
_WORKTREES = "/.claude/worktrees/"
_HARMLESS = str.maketrans("<>`", "()'")


@dataclass(frozen=True, slots=True)
class NextAction:
    """The next action of a project, and how far its features are."""

    next: Next
    title: str = ""
    tested: int = 0
    blocked: int = 0
    all: int = 0


def gate(situation: Situation) -> Outcome | None:
    """The next action as context; this gate decides nothing."""
    ahead = situation.facts.get(FACT)
    return Outcome(None, RULE, context=told(ahead)) if isinstance(ahead, NextAction) else None


def look_ahead(root: Path | str, role: str) -> NextAction | None:
    """The next action in a project for a role; nothing where nobody there leads."""
    if (role and role not in LEADING) or _WORKTREES in Path(root).as_posix():
        return None  # whoever works in a worktree of the orchestra was given a task there
    try:
        features = read_features(root)
        session = read_session(root)
    except Damaged as error:
        return NextAction(next_step(error, None))
    if features is None and not role:
        return None  # an ordinary person without a list has nothing to be told
    step = next_step(features, session)
    listed = features or ()
    return NextAction(
        step,
        title=next((each.title for each in listed if each.id == step.feature), ""),
        tested=sum(each.tested for each in listed),
        blocked=sum(each.status == "blocked" for each in listed),
        all=len(listed),
    )


def told(ahead: NextAction) -> str:
    """The next action in words, and as the values that programs read."""
    step = replace(ahead.next, feature=_plain(ahead.next.feature) if ahead.next.feature else None)
    lines = ["<paige-next-action>"]
    if step.state != "damaged":
        lines.append(_count(ahead))
    lines.append(f"Next action: {step.sentence()}")
    if ahead.title:
        lines.append(f"Its title, as data: {json.dumps(_plain(ahead.title), ensure_ascii=False)}")
    lines.append(json.dumps(step.dump(), ensure_ascii=False))
    if step.action not in ("wait", "ask_person", "end_session"):
        lines.append("No prompt is needed for it: begin.")
    return "\n".join([*lines, "</paige-next-action>"])


def _count(ahead: NextAction) -> str:
    if not ahead.all:
        return "There is no list of features yet."
    return f"{ahead.tested} of {ahead.all} features are tested, {ahead.blocked} are blocked."


def _plain(text: str) -> str:
    """Words of others on one line, short, and without anything that could end the block."""
    plain = " ".join(text.translate(_HARMLESS).split())
    return plain if len(plain) <= _MOST_SIGNS else f"{plain[: _MOST_SIGNS - 1]}…"
