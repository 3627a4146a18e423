"""Keep what is there, or change it: eight questions, each answered with a measured number.

Four reasons speak for keeping (somebody relies on it, too little is known, something learned would
be lost, safety asks for it) and four for a change (it got worse, the work has changed, something
new is needed, tools are used badly). One reason to keep is enough to keep: a change is made only
when none holds and at least one reason for a change does. This is what a promotion has to pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from paige.guard.learning.settings import KeepLimits

Side = Literal["keep", "update"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was measured about a change.

    `changed` are actions that were fine (of `looked_at`) and would be stopped, `labels` hits of
    which it is known whether they were right, `forgotten` examples of other guards or of the
    version before that would hold no longer, `loosened` actions that are refused today and would
    pass. Rates are mistakes a session, `shift` how far the mix of actions has moved (0 to 1),
    `uncovered` mistakes that nothing blocked, `wasted` refused calls a session.
    """

    changed: int = 0
    looked_at: int = 0
    labels: int = 0
    forgotten: int = 0
    loosened: int = 0
    rate: float = 0.0
    rate_before: float = 0.0
    shift: float = 0.0
    uncovered: int = 0
    wasted: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One row of the table: what was asked, what was measured, whether the reason holds."""

    row: str
    side: Side
    question: str
    measured: float
    threshold: float
    holds: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether to keep or to change, and all eight answers."""

    verdict: Side
    answers: tuple[Answer, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences that decided."""
        decisive = [each.why for each in self.answers if each.holds and each.side == self.verdict]
        return tuple(decisive) or ("Nothing measured asks for a change.",)


def judge(facts: Facts, limits: KeepLimits) -> Judgement:
    """Keep or update, with every row of the table answered."""
    answers = tuple(row(facts, limits) for row in ROWS)
    kept = any(each.holds for each in answers if each.side == "keep")
    changed = any(each.holds for each in answers if each.side == "update")
    return Judgement(verdict="update" if changed and not kept else "keep", answers=answers)


def shift_between(before: dict[str, int], after: dict[str, int]) -> float:
    """How far a mix of actions has moved: 0 is the same, 1 has nothing in common."""
    total_before, total_after = sum(before.values()), sum(after.values())
    if not total_before or not total_after:
        return 0.0  # nothing to compare with is no shift
    names = sorted({*before, *after})
    apart = sum(
        abs(before.get(name, 0) / total_before - after.get(name, 0) / total_after) for name in names
    )
    return min(apart / 2, 1.0)


def _predictability(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Predictability critical",
        "keep",
        "Would anything change that was fine?",
        (facts.changed, limits.most_changed),
        holds=facts.changed > limits.most_changed,
        why=f"{facts.changed} of {facts.looked_at} actions that were fine would be stopped.",
    )


def _feedback(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Limited labeled feedback",
        "keep",
        "Is too little known about whether it is right?",
        (facts.labels, limits.least_labels),
        holds=facts.labels < limits.least_labels,
        why=f"Of {facts.labels} hits it is known whether they were right.",
    )


def _forgetting(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Preventing catastrophic forgetting",
        "keep",
        "Would something that was learned be lost?",
        (facts.forgotten, limits.most_forgotten),
        holds=facts.forgotten > limits.most_forgotten,
        why=f"{facts.forgotten} examples learned earlier would hold no longer.",
    )


def _safety(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Regulatory/safety requirements",
        "keep",
        "Would something pass that is refused today?",
        (facts.loosened, limits.most_loosened),
        holds=facts.loosened > limits.most_loosened,
        why=f"{facts.loosened} actions that are refused today would pass.",
    )


def _degradation(facts: Facts, limits: KeepLimits) -> Answer:
    worse = facts.rate >= facts.rate_before * limits.degraded_ratio
    return _answer(
        "Performance degradation detected",
        "update",
        "Does the mistake go on, and not more rarely than before?",
        (facts.rate, limits.degraded_rate),
        holds=facts.rate >= limits.degraded_rate and worse,
        why=f"{facts.rate:.2f} mistakes a session, {facts.rate_before:.2f} before.",
    )


def _distribution(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Data distribution shifts",
        "update",
        "Has the work become another one?",
        (facts.shift, limits.shifted),
        holds=facts.shift >= limits.shifted,
        why=f"{facts.shift:.0%} of the actions are others than before.",
    )


def _capability(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "New capabilities needed",
        "update",
        "Are there mistakes that nothing blocks?",
        (facts.uncovered, limits.least_uncovered),
        holds=facts.uncovered >= limits.least_uncovered,
        why=f"{facts.uncovered} mistakes were noticed by a person and blocked by nothing.",
    )


def _tool_use(facts: Facts, limits: KeepLimits) -> Answer:
    return _answer(
        "Tool use optimization needed",
        "update",
        "Are calls wasted on what is refused anyway?",
        (facts.wasted, limits.wasted_calls),
        holds=facts.wasted >= limits.wasted_calls,
        why=f"{facts.wasted:.2f} refused calls a session.",
    )


def _answer(
    row: str, side: Side, question: str, numbers: tuple[float, float], *, holds: bool, why: str
) -> Answer:
    measured, threshold = numbers
    return Answer(
        row=row,
        side=side,
        question=question,
        measured=float(measured),
        threshold=float(threshold),
        holds=holds,
        why=why,
    )


ROWS: tuple[Callable[[Facts, KeepLimits], Answer], ...] = (
    _predictability,
    _feedback,
    _forgetting,
    _safety,
    _degradation,
    _distribution,
    _capability,
    _tool_use,
)
