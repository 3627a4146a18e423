"""The command `paige`: which commands there are, each loaded only when it is used.

`paige --help` must be quick, so the names and sentences of the commands stand here and their
modules are imported by name.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

import click

from paige import __version__
from paige.base.errors import PaigeError
from paige.base.umask import keep_private
from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "up": (
        "paige.doors.site.server_commands:up",
        "Start Paige for yourself and print its address.",
    ),
    "serve": (
        "paige.doors.site.server_commands:serve",
        "Start the server for scripts; needs PROJECT_DIR and a key.",
    ),
    "demo": ("paige.doors.setup.cli_demo:demo", "Put the demo back as it was, or remove it."),
    "plan": ("paige.doors.plan.cli:plan", "Run an agent of a plugin on your workspace."),
    "eval": (
        "paige.doors.setup.cli_eval:eval_",
        "Evaluate lesson planning, and compare two reports.",
    ),
    "study": ("paige.doors.study.cli:study", "Study courses, review what is due, grade exercises."),
    "coach": ("paige.doors.coach.cli:coach", "Work on an issue of your project, coached."),
    "memory": (
        "paige.doors.memory.cli:memory",
        "Search, add, correct and forget what is remembered.",
    ),
    "find": (
        "paige.doors.search.cli:find",
        "Find anything behind all doors, and say where it is from.",
    ),
    "guard": (
        "paige.doors.guard.cli:guard",
        "Judge commands by the guard's rules, and list the rules.",
    ),
    "orchestra": (
        "paige.doors.orchestra.cli:orchestra",
        "Let agents build, test and merge the features of a project.",
    ),
    "trace": ("paige.doors.traces.cli:trace", "Show what a run of an agent did, or export it."),
    "doctor": (
        "paige.doors.setup.cli_doctor:doctor",
        "Check what is set up and say how to fix what is not.",
    ),
    "passcode": (
        "paige.doors.people.cli:passcode",
        "Turn a passcode into the hash for PAIGE_PASSCODE.",
    ),
    "people": (
        "paige.doors.people.cli:people",
        "Let many people in: accounts, roles, tokens, limits.",
    ),
    "backup": (
        "paige.doors.data.cli:backup",
        "Write everything into one file, while Paige runs.",
    ),
    "restore": ("paige.doors.data.cli:restore", "Put a backup in place, or only check it."),
    "move": ("paige.doors.data.cli:move", "Move this installation to PostgreSQL."),
    "hook": (
        "paige.doors.guard.cli:hook",
        "Answer one event of a coding CLI, read from stdin.",
    ),
    "mcp": (
        "paige.doors.site.server_commands:mcp",
        "Answer an agent over standard input and output (MCP).",
    ),
    "install": (
        "paige.doors.guard.cli_install:install",
        "Guard a coding CLI: hooks, tools, skills.",
    ),
    "uninstall": ("paige.doors.guard.cli_install:uninstall", "Take Paige out of a coding CLI."),
    "completion": (
        "paige.doors.frame.completion:completion",
        "Print the completion script for a shell.",
    ),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="paige")
def paige() -> None:
    """Paige, a teaching companion you run yourself."""


def main() -> NoReturn:
    """Run `paige`."""
    if "_PAIGE_COMPLETE" in os.environ:  # a shell asks what comes next
        from paige.doors.frame.completion import complete_own_names  # noqa: PLC0415 - only for a shell

        complete_own_names()
    run_command(lambda: paige.main(prog_name="paige", standalone_mode=False))


def teacher_assist() -> NoReturn:
    """Run `teacher-assist`, the teacher's name for the Plan door."""
    run_command(_teacher_assist)


def run_command(command: Callable[[], object]) -> NoReturn:
    """Run a command and leave with its exit code; whoever typed it never sees a traceback."""
    keep_private()
    _obey_interrupts()
    try:
        result = command()
    except PaigeError as error:
        _say(error.message, error.hint)
        sys.exit(error.exit_code)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _say("Interrupted", None)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has left; closing stderr keeps Python from complaining at exit.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:  # noqa: BLE001 - the outermost frame of the command line
        _say(*_report_fault(error))
        sys.exit(1)
    sys.exit(result if isinstance(result, int) else 0)


def _report_fault(error: Exception) -> tuple[str, str]:
    """Paige itself is wrong: the details go to a file, the person gets a sentence and a hint."""
    import tempfile  # noqa: PLC0415 - only when Paige is broken, like the others
    import traceback  # noqa: PLC0415

    from paige.base.secrets import redact  # noqa: PLC0415

    handle, name = tempfile.mkstemp(prefix="paige-fault-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(redact("".join(traceback.format_exception(error))))
    return (
        f"Paige failed: {type(error).__name__}",
        f"This is a fault in Paige. The details are in `{name}`; please report them.",
    )


def _obey_interrupts() -> None:
    """Let Ctrl+C and SIGINT end a command, also where who started it ignores them.

    Background jobs of scripts and some CI systems do; Python leaves that as it finds it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _say(message: str, hint: str | None) -> None:
    click.echo(f"paige: {message}", err=True)
    if hint:
        click.echo(f"       {hint}", err=True)


def _teacher_assist() -> object:
    # Not needed by `paige --help`, which must be quick.
    from paige.doors.site.teacher_assist import teacher_assist as command  # noqa: PLC0415

    return command.main(prog_name="teacher-assist", standalone_mode=False)
