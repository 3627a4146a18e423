"""What people are told to type exists."""

import json
import re
import tomllib

import click
import pytest

from tests.docs.pages import ROOT, Block, Page, all_pages, page
from tests.docs.shell import check_paige, simple_commands

PAGES = all_pages()
SHELL = [(p.name, block) for p in PAGES for block in p.blocks if block.language == "sh"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
MAKE = re.compile(r"`(?:[A-Z_]+=\S+ )?make ([a-z-]+)[^`\n]*`")


@pytest.mark.parametrize(("name", "block"), SHELL, ids=[f"{n}:{b.line}" for n, b in SHELL])
def test_every_command_of_ours_in_a_shell_block_exists_with_its_options(
    name: str, block: Block
) -> None:
    for words in simple_commands(block.text):
        match words:
            case [program, *arguments] if program in ("paige", ".venv/bin/paige"):
                check_paige(arguments)
            case ["make", "-C", _, *arguments] | ["make", *arguments]:
                asked = [word for word in arguments if "=" not in word]
                assert set(asked) <= TARGETS, f"{name}:{block.line}"
            case [program, *_] if program.startswith(".venv/bin/"):
                assert program == ".venv/bin/python", f"{name}:{block.line}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["sevre"],
        ["doctor", "--no-such-option"],
        ["hook", "no-such-cli"],
        ["--no-such-option"],
        ["trace", "lits"],
        ["plan", "resume"],
        ["plan", "any-plugin-command", "--no-such-option"],
    ],
)
def test_a_command_that_does_not_exist_is_noticed(arguments: list[str]) -> None:
    with pytest.raises(click.UsageError):
        check_paige(arguments)


def test_a_shell_block_is_split_into_its_commands() -> None:
    script = """
        # a comment
        A=1 paige up 2>&1 | tee log
        printf '%s
        ' "$X" | .venv/bin/paige passcode && cd <the folder>
    """

    assert list(simple_commands(script)) == [
        ["paige", "up"],
        ["tee", "log"],
        ["printf", "%s\n        ", "$X"],
        [".venv/bin/paige", "passcode"],
        ["cd", "it"],
    ]


def test_contributing_lists_every_make_target_with_its_own_row() -> None:
    shown = page("CONTRIBUTING.md").text

    assert set(re.findall(r"^\| `make ([a-z-]+)` \|", shown, re.MULTILINE)) == TARGETS


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_every_make_target_that_is_named_exists(shown: Page) -> None:
    named = set(MAKE.findall(shown.prose))

    assert named <= TARGETS


@pytest.mark.parametrize("language", ["json", "toml"])
def test_every_example_file_can_be_read(language: str) -> None:
    read = {"json": json.loads, "toml": tomllib.loads}[language]
    blocks = [block.text for p in PAGES for block in p.blocks if block.language == language]

    assert blocks
    for text in blocks:
        read(text)
