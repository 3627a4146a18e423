"""Every host is told the next action at the start of a session, in its own form.

A case with a folder `progress` has the state of a project's work beside what the host sends, and
`next.json` says which action must be stated.
"""

import json
import shutil
from pathlib import Path

import pytest

from paige.guard.install.manifests import CLIS
from tests.hooks.conftest import Home
from tests.hooks.process import environment, faults, fire
from tests.hooks.test_fixtures import FIXTURES, host_and_event

CASES = sorted(path.parent for path in FIXTURES.glob("*/*/next.json"))


def told(stdout: str) -> str:
    """What the model is told, wherever the host wants it."""
    said = json.loads(stdout)
    return said.get("additionalContext") or said["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.parts[-2:]))
def test_the_next_action_is_stated(case: Path, home: Home) -> None:
    cli, event = host_and_event(case)
    shutil.copytree(case / "progress", home.project / ".claude" / "progress")
    body = json.loads((case / "stdin.json").read_text())
    body["cwd"] = str(home.project)
    name = [event] if cli == "copilot" else []

    done = fire(
        json.dumps(body).encode(),
        cli,
        *name,
        "--data",
        str(home.data),
        env=environment(home.folder),
    )

    stdout = done.stdout.decode()
    assert list(faults(cli, event, stdout, done.returncode, done.stderr.decode())) == []
    lines = told(stdout).splitlines()
    stated = [json.loads(line) for line in lines if line.startswith('{"state"')]
    assert stated == [json.loads((case / "next.json").read_text())]


def test_every_host_has_such_a_case() -> None:
    assert {case.parent.name for case in CASES} == set(CLIS)
