"""Every command of the documentation is run, and does what the page says."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.docs.executing import read_page_aloud, unsafe
from tests.docs.pages import Page, all_pages, page
from tests.docs.recipes import PageRecipe, all_recipes, recipe_of
from tests.docs.steps import Keep, clicks_on, commands_of, steps_of
from tests.postgres import temp_database

PAGES = [page for page in all_pages() if commands_of(page)]
# Those with clicks are followed in a browser, by `test_tutorial_clicks.py`.
WITHOUT_CLICKS = [page for page in PAGES if not clicks_on(page)]
RECIPES = list(all_recipes().values())
MOST_NOT_RUN = 30
TYPED = re.compile(
    r"^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:paige|make|git|curl|docker|systemctl|npx|pipx?|uvx?) \w"
)


# It fills the demo twice; every day `tests/demo` fills one, and shows, resets and removes it.
LONG = {"docs/how-to/try-the-demo.md"}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.soak] * (page.name in LONG), id=page.name)
        for page in WITHOUT_CLICKS
    ],
)
def test_everything_a_page_says_works_as_it_says(
    page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with ExitStack() as databases:

        def new_database() -> str:
            server = request.getfixturevalue("postgres_server")
            return databases.enter_context(temp_database(server, template="template0"))

        complaints = read_page_aloud(page, tmp_path / "home", new_database)

    assert not complaints, "\n\n".join(complaints)


def test_what_cannot_run_says_why_and_what_runs_instead() -> None:
    listed = [command for recipe in RECIPES for command in recipe.commands if command.instead]

    assert len(listed) <= MOST_NOT_RUN
    assert [command.starts for command in listed if not command.why] == []
    assert [c.starts for r in RECIPES for c in r.commands if c.why and not c.instead] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.page)
def test_every_word_of_a_recipe_is_still_needed(recipe: PageRecipe) -> None:
    shown = page(recipe.page)
    commands = [run.command for run in commands_of(shown)]
    blocks = {step.block for step in steps_of(shown) if isinstance(step, Keep)}

    used = {recipe.of(command).starts for command in commands}
    assert [each.starts for each in recipe.commands if each.starts not in used] == []
    assert [name for name in (*recipe.keeps, *recipe.shows) if name not in blocks] == []
    given = "\n".join([*commands, *(block.text for block in shown.blocks)])
    assert [name for name in recipe.stand_ins if name not in given] == []


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_every_command_is_run_or_listed(shown: Page) -> None:
    recipe = recipe_of(shown.name)
    commands = [run.command for run in commands_of(shown)]

    assert [
        command for command in commands if not recipe.of(command).instead and unsafe(command)
    ] == []


@pytest.mark.parametrize("shown", all_pages(), ids=lambda shown: shown.name)
def test_no_command_hides_in_a_block_of_text(shown: Page) -> None:
    blocks = [block for block in shown.blocks if block.language == "text"]
    if shown.name == "docs/reference/commands.md":  # what `--help` says
        return

    assert [line for block in blocks for line in block.text.splitlines() if TYPED.match(line)] == []
    assert {block.language for block in shown.blocks} & {"zsh", "cmd", "powershell"} == set()
