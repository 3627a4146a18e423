"""What works in a class, brought to the part of a lesson where it belongs."""

import re
from dataclasses import dataclass

from paige.plan.classes import ClassProfile

_START = re.compile(r"\b(?:log(?:ging)? ?in|opening|start(?:er|s)?|enter)\b", re.I)
_END = re.compile(r"\b(?:exit|bell|end of)\b", re.I)
_NOT_A_ROUTINE = re.compile(r"\b(?:not:|tired of|programs about|local places|avoid)\b", re.I)
_ABOUT = re.compile(r"\b(?:programs about|local places|examples? (?:about|from))\b", re.I)


@dataclass(frozen=True, slots=True)
class Routines:
    """The routines of a class by the part of the lesson they fit."""

    start: tuple[str, ...] = ()
    practice: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()  # what examples should be about


def routines_of(profile: ClassProfile | None) -> Routines:
    """The routines in what works for a class."""
    if profile is None:
        return Routines()
    start: list[str] = []
    practice: list[str] = []
    end: list[str] = []
    settings: list[str] = []
    for line in profile.works:
        if _ABOUT.search(line):
            settings.append(line)
        elif _END.search(line):
            end.append(line)
        elif _START.search(line):
            start.append(line)
        elif not _NOT_A_ROUTINE.search(line):
            practice.append(line)
    return Routines(tuple(start), tuple(practice), tuple(end), tuple(settings))
