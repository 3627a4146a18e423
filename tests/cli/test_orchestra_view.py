"""The orchestra in a terminal: a table that moves where somebody watches, lines elsewhere."""

import io

from paige.cli.orchestra_view import watching
from paige.doors.frame.console import Console
from paige.orchestra.running.parts import Told


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        return True


TOLD = (
    Told(at="2026-03-02T12:00:00.000000Z", kind="started", text="begins", feature="F1",
         agent="coding-agent"),
    Told(at="2026-03-02T12:00:01.000000Z", kind="checked", text="Refused", feature="F1",
         data={"missing": ["tests"]}),
    Told(at="2026-03-02T12:00:02.000000Z", kind="ooda", text="try another way", feature="F1"),
    Told(at="2026-03-02T12:00:03.000000Z", kind="closed", text="\x1b[2J[red]4 tests[/red]",
         feature="F1"),
)  # fmt: skip


def shown(err: io.StringIO) -> str:
    console = Console(lambda _: "", io.StringIO(), err)
    with watching(console) as tell:
        for each in TOLD:
            tell(each)
    return err.getvalue()


def test_without_a_terminal_each_thing_is_one_line() -> None:
    lines = shown(io.StringIO()).splitlines()
    assert len(lines) == 3
    assert "coding-agent" in lines[0]
    assert "missing: tests" in lines[1]
    assert "\x1b" not in lines[2]


def test_in_a_terminal_features_stand_in_a_table_and_nothing_an_agent_says_steers_it() -> None:
    text = shown(Terminal())
    assert "feature" in text
    assert "F1" in text
    assert "\x1b[2J" not in text
    assert "[red]" in text
