"""Nothing gets through by breaking the hook: every gate of every host, broken in every way.

Each case is a real process. At a gate the answer refuses in the host's own form; at every other
event the host goes on, and the fault is written down or said.
"""

import ast
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paige.guard.fast import snapshot
from paige.guard.fast.snapshot import Drawers, read_snapshot
from tests.hooks.conftest import Home
from tests.hooks.process import (
    ENTRY,
    GATES,
    HOOK,
    OTHERS,
    body,
    denies,
    environment,
    fire,
    refuses,
)

gates = pytest.mark.parametrize(("cli", "event"), GATES)
others = pytest.mark.parametrize(("cli", "event"), OTHERS)
BROKEN = {
    "nothing": b"",
    "half": b'{"hook_event_name": "PreToolUse", "tool_name": "Ba',
    "no object": b"[]",
    "no text": b"\xff\xfe\x00",
    "too deep": b"[" * 100_000,
    "no tool": b'{"cwd": "/"}',
}


@gates
@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_gate_that_cannot_read_its_event_refuses(
    cli: str, event: str, data: bytes, home: Home
) -> None:
    done = fire(data, cli, event, env=environment(home.folder))

    assert done.returncode == 0
    assert refuses(cli, event, done)
    assert '"fault"' in home.spooled()


@others
@pytest.mark.parametrize("data", [BROKEN["nothing"], BROKEN["half"]], ids=["nothing", "half"])
def test_every_other_event_lets_the_host_go_on_and_the_fault_is_written_down(
    cli: str, event: str, data: bytes, home: Home
) -> None:
    done = fire(data, cli, event, env=environment(home.folder))

    assert done.returncode == 0
    assert not denies(done.stdout.decode(), done.returncode)
    assert '"fault"' in home.spooled()


@pytest.mark.parametrize("cli", ["claude-code", "codex", "gemini", "copilot"])
def test_an_unnamed_event_that_cannot_be_read_is_refused(cli: str, home: Home) -> None:
    done = fire(b"{", cli, env=environment(home.folder))

    assert done.returncode == 2
    assert done.stderr.strip()
    assert not done.stdout


@pytest.mark.parametrize("cli", ["claude-code", "codex", "gemini", "copilot"])
def test_an_unknown_event_about_a_tool_is_refused_and_any_other_goes_on(
    cli: str, home: Home
) -> None:
    about_a_tool = fire(
        json.dumps({"hook_event_name": "BeforeEverything", "tool_name": "Bash"}).encode(),
        cli,
        env=environment(home.folder),
    )
    about_nothing = fire(
        b'{"hook_event_name": "MoonPhaseChanged"}', cli, env=environment(home.folder)
    )

    assert about_a_tool.returncode == 2
    assert about_nothing.returncode == 0
    assert "MoonPhaseChanged" in home.spooled()


@pytest.mark.parametrize(("cli", "event"), [GATES[0], GATES[3], GATES[4], GATES[5]])
def test_a_body_of_fifty_megabytes_is_refused_and_read_to_its_end(
    cli: str, event: str, home: Home
) -> None:
    data = body(cli, event, home.project, "echo " + "x" * 50 * 2**20)

    done = fire(data, cli, event, env=environment(home.folder))

    assert refuses(cli, event, done)
    assert b"larger than" in done.stdout


# --- rules that are missing, damaged, old or somebody else's --------------------------------------


def _emptied(home: Home) -> dict[str, object]:
    """Rules that forbid nothing: whoever uses them lets everything through."""
    kept = read_snapshot(str(home.snapshot))
    assert kept is not None
    shell = kept["shell"]
    assert isinstance(shell, dict)
    assert isinstance(shell["families"], Drawers)
    return {**kept, "shell": {**shell, "families": {}}}


def _missing(home: Home) -> None:
    home.snapshot.unlink()


def _garbage(home: Home) -> None:
    home.snapshot.write_bytes(b"\x00" * 4096)


def _cut(home: Home) -> None:
    home.snapshot.write_bytes(home.snapshot.read_bytes()[:-100])


def _flipped(home: Home) -> None:
    data = bytearray(home.snapshot.read_bytes())
    for at in range(100, len(data), 997):
        data[at] ^= 0x55
    home.snapshot.write_bytes(bytes(data))


def _flipped_drawers(home: Home) -> None:
    data = bytearray(home.snapshot.read_bytes())
    start = 4 + int.from_bytes(data[:4], "little")
    for at in range(start, len(data)):
        data[at] ^= 0x55
    home.snapshot.write_bytes(bytes(data))


def _of_another_python(home: Home) -> None:
    emptied = _emptied(home)
    head = ((snapshot.FORMAT, "cpython-27", 0), {**emptied, "shell": {"families": {}}})
    sealed = snapshot._sealed(head)
    home.snapshot.write_bytes(len(sealed).to_bytes(4, "little") + sealed)


