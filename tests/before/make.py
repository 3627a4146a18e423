"""Makes what `test_version_before.py` opens: the data folder of a person who used another version.

    git worktree add /tmp/old VERSION
    .venv/bin/python tests/before/make.py /tmp/old

Everything is done by the commands, servers and hooks of that version, once with each database, in
a folder of its own, since paths are stored whole. What it said at last about everything that is
still open is kept beside it: the next version must say the same.
"""

import fcntl
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

HOME = Path("/tmp/paige-version-before")
PROGRAM = HOME / "program"
"""The version in use: `src` and `venv`. It is not packed; the tests put the newer one here."""
PYTHON = PROGRAM / "venv" / "bin" / "python"
PROJECT, BOARD = HOME / "my-project", HOME / "calculator"
DATA = Path(__file__).parent / "data"
ENGINES = ("sqlite", "postgresql")
DUMP, SAID, BACKUP = "postgresql.sql", "said.json", "before.zip"
NEVER_PACKED = (PROGRAM.name, "__pycache__")
PACKED_AT = 1767225600  # a moment that a ZIP file can name
NOT_SQL = ("\\restrict ", "\\unrestrict ", "SET transaction_timeout")
"""What only `psql` knows, or only the newest server."""
EVENTS = (
    ("UserPromptSubmit", {"prompt": "Always run the linter before a commit, please."}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "git status"}}),
    (
        "PostToolUse",
        {
            "tool_name": "Bash",
            "tool_input": {"command": "pytest -q"},
            "tool_response": {"stdout": "1 failed: test_total_of_nothing\n", "stderr": ""},
        },
    ),
    ("UserPromptSubmit", {"prompt": "No, that is wrong: run the tests of the cart first."}),
)
# A coding CLI: it writes a file, or runs the tests past the hook of Paige. While there is a file
# `wait`, whoever is to write the second feature gets no further than saying who it is.
CLAUDE = f"""#!{PYTHON}
import json, os, pathlib, subprocess, sys, time
if "--version" in sys.argv:
    print("2.1.325 (Claude Code)")
    sys.exit(0)
prompt = sys.stdin.read()
argv = sys.argv
agent = argv[argv.index("--agent") + 1]
settings = json.loads(pathlib.Path(argv[argv.index("--settings") + 1]).read_text())
feature = json.loads(pathlib.Path(".claude/progress/session-state.json").read_text())["feature"]
said = "no idea"
if agent == "coding-agent":
    wait = pathlib.Path("{HOME}/wait")
    if feature == "F2" and wait.exists():
        wait.write_text(str(os.getpid()))
        time.sleep(60)
    pathlib.Path(feature.lower() + ".py").write_text("x = 1\\n")
    said = "IMPLEMENTATION COMPLETE - Feature " + feature + " ready for testing"
if agent == "tester-agent":
    handler = settings["hooks"]["PostToolUse"][0]["hooks"][0]
    body = {{"session_id": argv[argv.index("--session-id") + 1], "cwd": os.getcwd(),
             "hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_input": {{"command": "pytest -q"}}, "tool_use_id": "t1",
             "tool_response": {{"stdout": "3 passed in 0.01s\\n", "stderr": ""}}}}
    subprocess.run([handler["command"], *handler["args"]], input=json.dumps(body).encode(),
                   check=True, stdout=subprocess.DEVNULL)
    said = "PASSED " + feature
print(json.dumps({{"type": "result", "result": said}}))
"""
UNSAVED = "# begun, not saved\n"
GOAL = "# Calculator\n\n- Add two numbers\n- Subtract two numbers\n- Show the result\n"


def environment(url: str) -> dict[str, str]:
    """What the version before was started with."""
    given = {"DATABASE_URL": url} if url else {}
    return {
        "HOME": str(HOME),
        "PATH": f"{HOME / 'bin'}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(PROGRAM / "src"),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        **given,
    }


# --- packing --------------------------------------------------------------------------------------


def main(old: Path, *engines: str) -> None:
    """Make the data of both engines, or of one."""
    DATA.mkdir(exist_ok=True)
    for engine in engines or ENGINES:
        with alone():
            make(old, engine)


@contextmanager
def alone() -> Iterator[None]:
    """One process at a time has the folder; it is gone at the end."""
    with HOME.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(HOME, ignore_errors=True)
        try:
            yield
        finally:
            shutil.rmtree(HOME, ignore_errors=True)


def archive(engine: str) -> Path:
    """Where the folder of an engine is packed."""
    return DATA / f"{engine}.tar.xz"


def make(old: Path, engine: str) -> None:
    """Let the version at `old` work, and pack what it leaves."""
    shutil.copytree(old / "src", PROGRAM / "src")
    (PROGRAM / "venv").symlink_to(sys.prefix)
    with database(old, engine) as url:
        env = environment(url)
        path = f"{env['PYTHONPATH']}:{old}"
        subprocess.run(
            [PYTHON, __file__, "--work", url], env={**env, "PYTHONPATH": path}, cwd=HOME, check=True
        )
        if url:
            (HOME / DUMP).write_text(dumped(url), encoding="utf-8")
    pack(archive(engine))


