"""What a result says about memory, which is less than what it says about the work.

Everything right on a sheet, or every test passed, is Easy by the tables. For the schedule Easy
means more: it would be known after several times the usual number of days. Work that follows its
lesson by minutes cannot show that, and neither can work that took its time. So Easy becomes Good
where nothing could have been forgotten yet, and where somebody was neither quick nor sure.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from paige.exercise.result import Result
from paige.exercise.values import EASY, GOOD
from paige.learner.cards import utc
from paige.learner.progress import Progress
from paige.study.values import Sitting

_DAY = timedelta(days=1)
_QUICK = 0.5
"""Who needs at most this share of the time an exercise should take was quick."""
JUST_MET = "It was met less than a day ago, so for the schedule this is Good and not Easy."
TOOK_TIME = "All right, and it took its time, so for the schedule this is Good and not Easy."


def weighed(result: Result, sitting: Sitting, known: Progress | None, now: datetime) -> Result:
    """The result as it counts for the schedule; only Easy is ever changed."""
    if result.fsrs_rating != EASY:
        return result
    card = known.card if known else None
    if card is None or card.last_review is None or utc(now) - card.last_review < _DAY:
        return _only_good(result, JUST_MET)
    if sitting.confident or _was_quick(result, sitting):
        return result
    return _only_good(result, TOOK_TIME)


def _was_quick(result: Result, sitting: Sitting) -> bool:
    seconds = sitting.seconds
    if seconds is None:
        seconds = result.time_spent_seconds
    return seconds is not None and 0 < seconds <= sitting.exercise.minutes * 60 * _QUICK


def _only_good(result: Result, why: str) -> Result:
    return replace(result, fsrs_rating=GOOD, remarks=(*result.remarks, why))
