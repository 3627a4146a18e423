"""What a run tells while it goes on, as passing messages: words gathered for a moment, tools.

A model may send a word at a time. Windows get them some twenty times a second instead, and who
opens a window in the middle can ask for what was written so far.
"""

from collections.abc import Callable
from typing import Literal

import anyio

from paige.agent.segment import AnswerPiece, Note, ToolEnded, ToolStarted, TurnTaken
from paige.base.wire import storable
from paige.models.requests import TextDelta
from paige.plan.messages import PlanDelta, PlanStep
from paige.plan.sessions import PlanWriting
from paige.store.messages import Message

GATHER_SECONDS = 0.05
Send = Callable[[Message], None]


class RunStream:
    """Watches one run; call it with every note."""

    def __init__(self, run: str, send: Send) -> None:
        self._run = run
        self._send = send
        self._step = ""
        self._attempt = 0
        self._sent: list[str] = []
        self._sent_units = 0
        self._waiting: list[str] = []
        self._wake = anyio.Event()

    def __call__(self, note: Note) -> None:
        """Take a note; what belongs together is sent together."""
        match note:
            case AnswerPiece(step, attempt, TextDelta(text)):
                # A subagent talks to its agent, not to the person.
                if text and not step.startswith("sub/") and "/sub/" not in step:
                    self._take(step, attempt, text)
            case ToolStarted(step, tool):
                self._tell(step, tool, "started")
            case ToolEnded(step, tool, failed):
                self._tell(step, tool, "failed" if failed else "ended")
            case TurnTaken(step) if step == self._step:
                self.close()
            case _:
                pass

    @property
    def step(self) -> str:
        """The answer that is being written, or nothing."""
        return self._step

    @property
    def writing(self) -> PlanWriting | None:
        """What windows know of the answer that is being written, if one is."""
        return PlanWriting(self._step, self._attempt, "".join(self._sent)) if self._step else None

    def flush(self) -> None:
        """Send the words that wait."""
        if not self._waiting:
            return
        text, self._waiting = "".join(self._waiting), []
        start = self._sent_units
        self._sent.append(text)
        self._sent_units += units(text)
        self._send(
            PlanDelta(run=self._run, step=self._step, attempt=self._attempt, start=start, text=text)
        )

    def close(self) -> None:
        """Send what waits; the answer is complete, or nobody writes it any more."""
        self.flush()
        self._step, self._attempt, self._sent, self._sent_units = "", 0, [], 0

    async def keep_sending(self) -> None:
        """Send words a moment after the first of them came, until cancelled."""
        while True:
            await self._wake.wait()
            await anyio.sleep(GATHER_SECONDS)
            self._wake = anyio.Event()
            self.flush()

    def _take(self, step: str, attempt: int, text: str) -> None:
        if (step, attempt) != (self._step, self._attempt):
            self.close()
            self._step, self._attempt = step, attempt
        self._waiting.append(storable(text))
        self._wake.set()

    def _tell(self, step: str, tool: str, state: Literal["started", "ended", "failed"]) -> None:
        self.flush()
        self._send(PlanStep(run=self._run, step=step, name=tool, state=state))


def units(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return len(text) + sum(character > "\uffff" for character in text)
