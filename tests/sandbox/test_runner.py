"""A battery of programs that try to get out, use too much, or see what they must not."""

import os
import socket
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from paige.base.errors import BadInput, Unavailable
from paige.sandbox.isolation import strongest
from paige.sandbox.runner import run
from paige.sandbox.values import (
    MIB,
    Ending,
    Isolation,
    Job,
    Limits,
    Outcome,
    explain,
    explain_isolation,
)

QUICK = Limits(wall_seconds=30, cpu_seconds=1, memory_bytes=200 * MIB, disk_bytes=8 * MIB)
WAYS: tuple[Isolation, ...] = ("bubblewrap", "namespaces", "limits")
SHUT: tuple[Isolation, ...] = ("bubblewrap", "namespaces")


def play(code: str, isolation: Isolation = "bubblewrap", **job: object) -> Outcome:
    """Run a Python program."""
    files = {"main.py": dedent(code).encode(), **job.pop("files", {})}  # type: ignore[dict-item]
    whole = Job(argv=(sys.executable, "main.py"), files=files, **{"limits": QUICK, **job})
    return run(whole, isolation=isolation)


@pytest.mark.parametrize("isolation", WAYS)
def test_a_program_prints_and_ends(isolation: Isolation) -> None:
    done = play("import sys; print(sys.stdin.read()); sys.exit(3)", isolation, stdin=b"hello")
    assert (done.ending, done.exit_code, done.stdout, done.stderr) == ("exit", 3, "hello\n", "")
    assert done.isolation == isolation
    assert explain(done) == ""


def test_the_strongest_way_is_taken_here() -> None:
    assert strongest() == "bubblewrap"
    assert "no network" in explain_isolation(strongest())


LOOP = "while True: pass"
WAIT = "import time; time.sleep(1000)"
# A bomb that stops growing by itself: a mistake here must not cost the machine.
BOMB = "import os, time\nfor _ in range(8): os.fork()\ntime.sleep(20)"
MEMORY = "held = []\nwhile True: held.append('a' * 10**6)"
MANY = """
    import os
    for _ in range(3): os.fork()
    held = 'a' * 40_000_000
    while True: pass
    """
PRINT = "while True: print('x' * 1000)"
DISK = "with open('big', 'wb') as file:\n    while True: file.write(b'0' * 10**6)"
FILES = "for n in range(10**6): open(f'f{n}', 'wb').write(b'0' * 100_000)"


@pytest.mark.parametrize("isolation", WAYS)
@pytest.mark.parametrize(
    ("code", "ending", "said"),
    [
        (LOOP, "cpu", "loop that never ends"),
        (BOMB, "processes", "processes"),
        (MEMORY, "memory", "keeps growing"),
        (PRINT, "output", "print inside a loop"),
        (DISK, "disk", "MB to files"),
    ],
)
def test_a_program_that_uses_too_much_is_stopped_and_told_why(
    code: str, ending: Ending, said: str, isolation: Isolation
) -> None:
    done = play(code, isolation)
    assert done.ending == ending, done.stderr
    assert said in explain(done)


def test_a_program_that_waits_for_ever_is_stopped() -> None:
    done = play(WAIT, limits=Limits(wall_seconds=1))
    assert done.ending == "wall"
    assert "still running after 1 seconds" in explain(done)


def test_many_small_processes_together_may_not_use_too_much_memory() -> None:
    assert play(MANY).ending == "memory"


def test_many_small_files_together_may_not_fill_the_disk() -> None:
    assert play(FILES).ending == "disk"


