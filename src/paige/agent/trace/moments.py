"""A moment of a run for people: what the model read, what it said and called, what came of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from paige.agent.loop import CUT_OFF
from paige.agent.model_step import FINAL
from paige.agent.trace.replay import ModelInput, Moment, MomentKind
from paige.base.errors import BadInput
from paige.base.wire import wire
from paige.models.codec import load_answer
from paige.models.messages import Message, Reasoning
from paige.models.requests import Answer

MOST_TEXT = 20_000
Who = Literal["system", "person", "model", "history", "tool", "hook", "loop"]


@wire
class TracePassage:
    """Something that was read or answered, and who it is from; `left_out` characters are cut."""

    who: Who
    name: str
    text: str
    failed: bool = False
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class TraceToolAsked:
    """A tool that a model asked for; the input is JSON as people read it."""

    call: str
    name: str
    input: str


@dataclass(frozen=True, slots=True)
class TraceDecided:
    """What one hook said."""

    hook: str
    outcome: str
    text: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run began with: its prompt, what the agent was told to be, messages before it."""

    prompt: str
    system: str = ""
    earlier: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentDetail:
    """A moment with everything in it that its kind has."""

    kind: MomentKind
    step: str
    name: str = ""
    pending: bool = False
    failed: bool = False
    read: tuple[TracePassage, ...] = ()
    thought: str = ""
    said: TracePassage | None = None
    called: tuple[TraceToolAsked, ...] = ()
    decided: tuple[TraceDecided, ...] = ()
    stop_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


def tell(moment: Moment, beginning: Beginning, tools: Mapping[str, str]) -> MomentDetail:
    """Read a moment; `tools` has the name of the tool behind a step."""
    name = tools.get(moment.step, moment.name)
    if moment.body is None:
        return MomentDetail(
            kind=moment.kind, step=moment.step, name=name, pending=moment.kind != "gate"
        )
    body = json.loads(moment.body)
    match moment.kind:
        case "model":
            return _model(moment, body, beginning, tools)
        case "tool":
            said = passage("tool", name, str(body["text"]), failed=bool(body["failed"]))
            return MomentDetail(
                kind="tool", step=moment.step, name=name, said=said, failed=said.failed
            )
        case "hook":
            return _hook(moment, body)
        case "subagent" | "handoff":
            agent = str(body.get("file", "")).rpartition("/")[2].removesuffix(".md")
            said = passage("system", agent, str(body.get("system", "")))
            return MomentDetail(kind=moment.kind, step=moment.step, name=agent, said=said)
        case "failed":
            said = passage("loop", "", str(body))
            return MomentDetail(kind="failed", step=moment.step, said=said, failed=True)
        case "fallback":
            said = passage("loop", str(body["to"]), str(body["reason"]))
            return MomentDetail(kind="fallback", step=moment.step, name=str(body["to"]), said=said)
        case _:
            return _end(moment, body)


def passage(who: Who, name: str, text: str, *, failed: bool = False) -> TracePassage:
    """A text, cut where nobody would read on."""
    return TracePassage(who, name, text[:MOST_TEXT], failed, max(0, len(text) - MOST_TEXT))


def _model(
    moment: Moment, body: dict[str, Any], beginning: Beginning, tools: Mapping[str, str]
) -> MomentDetail:
    answer = load_answer(body["answer"])
    thought = "\n\n".join(_thoughts(answer.message))
    read = [passage for each in moment.readings for passage in _passages(each, beginning, tools)]
    read += _missing(moment.readings)
    if moment.step.rpartition("/")[0].endswith("end"):
        read.append(passage("loop", "", FINAL))
    said = answer.text or answer.refusal
    return MomentDetail(
        kind="model",
        step=moment.step,
        name=answer.model,
        failed=answer.stop_reason == "refusal",
        read=tuple(read),
        thought=thought[:MOST_TEXT],
        said=passage("model", "", said) if said else None,
        called=tuple(
            TraceToolAsked(use.id, use.name, _pretty(dict(use.input))) for use in answer.tool_uses
        ),
        stop_reason=answer.stop_reason,
        tokens_in=answer.usage.total_input,
        tokens_out=answer.usage.output,
        cost_usd=answer.cost_usd,
    )


