"""Class profiles and the classes that a request names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.plan.class_names import recognise
from paige.plan.classes import ClassProfile, Need, age_of_year, read_class
from tests.plan.planning import CLASS_3B

PATH = "classes/3B.md"
KNOWN = [
    ClassProfile(id=name, path=f"classes/{name}.md", year=year)
    for name, year in (("1B", "S1"), ("2A", "S2"), ("2C", "S2"), ("3B", "S3"))
]


def test_a_profile_is_read_whole() -> None:
    profile = read_class(CLASS_3B, PATH)

    assert (profile.id, profile.year, profile.subject) == ("3B", "S3", "Computing Science")
    assert (profile.curriculum, profile.level) == (("cfe-computing",), "Third")
    assert (profile.size, profile.minutes, profile.reading_age) == (24, 50, 12)
    assert profile.ability == "Mixed ability. Most work at Third level."
    assert profile.needs == (
        Need("EAL", "flowcharts before code", "2 pupils, Ukrainian", 2, line=15),
        Need("Stretch", "compare two solutions", "4 pupils", 4, line=16),
    )
    assert profile.works == ("Predict, then run, in pairs",)
    assert profile.taught == ("Variables", "Selection")
    assert profile.problems == ()


def test_an_item_that_goes_on_over_lines_is_one_item() -> None:
    profile = read_class("---\nyear: S1\n---\n## Needs\n- EAL: one\n  two\n\n- ASN: three", PATH)

    assert [(need.kind, need.what, need.line) for need in profile.needs] == [
        ("EAL", "one two", 5),
        ("ASN", "three", 8),
    ]


@pytest.mark.parametrize(
    ("line", "said", "fix"),
    [
        ("size: many", "`size` is `many`", "from 1 to 100"),
        ("minutes: 0", "`minutes` is `0`", "from 5 to 300"),
        ("reading_age: true", "`reading_age` is `True`", "from 4 to 18"),
        ("level: Fifth", "`level` is `Fifth`", "Early, First"),
        ("year: Y9", "`year` is `Y9`", "P1 to P7 or S1 to S6"),
        ("subjet: Maths", "the key `subjet` means nothing", "Did you mean `subject`?"),
        ("class: 2A", "`class` is `2A`, but the file is `3B.md`", "class: 3B"),
        ("curriculum: 7", "`curriculum` holds something that is no text", "[one, two]"),
    ],
)
def test_a_wrong_key_is_a_problem_with_its_line_and_the_rest_is_kept(
    line: str, said: str, fix: str
) -> None:
    text = f"---\nsubject: Maths\n{line}\n---\n## Taught so far\n- Fractions\n"
    if line.startswith("subjet"):
        text = text.replace("subject: Maths\n", "level: Third\n")

    profile = read_class(text, PATH)

    [problem] = profile.problems
    assert (problem.path, problem.line) == (PATH, 3)
    assert said in problem.message
    assert fix in problem.hint
    assert str(problem).startswith("classes/3B.md:3: ")
    assert profile.taught == ("Fractions",)


def test_front_matter_that_cannot_be_read_costs_only_itself() -> None:
    profile = read_class("---\nyear: [\n---\n## Needs\n- EAL: pictures\n- nothing said\n", PATH)

    assert [problem.line for problem in profile.problems] == [2, 6]
    assert [need.what for need in profile.needs] == ["pictures", "nothing said"]
    assert profile.id == "3B"


def test_a_file_without_front_matter_is_a_profile_with_a_problem() -> None:
    profile = read_class("# 3B\n## Taught so far\n- Loops\n", PATH)

    assert [problem.line for problem in profile.problems] == [1]
    assert profile.taught == ("Loops",)


def test_lines_that_cannot_be_read_cost_only_themselves() -> None:
    text = "---\nyear: S3\nreading_age: [12\nsubject: Maths\nhello\nsize: 20\n---\n# 3B\n"

    profile = read_class(text, PATH)

    assert [problem.line for problem in profile.problems] == [3, 5]
    assert (profile.year, profile.subject, profile.size) == ("S3", "Maths", 20)
    assert profile.reading_age is None


def test_a_level_that_there_is_not_is_none() -> None:
    assert read_class("---\nlevel: Thrid\n---\n", PATH).level == ""


@pytest.mark.parametrize("front", ["", "---\nyear: S3\n---\n"])
def test_a_profile_in_plain_prose_says_what_the_class_is_like(front: str) -> None:
    profile = read_class(f"{front}# 3B\n<!-- mine -->\nLively. Two need\nmore time.\n", PATH)

    assert profile.ability == "Lively. Two need\nmore time."


def test_front_matter_that_never_ends_is_not_read_as_prose() -> None:
    assert read_class("---\nyear: S3\nA lively class\n", PATH).ability == ""


@given(text=st.text(), noise=st.sampled_from(["", "---\n", "---\nyear: S3\n---\n", "## Needs\n- "]))
def test_whatever_a_file_holds_it_is_read_and_problems_have_lines_in_it(
    text: str, noise: str
) -> None:
    profile = read_class(noise + text, PATH)

    lines = (noise + text).count("\n") + 1
    assert profile.id == "3B"
    assert all(1 <= problem.line <= lines and problem.hint for problem in profile.problems)


@pytest.mark.parametrize(
    ("year", "age"), [("S1", 11), ("S3", 13), ("P1", 4), ("P7", 10), ("s 2", 12), ("Y9", None)]
)
def test_a_year_tells_how_old_the_youngest_may_be(year: str, age: int | None) -> None:
    assert age_of_year(year) == age


# --- recognising ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "known", "unknown"),
    [
        ("iteration for 3B", ["3B"], []),
        ("my 3b need loops", ["3B"], []),
        ("Class 2c, French", ["2C"], []),
        ("3B's starter was too long", ["3B"], []),
        ("the S3 group", ["3B"], []),
        ("fractions for S3B", ["3B"], []),
        ("a lesson for my S2 class", ["2A", "2C"], []),
        ("loops for 3B and 2A", ["3B", "2A"], []),
        ("loops for 3B/2C", ["3B", "2C"], []),
        ("refine lessons/2026-03-02-3B-loops.md", ["3B"], []),
        ("read classes/3B.md first", ["3B"], []),
        ("recursion for 9Z", [], ["9Z"]),
        ("recursion for 5c and 6d", [], ["5C", "6D"]),
        ("loops for 3B and 4X", ["3B"], ["4X"]),
        ("a unit for my S5 class", [], ["S5"]),
        ("Section 2A of the book", [], []),
        ("part 1B of the paper", [], []),
        ("question 3b is hard; fractions", [], []),
        ("questions 4a and 4b", [], []),
        ("3D shapes", [], []),
        ("2D arrays for 2A", ["2A"], []),
        ("5G networks", [], []),
        ("S3 buckets", [], []),
        ("TCH 3-15a and MTH 2-13a", [], []),
        ("iteration", [], []),
        ("", [], []),
    ],
)
def test_classes_are_found_in_prose_and_other_things_are_not(
    prompt: str, known: list[str], unknown: list[str]
) -> None:
    found = recognise(prompt, KNOWN)

    assert (list(found.known), list(found.unknown)) == (known, unknown)


def test_a_class_whose_name_is_a_word_or_a_dimension_needs_more_than_its_name() -> None:
    classes = [ClassProfile(id="Higher", path=""), ClassProfile(id="3D", path="")]

    assert recognise("questions of higher order", classes).known == ()
    assert recognise("loops for my Higher class", classes).known == ("Higher",)
    assert recognise("3D printing", classes).known == ()
    assert recognise("3D shapes for 3D", classes).known == ("3D",)


def test_one_known_class_is_beyond_doubt_and_anything_else_is_not() -> None:
    assert recognise("for 3B", KNOWN).only == "3B"
    assert recognise("like 9Z, but for 3B", KNOWN).only == "3B"
    for unclear in ("for 3B and 2A", "for 9Z", "loops"):
        assert recognise(unclear, KNOWN).only is None


@given(
    before=st.text(alphabet="abc ,.", max_size=20),
    name=st.sampled_from(["1B", "2a", "2C", "3b"]),
    after=st.text(alphabet="abc ,.!?", max_size=20),
)
def test_a_known_class_between_words_is_found_however_it_is_written(
    before: str, name: str, after: str
) -> None:
    found = recognise(f"{before} for {name} {after}", KNOWN)

    assert name.upper() in found.known


@given(prompt=st.text())
def test_no_text_is_too_strange_to_be_looked_at_and_nothing_is_invented(prompt: str) -> None:
    found = recognise(prompt, KNOWN)

    assert set(found.known) <= {profile.id for profile in KNOWN}
    assert all(name.casefold() in prompt.casefold() for name in found.unknown)
