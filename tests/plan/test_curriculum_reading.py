"""A curriculum file is read row by row; what is wrong with it has a line, and the rest counts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.plan.curriculum.codes import find_codes, is_cfe_code, level_of, normal_code, same_code
from paige.plan.curriculum.library import broken_links, load_all
from paige.plan.curriculum.materials import read_material
from paige.plan.curriculum.outcome_file import DETAILS, KEYS, read_curriculum, render_curriculum
from paige.plan.curriculum.values import (
    GRADES,
    MATERIAL_KINDS,
    Curriculum,
    Outcome,
)
from paige.store.documents import NEW, DirectoryDocuments
from tests.docs.pages import page
from tests.plan.curricula import KNOTS, PATH, knots, load_texts, outcome


def read(text: str) -> Curriculum:
    return read_curriculum(text, PATH)


def problems(text: str) -> list[str]:
    return [each.sentence for each in read(text).problems]


def test_a_row_is_read_with_everything_that_stands_in_it() -> None:
    file = read(KNOTS)
    assert file.problems == ()
    assert (file.framework, file.subject, file.edition) == ("Rope Skills", "Knots", "2020-01")
    assert (file.name, file.also) == ("knots", ("Ropework",))
    assert file.outcomes[0] == Outcome(
        code="TCH 3-15a",
        about="Tie a bowline that holds and say where it is used.",
        subject="Knots",
        level="Third",
        organiser="Tying",
        grade="A",
        edition="2020-01",
        path=PATH,
        start=14,
        end=18,
        about_end=14,
        progression_from=("TCH 2-15a",),
        progression_to=("TCH 4-15a",),
        misconceptions=("Pupils think that a tighter knot is always a better knot.",),
        assessment=("Look for a knot that is tied without help.",),
        topics=("bowline", "loops", "harness"),
    )


def test_words_that_go_on_in_the_next_line_are_one_statement() -> None:
    row = outcome("TCH 3-15b", knots())
    assert row.about == "Compare two hitches on the same pole and choose the safer one."
    assert (row.start, row.about_end, row.end) == (19, 20, 20)
    assert KNOTS.split("\n")[row.about_end - 1].strip() == "and choose the safer one."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("edition: 2020-01\n", "", ":1: `edition` is missing."),
        ("edition: 2020-01", "edition: [", ":5: `edition` cannot be read"),
        ("subject: Knots", "subject: Knots\nteacher: Ms A", ":4: The key `teacher` has no meaning"),
        ("edition:", "codes: mine\nedition:", ":5: `codes` is `mine`."),
        ("---\nframework", "framework", ":1: There is no front matter."),
        ("(grade A)", "", ":14: TCH 3-15a has no grade; it is treated as C."),
        ("(grade A)", "(grade D)", ":14: TCH 3-15a has the grade `D`; it is treated as C."),
        ("TCH 2-15a -> TCH 4-15a", "TCH 2-15a", ":15: The progression of TCH 3-15a cannot be"),
        ("TCH 2-15a ->", "TCH 4-15a ->", ":15: TCH 4-15a cannot come before TCH 3-15a."),
        ("-> TCH 4-15a", "-> TCH 1-15a", ":15: TCH 1-15a cannot come after TCH 3-15a."),
        ("-> TCH 4-15a", "-> TCH 3-15a", ":15: TCH 3-15a cannot lead to itself."),
        ("  - topics:", "  - tags:", ":18: `tags` is not a detail of an outcome."),
        ("- **TCH 3-15b** (grade C)", "- TCH 3-15b", ":19: This looks like the outcome TCH 3-15b"),
        ("- **TCH 3-15b**", "- **TCH 3-15b", ":19: This looks like the outcome TCH 3-15b"),
        ("**TCH 3-15b**", "**TCH 3-15a**", ":19: TCH 3-15a is in line 14 already"),
        ("**TCH 3-16a**", "**TCH 4-16a**", ":24: TCH 4-16a is a code of Fourth level, but stands"),
        ("**TCH 3-16a**", "**TCH 8-16a**", ":24: TCH 8-16a names a level that does not exist."),
        ("Dry, coil and store a rope so that it lasts.", "", ":24: The outcome `TCH 3-16a` says"),
        ("### Caring", "## Senior phase", ":24: TCH 3-16a is a code of Third level, but stands"),
    ],
)
def test_a_mistake_has_its_line_and_the_other_rows_still_count(
    old: str, new: str, said: str
) -> None:
    assert old in KNOTS
    file = read(KNOTS.replace(old, new, 1))
    (problem,) = file.problems
    assert said in problem.sentence
    assert problem.path == PATH
    assert len(file.outcomes) >= 2


def test_a_row_that_contradicts_itself_is_left_out() -> None:
    codes = [each.code for each in read(KNOTS.replace("3-16a", "4-16a")).outcomes]
    assert codes == ["TCH 3-15a", "TCH 3-15b"]


def test_rows_in_code_blocks_and_comments_are_examples() -> None:
    row = "- **TCH 3-17a** (grade A) Anything at all."
    hidden = [f"```\n{row}\n```", f"~~~~\n```\n{row}\n~~~~", f"<!--\n{row}\n-->", f"<!-- {row} -->"]
    for text in hidden:
        file = read(f"{KNOTS}\n{text}\n")
        assert [each.code for each in file.outcomes] == ["TCH 3-15a", "TCH 3-15b", "TCH 3-16a"]
        assert file.problems == ()


def test_prose_lists_and_blank_lines_between_rows_are_left_alone() -> None:
    text = KNOTS.replace("### Caring", "Some words.\n\n- a plain item\n\n### Caring")
    text = text.replace("  - topics:", "\n  - topics:")
    file = read(text)
    assert file.problems == ()
    assert file.outcomes[0].topics == ("bowline", "loops", "harness")
    assert file.outcomes[0].end == 19


def test_a_row_may_have_an_edition_of_its_own() -> None:
    file = read(KNOTS.replace("  - topics", "  - edition: 2009-04\n  - topics"))
    assert [each.edition for each in file.outcomes] == ["2009-04", "2020-01", "2020-01"]


def test_labels_of_a_file_that_has_no_official_codes_are_marked() -> None:
    text = KNOTS.replace("edition:", "codes: own\nedition:").replace("TCH 3-", "KNOT ")
    file = read(text.replace("  - progression: TCH 2-15a -> TCH 4-15a\n", ""))
    assert file.problems == ()
    assert all(each.own_label for each in file.outcomes)
    assert file.outcomes[0].code == "KNOT 15a"


def test_a_progression_to_a_code_that_no_file_has_is_named() -> None:
    said = [each.sentence for each in broken_links(knots())]
    assert said[0].startswith(f"{PATH}:14: The progression of TCH 3-15a names TCH 2-15a, which no")
    assert len(said) == 2


def test_a_folder_is_read_whole_but_for_originals(tmp_path) -> None:
    documents = DirectoryDocuments(tmp_path)
    documents.write(PATH, KNOTS, base=NEW)
    documents.write("curriculum/originals/knots.md", KNOTS, base=NEW)
    documents.write("curriculum/notes.txt", "TCH 3-15a", base=NEW)
    documents.write("lessons/x.md", KNOTS, base=NEW)
    documents.write(
        "curriculum/materials/paper.md",
        "---\nkind: paper\n---\n## Question 1\n- codes: TCH 3-15a\n\nTie it.\n",
        base=NEW,
    )
    library = load_all(documents)
    assert [each.path for each in library.curricula] == [PATH]
    ((material, part),) = library.material("tch 3-15A")
    assert (material.kind, part.title, part.start, part.suggested) == (
        "paper",
        "Question 1",
        4,
        False,
    )
    assert library.problems == ()


def test_an_empty_workspace_has_no_outcomes(tmp_path) -> None:
    assert load_all(DirectoryDocuments(tmp_path)).outcomes == ()


# Properties: people write anything.

LINES = [
    "---",
    "framework: F",
    "subject: S",
    "edition: [",
    "## Third level",
    "## Senior phase",
    "### O",
    "- **TCH 3-15a** (grade A) Tie a bowline.",
    "- **TCH 3-15a**",
    "- ** ** (grade",
    "  - progression: -> ->",
    "  - progression: TCH 4-15a -> TCH 1-15a, and",
    "  - misconception: x",
    "  - codes: TCH",
    "\t- topics: , ,",
    "  goes on",
    "```",
    "<!--",
    "-->",
    "",
]
files = st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=30).map("\n".join)


@given(files | st.text())
def test_any_text_is_read_and_its_problems_and_rows_have_lines_of_it(text: str) -> None:
    file = read(text)
    most = max(len(file.lines), 1)
    assert all(1 <= each.line <= most for each in file.problems)
    assert all(each.message.endswith((".", "”")) for each in file.problems)
    for row in file.outcomes:
        assert 1 <= row.start <= row.about_end <= row.end <= len(file.lines)
        assert row.about
        assert row.code
    codes = [each.code for each in file.outcomes]
    assert len(codes) == len(set(codes))


@given(files | st.text())
def test_any_text_is_read_as_material(text: str) -> None:
    material = read_material(text, "curriculum/materials/x.md")
    assert all(1 <= each.start <= each.end for each in material.parts)
    assert all(each.line >= 1 for each in material.problems)


words = st.text("abcdefg hijk.,;:'\"éß()", min_size=1, max_size=40).map(str.strip).filter(bool)


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    level, code = draw(
        st.sampled_from([("Second", "TCH 2-"), ("Third", "MNU 3-"), ("National 5", "N5 X-")])
    )
    return Outcome(
        code=f"{code}{draw(st.integers(10, 99))}a",
        about=" ".join(draw(words).split()),
        subject="S",
        level=level,
        organiser=draw(st.sampled_from(["", "One", "C# and more", "L&T: two"])),
        grade=draw(st.sampled_from(["A", "A-", "B", "B-", "C"])),
        edition=draw(st.sampled_from(["2020-01", "2009"])),
        path=PATH,
        start=1,
        end=1,
        about_end=1,
        misconceptions=tuple(" ".join(each.split()) for each in draw(st.lists(words, max_size=2))),
        assessment=tuple(" ".join(each.split()) for each in draw(st.lists(words, max_size=2))),
        topics=tuple(draw(st.lists(st.sampled_from(["a", "b c", "d-e"]), max_size=2))),
        notes=tuple(" ".join(each.split()) for each in draw(st.lists(words, max_size=1))),
    )


def said_by(outcome: Outcome) -> tuple[object, ...]:
    """An outcome without where it stands."""
    return (
        outcome.code,
        outcome.about,
        outcome.level,
        outcome.organiser,
        outcome.grade,
        outcome.edition,
        outcome.misconceptions,
        outcome.assessment,
        outcome.topics,
        outcome.notes,
    )


@given(st.lists(outcomes(), max_size=8, unique_by=lambda each: each.code))
def test_what_is_written_is_read_again(rows: list[Outcome]) -> None:
    made = Curriculum(PATH, "F", "S: with a colon", "2020-01", outcomes=tuple(rows))
    again = read(render_curriculum(made))
    assert again.problems == ()
    assert (again.framework, again.subject, again.edition) == ("F", "S: with a colon", "2020-01")
    assert sorted(map(said_by, again.outcomes)) == sorted(map(said_by, rows))


# Codes.


@pytest.mark.parametrize(
    "written", ["TCH 3-15a", "tch3-15A", "TCH\u00a03\u201315a", "TCH-3-15a", "**TCH 3-15a**"]
)
def test_one_code_has_one_normal_form(written: str) -> None:
    assert normal_code(written) == "TCH 3-15a"
    assert same_code(written, "TCH 3-15a")
    assert level_of(written) == "Third"


@pytest.mark.parametrize(
    ("code", "cfe", "level"),
    [
        ("MLAN 2-06b", True, "Second"),
        ("TCH 8-15a", True, None),
        ("TCH 3-15", False, None),
        ("N5 CS SDD-1", False, None),
        ("CCSS.Math_3.OA.1", False, None),
        ("", False, None),
    ],
)
def test_other_codes_are_not_taken_for_those_of_the_curriculum(
    code: str, cfe: bool, level: str | None
) -> None:
    assert (is_cfe_code(code), level_of(code)) == (cfe, level)
    assert normal_code(code) == code


@given(st.text())
def test_codes_are_found_in_any_text_without_a_crash(text: str) -> None:
    found = find_codes(f"{text}\nTCH 3-15a", ["N5 CS SDD-1", "1.2"])
    assert found[-1].code == "TCH 3-15a"
    assert all(1 <= each.line <= text.count("\n") + 2 for each in found)
    assert same_code(text, text)


def test_long_lines_are_read_in_time_that_grows_with_their_length() -> None:
    for piece in ("- **", "TCH ", "[TCH 3-15a](", "(grade ", " - progression: ->", "\u00bd", "a:"):
        read(f"{KNOTS}\n{piece * 20_000}")
        find_codes(piece * 20_000)


def test_two_files_with_one_code_are_both_found() -> None:
    library = load_texts([(PATH, KNOTS), ("curriculum/other.md", KNOTS)])
    assert [each.path for each in library.named("TCH 3-15a")] == [PATH, "curriculum/other.md"]
    assert library.file("other") is library.file("curriculum/other.md")


# The page about curriculum files.

REFERENCE = page("docs/reference/curriculum-files.md")


def test_the_examples_of_the_page_are_read_without_a_problem() -> None:
    outcomes_file, _, material = (
        block.text for block in REFERENCE.blocks if block.language == "markdown"
    )
    file = read(outcomes_file)
    assert file.problems == ()
    assert (file.outcomes[0].topics[0], len(file.outcomes[0].notes)) == ("iteration", 1)
    read_back = read_material(material, "curriculum/materials/n5-2024.md")
    assert read_back.problems == ()
    assert read_back.parts[0].codes == ("N5 CS SDD-6",)


def test_the_page_names_every_key_detail_grade_and_kind() -> None:
    rows = set(re.findall(r"^\| `([^`]+)` \|", REFERENCE.prose, re.MULTILINE))
    assert {*KEYS, *DETAILS, *GRADES} <= rows
    assert all(f"`{each}`" in REFERENCE.prose for each in MATERIAL_KINDS)
