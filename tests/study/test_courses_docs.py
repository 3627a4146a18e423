"""The page about course files shows a course that can be read as it stands."""

from pathlib import Path

from paige.exercise.values import BLOOM_LEVELS
from paige.study.courses.item_kinds import KINDS
from paige.study.courses.reader import PLACEHOLDERS
from paige.study.courses.values import ITEM_KINDS
from paige.study.courses.vocabulary_file import ALL_COLUMNS, read_vocabulary
from paige.study.matrix import shipped_matrix
from tests.docs.pages import page
from tests.study.course_folders import loaded, said

PAGE = page("docs/reference/course-files.md")


def test_the_course_on_the_page_has_no_problem(tmp_path: Path) -> None:
    shown = [block.text for block in PAGE.blocks if block.language == "json"]
    config, concepts, *items = shown
    (teaching,) = [block.text for block in PAGE.blocks if block.language == "markdown"]
    other = '{"kind": "short", "prompt": "Who pulls?", "answer": "the moon", "concept": "%s"}\n'
    course = loaded(
        tmp_path,
        {
            "config.json": config,
            "concepts.json": concepts,
            "teach/spring-tides.md": teaching,
            "items/spring-tides.jsonl": "\n".join(items),
            "items/others.jsonl": other % "moon" + other.replace("Who", "What") % "neap-tides",
        },
        "tide-tables",
    )

    assert said(course) == []
    assert len(course.items["spring-tides"]) == len(items)
    assert course.teaching["spring-tides"].checks[0].answers == ("a spring tide", "spring tides")


def test_the_words_on_the_page_can_be_read() -> None:
    rows = next(block.text for block in PAGE.blocks if "selamat pagi" in block.text)
    read = read_vocabulary("vocabulary.tsv", rows)

    assert read.problems == ()
    assert [word.meanings for word in read.words] == [("good morning",), ("hour", "clock")]


def test_the_page_names_every_kind_type_level_column_and_placeholder() -> None:
    text = PAGE.text

    for kind in ITEM_KINDS:
        assert f"| `{kind}` | {KINDS[kind].bloom} |" in text
    types = [row.concept_type for rows in shipped_matrix().rows.values() for row in rows]
    for names in (types, BLOOM_LEVELS, ALL_COLUMNS[3:]):
        for name in names:
            assert f"`{name}`" in text or f"\t{name}" in text
    for name in PLACEHOLDERS:
        assert f"`{{{name}}}`" in text
