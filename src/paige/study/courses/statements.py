"""Who a learner is to other programs: a token that says nothing about them, and stays."""

from dataclasses import replace

from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile

_KEY = "statement_token"


def learner_token(learner: LearnerFiles, randomness: bytes) -> str:
    """The learner's token; at first it is made and kept in the profile. Raises: BrokenFile."""

    def keep(profile: Profile) -> Profile:
        if _token(profile):
            return profile
        return replace(profile, extra={**profile.extra, _KEY: randomness.hex()})

    return _token(learner.profile()) or _token(learner.update_profile(keep))


def _token(profile: Profile) -> str:
    known = profile.extra.get(_KEY)
    return known.strip() if isinstance(known, str) else ""
