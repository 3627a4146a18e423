"""Reports of evaluations: JSON for programs, a markdown page for people, both from one value."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.plan.evals.cases import Config
from paige.plan.evals.judging import Calibration
from paige.plan.evals.scoring import Row, Summary, summarise

FORMAT = 1
DIGITS = 4


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
    judged = row.judged
    return {
        "config": row.config,
        "case": row.case,
        "class": row.class_id,
        "subject": row.subject,
        "attempt": row.attempt,
        "series": row.series,
        "number": row.number,
        "status": row.status,
        "source": row.source,
        "right": row.right,
        "refuse": row.refuse,
        # A criterion that is met says so, one that is not says why.
        "structural": {each.name: each.passed or each.reason for each in row.structural},
        "behavioural": {each.name: each.passed or each.reason for each in row.behavioural},
        "behaviour": row.behaviour.dump(),
        "cited": list(row.cited),
        "accurate": row.accurate,
        "judged": None
        if judged is None
        else {
            "scores": dict(judged.scores),
            "quotes": dict(judged.quotes),
            "problems": list(judged.problems),
        },
        "problem": row.problem,
        "lesson": row.lesson,
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
