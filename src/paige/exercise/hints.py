"""The hint ladder: attempt, nudge, pointed hint, worked step, answer.

Help that comes too early is learning that does not happen, so the first hint follows an attempt,
each further step follows a request or another failed attempt, and the learner always reads how to
get the next one. The state is a value; an event and a moment make the next one. A shown answer
marks the work as Again.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from paige.base.errors import BadInput
from paige.exercise.values import Domain

LevelName = Literal["attempt", "nudge", "pointed_hint", "worked_step", "answer"]
Event = Literal["attempt_failed", "attempt_correct", "hint_requested", "gave_up"]
ATTEMPT, NUDGE, POINTED_HINT, WORKED_STEP, ANSWER = range(5)
EVENTS: tuple[Event, ...] = get_args(Event)


@dataclass(frozen=True, slots=True)
class Level:
    """One rung: its name, how a person reads it, and what may be said there."""

    number: int
    name: LevelName
    says: str
    allows: str


LEVELS: tuple[Level, ...] = (
    Level(0, "attempt", "attempt", "the question, and an invitation to try"),
    Level(1, "nudge", "nudge", "a direction or a question, nothing of the answer"),
    Level(2, "pointed_hint", "pointed hint", "the rule or step that matters, the answer's shape"),
    Level(3, "worked_step", "worked step", "one step done, or a like example worked"),
    Level(4, "answer", "answer", "everything"),
)
_OTHER_NAMES = {"hint": 2, "pointed": 2, "step": 3, "worked": 3, "worked_example": 3, "none": 0}


def level_number(value: object) -> int:
    """The number of a level given as a number or a name. Raises: BadInput."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(LEVELS):
        return value
    if isinstance(value, float) and value.is_integer():
        return level_number(int(value))
    if isinstance(value, str):
        plain = value.strip().lower().replace("-", "_").replace(" ", "_")
        if plain.isdecimal() and len(plain) == 1:
            return level_number(int(plain))
        for level in LEVELS:
            if level.name == plain:
                return level.number
        if plain in _OTHER_NAMES:
            return _OTHER_NAMES[plain]
    names = ", ".join(f"{level.number} ({level.name})" for level in LEVELS)
    raise BadInput(f"`{value}` is not a level of the hint ladder", hint=f"Use one of: {names}.")


@dataclass(frozen=True, slots=True)
class Ladder:
    """Where a learner stands with one question.

    `level` is what may be shown now; `hints_used` counts the hints that were opened, the answer not
    included. `solved` work asks for nothing more.
    """

    level: int = ATTEMPT
    attempts: int = 0
    hints_used: int = 0
    solved: bool = False
    answer_shown: bool = False
    changed: datetime | None = None


def next_level(state: Ladder, event: Event, now: datetime) -> Ladder:
    """The ladder after an event. Raises: BadInput for an event there is none of.

    The first rung needs an attempt: asking for a hint before one changes nothing. Someone who gives
    up after an attempt is shown the answer.
    """
    if event not in EVENTS:
        hint = f"Use one of: {', '.join(EVENTS)}."
        raise BadInput(f"`{event}` is no event of the ladder", hint=hint)
    if state.solved:
        return state
    if event == "attempt_correct":
        return replace(state, solved=True, attempts=state.attempts + 1, changed=now)
    if event == "attempt_failed":
        state = replace(state, attempts=state.attempts + 1, changed=now)
        return state if state.attempts == 1 else _climbed(state, now)
    if state.attempts == 0:
        return state
    if event == "gave_up":
        return replace(state, level=ANSWER, answer_shown=True, changed=now)
    return _climbed(state, now)


def _climbed(state: Ladder, now: datetime) -> Ladder:
    level = min(ANSWER, state.level + 1)
    if level == state.level:
        return state
    shown = level == ANSWER
    hints = state.hints_used + (not shown)
    return replace(state, level=level, hints_used=hints, answer_shown=shown, changed=now)


def how_to_continue(state: Ladder) -> str:
    """One sentence the learner always sees: how to get the next hint."""
    if state.solved:
        return "You solved this one. Go on to the next when you like."
    if state.attempts == 0:
        return "Try it first: after your first attempt you can ask for a hint."
    if state.level >= ANSWER:
        return "You have seen the answer. This one will come back soon, so that you can try again."
    upcoming = LEVELS[state.level + 1].says
    return (
        f"Try again, or ask for the next hint (a {upcoming})."
        if upcoming != "answer"
        else ("Try again, or ask once more to see the answer; then it counts as not known yet.")
    )


def continue_sentence(level: int) -> str:
    """How to get the next hint for someone of whom only the level is known."""
    return how_to_continue(Ladder(level=level, attempts=int(level > ATTEMPT)))


# The mastery up to which a new concept opens with a worked example. Fading helps those who know
# much, less so in languages and texts.
_FADING: dict[Domain, float] = {
    "technical": 0.5,
    "conceptual": 0.6,
    "interview": 0.5,
    "language": 0.7,
}


def opens_with_example(mastery: float, domain: Domain, *, is_new: bool) -> bool:
    """Whether an exercise opens with a worked example, from mastery between 0 and 1."""
    return is_new and mastery < _FADING[domain]


def pick_worked_example(asked: str, others: tuple[str, ...]) -> str | None:
    """The first of the other items that is not the asked one, however it is written."""
    wanted = _plain(asked)
    return next((other for other in others if _plain(other) and _plain(other) != wanted), None)


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
