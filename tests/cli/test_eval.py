"""`paige eval` as a person types it, with local rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paige.base.errors import BadInput, NotFound
from paige.doors.setup.cli_eval import eval_


def paige_eval(folder: Path, *arguments: str) -> Any:
    environ = {"HOME": str(folder), "PAIGE_PROVIDER": "local"}
    return CliRunner().invoke(eval_, list(arguments), env=environ, standalone_mode=False)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report of one case."""
    folder = tmp_path_factory.mktemp("quick")
    done = paige_eval(folder, "run", "--suite", "quick", "--limit", "1", "--out", f"{folder}/out")
    assert done.exit_code == 0, done.output
    assert "# Evaluation `quick`" in done.stdout
    return folder / "out"


def test_a_run_leaves_a_report_a_page_and_lessons(quick: Path) -> None:
    names = {path.relative_to(quick).as_posix() for path in quick.rglob("*") if path.is_file()}
    assert names == {
        "report.json",
        "report.md",
        "lessons/base/1b-passwords.md",
    }
    report = json.loads((quick / "report.json").read_text())
    assert report["summaries"][0]["right"] == 1.0


def test_a_run_touches_nothing_of_the_person(quick: Path) -> None:
    home = quick.parent
    assert not (home / ".paige").exists()
    assert not (home / ".config").exists()


def test_a_report_is_printed_as_json(tmp_path: Path) -> None:
    arguments = ("run", "--suite", "quick", "--limit", "1", "--config", "no-memory", "--json")
    done = paige_eval(tmp_path, *arguments)
    report = json.loads(done.stdout)
    assert [each["config"] for each in report["summaries"]] == ["no-memory"]
    assert done.return_value == 1  # what was remembered has left no trace
    assert list(tmp_path.iterdir()) == []


def test_a_report_compared_with_itself_says_so(quick: Path, tmp_path: Path) -> None:
    done = paige_eval(tmp_path, "compare", str(quick), str(quick), "--out", f"{tmp_path}/both")
    assert done.exit_code == 0
    assert "No figure changed." in done.stdout
    assert "No figure changed." in (tmp_path / "both" / "comparison.md").read_text()


def test_a_case_that_got_worse_is_named_and_ends_with_one(quick: Path, tmp_path: Path) -> None:
    report = json.loads((quick / "report.json").read_text())
    report["rows"][0]["right"] = False
    worse = tmp_path / "worse.json"
    worse.write_text(json.dumps(report))
    done = paige_eval(tmp_path, "compare", str(quick), str(worse), "--json")
    assert done.return_value == 1
    assert json.loads(done.stdout)["worse"] == ["1b-passwords"]


def test_suites_and_configurations_are_listed(tmp_path: Path) -> None:
    done = paige_eval(tmp_path, "list")
    assert "offline" in done.stdout
    assert "no-workspace" in done.stdout


def test_a_judge_without_a_model_is_refused(tmp_path: Path) -> None:
    done = paige_eval(tmp_path, "run", "--suite", "quick", "--judge")
    assert isinstance(done.exception, BadInput)


def test_a_suite_that_there_is_not_is_refused(tmp_path: Path) -> None:
    done = paige_eval(tmp_path, "run", "--suite", "quik")
    assert isinstance(done.exception, NotFound)


def test_cases_of_ones_own_take_the_place_of_the_shipped_ones(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    done = paige_eval(tmp_path, "run", "--cases", str(own))
    assert isinstance(done.exception, NotFound)
    assert "suites.toml" in done.exception.message
