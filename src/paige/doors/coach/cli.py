"""`paige coach`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "start": ("paige.doors.coach.cli_session:start", "Start a session on an issue."),
    "resume": ("paige.doors.coach.cli_session:resume", "Go on with an earlier session."),
    "status": ("paige.doors.coach.cli_session:status", "Show the session you work in."),
    "phases": (
        "paige.doors.coach.cli_session:phases",
        "List the phases of its plan, or move one on.",
    ),
    "end": ("paige.doors.coach.cli_session:end", "Complete the session."),
    "explain": ("paige.doors.coach.cli_inquiry:explain", "Explain lines of a file."),
    "review": ("paige.doors.coach.cli_inquiry:review", "Review a kata's solution or your work."),
    "gaps": ("paige.doors.coach.cli_inquiry:gaps", "List gaps, with stages and dates of review."),
    "practice": ("paige.doors.coach.cli_inquiry:practice", "List your katas, or show one."),
    "issues": (
        "paige.doors.coach.cli_inquiry:issues",
        "List open issues, the best for you first.",
    ),
    "materials": ("paige.doors.coach.cli_inquiry:materials", "List what to read for your gaps."),
    "observe": (
        "paige.doors.coach.cli_observe:observe",
        "Judge traces of work by the observer's rules.",
    ),
    "hook": ("paige.doors.coach.cli_hook:hook", "Answer an event of a coding CLI for the coach."),
    "dashboard": (
        "paige.doors.coach.cli_session:dashboard",
        "Show what you did and how far you are.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def coach() -> None:
    """Coaching on issues of the project in PROJECT_DIR, or in this folder.

    The commands work with or without a running server; one that runs shows what they did.
    """
