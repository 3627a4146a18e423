"""Versions of the fields of an event, and the way from one to another.

Versions follow semver. A minor version only adds fields, so a line of a newer one can be carried
along; a newer major version may mean something else by the same name and is left alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Change = Callable[[dict[str, Any]], dict[str, Any]]
_FORM = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+].*)?$")


class Version(NamedTuple):
    """Major, minor, patch; they compare as they are written."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


class Step(NamedTuple):
    """How a line of `since`, or of a version after it, becomes one of `to`. Pure, and total."""

    since: Version
    to: Version
    change: Change
    words: str


def read_version(text: object) -> Version | None:
    """A version as it is written, or None."""
    found = _FORM.match(text) if isinstance(text, str) else None
    return Version(int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def version_of(fields: Mapping[str, Any]) -> Version | None:
    """The version a line says it has, or that its names give away; None if neither."""
    if "schema_version" in fields:
        return read_version(fields["schema_version"])
    if fields.keys() >= _FIRST:
        return V1_0
    for names, version in _EARLY:
        if names & fields.keys():
            return version
    return None


def steps_between(version: Version, target: Version, steps: Sequence[Step]) -> list[Step]:
    """The steps to take, in order; none where only fields were added in between."""
    way: list[Step] = []
    while version < target:
        fitting = [s for s in steps if s.since <= version < s.to <= target]
        if not fitting:
            break
        way.append(max(fitting, key=lambda step: step.since))
        version = way[-1].to
    return way


V0_1, V0_2, V1_0 = Version(0, 1, 0), Version(0, 2, 0), Version(1, 0, 0)
# Early logs did not write a version, but each had names of its own; the newest comes first.
_FIRST = frozenset({"seq", "at", "type"})
_EARLY = (
    (frozenset({"timestamp", "event_type", "content"}), V0_2),
    (frozenset({"ts", "kind", "text"}), V0_1),
)
