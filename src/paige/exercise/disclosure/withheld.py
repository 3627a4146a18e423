"""What is shown instead of a reply that gives too much away.

The sentences that keep to the level stay, the others are held back, and the learner reads how to
get the next hint. What comes out passes the gate itself; if nothing else does, three dots do.
"""

import re
from collections.abc import Mapping, Sequence

from paige.base.errors import BadInput
from paige.exercise.disclosure.case import LEARNERS, Case, Turn
from paige.exercise.disclosure.gate import DisclosureVerdict, Request, case_of, judge_case
from paige.exercise.hints import ANSWER, continue_sentence, level_number
from paige.language.words import sentences

_HELD = "(Part of this is kept back for now.)"
_UNIT = re.compile(r"```.*?(?:```|\Z)|[^\n]+", re.S)
_MOST_UNITS = 10
_SAFE = (
    (
        "Have a go first: write down what you think, even if you are not sure.",
        "What do you think, and why?",
    ),
    (
        "Read the question again: what is it asking for, and what do you already know about it?",
        "What do you already know that could help here?",
    ),
    (
        "Which rule or idea have you met that fits this kind of question? Say it in your own"
        " words.",
        "Which idea from before fits here?",
    ),
    (
        "Take a smaller example of the same kind, solve that one step by step, then come back.",
        "Solve a smaller one of the same kind, then come back.",
    ),
)
_LAST_RESORTS = ("Your turn: what would you write?", "Over to you.", "Go on.", "\u2026")


def decide(request: Request) -> tuple[DisclosureVerdict, str]:
    """The judgement, and what may be shown: the reply itself, or what is left of it."""
    if request.level >= ANSWER:
        return DisclosureVerdict(True, "The ladder allows the answer", 0), request.reply
    case = case_of(request)
    judged = judge_case(case, request.level)
    if judged.allowed:
        return judged, request.reply
    return judged, _instead(case, request.level)


def _instead(case: Case, level: int) -> str:
    more = continue_sentence(level)
    kept = _kept(case, level)
    candidates = [f"{kept}\n\n{_HELD} {more}", kept] if kept else []
    candidates += [f"{safe} {more}" for safe in _SAFE[level]]
    candidates += [*_SAFE[level], *_LAST_RESORTS]
    for text in candidates:
        if judge_case(case.with_reply(text), level).allowed:
            return text
    return _LAST_RESORTS[-1]


def _kept(case: Case, level: int) -> str:
    """The sentences that pass, alone and together; nothing if too little is left."""
    units = _units(case.reply.raw)
    if not 1 < len(units) <= _MOST_UNITS:
        return ""
    kept: list[str] = []
    for unit in units:
        alone = judge_case(case.with_reply(unit), level).allowed
        if alone and judge_case(case.with_reply(" ".join([*kept, unit])), level).allowed:
            kept.append(unit)
    text = " ".join(kept)
    return text if len(text.split()) >= 5 else ""


def _units(text: str) -> list[str]:
    units: list[str] = []
    for match in _UNIT.finditer(text):
        block = match[0]
        pieces = [block] if block.startswith("```") else sentences(block)
        units += [piece.strip() for piece in pieces if piece.strip()]
    return units


def read_request(asked: Mapping[str, object]) -> Request:
    """The request in a JSON object; keys that are not known are ignored. Raises: BadInput."""
    for name in ("answer", "level", "reply"):
        if asked.get(name) is None:
            raise BadInput(f"`{name}` is missing", hint=_SHAPE)
    reply = asked["reply"]
    if not isinstance(reply, str):
        raise BadInput("`reply` is not a text", hint=_SHAPE)
    answer = asked["answer"]
    if isinstance(answer, bool):
        answer = "true" if answer else "false"
    if not isinstance(answer, str | int | float | list | dict):
        raise BadInput("`answer` is not a text, a number, a list or an object", hint=_SHAPE)
    return Request(
        exercise=asked.get("exercise"),
        answer=answer,
        level=level_number(asked["level"]),
        reply=reply,
        dialogue=_turns(asked.get("dialogue")),
    )


_SHAPE = 'Write `{"exercise", "answer", "level": 0 to 4, "dialogue": [{"role", "text"}], "reply"}`.'


def _turns(value: object) -> tuple[Turn, ...]:
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput("`dialogue` is not a list of turns", hint=_SHAPE)
    return tuple(_turn(number, each) for number, each in enumerate(value, 1))


def _turn(number: int, value: object) -> Turn:
    if not isinstance(value, Mapping):
        raise BadInput(f"turn {number} of `dialogue` is not an object", hint=_SHAPE)
    text = value.get("text", value.get("content"))
    role = value.get("role")
    if not isinstance(text, str) or not isinstance(role, str):
        raise BadInput(f"turn {number} of `dialogue` has no `role` or no `text`", hint=_SHAPE)
    return Turn("learner" if role.strip().lower() in LEARNERS else "tutor", text)


def answer_request(asked: Mapping[str, object]) -> dict[str, object]:
    """`{"allowed", "reason", "shown"}` for one request. Raises: BadInput."""
    judged, shown = decide(read_request(asked))
    return {"allowed": judged.allowed, "reason": judged.reason, "shown": shown}
