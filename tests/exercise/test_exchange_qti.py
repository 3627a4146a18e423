"""QTI packages: well formed, complete, with answers that are marked as they should be."""

import io
import zipfile
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from paige.base.errors import BadInput
from paige.exercise.exchange.qti import write_qti
from paige.exercise.exchange.values import (
    Choice,
    Essay,
    Feedback,
    FillIn,
    Matching,
    MultipleChoice,
    Quiz,
    QuizQuestion,
    ShortAnswer,
    TrueFalse,
    plain,
)
from tests.exercise.exchange_decks import SOME_TEXT

V12 = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
CC = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
SAID = Feedback(general="See page 3.", correct="Well done.", incorrect="Not quite.")
QUIZ = Quiz(
    "Greetings & more",
    (
        MultipleChoice(
            id="1",
            prompt="Morning?\nChoose <one>.",
            points=2,
            feedback=SAID,
            choices=(
                Choice("Selamat pagi", correct=True, feedback="In the morning."),
                Choice("Selamat malam", feedback="That is for the night."),
                Choice("Terima kasih"),
            ),
        ),
        MultipleChoice(
            id="2",
            prompt="Which are fruits?",
            choices=(Choice("apple", correct=True), Choice("pear", correct=True), Choice("car")),
            shuffle=True,
        ),
        TrueFalse(id="3", prompt="`Air` means water.", answer=True, feedback=SAID),
        ShortAnswer(id="4", prompt="Thank you", answers=("terima kasih", "makasih"), feedback=SAID),
        FillIn(
            id="5",
            prompt="___ pagi, apa ___? [sic]",
            points=3,
            blanks=(("Selamat",), ("khabar", "kabar")),
            feedback=SAID,
        ),
        Matching(
            id="6",
            prompt="Match.",
            pairs=(("satu", "one"), ("dua", "two"), ("esa", "one")),
            distractors=("three",),
            feedback=SAID,
        ),
        Essay(id="7", prompt="Describe your home.", points=5, model_answer="Rumah saya …"),
    ),
    "Read carefully.",
)


def files(content: bytes) -> dict[str, ET.Element]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: ET.fromstring(package.read(name)) for name in package.namelist()}


def items_12(content: bytes) -> list[ET.Element]:
    (quiz,) = (root for root in files(content).values() if root.tag == f"{V12}questestinterop")
    return list(quiz.iter(f"{V12}item"))


# --- a small marker of QTI 1.2, so that the answers are marked by the file itself ----------------


def score_12(item: ET.Element, answers: dict[str, set[str]]) -> float:
    """The score that the conditions of an item give to responses."""
    score = 0.0
    for condition in item.iter(f"{V12}respcondition"):
        holds = all(_holds_12(each, answers) for each in _only(condition, "conditionvar"))
        if not holds:
            continue
        for change in condition.findall(f"{V12}setvar"):
            worth = float(change.text or 0)
            score = score + worth if change.get("action") == "Add" else worth
        if condition.get("continue") == "No":
            break
    return score


def said_12(item: ET.Element, answers: dict[str, set[str]]) -> set[str]:
    said: set[str] = set()
    for condition in item.iter(f"{V12}respcondition"):
        if all(_holds_12(each, answers) for each in _only(condition, "conditionvar")):
            said |= {e.get("linkrefid", "") for e in condition.findall(f"{V12}displayfeedback")}
            if condition.get("continue") == "No":
                break
    return said


def _only(parent: ET.Element, tag: str) -> list[ET.Element]:
    (found,) = parent.findall(f"{V12}{tag}")
    return list(found)


def _holds_12(test: ET.Element, answers: dict[str, set[str]]) -> bool:
    match test.tag.removeprefix(V12):
        case "other":
            return True
        case "and":
            return all(_holds_12(each, answers) for each in test)
        case "or":
            return any(_holds_12(each, answers) for each in test)
        case "not":
            return not all(_holds_12(each, answers) for each in test)
        case "varequal":
            given = answers.get(test.get("respident", ""), set())
            if test.get("case") == "No":
                return (test.text or "").lower() in {each.lower() for each in given}
            return (test.text or "") in given
        case other:
            raise AssertionError(other)


