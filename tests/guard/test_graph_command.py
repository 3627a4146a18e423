"""`paige guard traces`, as people run it."""

import json
from pathlib import Path

from tests.live import run_paige


def traces(folder: Path, *arguments: str) -> str:
    """What the command answers."""
    done = run_paige(folder, "guard", "traces", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_added_is_found_shown_and_followed(tmp_path: Path) -> None:
    first = traces(
        tmp_path, "add", "Pushed by force", "--type", "violation", "--agent", "coder",
        "--right", "Push without it", "--why", "Others lose work", "--file", "src/a.py",
    ).strip()  # fmt: skip
    second = json.loads(
        traces(tmp_path, "add", "Pushed again", "--led-by", first, "--corrects", first, "--json")
    )

    assert second["source"] == "auto_detected"
    assert traces(tmp_path, "find", "force").startswith(f"{first}  ")
    found = json.loads(traces(tmp_path, "find", "--agent", "coder", "--level", "full", "--json"))
    assert [item["id"] for item in found["items"]] == [first]
    assert found["items"][0]["event"]["why"] == "Others lose work"
    assert "Pushed by force" in traces(tmp_path, "find", "--level", "full")
    shown = traces(tmp_path, "show", first[:12])
    assert "what_was_correct  Push without it" in shown
    assert "touched      file src/a.py" in shown
    edges = json.loads(traces(tmp_path, "show", first, "--json"))["edges"]
    assert {
        "source": f"decision:{first}",
        "relation": "touched",
        "target": "file:src/a.py",
    } in edges
    assert first in traces(tmp_path, "led-to", second["id"])
    assert (
        json.loads(traces(tmp_path, "came-of", first, "--json").splitlines()[0])["id"]
        == (second["id"])
    )


def test_what_is_not_there_is_said_and_what_is_wrong_is_an_error(tmp_path: Path) -> None:
    nothing = run_paige(tmp_path, "guard", "traces", "find", "--feature", "none")
    missing = run_paige(tmp_path, "guard", "traces", "show", "trace-none")
    wrong = run_paige(tmp_path, "guard", "traces", "find", "--since", "yesterdayish")

    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "There is no such trace." in nothing.stderr
    assert missing.returncode == 1
    assert "There is no trace `trace-none`" in missing.stderr
    assert wrong.returncode != 0
    assert "`since` is `yesterdayish`" in wrong.stderr
    assert "today, yesterday, 7d, 2w" in wrong.stderr
