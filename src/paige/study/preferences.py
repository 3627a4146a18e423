"""What a learner has set about sessions and reviews, as it stands in their profile.

The profile keeps these beside the preferences it knows itself: under `scheduling` the retention,
the easy days, the time zone and the exam of each course. Doors change them through here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from paige.base.errors import BadInput
from paige.learner.profile import Profile
from paige.learner.progress import Thresholds
from paige.learner.scheduling import EVERY_DAY, LESSONS, Scheduling

CURVE = "fsrs_parameters"
KEY = "scheduling"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EASY = 0.2
"""What an easy day is worth beside an ordinary one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How reviews are scheduled for somebody. `exams` are days by course.

    `parameters` are those of the forgetting curve, the usual ones until there are better ones.
    """

    retention: float = LESSONS.retention
    easy_days: tuple[float, ...] = EVERY_DAY
    balance: bool = False
    zone: str = "UTC"
    exams: Mapping[str, date] = field(default_factory=dict, hash=False)
    parameters: tuple[float, ...] = LESSONS.parameters

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


def preferences_of(profile: Profile) -> Preferences:
    """What a profile says; what is left out has its usual value. Raises: BadInput."""
    given = profile.preferences_extra.get(KEY)
    if given is None:
        return Preferences()
    if not isinstance(given, Mapping):
        raise BadInput(f"`{KEY}` should be an object, not `{given!r}`")
    found = Preferences(
        retention=_number(given, "retention", LESSONS.retention),
        easy_days=_easy_days(given.get("easy_days")),
        balance=given.get("balance") is True,
        zone=str(given.get("zone") or "UTC"),
        exams=_exams(given.get("exams")),
        parameters=_parameters(given.get(CURVE)),
    )
    found.thresholds("")  # so that a value that makes no sense is told here
    return found


def with_preferences(profile: Profile, preferences: Preferences) -> Profile:
    """The profile with other preferences; what else stands there stays. Raises: BadInput."""
    preferences.thresholds("")
    known = profile.preferences_extra.get(KEY)
    kept = dict(known) if isinstance(known, Mapping) else {}
    kept |= {
        "retention": preferences.retention,
        "easy_days": list(preferences.easy_days),
        "balance": preferences.balance,
        "zone": preferences.zone,
        "exams": {name: day.isoformat() for name, day in preferences.exams.items()},
    }
    kept.pop(CURVE, None)
    if preferences.parameters != LESSONS.parameters:
        kept[CURVE] = list(preferences.parameters)
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


def parse_day(text: str) -> date:
    """A day such as 2026-05-01. Raises: BadInput."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadInput(f"`{text}` is not a day", hint="Write it like 2026-05-01.") from error


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"`{name}` is not a time zone", hint="Write it like Asia/Kuching."
        ) from error


def _number(given: Mapping[str, object], name: str, usual: float) -> float:
    value = given.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(f"`{name}` should be a number, not `{value!r}`")
    return float(value)


def _easy_days(given: object) -> tuple[float, ...]:
    if given is None:
        return EVERY_DAY
    listed = given if isinstance(given, list | tuple) else ()
    shares = [each for each in listed if isinstance(each, int | float)]
    if len(shares) != len(EVERY_DAY) or len(listed) != len(EVERY_DAY):
        raise BadInput("`easy_days` should be a list of seven shares from 0 to 1, Monday first")
    return tuple(float(each) for each in shares)


def _parameters(given: object) -> tuple[float, ...]:
    if given is None:
        return LESSONS.parameters
    listed = given if isinstance(given, list | tuple) else ()
    numbers = [each for each in listed if isinstance(each, int | float)]
    if not listed or len(numbers) != len(listed):
        raise BadInput(
            f"`{CURVE}` should be a list of numbers",
            hint="Take it out, and `paige study fit` finds it again.",
        )
    return tuple(float(each) for each in numbers)


def _exams(given: object) -> dict[str, date]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadInput(f"`exams` should be an object of days by course, not `{given!r}`")
    return {str(name): parse_day(str(day)) for name, day in given.items()}
