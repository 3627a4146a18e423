"""What cases came to, one by one and together, and the report that tells it as JSON.

A report carries a stamp, the hash of everything that decides what lessons come out: this room, the
plugin, the topics, the sample workspace and the evaluations themselves. When one of them changes,
the figures may have changed as well.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.base.paths import shipped
from paige.plan.evals.behaviour import Behaviour
from paige.plan.evals.cases import Config
from paige.plan.evals.criteria import Criterion
from paige.plan.evals.judges import Calibration, Scores

FORMAT = 1
DIGITS = 4
ENDINGS = (".py", ".md", ".toml")
SHIPPED = ("evals", "plan", "plugins/lesson-planning", "workspace")
STAMP_LENGTH = 16


MEANS = (
    *("tier2", "tier3", "escalated", "workspace_reads", "memory_reads", "memory_writes"),
    *("revised", "memory_tokens", "prompt_tokens", "output_tokens"),
)
"""What of the behaviour a summary has the mean of."""


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
    judged: Scores | None = None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything one evaluation found."""

    suite: str
    made_at: datetime
    stamp: str
    configs: tuple[Config, ...]
    rows: tuple[Row, ...]
    calibration: Calibration | None = None
    judge: str = ""  # who judged

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What each configuration came to."""
        trusted = self.calibration is not None and self.calibration.trusted
        return summarise(self.rows, trusted=trusted)


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
        right=_mean([row.right for row in rows]),
        criteria=criteria,
        evidence=sum(each.pointers_valid for each in did) / pointers if pointers else None,
        accuracy=fmean(accurate) if accurate else None,
        **{name: _mean([getattr(each, name) for each in did]) for name in MEANS},
        cost_usd=None if None in costs else _mean([c for c in costs if c is not None]),
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


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def dump_report(report: Report) -> dict[str, Any]:
    """A report as JSON; the same findings always give the same text."""
    return rounded(
        {
            "format": FORMAT,
            "suite": report.suite,
            "made_at": to_iso(report.made_at),
            "stamp": report.stamp,
            "configs": [each.model_dump(exclude_defaults=True) for each in report.configs],
            "summaries": [asdict(each) for each in report.summaries],
            "series": series_points(report.rows),
            "judge": _judge(report),
            "rows": [_row(row) for row in report.rows],
        }
    )


def read_report(path: Path) -> dict[str, Any]:
    """A report from its file, or from `report.json` in its folder. Raises: BadInput, NotFound."""
    place = path / "report.json" if path.is_dir() else path
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(
            f"There is no report `{place}`", hint="`paige eval run --out DIR` writes one."
        ) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"`{place}` is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(f"`{place}` is not a report of an evaluation", hint="Make it again.")
    return data


def series_points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each lesson of a series: how much was revised, and how much memory was there."""
    return [
        {
            "config": row.config,
            "series": row.series,
            "number": row.number,
            "revised": row.behaviour.revised,
            "memory_tokens": row.behaviour.memory_tokens,
            "surfaced": row.behaviour.surfaced.get("memory", 0),
        }
        for row in rows
        if row.series
    ]


def rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON with numbers of few digits, so that a report does not change by nothing."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, Mapping):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def _row(row: Row) -> dict[str, Any]:
    told = asdict(row)
    told["class"] = told.pop("class_id")
    return {
        **told,
        "right": row.right,
        # A criterion that is met says so, one that is not says why.
        "structural": {each.name: each.passed or each.reason for each in row.structural},
        "behavioural": {each.name: each.passed or each.reason for each in row.behavioural},
    }


def _judge(report: Report) -> dict[str, Any] | None:
    found = report.calibration
    if found is None:
        return None
    return {
        "who": report.judge,
        "trusted": found.trusted,
        "agreement": asdict(found.overall),
        "dimensions": {name: asdict(each) for name, each in found.dimensions.items()},
        "unsupported": found.unsupported,
    }


def stamp() -> str:
    """The hash of code and data as they are now."""
    total = hashlib.sha256()
    for name, path in _stamped_files():
        total.update(f"{name}\0".encode())
        # Line ends differ between machines, what is said does not.
        total.update(path.read_bytes().replace(b"\r\n", b"\n"))
        total.update(b"\0")
    return total.hexdigest()[:STAMP_LENGTH]


def _stamped_files() -> list[tuple[str, Path]]:
    """Every file that counts with its name, in order."""
    room = Path(__file__).parents[1]
    roots = [("plan", room), *((f"shipped/{name}", shipped(name)) for name in SHIPPED)]
    return sorted(
        (f"{name}/{path.relative_to(root).as_posix()}", path)
        for name, root in roots
        for path in root.rglob("*")
        if path.suffix in ENDINGS and path.is_file()
    )
