"""QTI packages: well formed, complete, with answers that are marked as they should be."""

import io
import zipfile
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from paige.base.errors import BadInput
from paige.exercise.exchange.qti import write_qti
from paige.exercise.exchange.values import plain
from paige.exercise.worksheet.values import BLANK, Choice, Question, Section, Worksheet
from tests.exercise.exchange_decks import SOME_TEXT

V12 = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
CC = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
CHOICES = (Choice("A", "two"), Choice("B", "one"), Choice("C", "three"))
SHEET = Worksheet(
    course="malay",
    concept="greetings",
    title="Greetings & more",
    generated="2026-02-22T14:30:00Z",
    instructions="Read carefully.",
    sections=(
        Section(
            1,
            "Write",
            (
                Question(1, 1, "___ pagi, apa ___? [sic]"),
                Question(1, 2, "Thank you: ___"),
                Question(1, 3, "Describe your <home>: ___"),
            ),
        ),
        Section(
            2,
            "Match",
            (Question(2, 1, "satu"), Question(2, 2, "dua"), Question(2, 3, "esa")),
            choices=CHOICES,
        ),
        Section(3, "Half a key", (Question(3, 1, "satu"), Question(3, 2, "dua")), choices=CHOICES),
    ),
    key={
        "1.1": "Selamat; khabar / kabar",
        "1.2": "terima kasih / makasih",
        "1.3": "",
        "2.1": "B",
        "2.2": "a",
        "2.3": "B",
        "3.1": "B",
        "3.2": "",
    },
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


def _only(parent: ET.Element, tag: str) -> list[ET.Element]:
    (found,) = parent.findall(f"{V12}{tag}")
    return list(found)


def _holds_12(test: ET.Element, answers: dict[str, set[str]]) -> bool:
    match test.tag.removeprefix(V12):
        case "other":
            return True
        case "varequal":
            return (test.text or "") in answers.get(test.get("respident", ""), set())
        case other:
            raise AssertionError(other)


# --- packages ------------------------------------------------------------------------------------


def test_a_manifest_names_every_file_once_and_nothing_else() -> None:
    found = files(write_qti(SHEET))
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


def test_the_same_sheet_is_the_same_package_and_edits_keep_identifiers() -> None:
    content = write_qti(SHEET)
    assert content == write_qti(SHEET)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    after = write_qti(replace(SHEET, title="Other words"))
    assert after != content
    assert set(files(after)) == set(files(content))


SCHEMA_12 = ["itemmetadata", "presentation", "resprocessing", "itemfeedback"]


def in_order(parent: ET.Element, space: str, order: list[str]) -> bool:
    places = [order.index(each.tag.removeprefix(space)) for each in parent]
    return places == sorted(places)


def test_items_of_1_2_have_their_parts_in_order_and_refer_only_to_what_is_there() -> None:
    items = items_12(write_qti(SHEET))
    assert len({item.get("ident") for item in items}) == 6
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
        fields = {
            each.findtext(f"{V12}fieldlabel"): each.findtext(f"{V12}fieldentry")
            for each in item.iter(f"{V12}qtimetadatafield")
        }
        kinds.append((fields["question_type"], fields["points_possible"]))
        assert item.find(f".//{V12}decvar[@varname='SCORE']") is not None
    assert kinds == [
        ("fill_in_multiple_blanks_question", "2"),
        ("fill_in_multiple_blanks_question", "1"),
        ("essay_question", "1"),
        ("matching_question", "3"),
        ("essay_question", "1"),
        ("essay_question", "1"),
    ]


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "answers", "score"),
    [
        (0, {"response_blank1": {"blank1_1"}, "response_blank2": {"blank2_2"}}, 100),
        (0, {"response_blank1": {"blank1_1"}}, 50),
        (0, {"response_blank1": {"blank2_1"}}, 0),
        (1, {"response_blank1": {"blank1_2"}}, 100),
        (2, {"response1": {"anything"}}, 0),
        (3, {"response_1": {"match_1"}, "response_2": {"match_3"}, "response_3": {"match_1"}}, 100),
        (3, {"response_1": {"match_2"}, "response_2": {"match_3"}}, 33.33),
    ],
)
def test_answers_are_marked_in_1_2(place: int, answers: dict[str, set[str]], score: float) -> None:
    assert score_12(items_12(write_qti(SHEET))[place], answers) == pytest.approx(score)


def test_the_order_of_what_to_match_with_gives_nothing_away() -> None:
    item = items_12(write_qti(SHEET))[3]
    for response in item.iter(f"{V12}response_lid"):
        labels = response.iter(f"{V12}response_label")
        shown = ["".join(each.itertext()).strip() for each in labels]
        assert shown == ["one", "three", "two"]


# --- text ----------------------------------------------------------------------------------------


def sheet(key: dict[str, str], *questions: Question, choices: tuple[Choice, ...] = ()) -> Worksheet:
    return replace(SHEET, sections=(Section(1, "", questions, choices=choices),), key=key)


@given(SOME_TEXT)
def test_any_text_is_well_formed_and_arrives(prompt: str) -> None:
    asked = prompt.replace("_", "-")
    (item,) = items_12(write_qti(sheet({"1.1": "air"}, Question(1, 1, f"{asked}: {BLANK}"))))
    texts = [each.text or "" for each in item.iter(f"{V12}mattext")]
    shown = "".join(ET.fromstring(f"<d>{texts[0]}</d>").itertext())
    assert shown == plain(f"{asked}: [blank1]").replace("\n", "")
    assert texts[1:] == ["blank1", "air"]


PAIR = (Question(1, 1, "a"), Question(1, 2, "a"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (sheet({"1.1": "a; b"}, Question(1, 1, "______")), "1 blanks and answers for 2"),
        (sheet({"1.1": ""}, Question(1, 1, " ")), "asks nothing"),
        (sheet({"1.1": "A", "1.2": "B"}, *PAIR, choices=CHOICES), "twice"),
        (sheet({"1.1": "A", "1.2": "A"}, *PAIR, choices=(Choice("A", ""),)), "an empty side"),
        (sheet({}), "no questions"),
        (replace(SHEET, title=" "), "needs a title"),
    ],
)
def test_a_question_nobody_could_answer_rightly_is_named(asked: Worksheet, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        write_qti(asked)
