"""Patterns from repeated episodes: what works, and what does not.

Episodes with the same shape of task, the same tool and the same fix are counted. Three that mostly
worked make a pattern, three that mostly failed a warning. The confidence is the lower end of the
Wilson interval: three successes of three are not yet certain. A pattern is written once; more
evidence writes it again, superseding itself, only when its confidence has changed enough to matter.

A warning is an `anti_pattern`: a way of doing things that failed, a fix that did not fix, an
assumption that was wrong. The world changes, so it loses half of its confidence in a half-life. A
new failure confirms it, a success weakens it, and below a floor it is retired by an event. Nothing
is deleted: the failures stay, and the next one brings the warning back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from math import sqrt
from typing import Literal, NamedTuple

from paige.base.clock import from_iso, to_iso
from paige.memory.event import Draft, Event, Provenance, Scope, draft_of
from paige.memory.lifecycle.episodes import Episode, Shape, episode_of, shape_of
from paige.memory.lifecycle.held_memory import derived_id
from paige.memory.lifecycle.promotion import PRIVATE

Kind = Literal["pattern", "anti_pattern"]
_MOST_EVIDENCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternThresholds:
    """How much repetition it takes."""

    least: int
    success_ratio: float
    failure_ratio: float
    z: float
    least_change: float


class Place(NamedTuple):
    """Where a pattern belongs: never wider than its episodes, except from session to project."""

    scope: Scope
    owner: str
    project: str | None
    session: str | None
    holder: str  # the class or agent of private episodes, so that they are never mixed


class Case(NamedTuple):
    """All episodes of one kind in one place."""

    place: Place
    shape: Shape
    episodes: tuple[tuple[Event, Episode], ...]

    @property
    def successes(self) -> int:
        """How many ended well."""
        return sum(episode.succeeded for _, episode in self.episodes)

    @property
    def key(self) -> str:
        """The same for the same kind in the same place."""
        place = "\x1f".join(str(part) for part in (*self.place, *self.shape))
        digest = blake2b(place.encode(errors="surrogatepass"), digest_size=10)
        return f"shape:{digest.hexdigest()}"


class DerivedPattern(NamedTuple):
    """A pattern to be written."""

    kind: Kind
    case: Case
    confidence: float
    supersedes: str | None
    reason: str


class OutdatedPattern(NamedTuple):
    """A pattern that no longer holds, and why."""

    pattern: Event
    reason: str


def wilson_lower(successes: int, total: int, z: float = 1.64) -> float:
    """The lower end of the Wilson score interval of a proportion."""
    if total <= 0:
        return 0.0
    share = successes / total
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low = (share + z * z / (2 * total) - spread) / (1 + z * z / total)
    return min(1.0, max(0.0, low))


def cases_of(events: Iterable[Event]) -> list[Case]:
    """Episodes by kind and place, in order of their first one."""
    grouped: dict[tuple[Place, Shape], list[tuple[Event, Episode]]] = {}
    for event in events:
        episode = episode_of(event)
        if episode is not None:
            grouped.setdefault((place_of(event), shape_of(episode)), []).append((event, episode))
    return [Case(place, shape, tuple(found)) for (place, shape), found in grouped.items()]


def place_of(event: Event) -> Place:
    """Where a pattern of this episode belongs."""
    if event.scope in PRIVATE:
        holder = event.class_id or event.agent.id or ""
        return Place(event.scope, event.owner, event.project, None, f"{holder}|{event.acl}")
    if event.scope == "global":
        return Place("global", event.owner, None, None, "")
    if event.project:
        return Place("project", event.owner, event.project, None, "")
    return Place("session", event.owner, None, None, "")


def derive(
    cases: Iterable[Case],
    known: Mapping[tuple[Kind, str], Event],
    thresholds: PatternThresholds,
) -> list[DerivedPattern]:
    """What the cases show that is not known yet; `known` are the current ones by kind and key."""
    found = (_derive_one(case, known, thresholds) for case in cases)
    return [derived for derived in found if derived is not None]


def outdated(
    cases: Iterable[Case],
    known: Mapping[tuple[Kind, str], Event],
    thresholds: PatternThresholds,
) -> list[OutdatedPattern]:
    """The patterns that new episodes speak against."""
    found: list[OutdatedPattern] = []
    for case in cases:
        before = known.get(("pattern", case.key))
        total, wins = len(case.episodes), case.successes
        if before is None or wins >= thresholds.success_ratio * total:
            continue
        if _new_evidence(before, case):
            found.append(OutdatedPattern(before, f"only {wins} of {total} episodes worked"))
    return found


def pattern_draft(derived: DerivedPattern) -> Draft:
    """What the broker is given to remember a pattern."""
    case = derived.case
    newest, episode = max(case.episodes, key=lambda pair: (pair[0].at, pair[0].seq))
    total, wins = len(case.episodes), case.successes
    validated = max((e.at for e, each in case.episodes if not each.succeeded), default=newest.at)
    payload: dict[str, object] = {
        "key": case.key,
        "shape": case.shape._asdict(),
        "tool": episode.tool,
        "fix": episode.fix,
        "confidence": round(derived.confidence, 4),
        "successes": wins,
        "failures": total - wins,
        "reason": derived.reason,
    }
    if derived.kind == "anti_pattern":
        payload["validated_at"] = to_iso(validated)
        payload["kind"] = "failed_fix" if episode.fix else "anti_pattern"
    if case.place.scope == "class":
        payload["class_id"] = newest.class_id
    ids = [event.id for event, _ in sorted(case.episodes, key=lambda pair: pair[0].at)]
    return Draft(
        id=derived_id(derived.kind, case.key, *ids),
        type=derived.kind,
        text=_said(derived, episode),
        task=episode.task,
        scope=case.place.scope,
        owner=case.place.owner,
        project=case.place.project,
        session=newest.session,
        acl=newest.acl if case.place.scope in PRIVATE else (),
        agent=newest.agent,
        payload=payload,
        outcome="success" if derived.kind == "pattern" else "failure",
        evidence=tuple(ids[-_MOST_EVIDENCE:]),
        provenance=Provenance(newest.provenance.session_id, newest.provenance.trace_id),
        supersedes=derived.supersedes,
    )


def _derive_one(
    case: Case, known: Mapping[tuple[Kind, str], Event], thresholds: PatternThresholds
) -> DerivedPattern | None:
    total, wins = len(case.episodes), case.successes
    if total < thresholds.least:
        return None
    kind: Kind
    if wins >= thresholds.success_ratio * total:
        kind, hits = "pattern", wins
    elif total - wins >= thresholds.failure_ratio * total:
        kind, hits = "anti_pattern", total - wins
    else:
        return None
    confidence = wilson_lower(hits, total, thresholds.z)
    before = known.get((kind, case.key))
    if before is not None and kind == "anti_pattern":
        return None  # known: each new outcome confirms or weakens it
    if before is not None and not _matters(before, case, confidence, thresholds):
        return None
    ending = "worked" if kind == "pattern" else "failed"
    reason = f"{hits} of {total} episodes {ending}; confidence {confidence:.2f}"
    return DerivedPattern(kind, case, confidence, before.id if before else None, reason)


def _matters(before: Event, case: Case, confidence: float, thresholds: PatternThresholds) -> bool:
    """Whether there is new evidence, and it moves the confidence enough."""
    if not _new_evidence(before, case):
        return False
    was = before.payload.get("confidence")
    return not isinstance(was, int | float) or abs(was - confidence) >= thresholds.least_change


def _new_evidence(before: Event, case: Case) -> bool:
    return any(event.id not in before.evidence for event, _ in case.episodes[-_MOST_EVIDENCE:])


def _said(derived: DerivedPattern, episode: Episode) -> str:
    how = f" by `{episode.fix}`" if episode.fix else ""
    tool = f" with {episode.tool}" if episode.tool else ""
    if derived.kind == "pattern":
        return f"Works: {episode.task}{tool}{how}. {derived.reason}."
    return f"Avoid: {episode.task}{tool}{how}. {derived.reason}."


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


class Revalidation(NamedTuple):
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
) -> Revalidation:
    """The warning after one more outcome of what it warns about."""
    before = confidence_at(caution, now, thresholds)
    if failed:
        after = before + (1 - before) * thresholds.confirm
        return Revalidation(after, False, f"it failed again: {before:.2f} to {after:.2f}")
    after = before * (1 - thresholds.weaken)
    retired = after < thresholds.floor
    ending = ", too little to warn" if retired else ""
    return Revalidation(after, retired, f"it worked: {before:.2f} to {after:.2f}{ending}")


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
    return replace(
        draft_of(event),
        id=derived_id("anti_pattern", event.id, *new),
        at=None,
        session=event.session if event.scope == "session" else None,
        payload=payload,
        evidence=(*event.evidence, *new)[-_MOST_EVIDENCE:],
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
