"""Keep what is there, or change it: eight questions, each answered with a measured number.

Four reasons speak for keeping (somebody relies on it, too little is known, something learned would
be lost, safety asks for it) and four for a change (it got worse, the work has changed, something
new is needed, tools are used badly). One reason to keep is enough to keep: a change is made only
when none holds and at least one reason for a change does. This is what a promotion has to pass.
Everything is counted from what was replayed and seen; nothing is guessed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from paige.guard.fast.guards import concerns, meets
from paige.guard.guards.trials import Acted, compiled, matches
from paige.guard.guards.values import Guard, GuardRecord, PastAction, Replay, ShadowHistory
from paige.guard.learning.settings import KeepLimits
from paige.guard.tools import kind_of

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
class LearnedAnswer:
    """One row of the table that decides whether to keep things or to change them."""

    row: str
    side: Side
    question: str
    holds: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether to keep or to change, and all eight answers."""

    verdict: Side
    answers: tuple[LearnedAnswer, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences that decided."""
        decisive = [each.why for each in self.answers if each.holds and each.side == self.verdict]
        return tuple(decisive) or ("Nothing measured asks for a change.",)


def judge(facts: Facts, limits: KeepLimits) -> Judgement:
    """Keep or update, with every row of the table answered."""
    measured = asdict(facts)
    answers = tuple(
        LearnedAnswer(
            row=row,
            side=side,
            question=question,
            holds=holds(facts, limits),
            why=why.format(**measured),
        )
        for row, side, question, holds, why in ROWS
    )
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


def _is_no_rarer(facts: Facts, limits: KeepLimits) -> bool:
    worse = facts.rate >= facts.rate_before * limits.degraded_ratio
    return facts.rate >= limits.degraded_rate and worse


# What is asked, what an answer speaks for, when the reason holds, and the numbers in a sentence.
ROWS: tuple[tuple[str, Side, str, Callable[[Facts, KeepLimits], bool], str], ...] = (
    (
        "Predictability critical",
        "keep",
        "Would anything change that was fine?",
        lambda facts, limits: facts.changed > limits.most_changed,
        "{changed} of {looked_at} actions that were fine would be stopped.",
    ),
    (
        "Limited labeled feedback",
        "keep",
        "Is too little known about whether it is right?",
        lambda facts, limits: facts.labels < limits.least_labels,
        "Of {labels} hits it is known whether they were right.",
    ),
    (
        "Preventing catastrophic forgetting",
        "keep",
        "Would something that was learned be lost?",
        lambda facts, limits: facts.forgotten > limits.most_forgotten,
        "{forgotten} examples learned earlier would hold no longer.",
    ),
    (
        "Regulatory/safety requirements",
        "keep",
        "Would something pass that is refused today?",
        lambda facts, limits: facts.loosened > limits.most_loosened,
        "{loosened} actions that are refused today would pass.",
    ),
    (
        "Performance degradation detected",
        "update",
        "Does the mistake go on, and not more rarely than before?",
        _is_no_rarer,
        "{rate:.2f} mistakes a session, {rate_before:.2f} before.",
    ),
    (
        "Data distribution shifts",
        "update",
        "Has the work become another one?",
        lambda facts, limits: facts.shift >= limits.shifted,
        "{shift:.0%} of the actions are others than before.",
    ),
    (
        "New capabilities needed",
        "update",
        "Are there mistakes that nothing blocks?",
        lambda facts, limits: facts.uncovered >= limits.least_uncovered,
        "{uncovered} mistakes were noticed by a person and blocked by nothing.",
    ),
    (
        "Tool use optimization needed",
        "update",
        "Are calls wasted on what is refused anyway?",
        lambda facts, limits: facts.wasted >= limits.wasted_calls,
        "{wasted:.2f} refused calls a session.",
    ),
)


def measure(
    record: GuardRecord, past: Replay, seen: ShadowHistory, actions: Sequence[Acted]
) -> Facts:
    """The numbers behind a promotion."""
    guard = record.guard
    made = compiled(guard)
    # Sessions in which it could not have happened say nothing about how often it does.
    before, after = _halves([each for each in actions if concerns(made, each[1])])
    right = len(past.already) + len(past.corrected)
    return Facts(
        changed=len(past.harmless) + seen.harmless,
        looked_at=past.actions + seen.events,
        labels=right + seen.harmless + seen.overridden,
        forgotten=_forgotten(record.blocking, guard),
        loosened=_loosened(record.blocking, guard, actions),
        rate=_rate(guard, after),
        rate_before=_rate(guard, before),
        shift=shift_between(_mix(before), _mix(after)),
        uncovered=len(past.corrected),
        wasted=_wasted(guard, actions),
    )


def _forgotten(blocking: Guard | None, guard: Guard) -> int:
    """Examples of the version that blocks now which the new one would not meet."""
    if blocking is None or blocking is guard:
        return 0
    return sum(not matches(guard, example) for example in blocking.must)


def _loosened(blocking: Guard | None, guard: Guard, actions: Iterable[Acted]) -> int:
    """Actions the version that blocks now refused and the new one would let pass."""
    if blocking is None or blocking is guard:
        return 0
    made = compiled(guard)
    return sum(
        past.rule == blocking.rule and not past.allowed and not meets(made, action)
        for past, action in actions
    )


def _rate(guard: Guard, actions: Sequence[Acted]) -> float:
    """Mistakes a session."""
    made = compiled(guard)
    sessions = _sessions(past for past, _ in actions)
    mistakes = sum(
        (not past.allowed or past.corrected) and meets(made, action) for past, action in actions
    )
    return mistakes / len(sessions) if sessions else 0.0


def _wasted(guard: Guard, actions: Sequence[Acted]) -> float:
    """Refused calls in each session that had one: calls the agent could have saved."""
    made = compiled(guard)
    refused = [past for past, action in actions if not past.allowed and meets(made, action)]
    sessions = _sessions(refused)
    return len(refused) / len(sessions) if sessions else 0.0


def _halves(actions: Sequence[Acted]) -> tuple[Sequence[Acted], Sequence[Acted]]:
    """The sessions of the first half and of the second, by when they began."""
    order = list(dict.fromkeys(past.session for past, _ in actions))
    first = frozenset(order[: len(order) // 2])
    before = [each for each in actions if each[0].session in first]
    return before, [each for each in actions if each[0].session not in first]


def _mix(actions: Iterable[Acted]) -> dict[str, int]:
    return dict(Counter(kind_of(past.example.tool) for past, _ in actions))


def _sessions(pasts: Iterable[PastAction]) -> frozenset[str]:
    return frozenset(past.session for past in pasts)
