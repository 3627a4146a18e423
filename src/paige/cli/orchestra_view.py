"""What an orchestra looks like in a terminal: a table that moves, or lines where nobody watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from paige.app.orchestra_files import Standing
from paige.doors.frame.console import Console, visible
from paige.orchestra.running.reports import Report

if TYPE_CHECKING:
    from paige.orchestra.running.parts import Told

Tell = Callable[["Told"], None]
_QUIET = ("ooda", "checks")
_MARKS = {"closed": "✓", "blocked": "✗", "failed": "!", "person": "!", "started": "→"}
_MOST_ROWS = 12


@contextmanager
def watching(console: Console) -> Iterator[Tell]:
    """What shows a person what happens, until the end of the block."""
    table = _table(console)
    if table is None:
        yield lambda told: _line(console, told)
        return
    with table:
        yield table.tell


def told_line(told: "Told") -> str:
    """Something that happened, in one line."""
    mark = _MARKS.get(told.kind, "·")
    about = " ".join(each for each in (told.feature, told.agent) if each)
    first = told.text.strip().splitlines()[0] if told.text.strip() else ""
    missing = told.data.get("missing") or ()
    lacks = f" (missing: {', '.join(map(str, missing))})" if missing else ""
    return f"{mark} {told.at[11:19]} {told.kind:<9} {about:<24} {first[:120]}{lacks}".rstrip()


def standing_lines(found: Standing) -> list[str]:
    """Where an orchestra stands, in lines."""
    lines = [f"Goal: {' '.join(found.goal.split())[:200]}"] if found.goal else []
    for each in found.features:
        here = "→" if each.id == found.feature and found.conductor else " "
        state = "tested" if each.tested else each.status
        tries = f", {each.retries} retries" if each.retries else ""
        lines.append(f"{here} {each.id:<10} {state:<12} {each.title}{tries}")
    who = f"process {found.conductor}" if found.conductor else "nobody"
    lines.append(f"State: {found.phase or 'not begun'}; conducted by {who}.")
    lines.append(f"Next: {found.next.sentence()}")
    return lines


def report_lines(report: Report) -> list[str]:
    """How a conductor ended, in lines."""
    lines = [f"Closed: {', '.join(report.closed) or 'none'}"]
    if report.blocked:
        lines.append(f"Blocked: {', '.join(report.blocked)}")
    if report.open:
        lines.append(f"Open: {', '.join(report.open)}")
    if report.judged:
        lines.append(f"The judge said no to {report.vetoes} of {report.judged} changes.")
    if report.why:
        lines.append(report.why)
    return lines


def _line(console: Console, told: "Told") -> None:
    if told.kind not in _QUIET:
        console.say(told_line(told))


class _Table:
    """A live table: one row a feature with what happens to it, and the last lines below."""

    def __init__(self, live: Any, table: Any, text: Any) -> None:  # noqa: ANN401 - rich's
        self._live = live
        self._make = table
        self._text = text
        self._rows: dict[str, Told] = {}
        self._last: list[Told] = []

    def __enter__(self) -> "_Table":
        self._live.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401 - of a context manager
        self._live.__exit__(*error)

    def tell(self, told: "Told") -> None:
        """Show one thing more."""
        if told.kind in _QUIET:
            return
        if told.feature:
            self._rows[told.feature] = told
        self._last = [*self._last, told][-_MOST_ROWS:]
        self._live.update(self._drawn())

    def _drawn(self) -> Any:  # noqa: ANN401 - rich's
        table = self._make(expand=True)
        for name in ("feature", "agent", "what", ""):
            table.add_column(name)
        for feature, told in self._rows.items():
            words = (feature, told.agent, told.kind, told.text.strip().splitlines()[:1])
            shown = [each if isinstance(each, str) else "".join(each)[:100] for each in words]
            table.add_row(*(self._text(visible(each)) for each in shown))
        for told in self._last:
            table.caption = self._text(visible(told_line(told)))
        return table


def _table(console: Console) -> _Table | None:
    """A live table where somebody watches and it can be drawn."""
    if not console.watched:
        return None
    try:
        from rich.console import Console as Drawing  # noqa: PLC0415 - only where it is drawn
        from rich.live import Live  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return None
    drawing = Drawing(file=console.err)
    return _Table(Live(console=drawing, auto_refresh=False, refresh_per_second=4), Table, Text)
