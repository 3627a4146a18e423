"""What one case came to, and what many cases come to together: rates, means, sums."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeVar

from paige.plan.criteria import Criterion
from paige.plan.evals.behaviour import Behaviour
from paige.plan.evals.judging import Judged

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One case in one configuration, once."""

    config: str
    case: str
    class_id: str | None
    subject: str
    status: str
    source: str
    attempt: int = 1
    refuse: bool = False  # it should have been turned away
    series: str = ""
    number: int = 0  # in a series, from 1
    structural: tuple[Criterion, ...] = ()
    behavioural: tuple[Criterion, ...] = ()
    behaviour: Behaviour = field(default_factory=Behaviour)
    cited: tuple[str, ...] = ()
    accurate: bool | None = None  # about the curriculum, where codes were expected
    judged: Judged | None = None
    lesson: str = ""  # the file it was kept in
    problem: str = ""

    @property
    def right(self) -> bool:
        """Whether it came out as it should: a lesson that meets every criterion, or a refusal."""
        if self.refuse:
            return self.status == "error_hook_abort"
        criteria = (*self.structural, *self.behavioural)
        return self.status == "success" and all(each.passed for each in criteria)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the cases of one configuration come to."""

    config: str
    lessons: int
    refusals: int
    right: float
    criteria: dict[str, float]
    evidence: float | None  # pointers that hold, of all
    accuracy: float | None  # lessons that cite a fitting outcome
    tier2: float  # skill overviews read, a lesson
    tier3: float
    escalated: float
    workspace_reads: float
    memory_reads: float
    memory_writes: float
    revised: float
    memory_tokens: float
    prompt_tokens: float
    output_tokens: float
    cost_usd: float | None  # a lesson
    judged: dict[str, float]
    quality: float  # 0 to 1: the judge's mean where there is one, else criteria that are met


def summarise(rows: Sequence[Row], *, trusted: bool) -> tuple[Summary, ...]:
    """A summary of each configuration, in the order they ran; series are told apart."""
    names = dict.fromkeys(row.config for row in rows if not row.series)
    return tuple(
        _summary(name, [row for row in rows if row.config == name and not row.series], trusted)
        for name in names
    )


def _summary(config: str, rows: Sequence[Row], trusted: bool) -> Summary:
    lessons = [row for row in rows if not row.refuse]
    did = [row.behaviour for row in lessons]
    criteria = _rates(lessons)
    judged = _judged(lessons)
    costs = [each.cost_usd for each in did]
    pointers = sum(each.pointers for each in did)
    accurate = [row.accurate for row in lessons if row.accurate is not None]
    met = fmean(criteria.values()) if criteria else 0.0
    return Summary(
        config=config,
        lessons=len(lessons),
        refusals=len(rows) - len(lessons),
        right=_mean(rows, lambda row: row.right),
        criteria=criteria,
        evidence=sum(each.pointers_valid for each in did) / pointers if pointers else None,
        accuracy=fmean(accurate) if accurate else None,
        tier2=_mean(did, lambda each: each.tier2),
        tier3=_mean(did, lambda each: each.tier3),
        escalated=_mean(did, lambda each: each.escalated),
        workspace_reads=_mean(did, lambda each: each.workspace_reads),
        memory_reads=_mean(did, lambda each: each.memory_reads),
        memory_writes=_mean(did, lambda each: each.memory_writes),
        revised=_mean(did, lambda each: each.revised),
        memory_tokens=_mean(did, lambda each: each.memory_tokens),
        prompt_tokens=_mean(did, lambda each: each.prompt_tokens),
        output_tokens=_mean(did, lambda each: each.output_tokens),
        cost_usd=None if None in costs else _mean([c for c in costs if c is not None], float),
        judged=judged,
        quality=(fmean(judged.values()) - 1) / 4 if judged and trusted else met,
    )


def _rates(rows: Sequence[Row]) -> dict[str, float]:
    """How often each criterion was met; a lesson that was not made met none."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(each.name for each in (*row.structural, *row.behavioural)))
    met = [
        {each.name for each in (*row.structural, *row.behavioural) if each.passed} for row in rows
    ]
    return {name: sum(name in each for each in met) / len(rows) for name in names}


def _judged(rows: Sequence[Row]) -> dict[str, float]:
    scores: dict[str, list[int]] = {}
    for row in rows:
        for name, score in (row.judged.scores if row.judged else {}).items():
            scores.setdefault(name, []).append(score)
    return {name: fmean(each) for name, each in scores.items()}


def _mean(items: Iterable[T], value: Callable[[T], float]) -> float:
    found = [float(value(item)) for item in items]
    return fmean(found) if found else 0.0
