"""Shows a run while it goes on: words as they come, tools as they start."""

from typing import assert_never

from paige.agent.notes import Note, Streamed, ToolEnded, ToolStarted, TurnTaken
from paige.doors.frame.console import Console
from paige.models.requests import TextDelta


class Watcher:
    """Writes to the console what a run notes; `said` is the text of the last turn as shown."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._place = ("", 0)
        self._open = False  # the cursor stands behind some words
        self.said = ""

    def __call__(self, note: Note) -> None:
        """Show one note; what subagents say stays with them, only their tools are named."""
        match note:
            case Streamed(step=step, attempt=attempt, delta=TextDelta(text=text)):
                if "sub/" not in step:
                    self._text(text, (step, attempt))
            case ToolStarted(tool=tool):
                self._line(f"[{tool}]")
            case ToolEnded(tool=tool, failed=True):
                self._line(f"[{tool} failed]")
            case Streamed() | ToolEnded() | TurnTaken():
                pass
            case _:
                assert_never(note)

    def close(self) -> None:
        """End the line that is open."""
        if self._open:
            self._console.say()
        self._open = False

    def _text(self, text: str, place: tuple[str, int]) -> None:
        if place != self._place:
            self.close()
            self._place, self.said = place, ""
        self.said += text
        self._open = not self.said.endswith("\n")
        self._console.say(text, end="")

    def _line(self, text: str) -> None:
        self.close()
        self.said = ""
        self._console.say(text)
