"""The curriculum files that Paige ships: complete, consistent, honest about what was checked."""

from collections import Counter

import pytest

from paige.plan.curriculum.codes import is_cfe_code, level_of
from paige.plan.curriculum.imports import clashes
from paige.plan.curriculum.library import broken_links
from paige.plan.curriculum.search import find
from paige.plan.curriculum.values import Library
from paige.plan.evidence import plain_words
from tests.plan.curricula import load_texts, outcome, shipped_library

FILES = (
    "cfe-computing",
    "cfe-english",
    "cfe-french",
    "cfe-history",
    "cfe-maths",
    "cfe-technologies",
    "n5-computing",
)
CODES = {  # the area and how many of its rows were seen in a source
    "cfe-computing": ({"TCH"}, 13),
    "cfe-technologies": ({"TCH"}, 2),
    "cfe-maths": ({"MNU", "MTH"}, 31),
    "cfe-french": ({"MLAN"}, 25),
    "cfe-english": ({"LIT", "ENG"}, 6),
    "cfe-history": ({"SOC"}, 5),
}


def test_all_seven_files_are_there_and_nothing_is_wrong_with_them() -> None:
    library = shipped_library()
    assert tuple(each.name for each in library.curricula) == FILES
    assert library.problems == ()
    assert broken_links(library) == ()
    assert all(each.edition and each.source and each.about for each in library.curricula)


@pytest.mark.parametrize("name", CODES)
def test_each_file_holds_codes_of_its_area_with_grades_that_say_what_was_seen(name: str) -> None:
    file = shipped_library().file(name)
    assert file is not None
    areas, seen = CODES[name]
    assert {each.code.split()[0] for each in file.outcomes} == areas
    assert sum(each.verified for each in file.outcomes) == seen
    assert all(is_cfe_code(each.code) for each in file.outcomes)
    assert all(each.level == level_of(each.code) for each in file.outcomes)


@pytest.mark.parametrize(
    ("code", "grade", "about"),
    [
        ("TCH 3-15a", "A", "Choose tools to design, build, evaluate and refine"),
        ("TCH 4-13b", "A-", "Compare algorithms"),
        ("TCH 3-13a", "A", "information processes"),
        ("TCH 2-13a", "C", "how a process works"),
        ("TCH 2-03a", "A", "online communities"),
        ("MNU 3-01a", "A", "Round a number"),
        ("MNU 4-01a", "A", "tolerance"),
        ("MNU 2-10a", "A", "timetables"),
        ("MNU 3-07a", "B-", "fractions, decimals and percentages"),
        ("MTH 4-13b", "B", "gradient"),
        ("MNU 0-01a", "C", "sense of size and amount"),
        ("LIT 3-26a", "A", "logical order"),
        ("ENG 3-03a", "B", "spoken language"),
        ("LIT 3-18a", "C", "persuasion"),
        ("MLAN 2-01a", "A", "songs and rhymes"),
        ("MLAN 3-11b", "B", "features of words"),
        ("SOC 2-01a", "A-", "primary and secondary sources"),
        ("SOC 3-01a", "B", "informed view"),
        ("SOC 3-06b", "C", "conflict"),
        ("N5 CS SDD-6", "B", "input validation, running total"),
    ],
)
def test_a_code_has_the_meaning_and_the_grade_it_was_seen_with(
    code: str, grade: str, about: str
) -> None:
    row = outcome(code)
    assert row.grade == grade
    assert about in row.about


def test_every_row_helps_a_teacher() -> None:
    for row in shipped_library().outcomes:
        assert len(row.about.split()) >= 4, row.code
        assert row.organiser, row.code
        assert row.misconceptions, row.code
        assert row.assessment, row.code
        assert row.topics, row.code
        assert all(len(each.split()) >= 4 for each in (*row.misconceptions, *row.assessment))
        assert all(each.endswith((".", "?")) for each in (row.about, *row.misconceptions))


def test_no_two_outcomes_and_no_outcome_and_its_notes_say_the_same() -> None:
    rows = shipped_library().outcomes
    said = Counter(plain_words(each.about) for each in rows)
    assert said.most_common(1)[0][1] == 1
    for row in rows:
        notes = (*row.misconceptions, *row.assessment, *row.notes)
        assert all(plain_words(row.about) not in plain_words(each) for each in notes)
    assert len({each.code for each in rows}) == len(rows)


