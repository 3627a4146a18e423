"""Small exercises for a gap: what is asked, what may be switched on to make it harder, attempts.

A kata is never finished: one may try again with other constraints. A constraint is open to those
whose last level is high enough.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paige.base.errors import BadInput

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 10


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something that makes a kata harder, and the level from which it can be switched on."""

    title: str
    description: str
    min_level: int = LOWEST_LEVEL

    def __post_init__(self) -> None:
        if not LOWEST_LEVEL <= self.min_level <= HIGHEST_LEVEL:
            raise BadInput(f"`minLevel` is {LOWEST_LEVEL} to {HIGHEST_LEVEL}")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try: the code, what was said about it, and the titles of the constraints that held."""

    code: str
    review: str | None = None
    level: int | None = None
    passed: bool | None = None
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.level is not None and not LOWEST_LEVEL <= self.level <= HIGHEST_LEVEL:
            raise BadInput(f"The level of an attempt is {LOWEST_LEVEL} to {HIGHEST_LEVEL}")


def current_level(attempts: Sequence[Attempt]) -> int:
    """The level of the last attempt that was judged; everybody begins at the lowest."""
    levels = [each.level for each in attempts if each.level is not None]
    return levels[-1] if levels else LOWEST_LEVEL


def best_level(attempts: Iterable[Attempt]) -> int | None:
    """The highest level that was ever reached."""
    return max((each.level for each in attempts if each.level is not None), default=None)


def unlocked(constraints: Iterable[Constraint], level: int) -> tuple[Constraint, ...]:
    """The constraints that can be switched on at a level."""
    return tuple(each for each in constraints if each.min_level <= level)


def newly_unlocked(
    constraints: Iterable[Constraint], *, before: int, after: int
) -> tuple[Constraint, ...]:
    """The constraints that were closed at one level and are open at the other."""
    return tuple(each for each in constraints if before < each.min_level <= after)


def chosen(constraints: Sequence[Constraint], titles: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints with these titles; titles nobody knows are left out."""
    wanted = {title.strip().casefold() for title in titles}
    return tuple(each for each in constraints if each.title.strip().casefold() in wanted)


def with_same_constraints(
    attempts: Iterable[Attempt], titles: Iterable[str]
) -> tuple[Attempt, ...]:
    """Earlier attempts under exactly these constraints."""
    wanted = set(titles)
    return tuple(each for each in attempts if set(each.constraints) == wanted)


def dump_constraint(constraint: Constraint) -> dict[str, object]:
    """The constraint as JSON values."""
    return {
        "title": constraint.title,
        "description": constraint.description,
        "minLevel": constraint.min_level,
    }


def load_constraint(record: Mapping[str, object]) -> Constraint:
    """The constraint in a record. Raises: BadInput."""
    level = record.get("minLevel", LOWEST_LEVEL)
    title = record.get("title")
    if not isinstance(title, str) or not title.strip():
        raise BadInput("A constraint has a `title`")
    if not isinstance(level, int) or isinstance(level, bool):
        raise BadInput(f"`minLevel` should be a whole number, not `{level!r}`")
    return Constraint(title, str(record.get("description") or ""), level)


def dump_attempt(attempt: Attempt) -> dict[str, object]:
    """The attempt as JSON values; what is not known is left out."""
    record: dict[str, object] = {"code": attempt.code}
    known = {"review": attempt.review, "level": attempt.level, "passed": attempt.passed}
    record.update({name: value for name, value in known.items() if value is not None})
    return {**record, "constraints": list(attempt.constraints)}


def load_attempt(record: Mapping[str, object]) -> Attempt:
    """The attempt in a record. Raises: BadInput."""
    review, level, passed = (record.get(name) for name in ("review", "level", "passed"))
    names = record.get("constraints")
    return Attempt(
        code=str(record.get("code") or ""),
        review=None if review is None else str(review),
        level=level if isinstance(level, int) and not isinstance(level, bool) else None,
        passed=passed if isinstance(passed, bool) else None,
        constraints=tuple(_name(each) for each in names) if isinstance(names, list) else (),
    )


def _name(value: object) -> str:
    """The title of a constraint that is named, or written out."""
    return str(value.get("title", "")) if isinstance(value, Mapping) else str(value)
