"""What Paige keeps is for its owner only, whichever command comes first, whatever the umask is."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from paige.base.modes import open_below
from paige.base.umask import persons_umask
from tests import nursery
from tests.live import environment, live_paige, run_paige

ENTRY = Path(__file__).parents[2] / "src" / "paige" / "hooks" / "entry.py"
BEGIN = (
    "import os, sys; os.umask({}); sys.argv[1:] = {!r}; "
    "from paige.doors.site.main import main; main()"
)
CARDS = "front,back\nuno,one\ndos,two\n"
UMASKS = [0o000, 0o022]
FIRST = [
    ("up",),
    ("memory", "add", "Anna owns the parser"),
    ("memory", "add", "Anna owns the parser", "--scope", "project"),
    ("memory", "search", "parser"),
    ("study", "new", "own"),
    ("study", "start", "--course", "python-algorithms"),
    ("study", "import", "csv", "cards.csv"),
    ("study", "progress"),
    ("plan", "create-lesson", "loops for 1B", "--yes"),
    ("plan", "sessions"),
    ("plan", "curriculum", "list"),
    ("coach", "start", "--issue", "1"),
    ("coach", "dashboard"),
    ("guard", "explain", "rm -rf /"),
    ("guard", "list"),
    ("orchestra", "init", "Build a till"),
    ("trace", "list"),
    ("install", "claude-code"),
    ("people", "list"),
    ("doctor", "--fix", "--yes"),
    pytest.param(("demo", "reset", "--yes"), marks=pytest.mark.soak),
]


def loose(home: Path) -> list[str]:
    """What others may read of a home, and how."""
    found = [Path(at, name) for at, folders, files in os.walk(home) for name in (*folders, *files)]
    modes = {each: stat.S_IMODE(each.lstat().st_mode) for each in found if not each.is_symlink()}
    assert found
    return [f"{mode:o} {each}" for each, mode in modes.items() if mode & 0o077]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home beside a project."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "cards.csv").write_text(CARDS)
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def options(home: Path, **extra: str) -> dict:
    return {"env": environment(home, **extra), "cwd": home.parent / "project"}


@pytest.mark.parametrize("umask", UMASKS)
@pytest.mark.parametrize("command", FIRST, ids=" ".join)
def test_what_the_first_command_makes_is_private(
    home: Path, command: tuple[str, ...], umask: int
) -> None:
    script = [sys.executable, "-c", BEGIN.format(umask, list(command))]
    if command == ("up",):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with nursery.start(script, **options(home, PORT="0"), **pipes) as process:
            assert process.stdout is not None
            while "Paige is ready" not in (line := process.stdout.readline()):
                assert line
            process.terminate()
            process.stdout.read()
    else:
        done = nursery.run(script, **options(home), text=True, input="")
        assert "Usage" not in done.stderr
        assert "Traceback" not in done.stderr

    if list(home.iterdir()):
        assert loose(home) == []


@pytest.mark.parametrize("umask", UMASKS)
@pytest.mark.parametrize("line", ["ls", "git commit -m x && rm -rf $(cat list)"])
def test_a_hook_that_comes_first_leaves_nothing_to_read(home: Path, line: str, umask: int) -> None:
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "s"}
    event |= {"tool_input": {"command": line}, "cwd": str(home.parent / "project")}
    argv = [sys.executable, "-I", "-S", str(ENTRY), "claude-code", "PreToolUse"]
    body = json.dumps(event).encode()
    subprocess.run(argv, **options(home), input=body, umask=umask, check=True, capture_output=True)

    assert loose(home) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o000, 0o666), (0o022, 0o644), (0o027, 0o640)])
def test_what_somebody_names_follows_their_umask(home: Path, umask: int, mode: int) -> None:
    for command in (
        ("memory", "add", "Anna owns the parser"),
        ("memory", "export", "--output", "out/new/memory.jsonl"),
        ("study", "import", "csv", "cards.csv"),
        ("study", "export", "csv", "cards", "--out", "out/new/cards.csv"),
    ):
        script = [sys.executable, "-c", BEGIN.format(umask, list(command))]
        done = nursery.run(script, **options(home), text=True, input="")
        assert done.returncode == 0, done.stderr
    out = home.parent / "project" / "out"

    assert {stat.S_IMODE(each.stat().st_mode) for each in (out / "new").iterdir()} == {mode}
    assert {stat.S_IMODE(each.stat().st_mode) for each in (out, out / "new")} == {0o777 & ~umask}


def test_programs_that_run_for_somebody_have_their_umask(tmp_path: Path) -> None:
    code = (
        "import os; os.umask(0o027)\n"
        "from paige.base.umask import keep_private, persons_umask\n"
        "keep_private(); keep_private()\n"
        "import anyio; from pathlib import Path; from paige.agent.builtin_tools import run_bash\n"
        "print(oct(persons_umask()), oct(os.umask(0)), anyio.run(run_bash, 'umask', Path('.')))"
    )
    done = nursery.run(
        [sys.executable, "-c", code], env=environment(tmp_path), cwd=tmp_path, text=True
    )

    assert done.stdout.split() == ["0o27", "0o77", "0027"]
    assert persons_umask() == persons_umask()


def test_what_an_older_paige_left_open_is_shut_by_the_next_start(tmp_path: Path) -> None:
    old = [
        tmp_path / ".paige" / "people" / "anna" / "notes.md",
        tmp_path / ".claude" / "teaching" / "learner.md",
        tmp_path / ".config" / "ai" / "memory" / "torn.jsonl",
    ]
    others = tmp_path / ".claude" / "own.md"
    for path in (*old, others):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        path.chmod(0o644)
    (tmp_path / ".paige" / "out").symlink_to(others)
    told = json.loads(run_paige(tmp_path, "doctor", "--json").stdout)["checks"]
    with live_paige(tmp_path) as live:
        live.stop()

    assert sum("can be read by other people" in check["message"] for check in told) == 3
    for top in (".paige", ".claude/teaching", ".config/ai/memory"):
        assert list(open_below(tmp_path / top)) == []
    assert stat.S_IMODE(others.stat().st_mode) == 0o644
