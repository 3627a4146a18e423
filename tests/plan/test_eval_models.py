"""Evaluations with a model, over the real wire: judge, ablations, models compared, costs."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from paige.base.errors import PaigeError
from paige.models.errors import ApiKeyInvalid
from paige.plan.evals.cases import Config, read_evals
from paige.plan.evals.pages import render_page
from paige.plan.evals.reports import dump_report
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.plan.evaluating import (
    SKILL,
    SKILL_FILE,
    evaluate,
    local_settings,
    model_settings,
    planner_and_judge,
)

CASES = 1


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Lessons that hold in the sample workspace, by request: local rules wrote them."""
    folder = tmp_path_factory.mktemp("lessons")
    report = evaluate(local_settings(folder), "quick", keep=folder, limit=CASES)
    requests = {case.id: case.request for case in read_evals().cases}
    return {requests[row.case]: (folder / row.lesson).read_text() for row in report.rows}


@pytest.fixture
def model() -> Iterator[ServedModel]:
    with served_model() as served:
        yield served


def agrees(dimension: str, text: str) -> int:
    """Judges the labelled extracts as the teacher did, and everything else with 4."""
    for label in read_evals().labels:
        if label.text.strip().splitlines()[1] in text:
            same = label.text.strip() in text
            if same:
                return label.scores[dimension]
    return 4


def disagrees(dimension: str, text: str) -> int:
    return 6 - agrees(dimension, text)


def test_a_model_is_evaluated_by_its_lessons_its_trace_and_its_cost(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    model.answers_with(planner_and_judge(lessons, agrees))
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=CASES)
    for row in report.rows:
        assert row.source == "anthropic"
        assert row.right, [*row.structural, *row.behavioural, row.problem]
        assert row.behaviour.skills == (SKILL, SKILL_FILE)
        assert (row.behaviour.tier2, row.behaviour.tier3) == (1, 1)
        assert (row.behaviour.escalated, row.behaviour.skipped) == (1, 0)
        assert row.behaviour.model_calls == 3
        assert row.behaviour.output_tokens > 0
        assert row.behaviour.cost_usd
    [base] = report.summaries
    assert base.cost_usd is not None
    assert base.cost_usd > 0


