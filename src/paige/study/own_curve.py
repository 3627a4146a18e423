"""A forgetting curve of one's own: what somebody remembered so far, fitted and kept for them.

All courses count together, for it is one person who forgets. The numbers are taken only when they
predict the person's own later reviews better, and stand in the profile like every preference.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from paige.learner.changes import counting, order_of
from paige.learner.files import LearnerFiles
from paige.learner.optimising import Fit, fit_parameters
from paige.learner.scheduling import LESSONS, Review
from paige.store.documents import Documents
from paige.study.preferences import Preferences, preferences_of, with_preferences


@dataclass(frozen=True, slots=True)
class FitResult:
    """What came of fitting: the numbers, and whether the profile was changed."""

    fit: Fit
    own_before: bool


def fit_learner(documents: Documents, root: str) -> FitResult:
    """Fit the curve of a learner, and keep it if it is better. Raises: BadInput, BrokenFile."""
    files = LearnerFiles(documents, root=root)
    before = preferences_of(files.profile())
    fit = fit_parameters(_reviews(files), before.parameters)
    if fit.adopted:
        _keep(files, fit.parameters)
    return FitResult(fit, before.parameters != LESSONS.parameters)


def forget_curve(documents: Documents, root: str) -> None:
    """Go back to the usual curve. Raises: BadInput, BrokenFile."""
    _keep(LearnerFiles(documents, root=root), LESSONS.parameters)


def _keep(files: LearnerFiles, parameters: tuple[float, ...]) -> None:
    def changed(known: Preferences) -> Preferences:
        return replace(known, parameters=parameters)

    files.update_profile(
        lambda profile: with_preferences(profile, changed(preferences_of(profile)))
    )


def _reviews(files: LearnerFiles) -> Iterator[Review]:
    cards: dict[tuple[str, str], int] = {}
    for course in files.courses():
        for change in counting(files.changes(course)):
            if change.result is not None and change.result.fsrs_rating is not None:
                card = cards.setdefault((course, change.result.concept_id), len(cards))
                yield Review(card, change.result.fsrs_rating, order_of(change)[0])
