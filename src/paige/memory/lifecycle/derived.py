"""Ids of events that jobs write: they follow from what the event is about.

The same job over the same memories makes the same id, whenever and wherever it runs, so a second
writing is noticed.
"""

from hashlib import blake2b

PREFIX = "d-"


def derived_id(*parts: str) -> str:
    """The id of what is said by these parts."""
    digest = blake2b("\x1f".join(parts).encode(errors="surrogatepass"), digest_size=16)
    return f"{PREFIX}{digest.hexdigest()}"
