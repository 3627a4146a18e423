"""What a learner sets about reviews, kept in their profile."""

from datetime import date

import pytest

from paige.base.errors import BadInput
from paige.learner.profile import Profile, dump_profile, load_profile
from paige.study.preferences import (
    Preferences,
    easy_days,
    parse_day,
    preferences_of,
    with_preferences,
)

EXAM = date(2026, 5, 1)
SOME = Preferences(
    retention=0.85,
    easy_days=easy_days(("sat", "sunday")),
    balance=True,
    zone="Asia/Kuching",
    exams={"melayu": EXAM},
)


def test_preferences_survive_the_profile_and_leave_the_rest_alone() -> None:
    profile = Profile(preferred=("code",), preferences_extra={"theme": "dark"})
    stored = load_profile(dump_profile(with_preferences(profile, SOME)))
    assert preferences_of(stored) == SOME
    assert stored.preferred == ("code",)
    assert stored.preferences_extra["theme"] == "dark"
    assert preferences_of(Profile()) == Preferences()


def test_they_become_the_schedule_of_a_course() -> None:
    scheduling = SOME.scheduling("melayu")
    assert (scheduling.retention, scheduling.exam, scheduling.balance) == (0.85, EXAM, True)
    assert scheduling.easy_days[5:] == (0.2, 0.2)
    assert str(scheduling.zone) == "Asia/Kuching"
    assert SOME.scheduling("other").exam is None
    assert SOME.thresholds("melayu").zone == scheduling.zone


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"retention": "much"}, "retention"),
        ({"retention": 1.5}, "1.5"),
        ({"easy_days": [1, 0]}, "easy_days"),
        ({"zone": "Nowhere/Land"}, "Nowhere/Land"),
        ({"exams": {"melayu": "May"}}, "May"),
        ({"exams": 7}, "exams"),
        (7, "scheduling"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(given: object, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        preferences_of(Profile(preferences_extra={"scheduling": given}))


def test_days_are_named_as_people_do() -> None:
    assert easy_days(()) == (1.0,) * 7
    for wrong in ("s", "someday", ""):
        with pytest.raises(BadInput, match="day of the week"):
            easy_days((wrong,))
    assert parse_day(" 2026-05-01 ") == EXAM
