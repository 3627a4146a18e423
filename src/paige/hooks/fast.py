"""The hook's fast path: read one event, decide by the compiled rules, answer.

A process is started for every tool call, so nothing here may import more than built-in modules (a
test lists them). Rules are read from a compiled snapshot; while there is none, every event takes
the slow path, and never is one allowed for lack of rules.
"""

import sys

CLIS = ("claude-code", "codex", "gemini", "copilot")
MAX_INPUT = 64 * 2**20  # no host comes near it


def main() -> None:
    """Run as `paige-hook <cli> [event]`."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in CLIS:
        sys.stderr.write(f"paige-hook: name the CLI: {', '.join(CLIS)}\n")
        sys.exit(2)
    sys.exit(run(arguments[0], arguments[1] if len(arguments) > 1 else None))


def run(cli: str, event: str | None) -> int:
    """Answer the event on stdin; return the exit code."""
    # The only lazy edge of this path: everything that needs more than built-in modules.
    from paige.hooks.slow import answer  # noqa: PLC0415

    return answer(cli, event, sys.stdin.buffer.read(MAX_INPUT))