def _writable_by_all(home: Home) -> None:
    home.snapshot.write_bytes(snapshot.dump_snapshot(_emptied(home)))
    home.snapshot.chmod(0o666)


def _of_somebody_else(home: Home) -> None:
    home.snapshot.write_bytes(snapshot.dump_snapshot(_emptied(home)))
    if os.getuid() != 0:
        pytest.skip("only the administrator can give a file away")
    os.chown(home.snapshot, 12345, 12345)


def _old(home: Home) -> None:
    emptied = _emptied(home)
    emptied["sources"] = (("/nowhere/rules.toml", 1, 1),)
    home.snapshot.write_bytes(snapshot.dump_snapshot(emptied))


def _a_folder(home: Home) -> None:
    home.snapshot.unlink()
    home.snapshot.mkdir()


def _a_pipe(home: Home) -> None:
    home.snapshot.unlink()
    os.mkfifo(home.snapshot)


SPOILT = (
    _missing, _garbage, _cut, _flipped, _flipped_drawers, _of_another_python, _writable_by_all,
    _of_somebody_else, _old, _a_folder, _a_pipe,
)  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda each: each.__name__)
@pytest.mark.parametrize(("cli", "event"), [GATES[0], GATES[4]])
def test_for_lack_of_rules_nothing_is_allowed(
    spoil: Callable[[Home], None], cli: str, event: str, home: Home
) -> None:
    spoil(home)

    done = fire(body(cli, event, home.project), cli, event, env=environment(home.folder))

    assert refuses(cli, event, done)


# --- folders, disks, variables --------------------------------------------------------------------


def _no_spool(home: Home) -> dict[str, str]:
    (home.data / "spool").write_text("a file where a folder should be")
    return environment(home.folder)


def _nowhere(home: Home) -> dict[str, str]:
    return environment(home.folder, DATA_DIR="/proc/nowhere")


def _data_is_a_file(home: Home) -> dict[str, str]:
    (home.folder / "file").write_text("")
    return environment(home.folder, DATA_DIR=str(home.folder / "file"))


def _no_home(home: Home) -> dict[str, str]:
    return {"PATH": os.environ["PATH"]} | {"DATA_DIR": str(home.data)}


def _home_nowhere(home: Home) -> dict[str, str]:
    return environment(Path("/proc/nobody"))


def _linked(home: Home) -> dict[str, str]:
    home.data.rename(home.folder / "elsewhere")
    home.data.symlink_to(home.folder / "elsewhere")
    return environment(home.folder)


def _circular(home: Home) -> dict[str, str]:
    (home.folder / "round").symlink_to(home.folder / "round")
    return environment(home.folder, DATA_DIR=str(home.folder / "round"))


def _odd_role(home: Home) -> dict[str, str]:
    return environment(home.folder, AGENT_ROLE="\udcff 🎻\n'; rm")


def _odd_project(home: Home) -> dict[str, str]:
    return environment(home.folder, CLAUDE_PROJECT_DIR="/\udcff/nowhere")


PLACES = (
    _no_spool, _nowhere, _data_is_a_file, _no_home, _home_nowhere, _linked, _circular, _odd_role,
    _odd_project,
)  # fmt: skip


@pytest.mark.parametrize("arrange", PLACES, ids=lambda each: each.__name__)
@pytest.mark.parametrize(("cli", "event"), [GATES[1], GATES[2], GATES[5]])
def test_wherever_the_data_lies_a_dangerous_command_is_refused(
    arrange: Callable[[Home], dict[str, str]], cli: str, event: str, home: Home
) -> None:
    environ = arrange(home)

    done = fire(body(cli, event, home.project), cli, event, env=environ)

    assert refuses(cli, event, done)


@pytest.mark.parametrize("arrange", [_no_spool, _nowhere], ids=lambda each: each.__name__)
def test_a_fault_that_cannot_be_written_down_is_said(
    arrange: Callable[[Home], dict[str, str]], home: Home
) -> None:
    done = fire(b"{", "claude-code", "Stop", env=arrange(home))

    assert (done.returncode, done.stdout) == (0, b"")
    assert b"cannot read this event" in done.stderr


@gates
def test_a_full_disk_opens_no_gate(cli: str, event: str, home: Home) -> None:
    home.snapshot.unlink()

    done = fire(
        body(cli, event, home.project),
        cli,
        event,
        env=environment(home.folder),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )

    assert refuses(cli, event, done)
    assert not home.snapshot.exists()


