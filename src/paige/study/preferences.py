"""What a learner has set about sessions and reviews, as it stands in their profile.

The profile keeps these beside the preferences it knows itself: under `scheduling` the retention,
the easy days, the time zone and the exam of each course. Doors change them through here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, PlainValidator, TypeAdapter

from paige.base.errors import BadInput
from paige.learner.json_files import parse
from paige.learner.profile import Profile
from paige.learner.progress import Thresholds
from paige.learner.schedule import EVERY_DAY, LESSONS, Scheduling

CLASS_KEY = "class"
NO_CLASS = "none"
_NAME = re.compile(r"[^\W_][\w.-]{0,39}")


def class_of(profile: Profile) -> str:
    """The class of a learner; empty when there is none, or the file says something strange."""
    given = profile.extra.get(CLASS_KEY)
    return given if isinstance(given, str) and _NAME.fullmatch(given) else ""


def with_class(profile: Profile, name: str) -> Profile:
    """The profile of somebody in a class; an empty name or `none` is no class. Raises: BadInput."""
    extra = {key: value for key, value in profile.extra.items() if key != CLASS_KEY}
    wanted = name.strip()
    if wanted and wanted.casefold() != NO_CLASS:
        extra[CLASS_KEY] = checked_class(wanted)
    return replace(profile, extra=extra)


def checked_class(name: str) -> str:
    """A name that a class can have. Raises: BadInput."""
    if _NAME.fullmatch(name):
        return name
    raise BadInput(
        f"`{name[:60]}` cannot be the name of a class",
        hint="Write it as your teacher does, such as 3B: letters, digits, dots and dashes.",
    )


def same_class(one: str, other: str) -> bool:
    """Whether two names mean one class, however they are written."""
    return bool(one) and one.strip().casefold() == other.strip().casefold()


CURVE = "fsrs_parameters"
KEY = "scheduling"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EASY = 0.2
"""What an easy day is worth beside an ordinary one."""


def parse_day(text: str) -> date:
    """A day such as 2026-05-01. Raises: BadInput."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadInput(f"`{text}` is not a day", hint="Write it like 2026-05-01.") from error


_Number = Annotated[float, Field(strict=True)]
Day = Annotated[date, BeforeValidator(lambda given: parse_day(str(given)))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How reviews are scheduled for somebody. `exams` are days by course.

    `parameters` are those of the forgetting curve, the usual ones until there are better ones.
    """

    retention: _Number = LESSONS.retention
    easy_days: Annotated[tuple[_Number, ...], Field(min_length=7, max_length=7)] = EVERY_DAY
    balance: Annotated[bool, PlainValidator(lambda given: given is True)] = False
    zone: Annotated[str, BeforeValidator(str)] = "UTC"
    exams: Mapping[str, Day] = field(default_factory=dict, hash=False)
    parameters: Annotated[tuple[_Number, ...], Field(alias=CURVE, min_length=1)] = (
        LESSONS.parameters
    )

    def scheduling(self, course: str) -> Scheduling:
        """How the cards of a course are scheduled. Raises: BadInput."""
        return replace(
            LESSONS,
            retention=self.retention,
            easy_days=self.easy_days,
            balance=self.balance,
            zone=_zone(self.zone),
            exam=self.exams.get(course),
            parameters=self.parameters,
        )

    def thresholds(self, course: str) -> Thresholds:
        """When something counts as mastered, and how it is scheduled. Raises: BadInput."""
        return Thresholds(scheduling=self.scheduling(course), zone=_zone(self.zone))


_PREFERENCES = TypeAdapter(Preferences)


def preferences_of(profile: Profile) -> Preferences:
    """What a profile says; what is left out has its usual value. Raises: BadInput."""
    given = profile.preferences_extra.get(KEY)
    if given is None:
        return Preferences()
    if not isinstance(given, Mapping):
        raise BadInput(f"`{KEY}` should be an object, not `{given!r}`")
    said = {name: value for name, value in given.items() if value not in (None, "")}
    found = parse(_PREFERENCES, said)
    found.thresholds("")  # so that a value that makes no sense is told here
    return found


def with_preferences(profile: Profile, preferences: Preferences) -> Profile:
    """The profile with other preferences; what else stands there stays. Raises: BadInput."""
    preferences.thresholds("")
    known = profile.preferences_extra.get(KEY)
    kept = dict(known) if isinstance(known, Mapping) else {}
    kept.pop(CURVE, None)
    usual = {"parameters"} if preferences.parameters == LESSONS.parameters else None
    kept |= _PREFERENCES.dump_python(preferences, mode="json", by_alias=True, exclude=usual)
    return replace(profile, preferences_extra={**profile.preferences_extra, KEY: kept})


def easy_days(names: tuple[str, ...]) -> tuple[float, ...]:
    """The shares of a week in which these days are easy, `sat` for Saturday. Raises: BadInput."""
    shares = list(EVERY_DAY)
    for name in names:
        wanted = name.strip().lower()
        found = [at for at, day in enumerate(WEEKDAYS) if wanted and day.startswith(wanted)]
        if len(found) != 1:
            raise BadInput(f"`{name}` is not a day of the week", hint="Write sat,sun for instance.")
        shares[found[0]] = _EASY
    return tuple(shares)


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"`{name}` is not a time zone", hint="Write it like Asia/Kuching."
        ) from error
