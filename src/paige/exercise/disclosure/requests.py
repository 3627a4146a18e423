"""Reads a request to the gate from JSON, and writes its answer."""

from collections.abc import Mapping, Sequence

from paige.base.errors import BadInput
from paige.exercise.disclosure.case import LEARNERS, Turn
from paige.exercise.disclosure.gate import Request
from paige.exercise.disclosure.holding import decide
from paige.exercise.hints import level_number


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
