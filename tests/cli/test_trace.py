"""`paige trace`: a run as a tree, as JSON and as OpenTelemetry."""

import json
from pathlib import Path

from tests.cli.conftest import result, runs
from tests.fakes.served_model import ServedModel
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import run_paige


def test_a_run_is_listed_shown_and_exported(project: Path, model: ServedModel) -> None:
    model.answers(
        ANTHROPIC.tool_call("c1", "read_file", {"path": "no-such-note.md"}),
        ANTHROPIC.answer("There is no such note."),
    )
    run_paige(project, "plan", "summarise", "no-such-note.md", **model.variables)
    [run] = runs(project)

    listed = run_paige(project, "trace", "list")
    [data] = json.loads(run_paige(project, "trace", "list", "--json").stdout)
    shown = run_paige(project, "trace", "show", run.id).stdout.splitlines()
    whole = result(run_paige(project, "trace", "show", run.session_id, "--json"))
    exported = run_paige(project, "trace", "export", run.id, "-o", "trace.json")
    spans = json.loads((project / "trace.json").read_text())["resourceSpans"][0]["scopeSpans"]

    assert listed.stdout.startswith(f"{run.id}  ")
    assert (data["status"], data["turns"], data["agent"]) == ("success", 2, "editor")
    assert [line.split()[:2] for line in shown[1:]] == [
        ["run", "editor"],
        ["model", "claude-sonnet-4-5-20250929"],
        ["tool", "read_file"],
        ["hook", "guard"],
        ["model", "claude-sonnet-4-5-20250929"],
    ]
    assert shown[3].endswith("FAILED")
    assert "2,220 in, 30 out" in shown[2]
    assert [span["kind"] for span in whole["traces"][0]["spans"]] == [
        "run",
        "model",
        "hook",
        "tool",
        "model",
    ]
    assert "Wrote `trace.json`" in exported.stderr
    assert [span["name"] for span in spans[0]["spans"]] == [
        "invoke_agent editor",
        "chat claude-sonnet-4-5-20250929",
        "hook guard",
        "execute_tool read_file",
        "chat claude-sonnet-4-5-20250929",
    ]


def test_a_run_that_waits_can_be_looked_at_and_everything_about_it_exported(
    project: Path, asking: str
) -> None:
    shown = run_paige(project, "plan", "trace", asking)
    whole = result(run_paige(project, "trace", "export", asking, "--to", "json"))

    assert "run editor" in shown.stdout
    assert whole["traces"][0]["run"]["id"] == asking
    assert whole["traces"][0]["run"]["prompt"] == "plan.md"


def test_without_runs_the_list_is_empty_and_says_so(project: Path) -> None:
    done = run_paige(project, "trace", "list")

    assert (done.stdout, done.returncode) == ("", 0)
    assert "Nothing has run yet." in done.stderr