@contextmanager
def database(old: Path, engine: str) -> Iterator[str]:
    """The address of an empty database; nothing for SQLite."""
    if engine == "sqlite":
        yield ""
        return
    sys.path.insert(0, str(old))
    from tests.postgres import execute, temp_postgres  # noqa: PLC0415 - of the old tree

    with temp_postgres() as server:
        execute(server, "CREATE DATABASE before TEMPLATE template0")
        yield f"{server.rpartition('/')[0]}/before"


def dumped(url: str) -> str:
    """Every table as SQL that any newer PostgreSQL understands."""
    command = ["pg_dump", "--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges", url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")
    return "\n".join(each for each in lines if not each.startswith(NOT_SQL))


def pack(path: Path) -> None:
    """Pack the folder: always in the same order, of nobody, and of one time."""
    with tarfile.open(path, "w:xz", preset=9) as packed:
        for each in sorted(HOME.rglob("*")):
            about = each.relative_to(HOME)
            if not set(about.parts) & set(NEVER_PACKED) and (each.is_file() or each.is_dir()):
                packed.add(each, str(about), recursive=False, filter=_plain)


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = PACKED_AT
    return info


# --- working with the version before --------------------------------------------------------------


def work(url: str) -> None:
    """Do what a person does, with the modules and test helpers of that version."""
    from tests.nursery_process import import_everything  # noqa: PLC0415

    import_everything()  # what takes long, before the first process is born
    said: dict[str, Any] = {}
    begin_projects()
    said["memory"] = remember()
    said["lesson"] = json.loads(paige("plan", "create-lesson", "loops for 3B", "--yes", "--json"))
    said["waiting"] = json.loads(
        paige("plan", "create-lesson", "iteration for 3B", "--json", exits=4)
    )
    study()
    coach(url)
    conduct()
    done(lambda: learn(url))
    paige("install", "claude-code", "--cli-version", "2.1.325")
    fire("SessionStart", {"source": "startup"})
    for event, given in EVENTS:
        said.setdefault("hooks", []).append(fire(event, given))
    for name, command in LOOKS.items():
        said[name] = json.loads(paige(*command, cwd=FOLDERS.get(name, PROJECT)))
    paige("backup", str(HOME / BACKUP))
    (HOME / SAID).write_text(json.dumps(said, indent=1, sort_keys=True) + "\n", encoding="utf-8")


LOOKS = {
    "search": ("memory", "search", "when does the school garden get water", "--json"),
    "guards": ("guard", "guards", "--json"),
    "next": ("orchestra", "next", "--json"),
    "status": ("orchestra", "status", "--json"),
    "step": ("study", "next", "--json"),
    "session": ("coach", "status", "--json"),
    "phases": ("coach", "phases", "--json"),
}
"""What is asked of both versions."""
FOLDERS = {"next": BOARD, "status": BOARD}
"""Where they are asked, if not in the project."""


def paige(*arguments: str, exits: int = 0, cwd: Path = PROJECT, given: str = "") -> str:
    """Run a command; what it printed."""

    def run() -> None:
        os.chdir(cwd)
        sys.argv = ["paige", *arguments]
        runpy.run_module("paige", run_name="__main__", alter_sys=True)

    code, out, err = apart(run, given)
    assert code == exits, (arguments, code, out, err)
    return out


def apart(act: Callable[[], object], given: str = "") -> tuple[int, str, str]:
    """Do something in a process of its own, which has imported already what this one has."""
    with TemporaryFile("w+") as stdin, TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        stdin.write(given)
        stdin.seek(0)
        child = os.fork()
        if child == 0:
            for number, file in enumerate((stdin, out, err)):
                os.dup2(file.fileno(), number)
            code = 1
            try:
                act()
                code = 0
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            except BaseException:  # noqa: BLE001 - whoever waits for it will see the error
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


def begin_projects() -> None:
    """Two projects: one to be coached on, one to be conducted."""
    from tests.orchestra.repositories import new_repository  # noqa: PLC0415
    from tests.study.small_course import write_malay  # noqa: PLC0415

    issue = {"number": 7, "title": "Add a discount", "body": "A cart over 100 gets ten per cent."}
    files = {
        "issues.json": json.dumps([issue]),
        "cart.py": "def total(prices):\n    return sum(prices)\n",
    }
    new_repository(PROJECT, **files)
    new_repository(BOARD)
    for folder in (PROJECT, BOARD):
        shutil.rmtree(folder / ".git" / "hooks")
    write_malay(HOME / ".claude" / "teaching")
    program = HOME / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLAUDE)
    program.chmod(0o755)


