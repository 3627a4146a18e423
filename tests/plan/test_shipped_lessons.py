"""Lessons without a model: a shipped one that fits, whole, checked, with the class's facts."""

from itertools import combinations
from pathlib import Path

import pytest

from paige.agent.memories import MemoryAccess
from paige.plan.class_fit import judge_fit
from paige.plan.evals.criteria import Grounds, judge
from paige.plan.evidence import check_with
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.lesson import LOCAL_MARK
from paige.plan.lessons.sections import open_titles, sections
from paige.plan.local.brief import brief_of, topic_words
from paige.plan.local.engines import NO_CHANGE, NeedsModel
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


@pytest.fixture(scope="module")
def composer(tmp_path_factory: pytest.TempPathFactory) -> Composer:
    return Composer(tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="module")
def lessons(composer: Composer) -> dict[str, str]:
    return {request: composer.say("create-lesson", request) for request in REQUESTS}


@pytest.mark.parametrize("request_text", REQUESTS)
def test_a_shipped_lesson_is_whole_and_its_claims_hold(
    composer: Composer, lessons: dict[str, str], request_text: str
) -> None:
    markdown = lessons[request_text]
    lesson = lesson_in(markdown)
    profile = find_class(composer.documents, lesson.class_id)
    assert faults_in(markdown) == []
    assert open_titles(markdown) == ()
    report = check_with(markdown, composer.documents)
    assert report.ok
    assert report.pointers
    fit = judge_fit(markdown, "lesson", profile)
    assert (fit.faults, fit.flaws) == ((), ())
    brief = brief_of(request_text, composer.sources)
    judged = judge(markdown, Grounds(profile=profile, library=brief.library))
    assert [each for each in judged if not each.passed] == []
    assert lesson.source == "local"
    assert LOCAL_MARK in markdown.split("\n## ", 1)[0]
    assert LOCAL_MARK in lesson.notes[0]


def test_no_two_lessons_share_a_section(lessons: dict[str, str]) -> None:
    texts = {
        request: {each.id: each.text for each in sections(markdown)}
        for request, markdown in lessons.items()
    }
    # The needs of a class and the row of a level come back; what is about the topic does not.
    own = ("learning-outcome", "success-criteria", "key-learning-points", "keywords")
    own += ("misconceptions", "learning-cycle-1", "learning-cycle-2", "starter", "exit-check")
    for one, other in combinations(texts, 2):
        same = [id for id in own if texts[one].get(id) == texts[other].get(id)]
        assert same == [], f"{one} and {other}"


def test_the_same_request_gives_the_same_lesson(composer: Composer) -> None:
    one = composer.say("create-lesson", "iteration for 3B")
    assert composer.say("create-lesson", "iteration for 3B") == one


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
    assert any("Predict, run, explain" in note for note in lesson.notes)
    assert any("“Conditional loops" in note for note in lesson.notes), "the other one that fits"


@pytest.mark.parametrize(
    ("request_text", "minutes", "cycles"),
    [("a 25 minute lesson on loops for 3B", 25, 1), ("loops for 3B, 100 minutes", 100, 2)],
)
def test_another_length_is_kept_and_adds_up(
    composer: Composer, request_text: str, minutes: int, cycles: int
) -> None:
    lesson = composer.lesson(request_text)
    assert lesson.minutes == lesson.planned_minutes == minutes
    assert len(lesson.cycles) == cycles
    assert any("Left out" in note for note in lesson.notes) is (cycles == 1)


def test_another_level_takes_its_own_row(composer: Composer) -> None:
    lesson = composer.lesson("functions for 3B at fourth level")
    assert lesson.level == "Fourth"
    assert {claim.code[4] for claim in lesson.curriculum} == {"4"}


def test_a_code_in_the_request_chooses_the_row(composer: Composer) -> None:
    named = composer.lesson("MNU 3-01a and rounding for 2A")
    assert named.title.startswith("Rounding")
    assert [claim.code for claim in named.curriculum] == ["MNU 3-01a"]