@gates
def test_a_folder_that_is_gone_opens_no_gate(cli: str, event: str, home: Home) -> None:
    gone = home.folder / "gone"
    gone.mkdir()
    start = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *HOOK, cli, event]
    made = json.loads(body(cli, event, "/"))
    del made["cwd"]

    done = subprocess.run(
        start,
        input=json.dumps(made).encode(),
        capture_output=True,
        cwd=gone,
        env=environment(home.folder),
        timeout=60,
        check=False,
    )

    assert refuses(cli, event, done)


@gates
def test_closed_streams_open_no_gate(cli: str, event: str, home: Home) -> None:
    start = ["sh", "-c", 'exec "$@" <&-', "sh", *HOOK, cli, event]

    no_input = subprocess.run(
        start, capture_output=True, env=environment(home.folder), timeout=60, check=False
    )
    deaf = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *HOOK, cli, event],
        input=body(cli, event, home.project),
        stderr=subprocess.PIPE,
        env=environment(home.folder),
        timeout=60,
        check=False,
    )

    assert refuses(cli, event, no_input)
    assert deaf.returncode == 2


# --- time and signals -----------------------------------------------------------------------------


def _waiting(home: Home, cli: str, event: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [*HOOK, cli, event],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home.folder),
    )
    assert process.stdin is not None
    process.stdin.write(body(cli, event, home.project)[:-1])
    process.stdin.flush()
    return process


def _ended(process: "subprocess.Popen[bytes]") -> "subprocess.CompletedProcess[bytes]":
    assert process.stdout is not None
    assert process.stderr is not None
    stdout, stderr = process.stdout.read(), process.stderr.read()
    code = process.wait(timeout=60)
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()
    return subprocess.CompletedProcess(process.args, code, stdout, stderr)


def test_a_host_that_keeps_stdin_open_is_answered_in_time(home: Home) -> None:
    waiting = [(cli, event, _waiting(home, cli, event)) for cli, event in (*GATES, *OTHERS)]

    for cli, event, process in waiting:
        done = _ended(process)
        assert done.returncode == 0
        assert refuses(cli, event, done) == ((cli, event) in GATES)
    assert "too long" in home.spooled()


def test_a_hook_that_is_told_to_end_refuses_first(home: Home) -> None:
    process = _waiting(home, "codex", "PreToolUse")
    while not _handles(process.pid, signal.SIGTERM):
        assert process.poll() is None

    process.send_signal(signal.SIGTERM)

    assert refuses("codex", "PreToolUse", _ended(process))


def _handles(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


STUCK = """
import sys
sys.path.insert(0, {folder!r})
from paige.hooks import fast, faults
faults.LATEST = 0.2
def stuck(heard, place):
    import signal, time
    signal.pthread_sigmask(signal.SIG_BLOCK, {{signal.SIGALRM}})  # as C code that looks at none
    time.sleep(60)
fast.decide_with_packages = stuck
fast.main()
"""


@gates
def test_a_decision_that_never_comes_back_is_answered_by_another_thread(
    cli: str, event: str, home: Home
) -> None:
    code = STUCK.format(folder=str(Path(ENTRY).parents[2]))
    home.snapshot.unlink()

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, cli, event],
        input=body(cli, event, home.project),
        capture_output=True,
        env=environment(home.folder),
        timeout=60,
        check=False,
    )

    assert refuses(cli, event, done)


# --- another Python, a damaged installation -------------------------------------------------------

OLDER = """
import sys
sys.version_info = (3, 8)
exec(compile(open({entry!r}).read(), {entry!r}, "exec"), {{"__file__": {entry!r}}})
"""


@pytest.mark.parametrize(
    ("event", "code"), [(event, 2) for _, event in GATES] + [("", 2), ("Stop", 1)]
)
def test_an_older_python_says_so_and_keeps_a_gate_shut(event: str, code: int) -> None:
    start = [sys.executable, "-I", "-S", "-c", OLDER.format(entry=ENTRY), "claude-code"]

    done = subprocess.run([*start, event], input=b"", capture_output=True, timeout=60, check=False)

    assert done.returncode == code
    assert b"3.11" in done.stderr


def test_an_older_python_can_read_the_starter() -> None:
    ast.parse(Path(ENTRY).read_text(), feature_version=(3, 4))


@pytest.mark.parametrize(("event", "code"), [("PreToolUse", 2), ("Stop", 1)])
def test_a_damaged_installation_keeps_a_gate_shut(event: str, code: int, tmp_path: Path) -> None:
    hooks = tmp_path / "paige" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "entry.py").write_text(Path(ENTRY).read_text())
    (hooks / "fast.py").write_text("this is no Python")

    done = subprocess.run(
        [sys.executable, "-I", "-S", str(hooks / "entry.py"), "claude-code", event],
        input=b"{}",
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == code
    assert b"Paige cannot start" in done.stderr
