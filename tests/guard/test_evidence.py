"""Evidence comes from what a tool did, never from what an agent wrote."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Unavailable
from paige.base.events import PostTool, PostToolFailure
from paige.guard.adapters import claude_code, codex, copilot, gemini
from paige.guard.evidence import RunReading, capture, is_test_command, seen_run
from paige.guard.fast.place import Place
from paige.guard.hook_event import Heard, Scene
from paige.guard.state.evidence_files import (
    MOST_RECORDS,
    Evidence,
    machine_key,
    read_evidence,
    write_evidence,
)
from paige.guard.state.features import SessionState, session_path
from paige.guard.state.runners import names_a_runner, running_tests
from paige.guard.state.tree import tree_hash
from tests.guard.session_state import write_session

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
PLACE = Place("/w/app", "/w/app", "/home/u", "", True)
SUMMARY = "4 passed in 0.12s\n"


def bash(command: str, response: object, cli: str = "claude-code") -> Heard:
    """A command that a host calls done."""
    event = PostTool("s", "Bash", {"command": command}, response)
    return Heard(event, Scene(cli, "PostToolUse", "s", "/w/app", "default"))


def seen(command: str, stdout: str = SUMMARY, **scripts: str) -> RunReading | None:
    """What is seen of a command that ended well."""
    return seen_run(bash(command, {"stdout": stdout, "stderr": ""}), PLACE, scripts)


@pytest.mark.parametrize(
    "command",
    [
        "pytest",
        "pytest -q tests/test_a.py -k 'one or two'",
        "python -m pytest -x",
        "python3.12 -W error -m pytest",
        ".venv/bin/python -m pytest -q",
        ".venv/bin/pytest",
        "/usr/bin/pytest",
        "cd src && pytest -q",
        "source .venv/bin/activate && pytest -q",
        "pytest -q 2>&1",
        "CI=1 PYTHONPATH=src pytest",
        "env CI=1 pytest",
        "timeout -k 5 60 pytest",
        "uv run --with hypothesis pytest -q",
        "poetry run pytest",
        "coverage run -m pytest",
        "python -m coverage run -m pytest",
    ],
)
def test_a_test_tool_by_itself_is_a_run(command: str) -> None:
    found = seen(command)

    assert found is not None
    assert (found.exit_code, found.tests, found.why_not) == (0, 4, "")


@pytest.mark.parametrize(
    "command",
    [
        'echo "5 passed in 0.1s"',
        "printf '5 passed in 0.1s\\n'",
        "cat results.txt",
        "python -c \"print('5 passed in 0.1s')\"",
        "python fake.py",
        "./pytest",
        "/tmp/pytest",
        "tools/pytest",
        "make test",
        "grep passed log.txt",
    ],
)
def test_a_text_that_an_agent_printed_is_none(command: str) -> None:
    assert running_tests(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "pytest || true",
        "pytest; echo done",
        "pytest | tail -5",
        "pytest &",
        "! pytest",
        "pytest && echo '9 passed in 0.1s'",
        "echo '9 passed in 0.1s' && pytest -qq",
        "bash -c 'pytest || true'",
        "pytest $(cat x)",
        "pytest `cat x`",
        "pytest > out.txt",
        "pytest\necho 5 passed",
        "export PATH=/tmp && pytest",
        "PATH=/tmp pytest",
        "PYTEST_ADDOPTS=--co pytest",
        "env PYTEST_ADDOPTS=--co pytest",
        "source evil.sh && pytest",
        "eval pytest",
        "alias pytest=true && pytest",
        "pytest --collect-only",
        "pytest --version",
        "pytest -h",
        "go test -c",
        "cargo test --no-run",
    ],
)
def test_a_command_whose_end_is_not_the_tools_end_is_no_run(command: str) -> None:
    assert running_tests(command) is None


def test_why_a_run_does_not_count_is_said() -> None:
    piped = seen("pytest | tail -3")
    silent = seen("pytest -qq", "....\n")
    elsewhere = seen("cd /tmp/other && pytest")
    operand = seen("pytest ../other/tests")
    running = seen_run(bash("pytest", {"stdout": "", "backgroundTaskId": "b1"}), PLACE, {})

    assert piped
    assert "Run the tool by itself" in piped.why_not
    assert silent
    assert "says nothing of any test" in silent.why_not
    assert elsewhere
    assert "/tmp/other" in elsewhere.why_not
    assert operand
    assert "../other/tests" in operand.why_not
    assert running
    assert "has not ended" in running.why_not


@pytest.mark.parametrize(
    ("command", "scripts", "form"),
    [
        ("npm test", {"test": "vitest run"}, "vitest"),
        ("npm t", {"test": "jest --ci"}, "jest"),
        ("npm run unit", {"unit": "mocha"}, "mocha"),
        ("pnpm test", {"test": "npm run unit", "unit": "vitest run"}, "vitest"),
        ("yarn test", {"test": "node --test"}, "node"),
        ("npm test", {"test": "echo 5 passed"}, None),
        ("npm test", {"test": "jest || true"}, None),
        ("npm test", {"test": "jest", "posttest": "echo Tests: 5 passed, 5 total"}, None),
        ("npm test", {"test": "npm test"}, None),
        ("npm test", {}, None),
    ],
)
def test_a_script_of_the_project_is_judged_by_what_it_runs(
    command: str, scripts: dict[str, str], form: str | None
) -> None:
    run = running_tests(command, scripts)

    assert (run.form if run else None) == form


def test_a_failing_run_is_kept_with_its_exit_code() -> None:
    event = PostToolFailure("s", "Bash", {"command": "pytest"}, "Exit code 1\n1 failed in 0.1s")
    heard = Heard(event, Scene("claude-code", "PostToolUseFailure", "s", "/w/app", "default"))
    found = seen_run(heard, PLACE, {})
    lying = seen("pytest", "1 failed, 3 passed in 0.1s\n")

    assert found
    assert (found.exit_code, found.tests) == (1, 1)
    assert lying
    assert (lying.exit_code, lying.tests) == (1, 4)


@pytest.mark.parametrize(
    ("module", "host_event", "body", "code"),
    [
        (claude_code, "PostToolUse", {"tool_response": {"stdout": SUMMARY, "stderr": ""}}, 0),
        (codex, "PostToolUse", {"tool_response": SUMMARY}, 0),
        (codex, "PostToolUse", {"tool_response": "1 failed in 0.1s"}, 1),
        (
            codex,
            "PostToolUse",
            {"tool_response": f"Process exited with code 3\nOutput:\n{SUMMARY}"},
            3,
        ),
        (
            codex,
            "PostToolUse",
            {"tool_response": json.dumps({"output": SUMMARY, "metadata": {"exit_code": 4}})},
            4,
        ),
        (gemini, "AfterTool", {"tool_response": {"llmContent": f"Output: x\n{SUMMARY}"}}, 0),
        (
            gemini,
            "AfterTool",
            {"tool_response": {"llmContent": f"Output: x\n{SUMMARY}Exit Code: 2\n"}},
            2,
        ),
        (
            copilot,
            "PostToolUse",
            {"tool_result": {"text_result_for_llm": f"{SUMMARY}<exited with exit code 0>"}},
            0,
        ),
        (
            copilot,
            "PostToolUse",
            {"tool_result": {"text_result_for_llm": f"{SUMMARY}<exited with exit code 5>"}},
            5,
        ),
    ],
)
def test_each_host_says_in_its_own_way_how_a_command_ended(
    module: object, host_event: str, body: dict[str, object], code: int
) -> None:
    whole = {
        "session_id": "s",
        "cwd": "/w/app",
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        **body,
    }
    heard = module.hear(whole, host_event)  # type: ignore[attr-defined]
    found = seen_run(heard, PLACE, {})

    assert found is not None
    assert found.run is not None
    assert found.exit_code == code


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_text_breaks_the_reading(command: str, output: str) -> None:
    names_a_runner(command)
    running_tests(command)
    found = seen(f"pytest {command}", output)

    assert found is None or found.tests >= 0


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project with features."""
    root = tmp_path / "app"
    (root / ".claude" / "progress").mkdir(parents=True)
    (root / "a.py").write_text("x = 1\n", encoding="utf-8")
    return Place(str(root), str(root), "/home/u", str(tmp_path / "data"), True)


