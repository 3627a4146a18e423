"""When two words are nearly the same: one with a slip of the pen."""

from rapidfuzz.distance import OSA


def is_slip(one: str, other: str) -> bool:
    """Whether two words are one with a slip; how many letters may be wrong is by length."""
    shorter = min(len(one), len(other))
    allowed = 0 if shorter < 4 else 1 if shorter < 8 else 2 if shorter < 13 else 3
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed
