"""Runs evaluations: each configuration in a home of its own, then a judge, then the report.

Only what would spoil every case (no provider, a broken plugin) ends an evaluation.
"""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from paige.app.application import App, open_app
from paige.app.lazy_memory import memory_access
from paige.app.plugin_runs import RunOptions, check_command, open_runtime
from paige.base.settings import Settings
from paige.doors.setup.eval_cases import (
    Bench,
    LessonResult,
    agreeable,
    run_case,
    run_series,
    shipped_yardstick,
)
from paige.doors.setup.eval_homes import SlowClock, make_home
from paige.doors.setup.eval_judges import Findings, judge_all, judging_settings
from paige.plan.evals.cases import Case, Config, Evals, Series, Suite
from paige.plan.evals.reports import Report, Row, stamp

BEGIN = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
"""When evaluated lessons are planned: always the same Monday, so that files are named alike."""
Work = Callable[[Bench], Awaitable[list[LessonResult]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """An evaluation: of what, with what, where lessons are put, and who is told how it goes."""

    settings: Settings
    evals: Evals
    suite: Suite
    configs: tuple[Config, ...]
    series: tuple[Config, ...] = ()
    limit: int | None = None
    repeat: int = 1
    judge: bool = False
    judge_model: str = ""
    keep: Path | None = None
    tell: Callable[[str], None] = lambda _: None


def run_evals(evaluation: Evaluation, *, now: datetime) -> Report:
    """Run a suite and report. Raises: Unavailable when nobody can answer."""
    evals = evaluation.evals
    made: list[LessonResult] = []
    cases = evals.cases_of(evaluation.suite)[: evaluation.limit]
    for config in evaluation.configs:
        made += _in_home(evaluation, config, _all(evaluation, cases), seeded=True)
    for config in evaluation.series:
        for series in evals.series:
            made += _in_home(evaluation, config, _one(evaluation, series), seeded=False)
    judged = _judged(evaluation, made) if evaluation.judge else None
    return Report(
        suite=evaluation.suite.name,
        made_at=now,
        stamp=stamp(),
        configs=tuple(
            {each.name: each for each in (*evaluation.configs, *evaluation.series)}.values()
        ),
        rows=tuple(each.row for each in (judged.made if judged else made)),
        calibration=judged.calibration if judged else None,
        judge=judged.who if judged else "",
    )


def _all(evaluation: Evaluation, cases: Sequence[Case]) -> Work:
    async def work(bench: Bench) -> list[LessonResult]:
        made: list[LessonResult] = []
        for number, case in enumerate(cases, 1):
            for attempt in range(1, evaluation.repeat + 1):
                one = await run_case(bench, case, agreeable)
                made.append(replace(one, row=replace(one.row, attempt=attempt)))
                said = f"{bench.config.name} {number}/{len(cases)} {case.id}: {_word(one.row)}"
                evaluation.tell(said)
        return made

    return work


def _one(evaluation: Evaluation, series: Series) -> Work:
    async def work(bench: Bench) -> list[LessonResult]:
        made = await run_series(bench, series)
        revised = ", ".join(str(each.row.behaviour.revised) for each in made)
        evaluation.tell(f"{bench.config.name} {series.id}: revised {revised}")
        return made

    return work


def _word(row: Row) -> str:
    if row.right:
        return "turned away" if row.refuse else "all right"
    failed = [each.name for each in (*row.structural, *row.behavioural) if not each.passed]
    return row.problem or ", ".join(failed) or row.status


def _in_home(
    evaluation: Evaluation, config: Config, work: Work, *, seeded: bool
) -> list[LessonResult]:
    """Make a home, open everything in it, work, and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="paige-eval-") as folder:
        home = make_home(evaluation.settings, config, Path(folder).resolve())
        check_command(home.settings, home.found, RunOptions())
        clock = SlowClock(BEGIN)
        with open_app(home.settings, strict=False, now=clock) as app:
            if seeded and config.memory:
                _seed(app, evaluation.evals)

            async def working() -> list[LessonResult]:
                options = RunOptions(model=config.model, memory=config.memory)
                async with open_runtime(app, home.found, options) as runtime:
                    return await work(
                        Bench(
                            app=app,
                            runtime=runtime,
                            home=home,
                            config=config,
                            evals=evaluation.evals,
                            clock=clock,
                            yardstick=shipped_yardstick(),
                            keep=evaluation.keep,
                            seeded=seeded,
                        )
                    )

            return anyio.run(working)


def _seed(app: App, evals: Evals) -> None:
    """Write what is remembered when the cases begin."""
    access = memory_access(app.memory, app.settings)
    for path, lines in evals.memory.items():
        access.documents.append(app.actor, path, "\n".join(f"- {line}" for line in lines))


def _judged(evaluation: Evaluation, made: Sequence[LessonResult]) -> Findings:
    with tempfile.TemporaryDirectory(prefix="paige-judge-") as folder:
        settings = judging_settings(evaluation.settings, Path(folder).resolve())
        with open_app(settings, strict=False) as app:

            async def working() -> Findings:
                return await judge_all(
                    app, evaluation.evals, made, evaluation.judge_model, evaluation.tell
                )

            return anyio.run(working)
