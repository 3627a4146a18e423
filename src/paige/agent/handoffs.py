"""Handing a conversation to another agent: the history stays, prompt and tools are new."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.journal import MISSING, Span
from paige.agent.segment import Segment
from paige.agent.tools import Tool, ToolScope
from paige.agent.turn import Turn
from paige.base.events import Handoff as HandoffEvent
from paige.models.messages import ToolResult, ToolUse, user_message

if TYPE_CHECKING:
    from paige.agent.context import RunContext
    from paige.agent.work import Work

PREFIX = "transfer_to_"


class HandoffContext(BaseModel):
    """What the next agent must know; it reads this before its first answer."""

    reason: str = Field(min_length=1, description="Why the other agent should take over.")
    decisions: list[str] = Field(description="What has been decided so far.")
    constraints: list[str] = Field(description="What must be kept to.")
    open_questions: list[str] = Field(default_factory=list, description="What is still open.")


@dataclass(frozen=True, slots=True)
class Handoff:
    """A transfer the model asked for and no hook refused."""

    call: str
    target: str
    context: dict[str, Any]

    @classmethod
    def of(
        cls, work: "Work", uses: tuple[ToolUse, ...], results: tuple[ToolResult, ...]
    ) -> "Handoff | None":
        """The first transfer of a turn that went through."""
        for use, result in zip(uses, results, strict=True):
            if use.name.startswith(PREFIX) and use.name in work.tools and not result.is_error:
                return cls(use.id, use.name.removeprefix(PREFIX), dict(use.input))
        return None


def handoff_tool(target: str, description: str) -> Tool[HandoffContext]:
    """The tool that transfers to one agent."""
    return Tool(
        name=f"{PREFIX}{target}",
        description=f"Hand the conversation to the agent `{target}`. {description}".strip(),
        params=HandoffContext,
        effect="pure",
        run=_accepted,
    )


async def take_over(
    segment: Segment, work: "Work", context: "RunContext", handoff: Handoff, *, at: str
) -> "tuple[Work, RunContext]":
    """Let the other agent go on. Raises: HookAborted when a hook refuses."""
    from paige.agent.preparing import record_of, work_for  # noqa: PLC0415 - preparing needs `handoff_tool`

    block = _block(work.agent.name, HandoffContext.model_validate(handoff.context))
    event = HandoffEvent(
        session=segment.session, source=work.agent.name, target=handoff.target, context=block
    )
    verdict = await run_hooks(Turn(segment, work, context, at), event)
    if verdict.abort is not None or verdict.deny is not None:
        rule, reason = verdict.abort or ("handoff", verdict.deny or "")
        raise HookAborted(rule, reason)
    step = f"{at}handoff"
    known = segment.journal.result(step)
    if known is MISSING:
        prepared = segment.runtime.library.prepare(handoff.target)
        known = record_of(prepared)
        segment.journal.record(step, known)
        now = segment.now_us()
        names = {"from": work.agent.name, "to": handoff.target, "context": block}
        segment.span(
            Span(step, at.rstrip("/"), "handoff", handoff.target, now, now, attributes=names)
        )
    next_work = work_for(segment.runtime, known, like=work)
    return next_work, context.said(user_message(block))


def _block(source: str, context: HandoffContext) -> str:
    parts = [f'<handoff from="{source}">', f"Reason: {context.reason}"]
    for title, items in (
        ("Decisions", context.decisions),
        ("Constraints", context.constraints),
        ("Open questions", context.open_questions),
    ):
        parts += [f"{title}:", *(f"- {item}" for item in items)] if items else []
    return "\n".join([*parts, "</handoff>"])


async def _accepted(scope: ToolScope, params: HandoffContext) -> str:
    return "The other agent takes over."
