"""Our flashcards as cards, and our worksheets as quizzes."""

import io
import zipfile

from paige.exercise.exchange.anki_in import read_apkg
from paige.exercise.exchange.anki_out import write_apkg
from paige.exercise.exchange.flashcards import card_of
from paige.exercise.exchange.qti import write_qti
from paige.exercise.exchange.values import Deck, Essay, FillIn, Matching
from paige.exercise.exchange.worksheet_quiz import quiz_of
from paige.exercise.flashcard import Flashcard
from paige.exercise.worksheet.values import Choice, Question, Section, Worksheet
from tests.exercise.exchange_decks import NOW


def flashcard(front: str, back: str, **more: object) -> Flashcard:
    given = {"id": "greetings-1.1", "concept_id": "greetings", "course": "malay", **more}
    return Flashcard(front=front, back=back, **given)  # type: ignore[arg-type]


def test_a_flashcard_goes_to_anki_with_everything_on_it() -> None:
    card = card_of(flashcard("air", "water", kind="reversed", tags=("noun",), note="drink"))
    (found,) = read_apkg(write_apkg(Deck("Malay", (card,)), now=NOW)).cards
    assert found.id == "malay:greetings-1.1"
    assert (found.front, found.back, found.kind) == ("air", "water", "reversed")
    assert (found.tags, found.note) == (("noun",), "drink")


def test_a_blank_in_a_flashcard_becomes_a_blank_of_the_card() -> None:
    card = flashcard("Selamat ___, cikgu", "pagi", kind="cloze", accepted=("petang",))
    made = card_of(card)
    assert (made.front, made.back, made.kind) == ("Selamat {{c1::pagi}}, cikgu", "", "cloze")
    assert made.note == "Also: petang"
    two = card_of(flashcard("___ is in ___", "Paris; France", kind="cloze"))
    assert two.front == "{{c1::Paris}} is in {{c1::France}}"


def test_a_blank_without_an_answer_for_each_is_a_plain_question() -> None:
    made = card_of(flashcard("___ and ___", "one", kind="cloze"))
    assert (made.front, made.back, made.kind) == ("___ and ___", "one", "basic")


SHEET = Worksheet(
    course="malay",
    concept="greetings",
    title="Greetings",
    generated="2026-02-22T14:30:00Z",
    sections=(
        Section(
            1,
            "Translate",
            (
                Question(1, 1, "Good morning: ___"),
                Question(1, 2, "___ and ___"),
                Question(1, 3, "Free: ___"),
            ),
        ),
        Section(
            2,
            "Match",
            (Question(2, 1, "Selamat pagi"), Question(2, 2, "Apa khabar")),
            choices=(Choice("A", "Night"), Choice("B", "Morning"), Choice("C", "How are you")),
        ),
    ),
    key={
        "1.1": "selamat pagi / pagi",
        "1.2": "satu; dua / kedua",
        "1.3": "",
        "2.1": "B",
        "2.2": "c",
    },
)


def test_a_worksheet_becomes_a_quiz_with_its_key() -> None:
    first, second, third, fourth = quiz_of(SHEET).questions
    assert isinstance(first, FillIn)
    assert first.blanks == (("selamat pagi", "pagi"),)
    assert isinstance(second, FillIn)
    assert second.blanks == (("satu",), ("dua", "kedua"))
    assert second.points == 2
    assert isinstance(third, Essay)
    assert isinstance(fourth, Matching)
    assert fourth.pairs == (("Selamat pagi", "Morning"), ("Apa khabar", "How are you"))
    assert fourth.distractors == ("Night",)


def test_the_quiz_of_a_worksheet_can_be_exported() -> None:
    content = write_qti(quiz_of(SHEET))
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert package.testzip() is None
        texts = b"".join(package.read(name) for name in package.namelist())
    assert b"selamat pagi" in texts
