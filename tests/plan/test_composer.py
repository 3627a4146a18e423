"""Lessons without a model: whole, checked, about their topic, and made for the class."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.memories import MemoryAccess
from paige.plan.criteria import Given, judge
from paige.plan.evidence import check_with
from paige.plan.fitting import judge_fit
from paige.plan.lesson_faults import faults_in
from paige.plan.lesson_rendering import LOCAL_MARK
from paige.plan.lesson_sections import sections
from paige.plan.local.brief import brief_of, topic_words
from paige.plan.workspace import find_class
from paige.store.documents import NEW
from paige.store.engine import Database
from tests.memory.papers import Papers
from tests.plan.composing import ME, Composer, lesson_in

REQUESTS = [
    "iteration for 3B",
    "while loops for my 3B",
    "lists for 3B",
    "functions for 3B",
    "binary numbers for class 3B",
    "searching algorithms for 3B",
    "databases for 3B",
    "HTML web pages for 3B",
    "passwords for 1B",
    "phishing for 1B",
    "digital footprint for 1B",
    "spreadsheets for 1B",
    "selection for 1B",
    "equations for 2A",
    "percentages for 2A",
    "area of triangles for 2A",
    "probability for 2A",
    "speed distance time for 2A",
    "expanding brackets for 2A",
    "best value for 2A",
    "French opinions for 2C",
    "near future for 2C",
    "negatives for 2C",
    "hobbies in French for 2C",
    "similes and metaphors for 2C",
    "persuasive writing for 2C",
    "inference for 2C",
    "the Jacobites for 2C",
    "Irish immigration for 2C",
    "votes for women for 2C",
]


ODD = [
    "TCH 3-13a",
    "aligns with CfE outcomes",
    "[x](curriculum/a.md#L1)",
    "## Notes",
    "loops",
    "for 3B",
    "with",
    "but",
    "```",
    "- [x]",
    "40 minutes",
    "volcanoes",
    "MNU 4-99x",
    '"',
]


@pytest.fixture
def composer(tmp_path: Path) -> Composer:
    return Composer(tmp_path)


@pytest.mark.parametrize("request_text", REQUESTS)
def test_a_composed_lesson_is_whole_and_its_claims_hold(
    composer: Composer, request_text: str
) -> None:
    markdown = composer.say("create-lesson", request_text)
    lesson = lesson_in(markdown)
    profile = find_class(composer.documents, lesson.class_id)
    assert faults_in(markdown) == []
    report = check_with(markdown, composer.documents)
    assert report.ok
    assert report.pointers
    fit = judge_fit(markdown, "lesson", profile)
    assert (fit.faults, fit.flaws) == ((), ())
    brief = brief_of(request_text, composer.sources)
    judged = judge(markdown, Given(profile=profile, library=brief.library))
    assert [each for each in judged if not each.passed] == []
    assert lesson.source == "local"
    assert LOCAL_MARK in markdown.split("\n## ", 1)[0]
    assert LOCAL_MARK in lesson.notes[0]


def test_no_two_topics_share_a_section(tmp_path: Path) -> None:
    composer = Composer(tmp_path)
    texts = {
        request: {each.id: each.text for each in sections(composer.say("create-lesson", request))}
        for request in REQUESTS
    }
    # The needs of a class and the row of a level come back; what is about the topic does not.
    own = ("learning-outcome", "success-criteria", "key-learning-points", "keywords")
    own += ("misconceptions", "learning-cycle-1", "learning-cycle-2", "exit-check")
    for one, other in combinations(texts, 2):
        same = [id for id in own if texts[one].get(id) == texts[other].get(id)]
        assert same == [], f"{one} and {other}"


def test_the_same_request_gives_the_same_lesson(tmp_path: Path) -> None:
    one = Composer(tmp_path / "a").say("create-lesson", "iteration for 3B")
    assert Composer(tmp_path / "b").say("create-lesson", "iteration for 3B") == one


def test_a_lesson_has_the_facts_of_its_class(composer: Composer) -> None:
    lesson = composer.lesson("iteration for 3B")
    assert (lesson.class_id, lesson.year, lesson.level) == ("3B", "S3", "Third")
    assert (lesson.minutes, lesson.planned_minutes) == (50, 50)
    assert [claim.code for claim in lesson.curriculum] == ["TCH 3-15a"]
    assert [each.audience for each in lesson.differentiation] == [
        "EAL",
        "ASN (dyslexia)",
        "ASN (attention)",
        "Stretch",
    ]
    assert "Ukrainian" in lesson.differentiation[0].what
    assert "Predict, run, explain" in lesson.cycles[0].practice


def test_the_starter_recalls_what_the_class_was_taught(composer: Composer) -> None:
    lesson = composer.lesson("iteration for 3B")
    assert any("Selection" in note and "brings back" in note for note in lesson.notes)
    french = composer.lesson("near future for 2C")
    assert any("Regular -er verbs" in note for note in french.notes)
    assert len({each.question for each in lesson.starter.questions}) == 4


def test_another_length_is_kept_and_adds_up(composer: Composer) -> None:
    short = composer.lesson("a 25 minute lesson on loops for 3B")
    assert (short.minutes, len(short.cycles)) == (25, 1)
    long = composer.lesson("loops for 3B, 100 minutes")
    assert long.minutes == long.planned_minutes == 100


def test_another_level_takes_its_own_row(composer: Composer) -> None:
    lesson = composer.lesson("functions for 3B at fourth level")
    assert lesson.level == "Fourth"
    assert {claim.code[4] for claim in lesson.curriculum} == {"4"}


def test_a_topic_beyond_the_level_of_the_class_says_so(composer: Composer) -> None:
    lesson = composer.lesson("recursion for 1B")
    assert any("Fourth level" in note and "Second level" in note for note in lesson.notes)


def test_an_unverified_row_is_pointed_out(composer: Composer) -> None:
    lesson = composer.lesson("persuasive writing for 2C")
    assert any("unverified" in note for note in lesson.notes)


def test_without_a_class_it_says_what_was_assumed(composer: Composer) -> None:
    lesson = composer.lesson("percentages")
    assert (lesson.class_id, lesson.minutes) == ("", 50)
    assert any("no profile" in note for note in lesson.notes)
    assert [each.audience for each in lesson.differentiation] == ["Support", "Stretch"]


def test_an_unknown_topic_gives_an_honest_scaffold(composer: Composer) -> None:
    markdown = composer.say("create-lesson", "quantum chromodynamics for 3B")
    lesson = lesson_in(markdown)
    assert lesson.title == "Scaffold: quantum chromodynamics"
    assert faults_in(markdown) == []
    assert check_with(markdown, composer.documents).ok
    assert "no material on quantum chromodynamics" in lesson.notes[0]
    assert any("Please add" in note for note in lesson.notes)
    assert any("nearest one" in note for note in lesson.notes)
    assert markdown.count("[To fill in]") >= 8
    assert all(lesson.cycles[0].checks)


def test_a_scaffold_quotes_the_row_that_speaks_of_the_topic(composer: Composer) -> None:
    lesson = composer.lesson("simulation and state diagrams for 3B")
    assert [claim.code for claim in lesson.curriculum] == ["TCH 3-13b"]
    assert not any("nearest one" in note for note in lesson.notes)


def test_a_code_in_the_request_chooses_the_row_and_is_not_repeated(composer: Composer) -> None:
    lesson = composer.lesson("TCH 3-14b for 3B")
    assert [claim.code for claim in lesson.curriculum] == ["TCH 3-14b"]
    assert not lesson.title.startswith("Scaffold")
    markdown = composer.say("create-lesson", "TCH 9-99z for 3B")
    assert check_with(markdown, composer.documents).ok
    assert any("no curriculum file" in note for note in lesson_in(markdown).notes)
    named = composer.lesson("MNU 3-01a and rounding for 2A")
    assert [claim.code for claim in named.curriculum] == ["MNU 3-01a"]


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(ODD), max_size=6).map(" ".join)))
def test_whatever_is_asked_the_lesson_is_whole_and_claims_nothing_false(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    composer = Composer(tmp_path_factory.getbasetemp() / "any")
    markdown = composer.say("create-lesson", f"{text} .")
    assert faults_in(markdown) == []
    assert check_with(markdown, composer.documents).faults == ()


def test_without_any_curriculum_file_nothing_is_claimed(tmp_path: Path) -> None:
    composer = Composer(tmp_path)
    for path in composer.documents.paths("curriculum"):
        composer.documents.delete(path, base=composer.documents.read(path).version)
    lesson = composer.lesson("quantum chromodynamics for 3B")
    assert lesson.curriculum == ()
    assert any("makes no claim" in note for note in lesson.notes)


def briefed(response: str, *lines: str) -> str:
    text = "\n".join([response, "Class: 3B", *lines])
    return f"<context from='feedforward'>\n{text}\n</context>"


def test_what_the_teacher_adds_beforehand_is_done_and_said(composer: Composer) -> None:
    head = "The teacher has confirmed this, with changes:"
    said = ("The teacher adds, and this comes first:", "> starter of 3 minutes, more challenge")
    answer = composer.say("create-lesson", "iteration for 3B", briefed(head, *said))
    lesson = lesson_in(answer)
    assert lesson.starter.minutes == 3
    assert faults_in(answer) == []
    assert any("As you asked" in note and "starter 5 to 3" in note for note in lesson.notes)


def test_wishes_in_the_request_are_carried_out_or_named(composer: Composer) -> None:
    markdown = composer.say(
        "create-lesson",
        "loops for 3B with a 3 minute starter and more challenge, but as a pirate song",
    )
    lesson = lesson_in(markdown)
    assert lesson.title.startswith("Fixed loops")
    assert lesson.starter.minutes == 3
    assert "Someone answers" in lesson.cycles[0].practice
    assert any("“as a pirate song” was not understood" in note for note in lesson.notes)
    assert faults_in(markdown) == []


@pytest.mark.parametrize(
    "request_text",
    ["simplifying expressions for 2A", "fractions, decimals and percentages for 2A", "lists"],
)
def test_words_of_the_topic_are_no_wishes(composer: Composer, request_text: str) -> None:
    notes = composer.lesson(request_text).notes
    assert not any("As you asked" in note or "Not done" in note for note in notes)


def test_a_class_with_several_subjects_recalls_the_one_of_the_lesson(composer: Composer) -> None:
    notes = "\n".join(composer.lesson("near future for 2C").notes)
    assert "Clearances" not in notes


def test_what_was_set_aside_is_not_used(composer: Composer) -> None:
    head = "The teacher set aside what is known. Plan from the request alone."
    lesson = lesson_in(composer.say("create-lesson", "iteration for 3B", briefed(head)))
    assert [each.audience for each in lesson.differentiation] == ["Support", "Stretch"]
    assert "Ukrainian" not in str(lesson)
    assert any("set aside" in note for note in lesson.notes)


@pytest.fixture
def remembering(db: Database, tmp_path: Path) -> Composer:
    papers = Papers(db, tmp_path)
    notes = {
        "MEMORY.md": "# Teacher\n\n- Prefers an exit check on paper.\n",
        "classes/3B/MEMORY.md": (
            "# 3B\n\n- Starters: shorter works better (4 minutes rather than 10).\n"
            "- The EAL pair benefits from flowcharts before code.\n"
            "- Fixed loops are finished.\n- They like to be asked about the ferry.\n"
        ),
        "classes/3B/lessons.md": "- 2026-02-20 Functions: giving a job a name\n",
    }
    for path, text in notes.items():
        papers.write(ME, path, text, base=NEW)
    return Composer(tmp_path, MemoryAccess(papers))


def test_memory_shapes_the_lesson_and_is_named(remembering: Composer) -> None:
    lesson = remembering.lesson("iteration for 3B")
    # Fixed loops are finished, so iteration goes on with conditional ones.
    assert lesson.title.startswith("Conditional loops")
    assert lesson.starter.minutes == 4
    assert "flowchart first" in lesson.cycles[0].explanation
    notes = "\n".join(lesson.notes)
    assert "used in this plan" in notes
    assert "flowcharts before code" in notes
    assert 'keep in mind: "They like to be asked about the ferry".' in notes
    assert "Functions" in notes or "Fixed loops" in notes


def test_memory_is_a_criterion_only_when_there_is_some(remembering: Composer) -> None:
    markdown = remembering.say("create-lesson", "iteration for 3B")
    brief = brief_of("iteration for 3B", remembering.sources)
    lines = tuple(each.text for each in brief.remembered)
    given = Given(profile=brief.profile, library=brief.library, memory=lines)
    assert all(each.passed for each in judge(markdown, given))


@pytest.mark.parametrize(
    ("request_text", "words"),
    [
        ("iteration for 3B", "iteration"),
        ("Please create a lesson on the water cycle for my 3B, 40 minutes", "the water cycle"),
        ("Plan a lesson about photosynthesis", "photosynthesis"),
        ("a cover lesson for 2C", ""),
        ("S2 lesson on volcanoes for 2A tomorrow", "S2 lesson on volcanoes"),
    ],
)
def test_the_topic_is_what_is_left_of_a_request(request_text: str, words: str) -> None:
    assert topic_words(request_text, ["1B", "2A", "2C", "3B"]).removeprefix("the ") == (
        words.removeprefix("the ")
    )
