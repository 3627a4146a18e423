"""Learning as doors see it: run it, write proposals down, report, and decide on prompts.

Everything here reads files and the database: call it in a thread.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from difflib import unified_diff
from pathlib import Path
from typing import Any

from paige.app.application import App
from paige.app.guards import AutomaticStep, place_for, review
from paige.app.hook_requests import spool_of_desk
from paige.app.memory_use import open_graph
from paige.base.errors import NotFound, PaigeError
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.values import Edge, Node
from paige.guard.guards.stages import introduce
from paige.guard.learning.learning import Findings, known, learn, report_of, success
from paige.guard.learning.metrics import LearnedMetrics
from paige.guard.learning.prompt_files import Move, keep_changes, move_prompt, prompt_records
from paige.guard.learning.prompts import PromptRecord, WatchedChange, watch
from paige.guard.learning.proposals import Surroundings
from paige.guard.learning.report import Report

logger = logging.getLogger(__name__)
POLICY = "policy"
MOST_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Run:
    """What a run learned, and what it was learned from."""

    learned: Findings
    guards: Surroundings


@dataclass(frozen=True, slots=True)
class LearningResult:
    """What was written down: guards, those that were refused and why, prompts, other steps."""

    introduced: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    prompts: tuple[str, ...] = ()
    reviewed: tuple[AutomaticStep, ...] = ()


def run(app: App) -> Run:
    """Learn from everything that happened, also what hooks noted a moment ago."""
    take_in_waiting(app)
    graph = open_graph(app)
    guards = known(place_for(app), graph)
    return Run(learn(graph, guards, app.now()), guards)


def apply(app: App, found: Run, *, by: str) -> LearningResult:
    """Write proposals down as experiments, then make the steps that numbers ask for."""
    place, now = place_for(app), app.now()
    introduced: list[str] = []
    refused: list[tuple[str, str]] = []
    for each in found.learned.proposals:
        try:
            record = introduce(
                place, each.guard, found.guards.history, now=now, by=by, why=each.why
            )
        except PaigeError as error:
            refused.append((each.guard.id, error.message))
            continue
        introduced.append(record.id)
        edges = [
            Edge(Node("decision", trace), "made_guard", Node("guard", record.id), now)
            for trace in each.guard.evidence
        ]
        open_graph(app).link(edges)
    kept = keep_changes(place.root, found.learned.prompts, now)
    if found.guards.learning.promotion.promote == POLICY:
        _by_policy(app, found.guards, kept)
    return LearningResult(
        introduced=tuple(introduced),
        refused=tuple(refused),
        prompts=tuple(each.agent for each in kept),
        reviewed=review(app),
    )


def reported(app: App) -> tuple[Report, LearnedMetrics]:
    """The checklist of anti-patterns, and the success metrics."""
    take_in_waiting(app)
    graph = open_graph(app)
    guards = known(place_for(app), graph)
    return report_of(graph, guards, app.now()), success(graph, guards, app.now())


def move_prompt_of(app: App, agent: str, how: Move, *, by: str, why: str) -> Path:
    """Apply, confirm or withdraw the change of an agent's prompt.

    Raises: NotFound, Conflict, Refused, Unavailable.
    """
    return move_prompt(place_for(app).root, agent, how, by=by, why=why, now=app.now())


def prompt_rows(app: App, agent: str | None = None) -> list[dict[str, Any]]:
    """The changes of prompts that are being tried, as JSON. Raises: NotFound."""
    guards = known(place_for(app))
    records = prompt_records(guards.root)
    if agent is not None and agent not in records:
        raise NotFound(
            f"There is no change of the prompt of `{agent}`",
            hint="`paige guard learn --apply` writes proposals down.",
        )
    chosen = [each for name, each in records.items() if agent in (None, name)]
    watched = {each.record.agent: each for each in _watched(app, guards, chosen)}
    return [
        _row(each, watched.get(each.agent)) for each in chosen if each.lineage.tried is not None
    ]


def take_in_waiting(app: App) -> None:
    """Take in what hooks noted and nobody took in yet; learning goes on without it."""
    spool = app.settings.data_dir / "spool"
    if not spool.is_dir() or not any(spool.iterdir()):
        return
    try:
        spool_of_desk(app, place_for(app)).drain(app.now, most_lines=MOST_LINES)
    except PaigeError as error:
        logger.warning("Lines of hooks wait and could not be taken in: %s", error.message)


def _by_policy(app: App, guards: Surroundings, fresh: tuple[PromptRecord, ...]) -> None:
    """What a policy does with prompts: put new changes in, keep or take back watched ones."""
    moves: list[tuple[str, Move, str]] = [
        (each.agent, "apply", "A policy tries every proposal.") for each in fresh
    ]
    records = [each for each in prompt_records(guards.root).values() if each not in fresh]
    for each in _watched(app, guards, records):
        numbers = f"{each.rates.before:.2f} mistakes a session before, {each.rates.after:.2f} since"
        if each.verdict is not None:
            how: Move = "confirm" if each.verdict == "confirmed" else "withdraw"
            moves.append((each.record.agent, how, f"{numbers}."))
    for agent, how, why in moves:
        try:
            move_prompt_of(app, agent, how, by=POLICY, why=why)
        except PaigeError as error:
            logger.warning("The prompt of %s stays as it is: %s", agent, error.message)


def _watched(
    app: App, guards: Surroundings, records: list[PromptRecord]
) -> tuple[WatchedChange, ...]:
    numbers = guards.learning
    since = app.now() - timedelta(days=numbers.patterns.days)
    groups = open_graph(app).groups(guards.project or None, since)
    return watch(records, groups, numbers.report.least_cases)


def _row(record: PromptRecord, watched: WatchedChange | None) -> dict[str, Any]:
    tried = record.lineage.tried
    assert tried is not None, "only changes that are being tried are shown"
    old, new = record.lineage.production.value, tried.value
    diff = unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="", n=1)
    made: dict[str, Any] = {
        "agent": record.agent,
        "file": record.file,
        "stage": tried.stage,
        "why": tried.history[0].reason,
        "tokens": count_tokens_bound(new) - count_tokens_bound(old),
        "diff": list(diff),
    }
    if watched is not None:
        made |= {"rates": watched.rates._asdict(), "verdict": watched.verdict}
    return made
