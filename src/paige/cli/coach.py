"""`paige coach`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "start": ("paige.cli.coach_commands:start", "Start a session on an issue."),
    "resume": ("paige.cli.coach_commands:resume", "Go on with an earlier session."),
    "status": ("paige.cli.coach_commands:status", "Show the session you work in."),
    "phases": ("paige.cli.coach_commands:phases", "List the phases of its plan, or move one on."),
    "end": ("paige.cli.coach_commands:end", "Complete the session."),
    "explain": ("paige.cli.coach_thinking:explain", "Explain lines of a file."),
    "review": ("paige.cli.coach_thinking:review", "Review a kata's solution or your work."),
    "gaps": ("paige.cli.coach_gaps:gaps", "List gaps, with stages and dates of review."),
    "practice": ("paige.cli.coach_thinking:practice", "List your katas, or show one."),
    "issues": ("paige.cli.coach_thinking:issues", "List open issues, the best for you first."),
    "materials": ("paige.cli.coach_thinking:materials", "List what to read for your gaps."),
    "observe": ("paige.cli.coach_observe:observe", "Judge traces of work by the observer's rules."),
    "hook": ("paige.cli.coach_hook:hook", "Answer an event of a coding CLI for the coach."),
    "dashboard": ("paige.cli.coach_commands:dashboard", "Show what you did and how far you are."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def coach() -> None:
    """Coaching on issues of the project in PROJECT_DIR, or in this folder.

    The commands work with or without a running server; one that runs shows what they did.
    """
