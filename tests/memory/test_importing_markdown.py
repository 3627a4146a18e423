"""Cutting markdown into memories."""

from hypothesis import given
from hypothesis import strategies as st

from paige.memory.imports.markdown import read_note, split_blocks


def texts(source: str) -> list[tuple[int, tuple[str, ...], str]]:
    return [(block.line, block.headings, block.text) for block in split_blocks(source)]


def test_every_bullet_and_paragraph_knows_its_line_and_the_headings_above_it() -> None:
    source = "# Notes\nFirst words\nstill first.\n\n## Go\n- use tabs\n- no globals\n\n"
    source += "## Python\nType it.\n"

    assert texts(source) == [
        (2, ("Notes",), "First words\nstill first."),
        (6, ("Notes", "Go"), "use tabs"),
        (7, ("Notes", "Go"), "no globals"),
        (10, ("Notes", "Python"), "Type it."),
    ]


def test_what_is_below_a_bullet_stays_with_it() -> None:
    source = "- build\n  - first the web\n  - then the rest\n\n  Both take a minute.\n- test"

    assert texts(source) == [
        (1, (), "build\n- first the web\n- then the rest\n\nBoth take a minute."),
        (6, (), "test"),
    ]


def test_a_paragraph_that_ends_with_a_colon_is_carried_by_the_list_after_it() -> None:
    source = "Before a release:\n\n1. run the tests\n2. write the notes\n\nThat is all."

    assert texts(source) == [
        (3, ("Before a release",), "run the tests"),
        (4, ("Before a release",), "write the notes"),
        (6, (), "That is all."),
    ]


def test_a_colon_without_a_list_after_it_is_a_paragraph() -> None:
    assert texts("Remember:\n\nNothing.") == [(1, (), "Remember:"), (3, (), "Nothing.")]
    assert texts("Remember:") == [(1, (), "Remember:")]


def test_code_stays_with_the_words_before_it_and_is_not_read_as_markdown() -> None:
    source = "Run it so:\n\n```sh\n# not a heading\n- not a bullet\n```\n\nDone."

    assert texts(source) == [
        (1, (), "Run it so:\n```sh\n# not a heading\n- not a bullet\n```"),
        (8, (), "Done."),
    ]


def test_underlined_headings_rules_and_comments_are_not_memories() -> None:
    source = "Title\n=====\none\n\n---\n\n<!-- hidden\nstill hidden -->\ntwo\n"

    assert texts(source) == [(3, ("Title",), "one"), (9, ("Title",), "two")]


def test_front_matter_that_cannot_be_read_costs_only_itself() -> None:
    note = read_note("---\ntitle: [a, b\n---\nthe text", "x.md")

    assert (note.values, note.body, note.first_line) == ({}, "the text", 4)
    assert note.problem is not None
    assert note.problem.sentence().startswith("x.md:2: the front matter cannot be read")
    assert not note.problem.lost


def test_front_matter_that_is_never_closed_is_text() -> None:
    note = read_note("---\ntitle: x\n", "x.md")

    assert note.body == "---\ntitle: x\n"
    assert note.problem is not None


lines = st.sampled_from(
    ["# A", "## B", "- one", "  - two", "1. three", "words", "words:", "", "```", "<!-- x -->"]
)


@given(st.lists(lines, max_size=25))
def test_no_words_are_lost_and_lines_only_grow(source: list[str]) -> None:
    found = list(split_blocks("\n".join(source)))

    numbers = [block.line for block in found]
    assert numbers == sorted(numbers)
    said = "\n".join(" ".join([*block.headings, block.text]) for block in found)
    outside = [line.strip() for line in source if line.strip() in ("- one", "words", "1. three")]
    assert all(line.removeprefix("- ").removeprefix("1. ") in said for line in outside)
