"""What outcomes say about a policy: the next step of a trial, or the next thing to try.

Pure decisions over a lineage and the outcomes of its sessions. Trials are judged at fixed sample
sizes, each on exactly that many outcomes of each side, so that looking often does not make luck
look like success. Validation counts only outcomes that came after it began: the lucky ones that
made a version look promising do not count twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from typing import NamedTuple

from paige.memory.event import Draft
from paige.memory.lifecycle.outcomes import (
    Comparison,
    Outcome,
    Tally,
    compare,
    dump_tally,
    load_tally,
    tally,
)
from paige.memory.lifecycle.policies import (
    Change,
    Key,
    PolicyBook,
    PolicyThresholds,
    Proposal,
    RetrievalPolicy,
    change_of,
    changed,
    dimensions,
    policy_draft,
    tried_changes,
)
from paige.memory.lifecycle.staged import (
    Lineage,
    StagedVersion,
    StageThresholds,
    Step,
    assigned,
    begin,
    look_at,
    looks,
)

# How sure a leaning has to be before it decides what is tried next.
_LEANS = 1.64
# Worsening long after going live has to be much clearer: it is asked again and again.
_LATE_ALPHA = 0.005
Features = Mapping[str, Mapping[str, float]]  # by outcome: the mean of what was recalled


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialEvidence:
    """Everything a decision is made with."""

    policy: PolicyThresholds
    stages: StageThresholds
    now: datetime


class Tendency(NamedTuple):
    """What tasks that ended well had more or less of, and how clearly."""

    change: Change
    strength: float


class Arms(NamedTuple):
    """Outcomes of the version being tried and of the one in production, in order of time."""

    control: list[Outcome]
    tried: list[Outcome]


def policy_steps(
    book: PolicyBook, outcomes: Sequence[Outcome], features: Features, learning: TrialEvidence
) -> list[Draft]:
    """The drafts of the next steps of every policy, at most one decision each."""
    since = learning.now - timedelta(days=learning.policy.window_days)
    recent = sorted(
        (each for each in outcomes if each.at >= since), key=lambda each: (each.at, each.id)
    )
    drafts: list[Draft] = []
    for key, members in sorted(_by_key(book, recent, learning.policy.least_outcomes).items()):
        drafts += _steps_of(book, key, members, features, learning)
    return drafts


def judge_trial(
    lineage: Lineage[RetrievalPolicy],
    tried: StagedVersion[RetrievalPolicy],
    arms: Arms,
    by: TrialEvidence,
) -> Step | None:
    """The next step of a version that is being tried; `None` while it has to go on."""
    stages = by.stages
    if by.now - tried.since > timedelta(days=by.policy.window_days):
        return Step("retired", by.now, f"too few tasks in {by.policy.window_days:.0f} days")
    experiment = tried.stage == "experiment"
    least = stages.experiment_samples if experiment else stages.validate_samples
    most = stages.validate_samples if experiment else stages.most_samples
    samples = min(len(arms.control), len(arms.tried))
    look = look_at(samples, least, most)
    if look is None:
        return None
    sizes = looks(least, most)
    found = _first_decision(arms, sizes[: look + 1], by, experiment=experiment)
    if found is not None:
        return found
    if look == len(sizes) - 1:
        compared, metrics = _compared(arms, sizes[look], 1.0)
        return Step("retired", by.now, f"no clear gain: {compared.reason}", metrics)
    return None


def judge_production(
    production: StagedVersion[RetrievalPolicy], outcomes: Sequence[Outcome], by: TrialEvidence
) -> Step | None:
    """The step back when tasks end worse than they did under the version before."""
    baseline = _baseline(production)
    if baseline is None:
        return None
    sizes = looks(by.stages.watch_samples, by.stages.most_samples)
    # The first tasks are looked at in growing numbers, later ones in blocks of equal size.
    blocks = [(0, size, by.stages.watch_alpha / len(sizes)) for size in sizes]
    start, size = sizes[-1], by.stages.validate_samples
    while start + size <= len(outcomes):
        blocks.append((start, start + size, _LATE_ALPHA))
        start += size
    for first, last, alpha in blocks:
        if last > len(outcomes):
            break
        since = tally(outcomes[first:last])
        compared = compare(baseline, since, alpha=alpha)
        if compared.verdict == "worse":
            metrics = {"before": dump_tally(baseline), "after": dump_tally(since)}
            return Step("rolled_back", by.now, f"worse than before: {compared.reason}", metrics)
    return None


def leanings(outcomes: Iterable[Outcome], features: Features) -> list[Tendency]:
    """Which signal the memories of good tasks had more of, clearest first."""
    known = [(each, features[each.id]) for each in outcomes if each.id in features]
    found: list[Tendency] = []
    for name in ("importance", "recency", "access"):
        good = [values[name] for each, values in known if each.success and name in values]
        bad = [values[name] for each, values in known if not each.success and name in values]
        z = _difference(good, bad)
        if abs(z) >= _LEANS:
            found.append(Tendency(Change(name, 1 if z > 0 else -1), abs(z)))
    return sorted(found, key=lambda each: -each.strength)


def next_proposal(
    lineage: Lineage[RetrievalPolicy], leaning: Sequence[Tendency], by: TrialEvidence
) -> tuple[Proposal, str] | None:
    """What to try next, with the reason; `None` when everything near was tried lately."""
    base = lineage.production.value
    lost = tried_changes(lineage, by.now - timedelta(days=by.stages.again_days))
    for change, reason in _wishes(lineage, leaning):
        policy = None if change in lost else changed(base, change, by.policy)
        if policy is not None:
            return Proposal(policy, base, change), reason
    return None


def arms_of(
    lineage: Lineage[RetrievalPolicy],
    key: Key,
    outcomes: Iterable[Outcome],
    stages: StageThresholds,
) -> Arms:
    """Who used which version since the trial's stage began."""
    tried = lineage.tried
    arms = Arms([], [])
    for each in outcomes:
        if tried is None or each.at < tried.since:
            continue
        version = _version(lineage, key, each, stages)
        if version == tried.version:
            arms.tried.append(each)
        elif version == lineage.production.version:
            arms.control.append(each)
    return arms