# --- packages ------------------------------------------------------------------------------------


def test_a_manifest_names_every_file_once_and_nothing_else() -> None:
    found = files(write_qti(QUIZ))
    manifest = found.pop("imsmanifest.xml")
    assert manifest.tag == f"{CC}manifest"
    assert [each.tag.removeprefix(CC) for each in manifest] == [
        *("metadata", "organizations", "resources"),
    ]
    named = [file.get("href") for file in manifest.iter(f"{CC}file")]
    assert sorted(str(name) for name in named) == sorted(found)
    ids = [each.get("identifier") for each in manifest.iter() if each.get("identifier")]
    assert len(set(ids)) == len(ids)
    needed = {each.get("identifierref") for each in manifest.iter(f"{CC}dependency")}
    assert needed <= set(ids)


def test_the_same_quiz_is_the_same_package_and_edits_keep_identifiers() -> None:
    content = write_qti(QUIZ)
    assert content == write_qti(QUIZ)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    edited = replace(
        QUIZ, questions=(replace(QUIZ.questions[0], prompt="Other words"), *QUIZ.questions[1:])
    )
    after = write_qti(edited)
    assert after != content
    assert set(files(after)) == set(files(content))


SCHEMA_12 = ["itemmetadata", "presentation", "resprocessing", "itemfeedback"]


def in_order(parent: ET.Element, space: str, order: list[str]) -> bool:
    places = [order.index(each.tag.removeprefix(space)) for each in parent]
    return places == sorted(places)


def test_items_of_1_2_have_their_parts_in_order_and_refer_only_to_what_is_there() -> None:
    items = items_12(write_qti(QUIZ))
    assert len({item.get("ident") for item in items}) == len(QUIZ.questions)
    kinds = []
    for item in items:
        assert in_order(item, V12, SCHEMA_12)
        responses = {
            e.get("ident") for tag in ("lid", "str") for e in item.iter(f"{V12}response_{tag}")
        }
        for equal in item.iter(f"{V12}varequal"):
            assert equal.get("respident") in responses
        for response in item.iter(f"{V12}response_lid"):
            labels = [each.get("ident") for each in response.iter(f"{V12}response_label")]
            assert len(set(labels)) == len(labels) > 0
        told = {each.get("ident") for each in item.findall(f"{V12}itemfeedback")}
        linked = {each.get("linkrefid") for each in item.iter(f"{V12}displayfeedback")}
        assert told == linked
        fields = {
            each.findtext(f"{V12}fieldlabel"): each.findtext(f"{V12}fieldentry")
            for each in item.iter(f"{V12}qtimetadatafield")
        }
        kinds.append((fields["question_type"], fields["points_possible"]))
        assert item.find(f".//{V12}decvar[@varname='SCORE']") is not None
    assert kinds == [
        ("multiple_choice_question", "2"),
        ("multiple_answers_question", "1"),
        ("true_false_question", "1"),
        ("short_answer_question", "1"),
        ("fill_in_multiple_blanks_question", "3"),
        ("matching_question", "1"),
        ("essay_question", "5"),
    ]


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "answers", "score"),
    [
        (0, {"response1": {"choice_1"}}, 100),
        (0, {"response1": {"choice_2"}}, 0),
        (0, {}, 0),
        (1, {"response1": {"choice_1", "choice_2"}}, 100),
        (1, {"response1": {"choice_1"}}, 0),
        (1, {"response1": {"choice_1", "choice_2", "choice_3"}}, 0),
        (2, {"response1": {"choice_1"}}, 100),
        (2, {"response1": {"choice_2"}}, 0),
        (3, {"response1": {"Makasih"}}, 100),
        (3, {"response1": {"tolong"}}, 0),
        (4, {"response_blank1": {"blank1_1"}, "response_blank2": {"blank2_2"}}, 100),
        (4, {"response_blank1": {"blank1_1"}}, 50),
        (5, {"response_1": {"match_1"}, "response_2": {"match_3"}, "response_3": {"match_1"}}, 100),
        (5, {"response_1": {"match_2"}, "response_2": {"match_3"}}, 33.33),
        (6, {"response1": {"anything"}}, 0),
    ],
)
def test_answers_are_marked_in_1_2(place: int, answers: dict[str, set[str]], score: float) -> None:
    assert score_12(items_12(write_qti(QUIZ))[place], answers) == pytest.approx(score)


