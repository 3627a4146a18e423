"""How the minutes of a lesson are shared out, so that they always add up."""

from paige.base.errors import BadInput

SHORTEST = 15
FEWEST_CYCLE_MINUTES = 8
TWO_CYCLES = 30
THREE_CYCLES = 75


def cycles_for(minutes: int, most: int) -> int:
    """How many learning cycles fit."""
    fits = 1 if minutes < TWO_CYCLES else 2 if minutes < THREE_CYCLES else 3
    return max(1, min(fits, most))


def share(minutes: int, cycles: int, starter: int | None = None) -> tuple[int, list[int], int]:
    """Minutes of starter, cycles and exit check, together exactly those of the lesson.

    What is left over goes to the later cycles. Raises: BadInput when there are too few.
    """
    if minutes < SHORTEST:
        raise BadInput(
            f"{minutes} minutes are too few for a lesson", hint=f"Allow at least {SHORTEST}."
        )
    end = 3 if minutes < TWO_CYCLES else 5 if minutes < THREE_CYCLES else 8
    most = minutes - end - FEWEST_CYCLE_MINUTES * cycles
    begin = max(1, min(starter if starter is not None else _usual_starter(minutes), most))
    each, over = divmod(minutes - begin - end, cycles)
    return begin, [each + (at >= cycles - over) for at in range(cycles)], end


def _usual_starter(minutes: int) -> int:
    if minutes < TWO_CYCLES:
        return 3
    return 5 if minutes <= 50 else 6 if minutes < THREE_CYCLES else 8
