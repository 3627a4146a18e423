"""The shell in the window: a real one, in a real pseudo-terminal."""

import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, Unavailable
from paige.coach.messages import Reply, TerminalExit, TerminalOpened, TerminalOutput
from paige.coach.terminals import (
    KEPT,
    MOST_INPUT,
    TOGETHER,
    Size,
    Terminals,
    TerminalTail,
    shell_environment,
    shell_of,
)
from tests.coach.message_sinks import SECONDS, Recorder

pytestmark = pytest.mark.anyio
ME = Actor()
SIZE = Size(80, 24)
ENVIRON = {"PATH": os.environ["PATH"], "SHELL": "/bin/sh", "PS1": "$ ", "LANG": "C.UTF-8"}


@asynccontextmanager
async def running(
    folder: Path, outlet: Recorder, environ: dict[str, str] | None = None
) -> AsyncIterator[Terminals]:
    terminals = Terminals(folder, outlet, environ or ENVIRON)
    async with anyio.create_task_group() as tasks:
        terminals.begin(tasks)
        yield terminals
        await terminals.close()


async def shown(outlet: Recorder, text: str) -> str:
    """Wait until a text is on the screen; all of the screen."""
    return (await matched(outlet, re.escape(text))).string


async def matched(outlet: Recorder, pattern: str) -> re.Match[str]:
    """Wait until a pattern is on the screen."""
    with anyio.fail_after(SECONDS):
        while not (found := re.search(pattern, screen_of(outlet))):
            await outlet.news.wait()
    return found


def screen_of(outlet: Recorder) -> str:
    """Everything that was shown."""
    return "".join(each.output for each in outlet.of(TerminalOutput))


async def test_a_shell_starts_in_the_project_and_shows_what_is_typed(tmp_path: Path) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1", "r1"))
        terminals.type(ME, 'echo "in $(pwd)"; stty size\n')
        screen = await shown(outlet, "24 80")

    opened, reply = outlet.answered[0]
    assert opened == TerminalOpened(cols=80, rows=24, shell="sh")
    assert reply == Reply("c1", "r1")
    assert f"in {tmp_path}" in screen


async def test_a_second_window_sees_what_the_first_one_saw_in_the_same_shell(
    tmp_path: Path,
) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "echo first-$((40 + 2))\n")
        await shown(outlet, "first-42")
        await terminals.open(ME, Size(100, 30), Reply("c2"))
        terminals.type(ME, "stty size\n")
        await shown(outlet, "30 100")

    (_, first), (opened, second), (kept, third) = outlet.answered
    assert [first.connection, second.connection, third.connection] == ["c1", "c2", "c2"]
    assert isinstance(opened, TerminalOpened)
    assert isinstance(kept, TerminalOutput)
    assert "first-42" in kept.output


async def test_the_exit_code_is_told_and_a_new_shell_can_be_opened(tmp_path: Path) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "exit 7\n")
        (ended,) = await outlet.until(TerminalExit)
        with pytest.raises(NotFound, match="No terminal is open"):
            terminals.type(ME, "ls\n")
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "echo again-$((1 + 1))\n")
        await shown(outlet, "again-2")

    assert ended.code == 7


async def test_characters_of_several_bytes_are_never_cut(tmp_path: Path) -> None:
    outlet = Recorder()
    (tmp_path / "text").write_text("aé漢🎈" * 20_000 + "\nend-of-text\n", encoding="utf-8")
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "cat text\n")
        screen = await shown(outlet, "end-of-text\r\n")

    assert "\ufffd" not in screen
    assert screen.count("aé漢🎈") == 20_000


async def test_much_typed_at_once_arrives_whole(tmp_path: Path) -> None:
    outlet = Recorder()
    lines = [f"line {number}" for number in range(20_000)]
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "stty -echo; cat > taken; echo 'it is'-done\n")
        terminals.type(ME, "\n".join(lines) + "\n\x04")
        await shown(outlet, "it is-done")

    assert (tmp_path / "taken").read_text().split("\n")[:-1] == lines


