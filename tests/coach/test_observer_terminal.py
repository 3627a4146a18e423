"""What the observer learns from the terminal, and how it speaks into one."""

import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.live import ENTER, PASTE, PASTED, pasted, takes_nudges
from paige.coach.message_parts import NudgeContext
from paige.coach.observer.runner_output import RunReader, TestRun, last_run, read_runs
from tests.coach.observing import RIGHT, WRONG, nudge, observed

OUTPUTS = [
    ("\x1b[32m===== \x1b[1m3 passed\x1b[0m in 0.12s =====\x1b[0m\r\n", TestRun(3, 0)),
    ("1 failed, 2 passed, 1 skipped in 0.10s\n", TestRun(2, 1)),
    ("==== 2 passed, 1 error in 3.2s ====\n", TestRun(2, 1)),
    ("Ran 5 tests in 0.001s\n\nOK\n", TestRun(5, 0)),
    ("Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n", TestRun(3, 2)),
    ("Tests:       1 failed, 4 passed, 5 total\n", TestRun(4, 1)),
    ("      Tests  1 failed | 4 passed (5)\n", TestRun(4, 1)),
    ("test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured\n", TestRun(7, 0)),
    ("12 examples, 2 failures\n", TestRun(10, 2)),
    ("[INFO] Tests run: 9, Failures: 1, Errors: 1, Skipped: 0\n", TestRun(7, 2)),
    ("Passed!  - Failed:     0, Passed:     6, Skipped: 0\n", TestRun(6, 0)),
    ("OK (5 tests, 9 assertions)\n", TestRun(5, 0)),
    ("Tests: 5, Assertions: 9, Failures: 2.\n", TestRun(3, 2)),
    ("\u2139 tests 6\n\u2139 pass 5\n\u2139 fail 1\n", TestRun(5, 1)),
    ("  5 passing (12ms)\n  1 failing\n", TestRun(5, 1)),
    ("  5 passing (12ms)\n\n$ ", TestRun(5, 0)),
    ("Ran 3 tests in 0.001s\n\nOK (skipped=3)\n", TestRun(0, 0)),
    ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", TestRun(0, 0)),
    ("3 examples, 0 failures, 3 pending\n", TestRun(0, 0)),
    ("[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 4\n", TestRun(0, 0)),
    ("Tests: 2, Assertions: 0, Skipped: 2.\n", TestRun(0, 0)),
    ("ok  \tshop/fetch\t0.01s\nok  \tshop/all\t0.01s [no tests to run]\n", TestRun(1, 0)),
    ("ok  \tshop/fetch\t0.01s\nFAIL\tshop/queue\t0.02s\n", TestRun(1, 1)),
]


@pytest.mark.parametrize(("output", "run"), OUTPUTS)
def test_the_end_of_a_test_run_is_read(output: str, run: TestRun) -> None:
    assert last_run(output) == run


@pytest.mark.parametrize(("output", "run"), OUTPUTS[:-2])
def test_it_is_read_whatever_pieces_it_comes_in(output: str, run: TestRun) -> None:
    reader = RunReader()
    found = [each for letter in output for each in reader.feed(letter)]

    assert (found or read_runs(output)) == [run]


@given(st.text(max_size=300))
def test_other_output_is_no_test_run_and_breaks_nothing(text: str) -> None:
    assert isinstance(read_runs(text), list)


@pytest.mark.parametrize(
    "line", ["5 files passed over", "I passed in 3s", "$ echo in 3s", "Tests are fun", ""]
)
def test_talk_about_tests_is_no_test_run(line: str) -> None:
    assert read_runs(f"{line}\n") == []


@pytest.mark.parametrize(
    ("program", "takes"),
    [("claude", True), ("gemini.js", True), ("codex", True), ("bash", False), ("vim", False)],
)
def test_only_coding_clis_are_spoken_to(program: str, takes: bool) -> None:
    assert takes_nudges(program) is takes
    assert not takes_nudges(None)


def test_nothing_in_a_nudge_can_press_a_key() -> None:
    evil = "a.py\x1b[201~\rrm -rf /\r\n"
    typed = pasted("wrong_file", NudgeContext(current_file=evil, phase_description=evil))

    assert typed.startswith(PASTE)
    assert typed.endswith(PASTED + ENTER)
    inside = typed.removeprefix(PASTE).removesuffix(PASTED + ENTER)
    assert all(letter.isprintable() for letter in inside)


@pytest.mark.anyio
async def test_tests_in_the_terminal_complete_a_phase(tmp_path: Path) -> None:
    """The rules hear of green tests in the shell, and the observer says that the phase is done."""
    async with observed(tmp_path, local=True) as ground:
        session = await ground.start()
        await ground.plan(session)
        await ground.call("paige_update_phase", phase=1, status="active")
        await ground.open(RIGHT)
        ground.clock.go_on(30)
        await ground.save(RIGHT)
        await ground.rested()
        ground.clock.go_on(30)
        await ground.window.send("terminal:ready", cols=80, rows=24)
        await ground.window.wait("terminal:ready")
        await ground.window.send("terminal:input", input="printf '4 passed in 0.1s\\n'\n")
        runs = await ground.logged(session, "test_run")
        sent = await ground.logged(session, "nudge_sent")

    assert runs == [{"passed": 4, "failed": 0}]
    assert sent[0]["signal"] == "phase_complete"


@pytest.mark.anyio
async def test_a_nudge_is_pasted_into_a_coding_cli_in_the_terminal(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nprint('READY', flush=True)\n"
        "print('GOT', repr(sys.stdin.readline()), flush=True)\n"
    )
    program.chmod(0o755)
    async with observed(tmp_path) as ground:
        await ground.start()
        await ground.window.send("terminal:ready", cols=200, rows=24)
        await ground.window.wait("terminal:ready")
        await ground.window.send("terminal:input", input=f"{program}\n")
        await output(ground, "READY")
        ground.model.says = [nudge(True, 0.9, "wrong_file", current_file=WRONG)]
        await ground.open(WRONG)
        got = await output(ground, "GOT '")

    assert "[Paige] The observer noticed something (wrong file)" in got


async def output(ground: object, wanted: str) -> str:
    """Read the terminal until it shows something."""
    shown = ""
    with anyio.fail_after(20):
        while wanted not in shown:
            shown += (await ground.window.wait("terminal:output"))["output"]  # type: ignore[attr-defined]
    return shown
