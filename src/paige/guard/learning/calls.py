"""The calls behind traces and history, as examples that can be executed.

An example goes into a file that people read and share. So the folders of a machine and secrets are
taken out of it, and long texts are cut.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Any

from paige.base.secrets import redact
from paige.guard.graph.values import Trace
from paige.guard.guards.values import EVENTS, Example, GuardEvent, PastAction
from paige.guard.tools import kind_of

TRUSTED = ("enforcement_hook", "user_correction")
STOPS = ("stop", "subagent_stop")
_OF_CALLS = ("permission_request", "post_tool", "post_tool_failure")
_MOST_PASTS = 20_000  # the newest ones are what work looks like now
_NEAREST = 40  # allowed calls a matcher is tried on
_MOST_TEXT = 4000
_WORKTREE = re.compile(r"\.claude/worktrees/[^/\s'\"]+/")
_WORD = re.compile(r"[\w.-]+")


def examples_of(
    traces: Sequence[Trace], root: str, most: int
) -> tuple[GuardEvent | None, tuple[Example, ...]]:
    """The different calls of traces that can be executed, all of one event and the newest first.

    Where they are of several events, those of the most frequent one are taken.
    """
    usable = [
        (event, example_of(trace, root))
        for trace in sorted(traces, key=lambda each: (each.at, each.id), reverse=True)
        if trace.source in TRUSTED and (event := _event(trace)) is not None
    ]
    usable = [(event, example) for event, example in usable if _is_executable(event, example)]
    if not usable:
        return None, ()
    counted = Counter(event for event, _ in usable)
    most_frequent = max(EVENTS, key=lambda each: counted[each])
    found: list[Example] = []
    for event, example in usable:
        if event == most_frequent and example not in found:
            found.append(example)
    return most_frequent, tuple(found[:most])


def example_of(trace: Trace, root: str) -> Example:
    """The call of a trace, with its files named from the project's folder."""
    given, role = trace.meta.get("input"), trace.meta.get("role")
    stops = trace.event in STOPS
    return Example(
        tool="" if stops else trace.tool,
        input={}
        if stops or not isinstance(given, Mapping)
        else rebased(given, roots_of(trace, root)),
        agent=trace.agent,
        role=role if isinstance(role, str) else "",
    )


def roots_of(trace: Trace, root: str) -> list[str]:
    """The folders that do not matter in the call of a trace: the project's, or where it was."""
    cwd = trace.meta.get("root") or trace.meta.get("cwd")
    return [each for each in (root, cwd) if isinstance(each, str) and each]


def rebased(given: Mapping[str, Any], roots: Sequence[str]) -> dict[str, Any]:
    """An input without the folders of a machine, without secrets, and without endless texts."""
    return {key: _rebased(value, roots) for key, value in given.items()}


def without_roots(text: str, roots: Sequence[str]) -> str:
    """A text with files named from the project's folder, and without secrets.

    A work tree of a project is the project for whoever works in it.
    """
    for root in roots:
        base = root.rstrip("/")
        text = text.replace(f"{base}/", "") if base else text
    return redact(_WORKTREE.sub("", text))


def nearest(
    must: Sequence[Example], pasts: Sequence[PastAction], roots: Sequence[str]
) -> list[PastAction]:
    """Allowed calls of the same kinds that look most like some examples, the nearest first."""
    wanted = [_bag(each) for each in must]
    kinds = {kind_of(each.tool) for each in must}
    ranked: list[tuple[float, str, PastAction]] = []
    for past in pasts[-_MOST_PASTS:]:
        if past.allowed and not past.corrected and kind_of(past.example.tool) in kinds:
            bag = _bag(past.example)
            near = max((_alike(bag, each) for each in wanted), default=0.0)
            ranked.append((-near, past.id, past))
    found: dict[str, PastAction] = {}
    for _, _, past in nsmallest(_NEAREST * 5, ranked, key=lambda each: each[:2]):
        here = [*roots, past.cwd] if past.cwd else list(roots)
        example = replace(past.example, input=rebased(past.example.input, here))
        found.setdefault(repr(example), replace(past, example=example))
    return list(found.values())[:_NEAREST]


def _event(trace: Trace) -> GuardEvent | None:
    # What a person corrected is refused next time before it happens.
    event = "pre_tool" if trace.event in _OF_CALLS else trace.event
    return next((each for each in EVENTS if each == event), None)


def _is_executable(event: str, example: Example) -> bool:
    return event in STOPS or bool(example.tool and example.input)


def _rebased(value: object, roots: Sequence[str]) -> object:
    if isinstance(value, str):
        return without_roots(value, roots)[:_MOST_TEXT]
    if isinstance(value, Mapping):
        return rebased(value, roots)
    if isinstance(value, list | tuple):
        return [_rebased(each, roots) for each in value]
    return value


def _bag(example: Example) -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(_strings(example.input)))[:2000])


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value[:8000]
    elif depth < 5 and isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each, depth + 1)
    elif depth < 5 and isinstance(value, list | tuple):
        for each in value[:200]:
            yield from _strings(each, depth + 1)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    together = len(one | other)
    return len(one & other) / together if together else 0.0
