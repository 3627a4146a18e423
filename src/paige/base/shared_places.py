"""Whether something that is a folder or a file by default is kept in the database instead.

With SQLite everything stays where it is. With PostgreSQL several servers share it: what Paige chose
the place of is kept in tables, and what a person gave a place of their own stays there. A place
below the data folder was not chosen by a person, even if a setting names it.
"""

from pathlib import Path

from paige.base.settings import Settings


def in_tables(settings: Settings, given: Path | None) -> bool:
    """Whether what could be at a given place is kept in the database."""
    if not settings.database_url:
        return False
    return given is None or given.is_relative_to(settings.data_dir)
