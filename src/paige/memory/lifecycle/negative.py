"""What did not work: warnings whose confidence fades, and which new outcomes confirm or weaken.

A warning is an `anti_pattern`: a way of doing things that failed, a fix that did not fix, an
assumption that was wrong. The world changes, so it loses half of its confidence in a half-life. A
new failure confirms it, a success weakens it, and below a floor it is retired by an event. Nothing
is deleted: the failures stay, and the next one brings the warning back.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from paige.base.clock import from_iso, to_iso
from paige.memory.event import Draft, Event
from paige.memory.lifecycle.derived import derived_id

_MOST_EVIDENCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class NegativeThresholds:
    """How fast warnings fade, and how outcomes move them."""

    half_life_days: float
    confirm: float
    weaken: float
    floor: float
    start: float


class Caution(NamedTuple):
    """A warning as it was last written."""

    confidence: float
    validated_at: datetime


class Revalidated(NamedTuple):
    """The confidence after an outcome, whether it is retired, and why."""

    confidence: float
    retired: bool
    reason: str


def caution_of(event: Event, thresholds: NegativeThresholds) -> Caution:
    """The warning an event holds; missing or wrong numbers count as just started."""
    given = event.payload.get("confidence")
    confidence = float(given) if isinstance(given, int | float) else thresholds.start
    try:
        validated = from_iso(event.payload["validated_at"])
    except (KeyError, TypeError, ValueError):
        validated = event.at
    return Caution(min(1.0, max(0.0, confidence)), validated)


def confidence_at(caution: Caution, now: datetime, thresholds: NegativeThresholds) -> float:
    """The confidence left at `now`."""
    days = max(timedelta(0), now - caution.validated_at) / timedelta(days=1)
    return caution.confidence * 0.5 ** (days / thresholds.half_life_days)


def revalidate(
    caution: Caution, *, failed: bool, now: datetime, thresholds: NegativeThresholds
) -> Revalidated:
    """The warning after one more outcome of what it warns about."""
    before = confidence_at(caution, now, thresholds)
    if failed:
        after = before + (1 - before) * thresholds.confirm
        return Revalidated(after, False, f"it failed again: {before:.2f} to {after:.2f}")
    after = before * (1 - thresholds.weaken)
    retired = after < thresholds.floor
    ending = ", too little to warn" if retired else ""
    return Revalidated(after, retired, f"it worked: {before:.2f} to {after:.2f}{ending}")


def faded(caution: Caution, now: datetime, thresholds: NegativeThresholds) -> str | None:
    """Why a warning is retired by time alone, `None` while it still counts."""
    left = confidence_at(caution, now, thresholds)
    if left >= thresholds.floor:
        return None
    days = (now - caution.validated_at).days
    return f"nothing confirmed it for {days} days; {left:.2f} of its confidence is left"


def again_draft(event: Event, caution: Caution, new: tuple[str, ...], reason: str) -> Draft:
    """The warning with the confidence it has now, in place of the old one."""
    payload = {
        **event.payload,
        "confidence": round(caution.confidence, 4),
        "validated_at": to_iso(caution.validated_at),
        "reason": reason,
    }
    return Draft(
        id=derived_id("anti_pattern", event.id, *new),
        type="anti_pattern",
        text=event.text,
        task=event.task,
        scope=event.scope,
        owner=event.owner,
        project=event.project,
        session=event.session if event.scope == "session" else None,
        acl=event.acl,
        agent=event.agent,
        payload=payload,
        outcome=event.outcome,
        importance=event.importance,
        evidence=(*event.evidence, *new)[-_MOST_EVIDENCE:],
        provenance=event.provenance,
        supersedes=event.id,
    )


def retire_draft(event: Event, reason: str) -> Draft:
    """The event that retires a memory that no longer holds; nothing is deleted."""
    return Draft(
        id=derived_id("retracted", event.id),
        type="retracted",
        scope=event.scope,
        owner=event.owner,
        project=event.project,
        session=event.session,
        agent=event.agent,
        payload={"of": [event.id], "reason": reason},
        provenance=event.provenance,
    )
