"""How the documentation is written: plain, short, without places nobody else has."""

import re

import pytest

from tests.docs.pages import Page, all_pages, page

PAGES = all_pages()
# Written in parts, so that this file does not name them either.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
    )
]
MACHINE = ["/" + "work/", "/" + "root/"]
HURRY = re.compile(r"\b(?:simply|just)\b", re.IGNORECASE)
LONGEST_README = 90
MOST_WORDS = 25


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_no_page_makes_things_sound_easier_than_they_are(shown: Page) -> None:
    assert HURRY.findall(shown.text) == []


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_no_page_names_a_package_registry_or_a_path_of_one_machine(shown: Page) -> None:
    assert [name for name in (*REGISTRIES, *MACHINE) if name in shown.text] == []


def test_the_readme_is_short() -> None:
    assert len(page("README.md").text.splitlines()) < LONGEST_README


def test_a_line_of_the_changelog_is_short() -> None:
    lines = [line for line in page("CHANGELOG.md").prose.splitlines() if line.startswith("- ")]

    assert lines
    assert [line for line in lines if len(line.removeprefix("- ").split()) > MOST_WORDS] == []


@pytest.mark.parametrize(
    "shown", [p for p in PAGES if "docs/decisions/" in p.name], ids=lambda shown: shown.name
)
def test_a_decision_says_situation_decision_price_and_when_to_look_again(shown: Page) -> None:
    headings = re.findall(r"^## (.+)$", shown.prose, re.MULTILINE)

    assert headings == ["Situation", "Decision", "What we gave up", "When to look again"]