def test_what_is_captured_names_run_files_and_feature(place: Place) -> None:
    write_session(place.root, SessionState("testing", "F1", 1), NOON)
    heard = bash("pytest -q", {"stdout": SUMMARY, "stderr": ""})
    evidence, words = capture(heard, place, NOON)
    (record,) = read_evidence(place.root, place.data).records

    assert words == ""
    assert evidence is not None
    assert (record.argv, record.exit_code, record.tests) == (("pytest", "-q"), 0, 4)
    assert (record.feature, record.tree_hash) == ("F1", tree_hash(place.root))
    assert record.at == "2026-11-15T12:00:00.000000Z"


def test_a_broken_session_state_is_named_with_its_line(place: Place) -> None:
    session_path(place.root).write_text('{\n"feature": 7}', encoding="utf-8")
    evidence, words = capture(bash("pytest", {"stdout": SUMMARY}), place, NOON)

    assert evidence is not None
    assert evidence.feature is None
    assert "line 2: `feature` is 7" in words


def test_evidence_of_another_machine_or_damaged_is_left_out(place: Place, tmp_path: Path) -> None:
    capture(bash("pytest", {"stdout": SUMMARY}), place, NOON)
    folder = Path(place.root) / ".claude" / "progress" / "evidence"
    (folder / "a.json").write_text('{"argv": ["pytest"]}', encoding="utf-8")
    (folder / "b.json").write_text("{", encoding="utf-8")
    (folder / "c.json").write_text("[]", encoding="utf-8")

    here = read_evidence(place.root, place.data)
    there = read_evidence(place.root, tmp_path / "other-data")

    assert (len(here.records), len(here.left_out)) == (1, 3)
    assert (len(there.records), len(there.left_out)) == (0, 4)


