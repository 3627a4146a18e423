"""How the minutes of a lesson are shared out, so that they always add up."""

from collections.abc import Sequence
from dataclasses import replace

from paige.base.errors import BadInput
from paige.plan.lesson import Lesson

SHORTEST = 15
FEWEST_CYCLE_MINUTES = 8
TWO_CYCLES = 30
THREE_CYCLES = 75


def cycles_for(minutes: int, most: int) -> int:
    """How many learning cycles fit."""
    fits = 1 if minutes < TWO_CYCLES else 2 if minutes < THREE_CYCLES else 3
    return max(1, min(fits, most))


def usual_starter(minutes: int) -> int:
    """How long a starter usually is."""
    if minutes < TWO_CYCLES:
        return 3
    return 5 if minutes <= 50 else 6 if minutes < THREE_CYCLES else 8


def usual_exit(minutes: int) -> int:
    """How long an exit check usually is."""
    return 3 if minutes < TWO_CYCLES else 5 if minutes < THREE_CYCLES else 8


def share(minutes: int, cycles: int, starter: int | None = None) -> tuple[int, list[int], int]:
    """Minutes of starter, cycles and exit check, together exactly those of the lesson."""
    if minutes < SHORTEST:
        raise BadInput(
            f"{minutes} minutes are too few for a lesson", hint=f"Allow at least {SHORTEST}."
        )
    end = usual_exit(minutes)
    most = minutes - end - FEWEST_CYCLE_MINUTES * cycles
    begin = max(1, min(starter if starter is not None else usual_starter(minutes), most))
    left = minutes - begin - end
    return begin, spread(left, [1] * cycles), end


def spread(minutes: int, weights: Sequence[int]) -> list[int]:
    """Minutes shared out by weight; what is left over goes to the later parts."""
    total = sum(weights)
    shares = [max(1, minutes * weight // total) for weight in weights]
    at = len(shares) - 1
    while sum(shares) < minutes:
        shares[at] += 1
        at = (at - 1) % len(shares)
    while sum(shares) > minutes:
        longest = max(range(len(shares)), key=lambda i: shares[i])
        shares[longest] -= 1
    return shares


def retimed(lesson: Lesson, *, minutes: int | None = None, starter: int | None = None) -> Lesson:
    """The lesson with other minutes; its cycles keep their weight, and all adds up again."""
    total = lesson.minutes if minutes is None else minutes
    scaled = minutes is not None and minutes != lesson.minutes
    end = usual_exit(total) if scaled else lesson.exit_check.minutes
    begin = starter if starter is not None else lesson.starter.minutes
    if scaled and starter is None:
        begin = min(begin, usual_starter(total)) if total < lesson.minutes else begin
    left = total - begin - end
    shares = spread(left, [cycle.minutes for cycle in lesson.cycles])
    return replace(
        lesson,
        minutes=total,
        starter=replace(lesson.starter, minutes=begin),
        cycles=tuple(
            replace(cycle, minutes=share)
            for cycle, share in zip(lesson.cycles, shares, strict=True)
        ),
        exit_check=replace(lesson.exit_check, minutes=end),
    )
