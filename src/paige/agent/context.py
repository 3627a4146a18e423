"""The context object: everything a loop knows, as one value that is made anew with every turn."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from paige.models.errors import ModelError
from paige.models.messages import Message, ToolResult, ToolUse
from paige.models.requests import Answer, Usage

CallStatus = Literal["pending", "completed", "failed"]


@dataclass(frozen=True, slots=True)
class CallState:
    """The life of one tool call; `retries` counts equal calls before it that failed."""

    tool: str
    status: CallStatus
    retries: int


@dataclass(frozen=True, slots=True)
class Task:
    """One item of the session's task list."""

    id: str
    title: str
    status: Literal["pending", "in_progress", "done"] = "pending"


def render_tasks(tasks: tuple[Task, ...]) -> str:
    """The list as an agent reads it."""
    signs = {"pending": " ", "in_progress": "~", "done": "x"}
    return "\n".join(f"{task.id}. [{signs[task.status]}] {task.title}" for task in tasks)


@dataclass(frozen=True, slots=True)
class Feedback:
    """Something the run was told by a hook or by itself."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnMark:
    """What one turn did, as hashes: what it called, what came back, whether all of it failed."""

    calls: str
    results: str
    failed: bool
    talked: bool  # the model only talked, and was told to go on


@dataclass(frozen=True, slots=True)
class RunContext:
    """History, tool calls, tasks, feedback and counters of a loop."""

    history: tuple[Message, ...]
    tool_calls: Mapping[str, CallState] = field(default_factory=dict)
    task_progress: tuple[Task, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    turn: int = 0
    marks: tuple[TurnMark, ...] = ()
    usage: Usage = field(default_factory=Usage)
    partial: str = ""  # what the model said of an answer that was cut off
    before: int = 0  # messages of earlier runs at the head of the history
    failures: Mapping[str, int] = field(default_factory=dict)  # of a call, since it last went well

    @property
    def own(self) -> tuple[Message, ...]:
        """What was said in this run."""
        return self.history[self.before :]

    @property
    def summary(self) -> dict[str, Any]:
        """Counters and progress markers for spans and debugging."""
        statuses = [call.status for call in self.tool_calls.values()]
        return {
            "turn": self.turn,
            "messages": len(self.history),
            "tool_calls": len(statuses),
            "failed_calls": statuses.count("failed"),
            "tasks_done": sum(task.status == "done" for task in self.task_progress),
            "tasks": len(self.task_progress),
            "feedback": len(self.feedback),
        }

    @property
    def worst_retries(self) -> int:
        """How often the call that fails most was tried again."""
        failed = (call.retries for call in self.tool_calls.values() if call.status == "failed")
        return max(failed, default=0)

    def asked(self, answer: Answer) -> "RunContext":
        """After the model answered; its calls are pending."""
        calls = dict(self.tool_calls)
        for use in answer.tool_uses:
            if use.id in calls:
                raise HistoryBroken(f"The model used the call id `{use.id}` twice")
            calls[use.id] = CallState(use.name, "pending", self.failures.get(_call_key(use), 0))
        return replace(
            self,
            history=(*self.history, answer.message),
            tool_calls=calls,
            turn=self.turn + 1,
            usage=self.usage + answer.usage,
        )

    def answered(self, uses: tuple[ToolUse, ...], results: tuple[ToolResult, ...]) -> "RunContext":
        """After the tools answered, in the order the model asked."""
        if [use.id for use in uses] != [result.tool_use_id for result in results]:
            raise HistoryBroken("Tool results do not match the calls before them")
        calls, failures = dict(self.tool_calls), dict(self.failures)
        for use, result in zip(uses, results, strict=True):
            status = "failed" if result.is_error else "completed"
            calls[use.id] = replace(calls[use.id], status=status)
            before = failures.pop(_call_key(use), 0)
            if result.is_error:
                failures[_call_key(use)] = before + 1
        mark = mark_turn(
            [(use.name, use.input) for use in uses],
            [(str(result.content), result.is_error) for result in results],
        )
        return replace(
            self,
            history=(*self.history, Message("user", results)),
            tool_calls=calls,
            failures=failures,
            marks=(*self.marks, mark),
        )

    def told(self, source: str, text: str) -> "RunContext":
        """After a hook or the loop said something for the record."""
        return replace(self, feedback=(*self.feedback, Feedback(source, text)))

    def said(self, message: Message) -> "RunContext":
        """After a user message was added; joined to an open one, as roles must take turns."""
        last = self.history[-1] if self.history else None
        if last is not None and last.role == "user" and message.role == "user":
            joined = Message("user", (*last.blocks, *message.blocks))
            return replace(self, history=(*self.history[:-1], joined))
        return replace(self, history=(*self.history, message))

    def cut_off(self, text: str) -> "RunContext":
        """After an answer that ran out of tokens; the next one goes on from it."""
        return replace(self, partial=self.partial + text)

    def talked(self) -> "RunContext":
        """After an answer without tools that did not end the run."""
        mark = TurnMark("", "", failed=False, talked=True)
        return replace(self, marks=(*self.marks, mark))


def mark_turn(calls: Sequence[tuple[str, Any]], results: Sequence[tuple[str, bool]]) -> TurnMark:
    """The mark of a turn: `(tool, input)` of its calls and `(content, is_error)` of its results."""
    failed = bool(results) and all(is_error for _, is_error in results)
    return TurnMark(_hash(calls), _hash(results), failed, talked=not calls)


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _call_key(use: ToolUse) -> str:
    """The same text for equal calls: same tool, same input."""
    return json.dumps([use.name, use.input], sort_keys=True, default=str)


class HistoryBroken(ModelError):
    """A history no provider would take; a fault of a provider or of Paige."""
