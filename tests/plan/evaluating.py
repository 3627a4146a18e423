"""Evaluations in tests: settings, one way to run a suite, and a model that plans and judges."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from paige.base.settings import Settings
from paige.doors.setup.eval_runs import Evaluation, run_evals
from paige.plan.evals.cases import Evals, read_evals
from paige.plan.evals.reports import Report
from tests.conftest import NOON
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.wire_bodies import ANTHROPIC

JUDGING = "You judge lesson plans"
SKILL, SKILL_FILE = "differentiation", "differentiation/eal-strategies.md"


def local_settings(folder: Path) -> Settings:
    """Nobody answers but local rules."""
    return Settings(cwd=folder, environ={"HOME": str(folder)}, provider="local")


def model_settings(folder: Path, url: str) -> Settings:
    """The model at an address answers."""
    return replace(
        local_settings(folder), provider="anthropic", anthropic_api_key="sk-ant-x", base_url=url
    )


def evaluate(settings: Settings, suite: str = "offline", **changes: Any) -> Report:
    """Run a suite; `configs` and `series` are names, the rest as `Evaluation` has it."""
    evals: Evals = changes.pop("evals", None) or read_evals()
    chosen = evals.suite(suite)
    configs = changes.pop("configs", chosen.configs)
    series = changes.pop("series", chosen.series)
    evaluation = Evaluation(
        settings=settings,
        evals=evals,
        suite=chosen,
        configs=tuple(evals.config(name) for name in configs),
        series=tuple(evals.config(name) for name in series),
        **changes,
    )
    return run_evals(evaluation, now=NOON)


def planner_and_judge(
    lessons: Mapping[str, str], score: Callable[[str, str], int]
) -> Callable[[Recorded], Reply]:
    """A model that reads a skill and one of its files, then answers with a lesson; and judges.

    `lessons` are by request. `score` is given a dimension and the text that is judged.
    """

    def answer(request: Recorded) -> Reply:
        body = request.body
        said = json.dumps(body["messages"], ensure_ascii=False)
        if JUDGING in json.dumps(body["system"]):
            return _verdict(body, score)
        tools = {tool["name"] for tool in body.get("tools", ())}
        read = [reference for reference in (SKILL, SKILL_FILE) if f'"{reference}"' in said]
        if "read_skill" in tools and len(read) < 2:
            wanted = (SKILL, SKILL_FILE)[len(read)]
            return _tool(body, f"call_{len(read)}", wanted)
        lesson = next(text for request, text in lessons.items() if request in said)
        return ANTHROPIC.text_stream(lesson) if body.get("stream") else ANTHROPIC.answer(lesson)

    return answer


def _tool(body: Mapping[str, Any], call: str, reference: str) -> Reply:
    given = {"reference": reference}
    if body.get("stream"):
        return ANTHROPIC.tool_stream(call, "read_skill", json.dumps(given))
    return ANTHROPIC.tool_call(call, "read_skill", given)


def _verdict(body: Mapping[str, Any], score: Callable[[str, str], int]) -> Reply:
    text = body["messages"][0]["content"]
    text = text if isinstance(text, str) else text[0]["text"]
    line = next(line for line in text.splitlines() if line.startswith("I can "))
    scores = [
        {"dimension": each.name, "score": score(each.name, text), "quote": line, "reason": "so"}
        for each in read_evals().rubric
    ]
    return ANTHROPIC.answer(json.dumps({"scores": scores}))