async def test_a_program_that_never_reads_does_not_take_all_memory(tmp_path: Path) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, "stty raw -echo; echo waits; exec sleep 60\n")
        await shown(outlet, "waits")
        for _ in range(31):
            terminals.type(ME, "x" * (MOST_INPUT // 32))
        with pytest.raises(Unavailable, match="does not read"):
            terminals.type(ME, "x" * (MOST_INPUT // 16))


async def test_a_flood_waits_for_room_and_is_cut_into_frames(tmp_path: Path) -> None:
    outlet = Recorder(gate=anyio.Event())
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        with anyio.fail_after(SECONDS):
            while not outlet.asked_for_room:
                await outlet.news.wait()
        terminals.type(ME, "yes\n")
        for _ in range(100):  # long enough for `yes` to fill everything, if it could
            await anyio.lowlevel.checkpoint()
        held = len(outlet.sent)
        assert outlet.gate is not None
        outlet.gate.set()
        outputs = await outlet.until(TerminalOutput, 40)
        terminals.type(ME, "\x03")
        shell = terminals.find(ME)
        assert shell is not None
        assert len(shell.shown.text()) <= KEPT

    assert held == 1
    assert max(len(each.output) for each in outputs) < TOGETHER + 65_536


@pytest.fixture(params=[signal.SIG_DFL, signal.SIG_IGN], ids=["", "nohup"])
def hang_ups(request: pytest.FixtureRequest) -> Iterator[None]:
    """What Paige itself does when its terminal goes: under `nohup` it ignores that."""
    before = signal.signal(signal.SIGHUP, request.param)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hang_ups")
@pytest.mark.parametrize("job", ["sh -c '{}'", "sh -c '{}' & wait"])
async def test_what_the_shell_started_ends_with_it(tmp_path: Path, job: str) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet, {**ENVIRON, "SHELL": "/bin/bash"}) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        terminals.type(ME, job.format("echo pid=$$-; exec sleep 600") + "\n")
        found = await matched(outlet, r"pid=(\d+)-")
        process = os.pidfd_open(int(found[1]))

    with anyio.fail_after(SECONDS):
        await anyio.wait_readable(process)  # which it becomes when the process has ended
    os.close(process)
    assert outlet.of(TerminalExit)


async def test_people_have_shells_of_their_own(tmp_path: Path) -> None:
    outlet = Recorder()
    other = Actor(person="other")
    async with running(tmp_path, outlet) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        assert terminals.find(other) is None
        await terminals.open(other, SIZE, Reply("c2"))
        assert terminals.find(ME) is not terminals.find(other)


@pytest.mark.parametrize(("told", "size"), [(None, "24 80"), (Size(70, 20), "20 70")])
async def test_the_first_keys_start_a_shell_of_the_size_that_was_told(
    tmp_path: Path, told: Size | None, size: str
) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet) as terminals:
        if told is not None:
            terminals.resize(ME, told)
            assert terminals.find(ME) is None
        terminals.type(ME, "stty size\n")
        await shown(outlet, size)


async def test_without_a_project_there_is_no_terminal() -> None:
    with pytest.raises(BadInput, match="without a project"):
        await Terminals(None, Recorder()).open(ME, SIZE, Reply("c1"))


async def test_a_shell_that_does_not_exist_ends_at_once_and_says_so(tmp_path: Path) -> None:
    outlet = Recorder()
    async with running(tmp_path, outlet, {**ENVIRON, "SHELL": "/no/such/shell"}) as terminals:
        await terminals.open(ME, SIZE, Reply("c1"))
        (ended,) = await outlet.until(TerminalExit)

    assert ended.code == 127
    assert "No such file" in "".join(each.output for each in outlet.of(TerminalOutput))


def test_a_shell_does_not_see_what_paige_was_given_in_confidence() -> None:
    secrets = dict.fromkeys(
        ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PAIGE_PASSCODE", "DATABASE_URL"), "secret"
    )

    assert shell_environment({**ENVIRON, **secrets}) == ENVIRON
    assert shell_of({}) == "/bin/sh"
    assert shell_of({"SHELL": "/bin/zsh"}) == "/bin/zsh"


@given(st.lists(st.text(alphabet="ab\n", max_size=30)), st.integers(1, 50))
def test_the_end_of_what_was_shown_is_kept(texts: list[str], most: int) -> None:
    kept = TerminalTail(most)
    for text in texts:
        kept.add(text)

    whole = "".join(texts)
    assert whole.endswith(kept.text())
    assert len(kept.text()) <= most
    assert len(whole) > most or kept.text() == whole
