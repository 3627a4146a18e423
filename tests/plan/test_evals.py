"""The offline evaluation: real runs by local rules, over every subject and class."""

import json
from pathlib import Path

import pytest

from paige.plan.evals.cases import Evals, read_evals
from paige.plan.evals.pages import compare, render_comparison, render_page
from paige.plan.evals.reports import Report, dump_report, read_report, stamp
from tests.docs.pages import ROOT
from tests.plan.evaluating import evaluate, local_settings

BASELINE = ROOT / "evals" / "baseline"
REFRESH = "paige eval run --suite offline --out evals/baseline"
FRAMES = {"1b-files", "1b-sequence", "2c-dictionary"}
"""Requests that come near to a shipped lesson and ask for something else."""


def a_few() -> Evals:
    """One case of each subject, a frame, what is refused, and two lessons of each series."""
    evals = read_evals()
    frame = next(case for case in evals.cases if case.id in FRAMES)
    cases = [case for case in evals.cases if "quick" in case.tags or case.refuse]
    series = [each.model_copy(update={"lessons": each.lessons[:2]}) for each in evals.series]
    return evals.model_copy(update={"cases": (*cases, frame), "series": tuple(series)})


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """The suite with a few cases; with the lessons that came out."""
    folder = tmp_path_factory.mktemp("offline")
    report = evaluate(local_settings(folder), keep=folder / "out", evals=a_few())
    return report, folder / "out"


@pytest.fixture(scope="module")
def report(offline: tuple[Report, Path]) -> Report:
    return offline[0]


def all_is_right(report: Report, frames: set[str]) -> None:
    """Every lesson meets every criterion, but for frames, which are open and cite nothing."""
    lessons = [row for row in report.rows if not row.refuse and not row.series]
    wrong = {
        row.case: [each for each in (*row.structural, *row.behavioural) if not each.passed]
        for row in lessons
        if not row.right
    }
    assert wrong.keys() == frames
    for found in wrong.values():
        assert {each.name for each in found} == {"limits", "evidence"}
        assert "this section is open" in found[0].reason
    assert {row.class_id for row in lessons} == {"1B", "2A", "2C", "3B"}
    assert {row.subject for row in lessons} == {
        "Computing Science",
        "Technologies",
        "Mathematics",
        "English",
        "French",
        "History",
    }
    [base] = report.summaries
    assert {row.case for row in report.rows if row.accurate is False} == frames
    assert base.evidence == 1.0


def wishes_are_remembered(report: Report) -> None:
    """A wish is said once with memory and every time without."""
    said: dict[tuple[str, str], list[int]] = {}
    for row in report.rows:
        if row.series:
            said.setdefault((row.config, row.series), []).append(row.behaviour.revised)
    assert len(said) == 4
    for (config, _), revised in said.items():
        again = int(config != "base")
        assert revised == [1, *[again] * (len(revised) - 1)]


def test_lessons_of_all_subjects_and_classes_meet_every_criterion_and_frames_say_they_are_open(
    report: Report,
) -> None:
    run = {row.case for row in report.rows}
    assert FRAMES & run
    all_is_right(report, FRAMES & run)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_every_case_and_every_series_of_the_suite(tmp_path: Path) -> None:
    report = evaluate(local_settings(tmp_path))
    assert len([row for row in report.rows if not row.refuse and not row.series]) >= 30
    all_is_right(report, FRAMES)
    wishes_are_remembered(report)


def test_requests_that_are_none_of_a_planners_business_are_turned_away(report: Report) -> None:
    refused = [row for row in report.rows if row.refuse]
    assert refused
    assert all(row.right and row.status == "error_hook_abort" for row in refused)


def test_a_wish_is_said_once_with_memory_and_every_time_without(report: Report) -> None:
    wishes_are_remembered(report)


def test_memory_takes_tokens_that_are_counted_apart(report: Report) -> None:
    rows = [row for row in report.rows if row.series == "2a-longer-starters"]
    with_memory = [row.behaviour.memory_tokens for row in rows if row.config == "base"]
    assert with_memory[0] < with_memory[-1] < rows[0].behaviour.prompt_tokens
    assert all(row.behaviour.memory_tokens == 0 for row in rows if row.config == "no-memory")


def test_behaviour_is_read_from_the_trace(report: Report) -> None:
    row = next(row for row in report.rows if row.case == "3b-iteration")
    did = row.behaviour
    assert did.outcomes["feedforward"] == "add_context"
    assert did.feedforward == "confirmed"
    assert did.feedforward_auto
    assert did.surfaced["class"] > 3
    assert did.surfaced["memory"] >= 1
    assert did.memory_reads == 2
    assert did.captures == {"pending": 1}
    assert did.accepted >= 10
    assert did.pointers == did.pointers_valid >= 1
    assert did.evidence_first_time


def test_the_lessons_are_kept_beside_the_report(offline: tuple[Report, Path]) -> None:
    report, folder = offline
    row = next(row for row in report.rows if row.case == "2c-opinions")
    assert row.lesson == "lessons/base/2c-opinions.md"
    assert (folder / row.lesson).read_text().startswith("# ")


def test_a_report_is_json_and_a_page(report: Report) -> None:
    data = dump_report(report)
    assert json.loads(json.dumps(data)) == data
    page = render_page(data)
    assert "| base |" in page
    assert "## Memory over time" in page


def test_a_report_compared_with_itself_has_no_change(report: Report) -> None:
    data = dump_report(report)
    found = compare(data, data, current=report.stamp)
    assert (found.changes, found.better, found.worse, found.notes) == ((), (), (), ())
    assert "No figure changed." in render_comparison(found)


def test_without_a_workspace_needs_go_unanswered_and_without_memory_it_leaves_no_trace(
    tmp_path: Path,
) -> None:
    configs = ("base", "no-workspace", "no-memory")
    report = evaluate(local_settings(tmp_path), "ablations", configs=configs, limit=2)
    base, no_workspace, no_memory = report.summaries
    assert base.right == 1.0
    assert no_workspace.criteria["differentiation"] == 0.0
    assert no_workspace.criteria["context-surfaced"] == 0.0
    assert no_workspace.prompt_tokens < base.prompt_tokens
    assert no_memory.criteria["memory"] == 0.0
    assert no_memory.memory_tokens == 0 < base.memory_tokens
    assert base.quality > no_memory.quality
    assert base.quality > no_workspace.quality


def test_the_committed_baseline_is_of_this_code_and_data() -> None:
    committed = read_report(BASELINE)
    assert committed["stamp"] == stamp(), f"The baseline is stale. Refresh it: {REFRESH}"


def test_the_committed_baseline_is_all_right_but_for_frames() -> None:
    committed = read_report(BASELINE)
    [base] = committed["summaries"]
    assert round((1 - base["right"]) * base["lessons"]) == len(FRAMES)
    assert base["lessons"] >= 30
    assert committed["suite"] == "offline"
    assert (BASELINE / "report.md").read_text() == render_page(committed)


def test_every_suite_names_configurations_that_there_are() -> None:
    evals = read_evals()
    for suite in evals.suites.values():
        assert all(evals.config(name) for name in (*suite.configs, *suite.series))
    assert len({case.id for case in evals.cases}) == len(evals.cases)