@pytest.mark.parametrize("isolation", SHUT)
def test_there_is_no_network_not_even_to_this_machine(isolation: Isolation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = play(f"import socket; socket.create_connection(('127.0.0.1', {port}))", isolation)
    assert done.exit_code == 1
    assert "OSError" in done.stderr or "ConnectionRefusedError" in done.stderr


def test_nothing_outside_its_folder_can_be_written() -> None:
    done = play(
        """
        import os
        for path in ('/', '/usr', '/etc', '/sandbox-files', '/proc', os.environ['HOME']):
            try:
                open(os.path.join(path, 'mine'), 'w').close()
                print('wrote', path)
            except OSError:
                pass
        """
    )
    assert done.stdout == "wrote /sandbox\n"


def test_homes_and_projects_of_this_machine_are_not_there(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the answer")
    done = play(
        f"""
        import os
        print(os.path.exists({str(secret)!r}), os.path.exists({str(Path(__file__))!r}))
        print(os.path.exists('/etc/shadow'), os.path.exists('/root/.bashrc'))
        """
    )
    assert done.stdout == "False False\nFalse False\n"


def test_other_processes_are_neither_seen_nor_ended() -> None:
    done = play(
        f"""
        import os, signal
        print([name for name in os.listdir('/proc') if name.isdigit() and int(name) > 20])
        for pid in ({os.getpid()}, os.getppid(), 1, -1):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError as error:
                print(error.strerror)
        """
    )
    assert done.stdout.startswith("[]\n")
    assert os.getpid()  # we are still here


def test_the_environment_of_this_machine_does_not_come_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-key")
    for isolation in WAYS:
        done = play("import os; print(dict(os.environ))", isolation)
        assert "secret-key" not in done.stdout
        proc = play("print(open('/proc/1/environ').read())", isolation)
        if isolation == "bubblewrap":
            assert "secret-key" not in proc.stdout


@pytest.fixture
def exercise(tmp_path: Path) -> Path:
    folder = tmp_path / "exercise"
    (folder / ".meta").mkdir(parents=True)
    (folder / "main.py").write_text("print(1)")
    (folder / "solution.py").write_text("ANSWER = 42")
    (folder / ".meta" / "example.py").write_text("ANSWER = 42")
    (folder / "shortcut.py").symlink_to(folder / "solution.py")
    (folder / "inside.py").symlink_to("main.py")
    (folder / "outside").symlink_to("/etc")
    (folder / "passwd").symlink_to("/etc/passwd")
    return folder


@pytest.mark.parametrize("isolation", SHUT)
def test_a_hidden_solution_is_not_there_by_any_name(exercise: Path, isolation: Isolation) -> None:
    code = f"""
        import os
        found = []
        for top in ('.', '/sandbox-files', {str(exercise)!r}):
            for folder, _, names in os.walk(top):
                for name in names:
                    path = os.path.join(folder, name)
                    try:
                        if 'ANS' + 'WER' in open(path).read(): found.append(path)
                    except (OSError, UnicodeDecodeError):
                        pass
        print(found, sorted(os.listdir('.')))
        """
    hidden = frozenset({"solution.py", ".meta"})
    done = play(code, isolation, folder=exercise, hidden=hidden)
    assert done.stdout == "[] ['inside.py', 'main.py']\n", done.stderr


def test_the_folder_itself_is_never_changed(exercise: Path) -> None:
    play("open('main.py', 'w').write('gone'); open('new', 'w').close()", folder=exercise)
    assert (exercise / "main.py").read_text() == "print(1)"
    assert not (exercise / "new").exists()


def test_what_is_printed_is_never_the_result() -> None:
    code = "import os; print('passed'); os.write(int(os.environ['PAIGE_RESULT_FD']), b'failed')"
    done = play(code, result_channel=True)
    assert (done.stdout, done.result) == ("passed\n", b"failed")
    assert play("print('passed')", result_channel=True).result == b""


@pytest.mark.parametrize("isolation", WAYS)
def test_what_a_program_leaves_running_ends_with_it(isolation: Isolation) -> None:
    code = """
        import os, sys, time
        if os.fork() == 0:
            time.sleep(1000)
        print('done')
        """
    done = play(code, isolation)
    assert (done.ending, done.stdout) == ("exit", "done\n")


def test_a_program_that_closes_its_output_is_still_watched() -> None:
    code = "import os\nos.close(1); os.close(2)\nwhile True: pass"
    assert play(code).ending == "cpu"


def test_a_file_may_not_lead_out_of_the_folder() -> None:
    with pytest.raises(BadInput, match="not a path inside"):
        play("", files={"../x": b""})


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a folder"):
        play("", folder=tmp_path / "missing")


def test_a_command_that_does_not_exist_is_said() -> None:
    done = run(Job(argv=("no-such-program",)))
    assert done.exit_code == 127
    assert "`no-such-program` cannot be started" in done.stderr


def test_without_the_wrapper_the_run_is_refused_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match=r"`(bwrap|setpriv)` cannot be started: there is no"):
        run(Job(argv=("true",)), isolation="bubblewrap")
