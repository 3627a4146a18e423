"""Long logs are not read whole, by any tool; pieces are fine."""

from pathlib import Path

import pytest

from paige.base.events import PreTool
from paige.guard.compiler import book_for
from paige.guard.fast.place import Place
from paige.guard.gates.facts import has_more_lines
from paige.guard.gates.file_changes import read_line
from paige.guard.gates.mcp_logs import is_log, whole_reads
from tests.guard.gate_project import Project, new_project

PLACE = Place("/w/app", "/w/app", "/home/u", "", False)
BOOK = book_for(PLACE).compiled


def whole(tool: str, **arguments: object) -> tuple[str, ...]:
    """The logs one call would read whole."""
    line = None
    if tool == "Bash":
        line = read_line(str(arguments["command"]), PLACE, BOOK)
    return whole_reads(PreTool("s", tool, arguments), line, PLACE, 1000)


@pytest.mark.parametrize(
    "command",
    [
        "cat a.log",
        "cat -n ./a.log",
        "less a.log",
        "bat a.log",
        "nl a.log",
        "cat a.log | cat",
        "head -n 100000 a.log",
        "head -5000 a.log",
        "tail -n +1 a.log",
        "tail --lines=9999 a.log",
        "bash -c 'cat a.log'",
        "cd . && cat a.log",
    ],
)
def test_a_command_that_prints_a_whole_log_is_found(command: str) -> None:
    assert whole("Bash", command=command) == ("/w/app/a.log",)


@pytest.mark.parametrize(
    "command",
    [
        "tail -n 200 a.log",
        "tail a.log",
        "head -50 a.log",
        "grep error a.log",
        "cat a.log | grep error",
        "cat a.log | tail -5",
        "cat a.log > b.txt",
        "wc -l a.log",
        "cat a.py",
        "rm a.log",
    ],
)
def test_a_piece_of_a_log_is_fine(command: str) -> None:
    assert whole("Bash", command=command) == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "found"),
    [
        ("Read", {"file_path": "/w/app/a.log"}, True),
        ("Read", {"file_path": "/w/app/a.log", "offset": 5}, True),
        ("Read", {"file_path": "/w/app/a.log", "limit": 5000}, True),
        ("Read", {"file_path": "/w/app/a.log", "limit": 100}, False),
        ("read_file", {"path": "a.log", "start_line": 1, "end_line": 100}, False),
        ("read_file", {"path": "a.log", "start_line": 1, "end_line": 9000}, True),
        ("view", {"path": "/w/app/a.log", "view_range": [1, 50]}, False),
        ("view", {"path": "/w/app/a.log", "view_range": [1, -1]}, True),
        ("read_many_files", {"paths": ["a.log", "b.py"]}, True),
        ("Read", {"file_path": "/w/app/a.py"}, False),
        ("Write", {"file_path": "/w/app/a.log", "content": ""}, False),
    ],
)
def test_a_tool_that_reads_a_whole_log_is_found(
    tool: str, arguments: dict[str, object], found: bool
) -> None:
    assert whole(tool, **arguments) == (("/w/app/a.log",) if found else ())


@pytest.mark.parametrize(
    ("path", "log"),
    [
        ("a.log", True),
        ("A.LOG", True),
        ("a.log.1", True),
        ("nohup.out", True),
        ("logs/events.jsonl", True),
        ("data/events.jsonl", False),
        ("a.py", False),
        ("catalog", False),
        ("log/readme.md", False),
    ],
)
def test_a_log_is_known_by_its_name(path: str, log: bool) -> None:
    assert is_log(path) is log


def test_lines_are_counted_only_as_far_as_needed(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("x\n" * 1000)
    assert not has_more_lines(str(path), 1000)
    path.write_text("x\n" * 1001)
    assert has_more_lines(str(path), 1000)
    assert not has_more_lines(str(tmp_path / "none.log"), 1000)
    assert not has_more_lines("a\0b.log", 1000)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with a long and a short log."""
    made = new_project(tmp_path)
    (made.root / "long.log").write_text("x\n" * 1001)
    (made.root / "short.log").write_text("x\n" * 1000)
    return made


def test_the_refusal_names_the_tool_that_reads_logs(project: Project) -> None:
    long = project.before("Read", file_path=project.path("long.log")).denied

    assert "`read_log`" in long
    assert project.before("Read", file_path=project.path("short.log")).denied == ""
    assert project.before("Read", file_path=project.path("long.log"), limit=50).denied == ""


def test_an_agent_with_a_role_cannot_go_by_the_shell(project: Project) -> None:
    (project.root / ".claude" / "progress").mkdir(parents=True)

    assert "`read_log`" in project.before("Bash", command="cat long.log").denied
    assert "`read_log`" not in project.before("Bash", command="tail -50 long.log").denied


def test_nobody_reads_a_long_log_whole_through_the_shell(project: Project) -> None:
    (project.root / "long.log.1").write_text("x\n" * 1001)

    for command in (
        "cat long.log",
        "cd . && cat long.log | cat",
        "cat long.log.1",
        "head -n 9999 long.log",
    ):
        assert "`read_log`" in project.before("Bash", command=command).denied, command
    assert "`read_log`" in project.before("Read", file_path=project.path("long.log.1")).denied
    for command in (
        "cat short.log",
        "tail -50 long.log",
        "grep x long.log",
        "cat long.log | tail -5",
    ):
        assert project.before("Bash", command=command).denied == "", command