def _steps_of(
    book: PolicyBook, key: Key, outcomes: Sequence[Outcome], features: Features, by: TrialEvidence
) -> list[Draft]:
    start = book.current(*key, None).policy
    lineage = book.lineages.get(key) or begin(start, at=by.now, reason="as shipped")
    production, tried = lineage.production, lineage.tried
    lived = [
        each
        for each in outcomes
        if each.at >= production.since
        and _version(lineage, key, each, by.stages) == production.version
    ]
    back = judge_production(production, lived, by)
    if back is not None:
        drafts = [policy_draft(key, production.version, back)]
        if tried is not None:
            ended = Step("retired", by.now, "the version it was made from was rolled back")
            drafts.insert(0, policy_draft(key, tried.version, ended))
        return drafts
    if tried is not None:
        step = judge_trial(lineage, tried, arms_of(lineage, key, outcomes, by.stages), by)
        return [policy_draft(key, tried.version, step)] if step else []
    watched = _baseline(production) is None or len(lived) >= 2 * by.stages.watch_samples
    if len(outcomes) < by.policy.least_outcomes or not watched:
        return []
    found = next_proposal(lineage, leanings(outcomes, features), by)
    if found is None:
        return []
    proposal, reason = found
    step = Step("experiment", by.now, reason)
    return [policy_draft(key, len(lineage.versions), step, proposal)]


def _by_key(book: PolicyBook, outcomes: Iterable[Outcome], least: int) -> dict[Key, list[Outcome]]:
    """Outcomes by role and scope; where these are too few, together with all the others."""
    own: dict[Key, list[Outcome]] = {}
    for each in outcomes:
        own.setdefault(Key(each.role, each.policy_scope), []).append(each)
    grouped: dict[Key, list[Outcome]] = {}
    for key, members in own.items():
        enough = key in book.lineages or len(members) >= least
        grouped.setdefault(key if enough else Key(), []).extend(members)
    for members in grouped.values():
        members.sort(key=lambda each: (each.at, each.id))
    return grouped


def _version(
    lineage: Lineage[RetrievalPolicy], key: Key, outcome: Outcome, stages: StageThresholds
) -> int | None:
    """Which version an outcome belongs to: as it says, or as its session was assigned."""
    if outcome.policy is not None:
        same = outcome.policy[:2] == key
        first = lineage.line == (0,) and outcome.policy.version == 0
        return outcome.policy.version if same or first else None
    if outcome.session is None:
        return lineage.production.version
    return assigned(lineage, outcome.session, stages).version


def _first_decision(
    arms: Arms, sizes: Sequence[int], by: TrialEvidence, *, experiment: bool
) -> Step | None:
    """The decision of the first look that gave one, the same whenever it is asked for."""
    least, most = sizes[0], by.stages.validate_samples if experiment else by.stages.most_samples
    alpha = by.stages.alpha / len(looks(least, most))
    for size in sizes:
        compared, metrics = _compared(arms, size, alpha)
        if compared.verdict == "worse":
            return Step("retired", by.now, f"it lost: {compared.reason}", metrics)
        if experiment and compared.p_better < compared.p_worse:
            return Step("validate", by.now, f"promising: {compared.reason}", metrics)
        if not experiment and compared.verdict == "better":
            return Step("production", by.now, f"it won: {compared.reason}", metrics)
    return None


def _compared(arms: Arms, size: int, alpha: float) -> tuple[Comparison, Mapping[str, object]]:
    control, tried = tally(arms.control[:size]), tally(arms.tried[:size])
    metrics = {"control": dump_tally(control), "tried": dump_tally(tried)}
    return compare(control, tried, alpha=alpha), metrics


def _baseline(production: StagedVersion[RetrievalPolicy]) -> Tally | None:
    """How tasks ended under the version before, as far as that was measured."""
    found = production.metrics.get("control")
    return load_tally(found) if isinstance(found, Mapping) else None


def _wishes(
    lineage: Lineage[RetrievalPolicy], leaning: Sequence[Tendency]
) -> list[tuple[Change, str]]:
    wishes: list[tuple[Change, str]] = []
    last = change_of(lineage.production)
    if last is not None:
        wishes.append((last, f"the last step of `{last.dimension}` helped, so one more"))
    for each in leaning:
        more = "more" if each.change.direction > 0 else "less"
        said = f"memories in tasks that ended well had {more} {each.change.dimension}"
        wishes.append((each.change, f"{said} (z {each.strength:.1f})"))
    names = dimensions(lineage.production.value)
    # Each version starts elsewhere, so that every dimension gets its turn.
    start = len(lineage.versions) - 1
    for place in range(len(names)):
        name = names[(start + place) % len(names)]
        wishes += [(Change(name, way), f"`{name}` was not tried lately") for way in (1, -1)]
    return wishes


def _difference(good: Sequence[float], bad: Sequence[float]) -> float:
    if len(good) < 2 or len(bad) < 2:
        return 0.0
    spread = sqrt(_spread(good) + _spread(bad))
    gap = sum(good) / len(good) - sum(bad) / len(bad)
    return gap / spread if spread else 0.0


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((each - mean) ** 2 for each in values) / (len(values) - 1) / len(values)
