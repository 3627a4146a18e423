import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from paige.base.errors import Unavailable
from paige.sandbox.terminal import Terminal, open_terminal

ENVIRON = {"PATH": os.environ["PATH"], "PS1": "$ ", "LANG": "C.UTF-8"}


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Terminal]:
    terminal = open_terminal(["bash", "--norc", "--noediting"], tmp_path, ENVIRON)
    try:
        yield terminal
    finally:
        terminal.close()


def read_until(terminal: Terminal, text: str) -> str:
    """Everything shown up to a text."""
    shown = ""
    while text not in shown:
        part = terminal.read()
        assert part, shown
        shown += part.decode()
    return shown


def test_what_is_typed_is_run_and_shown(shell: Terminal, tmp_path: Path) -> None:
    shell.write(b"echo in-$PWD\n")
    assert read_until(shell, f"in-{tmp_path}")


def test_programs_know_how_much_room_there_is(shell: Terminal) -> None:
    shell.resize(132, 43)
    shell.write(b"stty size\n")
    read_until(shell, "43 132")


def test_absurd_sizes_are_bounded(shell: Terminal) -> None:
    shell.resize(-5, 10**9)
    shell.write(b"stty size\n")
    read_until(shell, "1000 1")


def test_the_program_in_the_foreground_is_known(shell: Terminal) -> None:
    read_until(shell, "$ ")
    assert shell.foreground() == "bash"
    shell.write(b"exec sh -c 'printf %s-%s here now; exec cat'\n")
    read_until(shell, "here-now")
    shell.write(b"line\n")
    read_until(shell, "line\r\nline")
    assert shell.foreground() == "cat"


def test_a_shell_that_ended_shows_nothing_more(shell: Terminal) -> None:
    shell.write(b"exit 3\n")
    while shell.read():
        pass
    shell.close()
    assert shell.exit_code == 3


def test_closing_ends_what_was_started(shell: Terminal) -> None:
    shell.write(b"sleep 1000 & echo started-$!\n")
    shown = read_until(shell, "\r\nstarted-")
    while "\n" not in shown.rpartition("started-")[2]:
        shown += shell.read().decode()
    shell.close()
    assert shell.exit_code is not None
    with pytest.raises(Unavailable, match="has ended"):
        shell.write(b"x")


def test_a_shell_that_does_not_exist_is_said(tmp_path: Path) -> None:
    terminal = open_terminal(["no-such-shell"], tmp_path, ENVIRON)
    assert "No such file" in read_until(terminal, "directory")
    while terminal.read():
        pass
    terminal.close()
    assert terminal.exit_code == 127
