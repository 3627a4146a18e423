"""`paige study`: which commands there are, each loaded only when it is used."""

import click

from paige.cli.lazy import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "start": ("paige.cli.study_session:start", "Begin a session, or go on with the open one."),
    "next": ("paige.cli.study_session:next_", "Show the next step of a session, or answer it."),
    "review": ("paige.cli.study_session:review", "Recall what is due, and nothing new."),
    "quiz": ("paige.cli.study_session:quiz", "Ask what you know, without teaching."),
    "due": ("paige.cli.study_session_progress:due", "List what should be recalled now."),
    "progress": ("paige.cli.study_session_progress:progress", "Show how far you are, with plots."),
    "profile": ("paige.cli.study_session_progress:profile", "Show or change how you study."),
    "fit": ("paige.cli.study_fit:fit", "Fit the forgetting curve to what you remembered."),
    "courses": ("paige.cli.study_courses:courses", "List the courses and what is wrong in them."),
    "new": ("paige.cli.study_exchange:new", "Begin a course of your own."),
    "import": ("paige.cli.study_exchange:import_", "Take in a deck, a table or a track."),
    "export": ("paige.cli.study_exchange:export", "Give out cards, or results as statements."),
    "grade": ("paige.cli.study_commands:grade", "Grade a worksheet, a response or a code folder."),
    "mark": ("paige.cli.study_commands:mark", "Mark short answers, a line each."),
    "disclose": ("paige.cli.study_commands:disclose", "Say whether replies give an answer away."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def study() -> None:
    """Courses and exercises: study them, write your own, grade work, mark answers."""