def _thoughts(message: Message) -> list[str]:
    return [block.text for block in message.blocks if isinstance(block, Reasoning) and block.text]


def _passages(
    reading: ModelInput, beginning: Beginning, tools: Mapping[str, str]
) -> tuple[TracePassage, ...]:
    match reading.kind:
        case "start":
            return _begins(beginning)
        case "tool":
            body = json.loads(reading.body)
            name = tools.get(reading.step, "")
            return (passage("tool", name, str(body["text"]), failed=bool(body["failed"])),)
        case "hook":
            told = _decisions(json.loads(reading.body))
            wanted = ("add_context", "keep_working", "deny")
            return tuple(
                passage("hook", each.hook, each.text, failed=each.outcome == "deny")
                for each in told
                if each.outcome in wanted
            )
        case "agent":
            return (passage("system", "", str(json.loads(reading.body).get("system", ""))),)
        case "task":
            return _task(reading)
        case "called":
            cut = _answer(reading.body).stop_reason == "max_tokens"
            return (passage("loop", "", CUT_OFF),) if cut else ()


def _begins(beginning: Beginning) -> tuple[TracePassage, ...]:
    system = (passage("system", "", beginning.system),) if beginning.system else ()
    earlier = (TracePassage("history", str(beginning.earlier), ""),) if beginning.earlier else ()
    return (*system, *earlier, passage("person", "", beginning.prompt))


def _task(reading: ModelInput) -> tuple[TracePassage, ...]:
    """What a subagent was asked, from the call that started it."""
    for use in _answer(reading.body).tool_uses:
        if use.id == reading.step:
            return (passage("person", "", str(use.input.get("task", ""))),)
    return ()


def _missing(readings: tuple[ModelInput, ...]) -> list[TracePassage]:
    """Calls that never ran and of which no hook said why: the tool was unknown, or refused."""
    called = next((each for each in readings if each.kind == "called"), None)
    if called is None:
        return []
    at = called.step.removesuffix("model")
    told = {each.step.removeprefix(f"{at}tool/") for each in readings if each.kind == "tool"}
    stopped = tuple(each.step for each in readings if each.kind == "hook")
    return [
        passage("tool", use.name, "", failed=True)
        for use in _answer(called.body).tool_uses
        if use.id not in told
        and not any(step.startswith(f"{at}tool/{use.id}/") for step in stopped)
    ]


def _answer(body: str) -> Answer:
    return load_answer(json.loads(body)["answer"])


def _hook(moment: Moment, body: dict[str, Any]) -> MomentDetail:
    decided = tuple(_decisions(body))
    failed = any(each.outcome in ("deny", "abort") for each in decided)
    return MomentDetail(
        kind="hook", step=moment.step, name=moment.name, decided=decided, failed=failed
    )


def _decisions(body: object) -> list[TraceDecided]:
    """What hooks said; those that only let something pass are left out."""
    if not isinstance(body, dict):
        raise BadInput("These are no decisions of hooks")
    return [
        TraceDecided(str(name), str(each.get("decision", "")), _words(each))
        for name, each in body.items()
        if isinstance(each, dict)
    ]


def _words(decision: Mapping[str, Any]) -> str:
    for name in ("reason", "text"):
        if name in decision:
            return str(decision[name])[:MOST_TEXT]
    return _pretty(decision["input"])[:MOST_TEXT] if "input" in decision else ""


def _end(moment: Moment, body: dict[str, Any]) -> MomentDetail:
    status = str(body.get("status", ""))
    text = str(body.get("output") or body.get("reason") or "")
    return MomentDetail(
        kind="end",
        step=moment.step,
        name=status,
        failed=status != "success",
        said=passage("loop", "", text) if text else None,
    )


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
