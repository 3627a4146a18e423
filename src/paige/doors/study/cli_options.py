"""Options that the commands of `paige study` about sessions share."""

from datetime import datetime

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput

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