def test_feedback_fits_the_answer() -> None:
    old = items_12(write_qti(QUIZ))
    right, wrong = {"response1": {"choice_1"}}, {"response1": {"choice_2"}}
    assert said_12(old[0], right) == {"general_fb", "choice_1_fb", "correct_fb"}
    assert said_12(old[0], wrong) == {"general_fb", "choice_2_fb", "general_incorrect_fb"}
    assert said_12(old[6], {}) == {"general_fb"}
    half = {"response_blank1": {"blank1_1"}}
    assert said_12(old[4], half) == {"general_fb", "general_incorrect_fb"}


def test_a_model_answer_is_for_those_who_mark() -> None:
    presentation = items_12(write_qti(QUIZ))[6].find(f"{V12}presentation")
    assert presentation is not None
    assert "Rumah" not in "".join(presentation.itertext())


def test_the_order_of_what_to_match_with_gives_nothing_away() -> None:
    item = items_12(write_qti(QUIZ))[5]
    for response in item.iter(f"{V12}response_lid"):
        labels = response.iter(f"{V12}response_label")
        shown = ["".join(each.itertext()).strip() for each in labels]
        assert shown == ["one", "three", "two"]


# --- text ----------------------------------------------------------------------------------------


@given(SOME_TEXT, SOME_TEXT)
def test_any_text_is_well_formed_and_arrives(prompt: str, answer: str) -> None:
    question = MultipleChoice(
        id="1", prompt=prompt, choices=(Choice(answer, correct=True), Choice("no"))
    )
    content = write_qti(Quiz("T", (question,)))
    (item,) = items_12(content)
    texts = [ET.fromstring(f"<d>{each.text}</d>") for each in item.iter(f"{V12}mattext")]
    shown = ["".join(each.itertext()) for each in texts]
    assert shown[:2] == [plain(text).replace("\n", "") for text in (prompt, answer)]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (MultipleChoice(id="1", prompt="?", choices=(Choice("a", correct=True),)), "two choices"),
        (MultipleChoice(id="1", prompt="?", choices=(Choice("a"), Choice("b"))), "no choice that"),
        (ShortAnswer(id="1", prompt="?", answers=(" ",)), "no answer"),
        (FillIn(id="1", prompt="___ and ___", blanks=(("a",),)), "2 blanks and answers for 1"),
        (FillIn(id="1", prompt="___", blanks=(("",),)), "without an answer"),
        (Matching(id="1", prompt="?", pairs=(("a", "b"),)), "two pairs"),
        (Matching(id="1", prompt="?", pairs=(("a", "b"), ("a", "c"))), "twice"),
        (Essay(id="1", prompt=" "), "asks nothing"),
        (Essay(id="1", prompt="?", points=-1), "points"),
        (Essay(id=" ", prompt="?"), "id"),
    ],
)
def test_a_question_nobody_could_answer_rightly_is_named(question: QuizQuestion, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        write_qti(Quiz("T", (question,)))


def test_a_quiz_needs_a_title_and_questions_with_different_ids() -> None:
    one = TrueFalse(id="1", prompt="?", answer=True)
    for quiz in (Quiz("", (one,)), Quiz("T", ()), Quiz("T", (one, one))):
        with pytest.raises(BadInput):
            write_qti(quiz)