def test_only_the_newest_runs_are_kept(place: Place) -> None:
    base = Evidence(("pytest",), place.cwd, 0, 1, "T", "", None)
    for number in range(MOST_RECORDS + 5):
        at = f"2026-11-15T12:00:00.{number:06d}Z"
        record = Evidence(base.argv, base.cwd, 0, 1, "T", at, None)
        write_evidence(place.root, place.data, record)
    records = read_evidence(place.root, place.data).records

    assert len(records) == MOST_RECORDS
    assert records[-1].at.endswith("000204Z")


def test_the_key_is_made_once_and_only_for_the_owner(tmp_path: Path) -> None:
    first = machine_key(tmp_path)

    assert machine_key(tmp_path) == first
    assert (tmp_path / "guard" / "evidence.key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(Unavailable):
        machine_key("")


def test_the_tree_changes_with_contents_names_and_links_only(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("1")
    (tmp_path / ".gitignore").write_text("*.tmp\nbuild/\n[\n!\n")
    first = tree_hash(tmp_path)

    for name in (".git/x", "node_modules/x", "build/x", "y.tmp", ".claude/progress/z", ".coverage"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("noise")
    assert tree_hash(tmp_path) == first

    seen_hashes = {first}
    (tmp_path / "src" / "a.py").write_text("2")
    seen_hashes.add(tree_hash(tmp_path))
    (tmp_path / "src" / "a.py").rename(tmp_path / "src" / "b.py")
    seen_hashes.add(tree_hash(tmp_path))
    (tmp_path / "link").symlink_to("src")
    seen_hashes.add(tree_hash(tmp_path))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("elsewhere")
    seen_hashes.add(tree_hash(tmp_path))
    assert len(seen_hashes) == 5


def test_past_its_bound_the_tree_goes_by_size_and_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x" * 100)
    first = tree_hash(tmp_path, most_bytes=10)
    (tmp_path / "a").write_text("x" * 101)

    assert tree_hash(tmp_path, most_bytes=10) != first


def test_a_test_command_is_one_of_this_project(place: Place) -> None:
    (Path(place.root) / "package.json").write_text('{"scripts": {"test": "vitest run"}}')

    assert is_test_command("npm test", place)
    assert is_test_command("pytest -q", place)
    assert not is_test_command("cd /tmp && pytest", place)
    assert not is_test_command("rm -rf src", place)
