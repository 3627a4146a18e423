"""`paige study`: which commands there are, each loaded only when it is used, and shared options."""

from datetime import datetime

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "start": (
        "paige.doors.study.cli_session:start",
        "Begin a session, or go on with the open one.",
    ),
    "next": (
        "paige.doors.study.cli_session:next_",
        "Show the next step of a session, or answer it.",
    ),
    "review": ("paige.doors.study.cli_session:review", "Recall what is due, and nothing new."),
    "quiz": ("paige.doors.study.cli_session:quiz", "Ask what you know, without teaching."),
    "due": ("paige.doors.study.cli_progress:due", "List what should be recalled now."),
    "progress": ("paige.doors.study.cli_progress:progress", "Show how far you are, with plots."),
    "profile": ("paige.doors.study.cli_progress:profile", "Show or change how you study."),
    "fit": (
        "paige.doors.study.cli_progress:fit",
        "Fit the forgetting curve to what you remembered.",
    ),
    "courses": (
        "paige.doors.study.cli_courses:courses",
        "List the courses and what is wrong in them.",
    ),
    "new": ("paige.doors.study.cli_courses:new", "Begin a course of your own."),
    "import": ("paige.doors.study.cli_courses:import_", "Take in a deck, a table or a track."),
    "export": ("paige.doors.study.cli_courses:export", "Give out cards, or results as statements."),
    "grade": (
        "paige.doors.study.cli_marking:grade",
        "Grade a worksheet, a response or a code folder.",
    ),
    "mark": ("paige.doors.study.cli_marking:mark", "Mark short answers, a line each."),
    "disclose": (
        "paige.doors.study.cli_marking:disclose",
        "Say whether replies give an answer away.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def study() -> None:
    """Courses and exercises: study them, write your own, grade work, mark answers."""


COURSE = click.option("--course", metavar="NAME", help="The course; the last one if not said.")
LEARNER = click.option("--learner", metavar="NAME", help="Whose files; your own if not said.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
AT = click.option(
    "--at", "at", metavar="MOMENT", help="As if it were then, such as 2026-03-02T12:00:00Z."
)
SEED = click.option("--seed", type=int, help="Draw the same exercises again.")
MINUTES = click.option(
    "--minutes", type=click.IntRange(1, 240), help="How long; as your profile says if not said."
)


def moment(text: str | None) -> datetime:
    """Now, or the moment that was named. Raises: BadInput."""
    if text is None:
        return system_clock()
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(
            f"`{text}` is not a moment", hint="Write it like 2026-03-02T12:00:00Z."
        ) from error
    if found.tzinfo is None:
        raise BadInput(f"`{text}` has no time zone", hint="Write a Z behind it.")
    return found
