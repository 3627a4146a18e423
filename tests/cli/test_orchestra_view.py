"""The orchestra in a terminal: a line for each thing, and nothing an agent says steers it."""

import io

from paige.doors.frame.console import Console
from paige.doors.orchestra.cli_commands import teller
from paige.orchestra.running.parts import Notice

TOLD = (
    Notice(at="2026-03-02T12:00:00.000000Z", kind="started", text="begins", feature="F1",
         agent="coding-agent"),
    Notice(at="2026-03-02T12:00:01.000000Z", kind="checked", text="Refused", feature="F1",
         data={"missing": ["tests"]}),
    Notice(at="2026-03-02T12:00:02.000000Z", kind="ooda", text="try another way", feature="F1"),
    Notice(at="2026-03-02T12:00:03.000000Z", kind="closed", text="\x1b[2J[red]4 tests[/red]",
         feature="F1"),
)  # fmt: skip


def shown(err: io.StringIO) -> str:
    console = Console(lambda _: "", io.StringIO(), err)
    tell = teller(console)
    for each in TOLD:
        tell(each)
    return err.getvalue()


def test_each_thing_is_one_line_and_nothing_an_agent_says_steers_it() -> None:
    lines = shown(io.StringIO()).splitlines()
    assert len(lines) == 3
    assert "coding-agent" in lines[0]
    assert "missing: tests" in lines[1]
    assert "\x1b" not in lines[2]
