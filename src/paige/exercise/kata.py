"""Katas: small pieces of practice code that come from a gap someone showed.

A kata is never finished: it can be tried again with constraints, which a higher level unlocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paige.base.errors import BadInput


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something that makes a kata harder, and from which level on it may be chosen."""

    title: str
    description: str
    min_level: int = 1


@dataclass(frozen=True, slots=True)
class KataAttempt:
    """One try at a kata, and what was thought of it."""

    code: str
    review: str | None = None
    level: int | None = None
    passed: bool | None = None
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kata:
    """A kata for a gap. `instructor_notes` are for who reviews, not for who practises."""

    gap: str
    title: str
    description: str
    scaffolding_code: str = ""
    instructor_notes: str = ""
    constraints: tuple[Constraint, ...] = ()
    test_cases: tuple[str, ...] = ()
    attempts: tuple[KataAttempt, ...] = ()


def current_level(kata: Kata) -> int:
    """The level of the last reviewed attempt; 1 before there is one."""
    levels = [attempt.level for attempt in kata.attempts if attempt.level is not None]
    return levels[-1] if levels else 1


def unlocked(kata: Kata, level: int | None = None) -> tuple[Constraint, ...]:
    """The constraints someone of this level may choose."""
    reached = current_level(kata) if level is None else level
    return tuple(each for each in kata.constraints if each.min_level <= reached)


def chosen(kata: Kata, titles: Sequence[str]) -> tuple[Constraint, ...]:
    """The constraints with these titles; a title the kata does not have is passed over."""
    wanted = {title.strip().casefold() for title in titles}
    return tuple(each for each in kata.constraints if each.title.casefold() in wanted)


def dump_constraint(constraint: Constraint) -> dict[str, object]:
    """A constraint as it is stored and sent."""
    return {
        "title": constraint.title,
        "description": constraint.description,
        "minLevel": constraint.min_level,
    }


def load_constraint(value: object) -> Constraint:
    """A constraint from its stored form, or from a sentence. Raises: BadInput."""
    if isinstance(value, str) and value.strip():
        return Constraint(value.strip(), value.strip())
    if not isinstance(value, Mapping) or not str(value.get("title") or "").strip():
        raise BadInput("A constraint of a kata needs a `title`")
    level = value.get("minLevel", 1)
    if not isinstance(level, int) or isinstance(level, bool) or not 1 <= level <= 10:
        raise BadInput(f"`minLevel` of `{value['title']}` should be from 1 to 10, not `{level}`")
    return Constraint(str(value["title"]).strip(), str(value.get("description") or ""), level)


def dump_kata(kata: Kata) -> dict[str, object]:
    """A kata as JSON values."""
    return {
        "gap": kata.gap,
        "title": kata.title,
        "description": kata.description,
        "scaffolding_code": kata.scaffolding_code,
        "instructor_notes": kata.instructor_notes,
        "constraints": [dump_constraint(each) for each in kata.constraints],
        "test_cases": list(kata.test_cases),
        "user_attempts": [dump_attempt(each) for each in kata.attempts],
    }


def load_kata(data: Mapping[str, object]) -> Kata:
    """A kata from JSON values. Raises: BadInput."""
    for name in ("title", "description"):
        if not str(data.get(name) or "").strip():
            raise BadInput(f"A kata needs a `{name}`")
    return Kata(
        gap=str(data.get("gap") or ""),
        title=str(data["title"]),
        description=str(data["description"]),
        scaffolding_code=str(data.get("scaffolding_code") or ""),
        instructor_notes=str(data.get("instructor_notes") or ""),
        constraints=tuple(load_constraint(each) for each in _list(data, "constraints")),
        test_cases=tuple(str(each) for each in _list(data, "test_cases")),
        attempts=tuple(load_attempt(each) for each in _list(data, "user_attempts")),
    )


def dump_attempt(attempt: KataAttempt) -> dict[str, object]:
    """An attempt as JSON values; what is not known is left out."""
    made: dict[str, object] = {"code": attempt.code}
    if attempt.review is not None:
        made["review"] = attempt.review
    if attempt.level is not None:
        made["level"] = attempt.level
    if attempt.passed is not None:
        made["passed"] = attempt.passed
    if attempt.constraints:
        made["constraints"] = [dump_constraint(each) for each in attempt.constraints]
    return made


def load_attempt(value: object) -> KataAttempt:
    """An attempt from JSON values. Raises: BadInput."""
    if not isinstance(value, Mapping) or not isinstance(value.get("code"), str):
        raise BadInput("An attempt at a kata needs its `code`")
    level, passed, review = (value.get(name) for name in ("level", "passed", "review"))
    return KataAttempt(
        code=value["code"],
        review=None if review is None else str(review),
        level=level if isinstance(level, int) and not isinstance(level, bool) else None,
        passed=passed if isinstance(passed, bool) else None,
        constraints=tuple(load_constraint(each) for each in _list(value, "constraints")),
    )


def _list(data: Mapping[str, object], name: str) -> list[object]:
    value = data.get(name) or []
    if not isinstance(value, list | tuple):
        raise BadInput(f"`{name}` of a kata should be a list")
    return list(value)
