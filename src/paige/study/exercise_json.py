"""Exercises and sittings as JSON, so that another process can go on where one was stopped."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from paige.base.errors import BadInput
from paige.study.values import Exercise, Sitting


def dump_exercise(exercise: Exercise) -> dict[str, Any]:
    """An exercise as JSON values. Its answers are in it: nothing for a learner's eyes."""
    return _exercises().dump_python(exercise, mode="json")


def load_exercise(data: object) -> Exercise:
    """An exercise from JSON values. Raises: BadInput."""
    try:
        return _exercises().validate_python(data)
    except ValidationError as error:
        raise _wrong("exercise", error) from error


def dump_sitting(sitting: Sitting) -> dict[str, Any]:
    """A sitting as JSON values."""
    return _sittings().dump_python(sitting, mode="json")


def load_sitting(data: object) -> Sitting:
    """A sitting from JSON values. Raises: BadInput."""
    try:
        return _sittings().validate_python(data)
    except ValidationError as error:
        raise _wrong("sitting", error) from error


def _wrong(what: str, error: ValidationError) -> BadInput:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return BadInput(
        f"This is no {what}: `{place}`: {first['msg']}",
        hint="Leave the exercise; the next one is made anew.",
    )


@cache
def _exercises() -> TypeAdapter[Exercise]:
    return TypeAdapter(Exercise)


@cache
def _sittings() -> TypeAdapter[Sitting]:
    return TypeAdapter(Sitting)
