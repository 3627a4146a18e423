"""What a person is told about a run that was stopped."""

from paige.sandbox.values import MIB, Isolation, Outcome

_MORE_TIME = "`PAIGE_RUN_SECONDS` is where whoever runs Paige can allow more time."


def explain(outcome: Outcome) -> str:
    """What happened and what to look for; empty when the run ended by itself."""
    limits = outcome.limits
    match outcome.ending:
        case "exit":
            return ""
        case "wall":
            return (
                f"It was still running after {limits.wall_seconds:g} seconds and was stopped: look "
                "for a loop that never ends, or for something that waits for input. "
                f"{_MORE_TIME}"
            )
        case "cpu":
            return (
                f"It computed for more than {limits.cpu_seconds} seconds and was stopped: look for "
                "a loop that never ends, or for a slower way than the task needs. "
                f"{_MORE_TIME}"
            )
        case "memory":
            return (
                f"It needed more than {limits.memory_bytes // MIB} MB of memory and was stopped: "
                "look for a list or text that keeps growing."
            )
        case "processes":
            return (
                f"It started more than {limits.processes} processes and was stopped: one program "
                "must not keep starting others."
            )
        case "output":
            return (
                f"It printed more than {limits.output_bytes // 1000} kB and was stopped: look for "
                "a print inside a loop."
            )
        case "disk":
            return (
                f"It wrote more than {limits.disk_bytes // MIB} MB to files and was stopped: look "
                "for a file that keeps growing."
            )
        case "stopped":
            return "You stopped it."
        case "signal":
            return f"It was ended by signal {_signal(outcome.exit_code or 0)}."


def _signal(code: int) -> int:
    return -code if code < 0 else code - 128


def explain_isolation(isolation: Isolation) -> str:
    """How well a run is shut in, as doctor says it."""
    match isolation:
        case "bubblewrap":
            return "code runs in bubblewrap: no network, its own files, limits"
        case "namespaces":
            return "code runs in namespaces: no network, files of this machine can be read, limits"
        case "limits":
            return "code runs with limits alone: it can use the network and read your files"