def remember() -> list[str]:
    """Memories, one of which took the place of another; their ids."""
    facts = ("--scope", "global", "--type", "fact", "--key", "release")
    told = [
        paige("memory", "add", "The school garden needs water on Mondays", "--json"),
        paige("memory", "add", "Ann prefers short answers", "--type", "preference", "--json"),
        paige("memory", "add", "The release is on Friday", *facts, "--json"),
        paige("memory", "add", "The release is on Tuesday", *facts, "--json"),
    ]
    paige("memory", "search", "release")  # the index is made
    return [json.loads(each)["id"] for each in told]


def study() -> None:
    """A session that is somewhere in the middle."""
    from tests.study.answering import right_answer  # noqa: PLC0415
    from tests.study.small_course import MALAY  # noqa: PLC0415

    teaching = HOME / ".claude" / "teaching"
    step = json.loads(paige("study", "start", "--course", MALAY, "--seed", "4", "--json"))
    for _ in range(5):
        number, options = str(step["step"]), right_answer(teaching, step)
        step = json.loads(paige("study", "next", "--step", number, *options, "--json"))


def coach(url: str) -> None:
    """A session with phases and some work in an open window, and one that was left before."""
    paige("coach", "start", "--title", "Read the cart", "--json")
    session = json.loads(paige("coach", "start", "--issue", "7", "--json"))
    done(lambda: add_plan(url, session["session"]))
    paige("coach", "phases", "--set", "1", "complete")
    paige("coach", "phases", "--set", "2", "active")
    done(lambda: type_some(url))


def add_plan(url: str, session: str) -> None:
    """Give a session three phases."""
    from tests.cli.test_coach import _add_plan  # noqa: PLC0415
    from tests.store.running import write  # noqa: PLC0415

    with opened(url) as app:
        write(app.database, _add_plan, session)


def type_some(url: str) -> None:
    """Save a file in a window, and type what is not saved."""
    from tests.live import READY  # noqa: PLC0415
    from tests.server.windows import window  # noqa: PLC0415

    env = {**environment(url), "PORT": "0", "PROJECT_DIR": str(PROJECT)}
    command = [PYTHON, "-m", "paige", "up"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = next(found[1] for line in server.stdout if (found := READY.search(line)))
        with window(f"{url.replace('http', 'ws', 1)}/ws") as shown:
            shown.send("file:open", {"path": "cart.py"})
            shown.send("file:save", {"path": "cart.py", "content": "def total(prices): ...\n"})
            shown.send("buffer:update", {"path": "cart.py", "content": UNSAVED})
            shown.settle()
        server.terminate()
        server.stdout.read()


def conduct() -> None:
    """Let agents finish one feature; their conductor is killed while the second is written."""
    paige("orchestra", "init", "--from", "-", cwd=BOARD, given=GOAL)
    wait = HOME / "wait"
    wait.touch()
    command = [PYTHON, "-m", "paige", "orchestra", "run", "--runner", "claude-code", "--json"]
    with subprocess.Popen(command, cwd=BOARD, stdout=subprocess.DEVNULL) as conductor:
        for _ in range(600):
            if wait.read_text() or conductor.poll() is not None:
                break
            time.sleep(0.1)
        agent = int(wait.read_text())
        conductor.kill()
    os.kill(agent, signal.SIGKILL)
    wait.unlink()


def learn(url: str) -> None:
    """Guards in every stage, with what they were learned from."""
    from tests.server.learned_project import add_guards, add_traces  # noqa: PLC0415

    os.umask(0o077)  # as `paige` itself begins
    with opened(url) as app:
        add_traces(app, app.now())
        add_guards(app)


def opened(url: str) -> AbstractContextManager[Any]:
    """The application, as a command opens it in the project."""
    from paige.app.application import open_app  # noqa: PLC0415
    from paige.base.settings import read_settings  # noqa: PLC0415

    return open_app(read_settings(environment(url), PROJECT), strict=False)


def done(act: Callable[[], object]) -> None:
    """Do something in a process of its own, which must work."""
    code, out, err = apart(act)
    assert code == 0, (out, err)


def installed(event: str) -> list[str]:
    """The command that a coding CLI starts for an event."""
    settings = json.loads((HOME / ".claude" / "settings.json").read_text(encoding="utf-8"))
    [handler] = [each for entry in settings["hooks"][event] for each in entry["hooks"]]
    return [handler["command"], *handler["args"]]


def fire(event: str, given: Mapping[str, Any], env: Mapping[str, str] | None = None) -> Any:
    """Start the installed hook as a coding CLI does; what it answered."""
    body = {
        "session_id": "s-before",
        "transcript_path": "",
        "cwd": str(PROJECT),
        "hook_event_name": event,
        "permission_mode": "default",
        **given,
    }
    done = subprocess.run(
        installed(event), cwd=PROJECT, env=env, input=json.dumps(body), text=True,
        capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, (event, done.stdout, done.stderr)
    return json.loads(done.stdout) if done.stdout.strip() else None


if __name__ == "__main__":
    if sys.argv[1] == "--work":
        work(sys.argv[2])
    else:
        main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
