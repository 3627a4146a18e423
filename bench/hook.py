"""What a hook costs a coding agent: a fresh process for every tool call."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.harness import Benchmark, Pair
from bench.start import timed

EVENT = {"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Read", "tool_input": {}}


@contextmanager
def _plain() -> Iterator[Pair]:
    spec = importlib.util.find_spec("paige.hooks.entry")
    assert spec is not None
    assert spec.origin is not None
    isolated = [sys.executable, "-I", "-S"]
    hook = [*isolated, spec.origin, "claude-code"]
    event = json.dumps(EVENT).encode()
    yield Pair(lambda: timed(hook, event), lambda: timed([*isolated, "-c", "pass"], event))


BENCHMARKS = (Benchmark("hook-plain", "ms", "lower", _plain, turns=50, warm_up=3),)