def test_ablations_take_away_what_they_say(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    model.answers_with(planner_and_judge(lessons, agrees))
    configs = ("base", "no-skills", "single-agent", "bare")
    report = evaluate(model_settings(tmp_path, model.url), "quick", configs=configs, limit=1)
    by_config = {row.config: row for row in report.rows}
    offered = {
        name: {tool["name"] for tool in request.body["tools"]}
        for name, request in zip(by_config, _first_of_each(model), strict=True)
    }
    assert {"read_skill", "spawn_subagent", "read_memory"} <= offered["base"]
    assert "read_skill" not in offered["no-skills"]
    assert offered["base"] - offered["single-agent"] == {
        "spawn_subagent",
        "transfer_to_resource-creator",
    }
    assert not {"read_skill", "read_memory", "update_memory"} & offered["bare"]
    assert by_config["no-skills"].behaviour.tier2 == 0
    assert by_config["bare"].behaviour.memory_tokens == 0
    sizes = {name: row.behaviour.prompt_tokens for name, row in by_config.items()}
    assert sizes["bare"] < sizes["no-skills"] < sizes["base"]


def _first_of_each(model: ServedModel) -> list:
    """The first request of each run: the one without an answer of the model in it."""
    return [r for r in model.requests if len(r.body["messages"]) == 1]


def test_a_judge_that_agrees_with_the_labels_is_trusted_and_counts(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    model.answers_with(planner_and_judge(lessons, agrees))
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1, judge=True)
    assert report.calibration is not None
    assert report.calibration.trusted
    assert report.calibration.overall.pairs == 72
    assert report.calibration.overall.kappa == 1.0
    [row] = report.rows
    assert row.judged is not None
    assert set(row.judged.scores.values()) == {4}
    assert all(quote.startswith("I can ") for quote in row.judged.quotes.values())
    [base] = report.summaries
    assert base.quality == 0.75
    assert "trusted" in render_page(dump_report(report))


def test_a_judge_that_disagrees_is_untrusted_and_does_not_count(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    model.answers_with(planner_and_judge(lessons, disagrees))
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1, judge=True)
    assert report.calibration is not None
    assert not report.calibration.trusted
    assert report.calibration.overall.kappa < 0
    [base] = report.summaries
    assert base.judged["clarity"] == 2.0
    assert base.quality == 1.0
    assert "**untrusted**" in render_page(dump_report(report))


def test_a_judge_that_quotes_what_is_not_there_has_said_nothing(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    plan = planner_and_judge(lessons, agrees)

    def invents(request):
        reply = plan(request)
        if "You judge" not in str(request.body["system"]):
            return reply
        return ANTHROPIC.answer(
            '{"scores": [{"dimension": "clarity", "score": 5, "quote": "words of another lesson", '
            '"reason": "so"}]}'
        )

    model.answers_with(invents)
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1, judge=True)
    assert report.calibration is not None
    assert report.calibration.unsupported == 72
    assert not report.calibration.trusted
    [row] = report.rows
    assert row.judged is not None
    assert row.judged.scores == {}
    assert "`clarity`: its quote is not in the lesson" in row.judged.problems


def test_an_answer_that_is_no_verdict_is_a_problem_of_that_lesson(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    plan = planner_and_judge(lessons, agrees)

    def rambles(request):
        judging = "You judge" in str(request.body["system"])
        return ANTHROPIC.answer("I would rather not.") if judging else plan(request)

    model.answers_with(rambles)
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1, judge=True)
    [row] = report.rows
    assert row.right
    assert row.judged is not None
    assert "is no `Verdict`" in row.judged.problems[0]


def test_models_are_compared_by_name(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    model.answers_with(planner_and_judge(lessons, agrees))
    evals = read_evals()
    both = {name: Config(name=name, model=f"claude-{name}-5-5") for name in ("sonnet", "haiku")}
    evals = evals.model_copy(update={"configs": {**evals.configs, **both}})
    report = evaluate(
        model_settings(tmp_path, model.url), "quick", evals=evals, configs=tuple(both), limit=1
    )
    asked = {request.body["model"] for request in model.requests}
    assert asked == {"claude-sonnet-5-5", "claude-haiku-5-5"}
    assert [each.config for each in report.summaries] == ["sonnet", "haiku"]


def test_a_lesson_with_an_invented_outcome_is_a_finding(
    tmp_path: Path, model: ServedModel, lessons: Mapping[str, str]
) -> None:
    wrong = {request: text.replace("TCH 2-03a", "TCH 2-99z") for request, text in lessons.items()}
    model.answers_with(planner_and_judge(wrong, agrees))
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1)
    [row] = report.rows
    assert row.status == "error_hook_abort"
    assert not row.right
    assert row.behaviour.evidence_first_time is False
    assert row.behaviour.returned == 2
    assert "TCH 2-99z" in row.problem
    [base] = report.summaries
    assert base.accuracy == 0.0


def test_a_wrong_key_ends_the_evaluation_at_once(tmp_path: Path, model: ServedModel) -> None:
    refused = ANTHROPIC.error(401, "authentication_error", "invalid x-api-key")
    model.answers_with(lambda request: refused)
    with pytest.raises(ApiKeyInvalid):
        evaluate(model_settings(tmp_path, model.url), "quick", limit=2)
    assert len(model.requests) == 1


def test_a_provider_that_fails_is_a_finding_and_nobody_stands_in(
    tmp_path: Path, model: ServedModel
) -> None:
    model.answers_with(lambda request: ANTHROPIC.error(400, "invalid_request_error", "no"))
    report = evaluate(model_settings(tmp_path, model.url), "quick", limit=1)
    [row] = report.rows
    assert not row.right
    assert row.problem
    assert row.source != "local"
    assert issubclass(ApiKeyInvalid, PaigeError)
