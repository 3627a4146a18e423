"""What a page needs besides its own words, read from `commands.toml`."""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

PLACE = Path(__file__).with_name("commands.toml")
SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one command of a page is run."""

    starts: str
    """The beginning of the commands it holds for."""
    exit: int = 0
    typed: str = ""
    """What standard input holds."""
    talk: tuple[tuple[str, str], ...] = ()
    """In a terminal: what comes, and what is typed then."""
    ready: str = ""
    """The command stays; this is said when it is ready."""
    before: str = ""
    """Done first, without a word on the page: what a reader would have."""
    instead: str = ""
    """Run in place of a command that cannot run here."""
    why: str = ""
    """Why it cannot."""
    server: bool = False
    """`paige up` runs from here on, with what the page has set so far."""
    alone: bool = False
    """What stays is stopped first, as the page says."""
    example: str = ""
    """Why what the page shows below it is not what comes out here."""
    more: str = ""
    """Added to the command, so that it does less of the same."""
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class PageRecipe:
    """What a page needs."""

    page: str
    place: str = "project"
    """The folder it begins in: `project`, `checkout` or `home`."""
    server: bool = False
    model: str = ""
    """What a model answers to everything; empty means that nobody has a key."""
    postgres: bool = False
    supplies: tuple[str, ...] = ()
    """What the reader has, by its name in `supplies.py`."""
    programs: tuple[str, ...] = ()
    """Stand-ins for programs of others, from the folder `programs`."""
    environment: dict[str, str] = field(default_factory=dict)
    before: str = ""
    stand_ins: dict[str, str] = field(default_factory=dict)
    """What a reader puts in a place: a text, or `$(…)` that finds it."""
    keeps: dict[str, str] = field(default_factory=dict)
    """The file that a block of the page is saved as."""
    shows: dict[str, str] = field(default_factory=dict)
    """The command whose output a block shows further down."""
    commands: tuple[Recipe, ...] = ()

    def of(self, command: str) -> Recipe:
        """The recipe of a command; most need none."""
        found = (each for each in self.commands if command.startswith(each.starts))
        return next(found, Recipe(command))


def recipe_of(page: str) -> PageRecipe:
    """The recipe of a page; an empty one when it needs nothing."""
    return all_recipes().get(page, PageRecipe(page))


@cache
def all_recipes() -> dict[str, PageRecipe]:
    """Every page that needs something."""
    tables = tomllib.loads(PLACE.read_text(encoding="utf-8"))["page"]
    recipes = [_read(table) for table in tables]
    return {recipe.page: recipe for recipe in recipes}


def _read(table: dict[str, Any]) -> PageRecipe:
    commands = tuple(_command(each) for each in table.pop("command", ()))
    programs, supplies = (tuple(table.pop(name, ())) for name in ("programs", "supplies"))
    return PageRecipe(**table, programs=programs, supplies=supplies, commands=commands)


def _command(table: dict[str, Any]) -> Recipe:
    talk = tuple((heard, typed) for heard, typed in table.pop("talk", ()))
    return Recipe(**table, talk=talk)
