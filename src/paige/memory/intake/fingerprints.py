"""Short hashes that tell whether two memories are the same thing.

Two memories are duplicates only when they say the same in one project, one session, by one speaker,
in one second: "yes" said twice in a talk is two turns, "yes" delivered twice is one. A fact has a
slot: what it states a value for, and for whom; a later value for the same slot supersedes it.
The index keeps these hashes beside each event, so both sides compute them here.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import orjson

from paige.memory.event import Event

FACTS = frozenset({"fact", "preference"})
# Written by the broker beside what the writer said, so no part of it.
_ADDED = frozenset({"importance_reasons"})


def text_hash(text: str) -> str:
    """The hash of what a text says: case and spacing do not count."""
    return _hash(" ".join(text.casefold().split()))


def fingerprint(event: Event) -> str:
    """The hash that a second delivery of the same memory shares with the first."""
    payload = {name: event.payload[name] for name in event.payload.keys() - _ADDED}
    return _hash(
        event.project,
        event.session,
        event.speaker,
        event.at.replace(microsecond=0).isoformat(),
        event.owner,
        event.scope,
        event.type,
        event.agent.id,
        event.task,
        event.outcome,
        event.text.strip(),
        payload,
    )


def fact_slot(event: Event) -> str | None:
    """What a fact states a value for, as a hash; `None` for everything that is not a keyed fact.

    Within the narrow scopes the key alone is not enough: two classes, sessions or agents may each
    have a value for the same key.
    """
    if event.type not in FACTS or not event.key:
        return None
    place = {
        "class": event.class_id,
        "session": event.session,
        "agent": event.agent.id,
        "learner": event.payload.get("learner"),
    }.get(event.scope)
    return _hash(event.owner, event.scope, event.project, place, event.key.strip().casefold())


def is_import(payload: Mapping[str, Any]) -> bool:
    """Whether a memory was brought in from elsewhere; each of those stays its own event."""
    return payload.get("source") == "import"


def _hash(*parts: object) -> str:
    written = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
    return blake2b(written, digest_size=16).hexdigest()