def test_progressions_lead_both_ways_inside_the_broad_general_education() -> None:
    rows = {each.code: each for each in shipped_library().outcomes}
    for row in rows.values():
        for code in row.progression_to:
            assert row.code in rows[code].progression_from, (row.code, code)
        for code in () if row.own_label else row.progression_from:
            assert row.code in rows[code].progression_to, (code, row.code)


def test_the_national_5_course_is_described_with_labels_of_our_own() -> None:
    file = shipped_library().file("n5-computing")
    assert file is not None
    text = "\n".join(file.lines)
    assert file.own_labels
    assert {each.level for each in file.outcomes} == {"National 5"}
    assert len({each.organiser for each in file.outcomes}) == 5
    facts = ("C816 75", "80 marks", "1 hour 30 minutes", "40 marks", "6 hours", "120 marks")
    assert all(each in text for each in (*facts, "55 in a mandatory section", "24 credit points"))


def test_no_row_of_the_senior_phase_has_a_code_of_a_level() -> None:
    rows = shipped_library().outcomes
    assert all(level_of(each.code) is None for each in rows if each.level == "National 5")


@pytest.mark.parametrize(
    ("words", "level", "subject", "code"),
    [
        ("iteration for 3B", "Third", "Computing Science", "TCH 3-15a"),
        ("while loops in Python", "Fourth", "cfe-computing", "TCH 4-14a"),
        ("linear and binary search", None, "Computing", "TCH 4-13b"),
        ("phishing", "third level", "Technologies", "TCH 3-03a"),
        ("percentages and discounts", "Third", "Maths", "MNU 3-07a"),
        ("solving equations", "Third", "Mathematics", "MTH 3-15a"),
        ("expected frequency", None, "Numeracy", "MNU 4-22a"),
        ("persuasive writing", "Third", "English", "LIT 3-29a"),
        ("similes and metaphors in a poem", "Third", "English", "ENG 3-19a"),
        ("ordering food in a café", "Second", "French", "MLAN 2-05b"),
        ("using a dictionary", "Third", "Modern Languages", "MLAN 3-11a"),
        ("Wars of Independence", "Third", "History", "SOC 3-02a"),
        ("causes of the First World War", "Third", "history", "SOC 3-06b"),
        ("SQL queries", "National 5", "Computing Science", "N5 CS DDD-2"),
        ("something for mnu 4-10A", None, None, "MNU 4-10a"),
    ],
)
def test_a_teachers_words_find_the_outcome(
    words: str, level: str | None, subject: str | None, code: str
) -> None:
    assert find(shipped_library(), words, level, subject)[0].code == code


def test_looping_is_not_filed_under_information_processes() -> None:
    found = find(shipped_library(), "iteration loops", None, "Computing Science")
    assert "TCH 3-13a" not in [each.code for each in found]


def test_without_words_all_outcomes_of_a_level_come_in_order() -> None:
    found = find(shipped_library(), "", "Third", "Computing Science", limit=50)
    assert [each.code for each in found] == [
        "TCH 3-13a",
        "TCH 3-13b",
        "TCH 3-14a",
        "TCH 3-14b",
        "TCH 3-15a",
    ]


def test_words_that_no_outcome_has_find_nothing() -> None:
    assert find(shipped_library(), "quantum chromodynamics", None, None) == []
    assert find(shipped_library(), "loops", "Third", "Woodwork") == []


def test_a_file_that_gives_known_codes_other_meanings_is_noticed() -> None:
    wrong = """\
---
framework: Curriculum for Excellence
subject: Numeracy
edition: 2017-06
---
## Second level
- **MNU 2-11a** (grade A) Maps, coordinates and grid references.
- **MNU 2-10a** (grade A) Read a timetable and plan with it.
- **TCH 2-14a** (grade A) Reprogrammable devices.
"""
    path = "curriculum/found-online.md"
    (file,) = load_texts([(path, wrong)]).curricula
    said = [each.sentence for each in clashes(file, shipped_library())]
    assert [each.split(":")[1] for each in said] == ["7", "9"]
    assert "“Use the sizes of familiar things to estimate a measure.”" in said[0]
    assert clashes(file, Library()) == ()
