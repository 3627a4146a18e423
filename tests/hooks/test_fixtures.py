"""One folder per host and event: what the host sends, what it is told, and why.

A case runs through the process a host starts and through the same code in this process; both must
say what is written down. Words are compared by their place only, and what a session is told at its
start depends on what is remembered, so it is left out.

`python -m tests.hooks.test_fixtures` writes the expected answers anew; read the difference.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from paige.guard.compiler import write_rules
from paige.guard.fast.place import place_of
from paige.guard.hook_event import Answer
from paige.guard.install.manifests import CLIS, manifest
from paige.hooks.fast import caller, respond
from paige.hooks.recorder import anonymous, expected, record
from tests.hooks.conftest import Home
from tests.hooks.process import denies, environment, faults, fire

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/stdin.json"))
GATES = ("pre_tool", "permission_request")


def host_and_event(case: Path) -> tuple[str, str]:
    return case.parent.name, case.name.partition(".")[0]


def raw(case: Path) -> bytes:
    return (case / "stdin.json").read_bytes()


def compared(cli: str, event: str, answer: Answer) -> dict[str, Any]:
    """An answer as it is written down."""
    made: dict[str, Any] = expected(answer)
    said = made["stdout"]
    if manifest(cli).events[event].means not in GATES and isinstance(said, dict):
        own = {
            k: v for k, v in said.pop("hookSpecificOutput", {}).items() if k != "additionalContext"
        }
        said.pop("additionalContext", None)
        said.pop("systemMessage", None)
        if set(own) - {"hookEventName"}:
            said["hookSpecificOutput"] = own
        made["stdout"] = said if said or cli == "gemini" else None
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.parts[-2:]))
def test_a_host_is_told_what_is_written_down(case: Path, home: Home) -> None:
    cli, event = host_and_event(case)
    wanted = json.loads((case / "expected.json").read_text())
    name = [event] if cli == "copilot" else []

    done = fire(raw(case), cli, *name, "--data", str(home.data), env=environment(home.folder))
    stdout, stderr = done.stdout.decode(), done.stderr.decode()

    assert compared(cli, event, Answer(stdout, stderr, done.returncode)) == wanted
    assert list(faults(cli, event, stdout, done.returncode, stderr)) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.parts[-2:]))
def test_the_same_code_in_this_process_says_the_same(case: Path, home: Home) -> None:
    cli, event = host_and_event(case)
    wanted = json.loads((case / "expected.json").read_text())

    reply = respond(cli, event, raw(case), caller(str(home.data)))

    assert compared(cli, event, reply.answer) == wanted


@pytest.mark.parametrize("cli", CLIS)
def test_every_event_of_a_host_has_a_case(cli: str) -> None:
    events = {host_and_event(case)[1] for case in CASES if case.parent.name == cli}
    assert events == set(manifest(cli).events)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.parts[-2:]))
def test_a_case_says_in_a_sentence_what_it_shows(case: Path) -> None:
    text = (case / "case.md").read_text().strip()
    assert text.endswith(".")
    assert len(text.split()) > 4
    body = json.loads(raw(case))
    assert anonymous(body) == body


# --- the recorder ---------------------------------------------------------------------------------


def test_live_traffic_becomes_a_fixture_without_private_words(home: Home, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    body = {
        "session_id": "6f0c1c1e-private",
        "cwd": "/home/ada/secret-project",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf / && cat /home/ada/secret-project/a /home/ada/notes"},
        "tool_use_id": "toolu_private",
    }
    variables = environment(home.folder, PAIGE_RECORD_HOOKS=str(kept))
    for _ in range(2):
        done = fire(
            json.dumps(body).encode(), "claude-code", "--data", str(home.data), env=variables
        )
        assert denies(done.stdout.decode(), done.returncode)

    (case,) = [path.parent for path in kept.rglob("stdin.json")]
    assert case.relative_to(kept).as_posix() == "claude-code/PreToolUse"
    text = (case / "stdin.json").read_text()
    assert "private" not in text
    assert "ada" not in text
    assert "rm -rf / && cat /w/app/a /home/u/notes" in text
    own = json.loads((case / "expected.json").read_text())["stdout"]["hookSpecificOutput"]
    assert own["permissionDecision"] == "deny"
    assert own["permissionDecisionReason"] == "<reason>"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff"])
def test_what_is_no_body_is_not_recorded(data: bytes, tmp_path: Path) -> None:
    assert record(tmp_path, "codex", "Stop", data, Answer()) is None
    assert list(tmp_path.iterdir()) == []


def main() -> None:
    """Write the expected answers anew."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/.paige"
        write_rules(place_of("/", data))
        for case in CASES:
            cli, event = host_and_event(case)
            reply = respond(cli, event, raw(case), caller(data))
            text = json.dumps(compared(cli, event, reply.answer), indent=1, ensure_ascii=False)
            (case / "expected.json").write_text(f"{text}\n")
    sys.stdout.write(f"{len(CASES)} cases\n")


if __name__ == "__main__":
    main()
