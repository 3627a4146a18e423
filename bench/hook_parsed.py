"""What a hook costs when the command is more than plain words and has to be parsed."""

import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.harness import Benchmark, Pair
from bench.start import timed

COMMAND = 'cd src && git log --oneline -5 | head -3; for f in a b; do wc -l "$f"; done 2>/dev/null'


@contextmanager
def _parsed() -> Iterator[Pair]:
    spec = importlib.util.find_spec("paige.hooks.entry")
    assert spec is not None
    assert spec.origin is not None
    isolated = [sys.executable, "-I", "-S"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = folder / "project"
        project.mkdir()
        event = json.dumps(
            {
                "hook_event_name": "PreToolUse",
                "session_id": "s",
                "cwd": str(project),
                "tool_name": "Bash",
                "tool_input": {"command": COMMAND},
            }
        ).encode()
        hook = [*isolated, spec.origin, "claude-code", "PreToolUse", "--data", str(folder / "data")]
        timed(hook, event)  # the first call compiles the rules
        yield Pair(lambda: timed(hook, event), lambda: timed([*isolated, "-c", "pass"], event))


BENCHMARKS = (Benchmark("hook-parsed", "ms", "lower", _parsed, promise=4.5, turns=50, warm_up=3),)