def test_an_unverified_row_is_pointed_out(composer: Composer) -> None:
    lesson = composer.lesson("persuasive writing for 2C")
    assert any("unverified" in note for note in lesson.notes)


def test_without_a_class_it_says_what_was_assumed(composer: Composer) -> None:
    lesson = composer.lesson("maths: percentages")
    assert (lesson.class_id, lesson.minutes) == ("", 50)
    assert any("no profile" in note for note in lesson.notes)
    assert [each.audience for each in lesson.differentiation] == ["EAL", "ASN", "Stretch"]


def test_a_subject_that_the_class_does_not_have_is_said(composer: Composer) -> None:
    notes = composer.lesson("maths: percentages for 3B").notes
    assert "Mathematics is not a subject of 3B's profile." in notes


def briefed(response: str, *lines: str) -> str:
    text = "\n".join([response, "Class: 3B", *lines])
    return f"<context from='feedforward'>\n{text}\n</context>"


def test_what_the_teacher_adds_is_kept_and_its_minutes_are_used(composer: Composer) -> None:
    head = "The teacher has confirmed this, with changes:"
    said = ("The teacher adds, and this comes first:", "> starter of 3 minutes, as a pirate song")
    answer = composer.say("create-lesson", "iteration for 3B", briefed(head, *said))
    lesson = lesson_in(answer)
    assert lesson.starter.minutes == 3
    assert faults_in(answer) == []
    assert any("You added" in note and "pirate song" in note for note in lesson.notes)


def test_what_was_set_aside_is_not_used(composer: Composer) -> None:
    head = "The teacher set aside what is known. Plan from the request alone."
    lesson = lesson_in(composer.say("create-lesson", "iteration for 3B", briefed(head)))
    assert "Ukrainian" not in str(lesson)
    assert any("set aside" in note for note in lesson.notes)


@pytest.fixture
def remembering(db: Database, tmp_path: Path) -> Composer:
    papers = Papers(db, tmp_path)
    notes = {
        "MEMORY.md": "# Teacher\n\n- Prefers an exit check on paper.\n",
        "classes/3B/MEMORY.md": (
            "# 3B\n\n- Starters: shorter works better (4 minutes rather than 10).\n"
            "- They like to be asked about the ferry.\n"
        ),
    }
    for path, text in notes.items():
        papers.write(ME, path, text, base=NEW)
    return Composer(tmp_path, MemoryAccess(papers))


def test_memory_is_named_and_its_minutes_are_used(remembering: Composer) -> None:
    markdown = remembering.say("create-lesson", "iteration for 3B")
    lesson = lesson_in(markdown)
    assert lesson.starter.minutes == 4
    assert 'From memory: "They like to be asked about the ferry".' in lesson.notes
    brief = brief_of("iteration for 3B", remembering.sources)
    lines = tuple(each.text for each in brief.remembered)
    given = Grounds(profile=brief.profile, library=brief.library, memory=lines)
    assert all(each.passed for each in judge(markdown, given))


@pytest.mark.parametrize("command", ["create-lesson", "refine-lesson"])
def test_a_lesson_is_not_changed_by_rules(composer: Composer, command: str) -> None:
    lesson = composer.say("create-lesson", "iteration for 3B")
    if command == "refine-lesson":
        answer = composer.say(command, "make it more exciting", before=(lesson,))
        assert answer.startswith(NO_CHANGE)
        assert "choose a model in Settings" in answer
        return
    with pytest.raises(NeedsModel) as raised:
        composer.say(command, "make it more exciting", before=(lesson,))
    assert "choose a model in Settings" in str(raised.value.hint)
    other = composer.say(command, "databases for 3B", before=(lesson,))
    assert other.startswith("# Databases"), "a shipped lesson is asked for by its name"


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
