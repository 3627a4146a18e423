"""Decks taken in as courses and given out again: nothing twice, nothing lost, reviews counted."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, NotFound, Unavailable
from paige.exercise.exchange.anki_in import read_apkg
from paige.exercise.exchange.anki_out import write_apkg
from paige.exercise.exchange.csv_files import read_cards, write_cards
from paige.exercise.exchange.values import Card, Deck, FileImport, Review
from paige.exercise.exchange.xapi import Who
from paige.exercise.result import Result
from paige.exercise.values import ExerciseError, score_of
from paige.learner.files import LearnerFiles
from paige.store.documents import DirectoryDocuments
from paige.study import remediation as history
from paige.study.courses import catalogue, reviews
from paige.study.courses.card_import import CARDS_IN_A_CONCEPT, plan_cards
from paige.study.courses.export import course_decks, export_cards, export_results, learner_token
from paige.study.courses.intake import (
    ImportForm,
    ImportOptions,
    IntakeResult,
    Upload,
    import_course,
)
from paige.study.courses.reviews import item_reviews
from paige.study.courses.values import Course
from tests.anki import ask_anki
from tests.conftest import NOON
from tests.depth import examples
from tests.exercise.exchange_decks import NOW, decks, full_deck
from tests.study.course_folders import TIDES, Failing, loaded, put_course, said, tides

MADE_BY_ANKI = """
def add(deck, kind, *fields, tags=()):
    note = col.new_note(col.models.by_name(kind))
    note.fields[:len(fields)] = fields
    note.tags = list(tags)
    col.add_note(note, col.decks.id(deck))
    return note
add("Malay::Words", "Basic (and reversed card)", "rumah", "house / home", tags=["noun"])
add("Malay::Words", "Basic", "a &amp; <b>b</b>", "x<br>y")
add("Malay::Places", "Cloze", "{{c1::Paris}} is in {{c2::France::country}}", "Europe")
col.decks.set_current(col.decks.id("Malay"))
for rating in (3, 1, 4):
    card = col.sched.getCard()
    answer(card, rating)
add("Malay::Places", "Basic", "no back", "")
told = {"reviews": col.db.scalar("select count() from revlog")}
told["guids"] = [col.get_note(n).guid for n in sorted(col.find_notes(""))]
export(given["old"], True)
export(given["new"], False)
if given["more"]:
    add("Malay::Words", "Basic", "later", "kemudian")
    export(given["more"], False)
"""
AGAIN = """
put(given["first"])
put(given["second"])
told = [col.note_count(), col.card_count(), col.db.scalar("select count() from revlog")]
"""


@pytest.fixture(scope="module")
def anki(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("anki")
    paths = {name: folder / f"{name}.apkg" for name in ("old", "new", "more")}
    given_paths = {name: str(path) for name, path in paths.items()}
    return {**ask_anki(folder / "c.anki2", MADE_BY_ANKI, **given_paths), **paths}


def take(
    root: Path, source: object, form: ImportForm = "anki", now: datetime = NOW, **options: object
) -> IntakeResult:
    assert isinstance(source, Path)
    chosen = ImportOptions(**options)  # type: ignore[arg-type]
    return import_course(DirectoryDocuments(root), form, source, chosen, now=now)


def files_of(root: Path) -> dict[str, bytes]:
    """Every file but the lock and what says when it was made."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.parametrize("form", ["old", "new"])
def test_a_package_of_the_real_anki_becomes_a_course(
    tmp_path: Path, anki: dict[str, object], form: str
) -> None:
    taken = take(tmp_path, anki[form])

    course = taken.course
    assert said(course) == []
    assert (course.name, course.title, taken.added, taken.there) == ("malay", "Malay", 3, 0)
    assert {each.id: each.title for each in course.concepts.values()} == {
        "malay-words": "Words",
        "malay-places": "Places",
    }
    assert [word.term for word in course.words_of("malay-words")] == ["rumah"]
    assert course.vocabulary[0].meanings == ("house", "home")
    (basic,) = course.items["malay-words"]
    assert (basic.kind, basic.prompt, basic.answers) == ("short", "a & b", ("x\ny",))
    first, second = course.items["malay-places"]
    assert (first.prompt, first.blanks) == ("___ is in France", (("Paris",),))
    assert (second.prompt, second.blanks) == ("Paris is in ___", (("France",),))
    assert taken.left_out == ("`no back` has nothing on its back",)


def test_a_package_taken_in_twice_adds_nothing_twice(
    tmp_path: Path, anki: dict[str, object]
) -> None:
    take(tmp_path, anki["new"])
    before = files_of(tmp_path)
    again = take(tmp_path, anki["new"], now=NOW + timedelta(days=3))
    other = take(tmp_path, anki["old"], now=NOW + timedelta(days=4))

    assert (again.added, again.there, again.differing) == (0, 3, ())
    assert (other.added, other.there) == (0, 3)
    assert files_of(tmp_path) == before


def test_a_package_that_has_grown_adds_only_what_is_new(
    tmp_path: Path, anki: dict[str, object]
) -> None:
    take(tmp_path, anki["new"])
    grown = take(tmp_path, anki["more"])

    assert (grown.added, grown.there) == (1, 3)
    assert [each.prompt for each in grown.course.items["malay-words"]] == ["a & b", "later"]


def test_reviews_of_a_package_count_as_what_is_known(
    tmp_path: Path, anki: dict[str, object]
) -> None:
    taken = take(tmp_path, anki["new"])
    learner = LearnerFiles(DirectoryDocuments(tmp_path))

    state = learner.read("malay")
    assert state.problems == ()
    assert taken.reviewed > 0
    assert learner.courses() == ["malay"]
    assert all(each.card is not None for each in state.progress.values())
    found = item_reviews(learner.changes("malay"), learner.evidence("malay"))
    assert sum(len(each) for each in found.values()) == anki["reviews"]
    assert set(found) <= {item.id for item in taken.course.all_items()}


def test_reviews_may_stay_behind(tmp_path: Path, anki: dict[str, object]) -> None:
    taken = take(tmp_path, anki["new"], reviews=False)

    assert taken.reviewed == 0
    assert not (tmp_path / "learner").exists()


def test_what_is_given_back_to_the_real_anki_is_not_there_twice(
    tmp_path: Path, anki: dict[str, object]
) -> None:
    taken = take(tmp_path, anki["new"])
    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    package = export_cards(taken.course, learner, form="anki", now=NOW)
    (tmp_path / "back.apkg").write_bytes(package)

    guids = {card.id for card in read_apkg(package).cards}
    assert guids < set(anki["guids"])  # type: ignore[arg-type] - one had nothing on its back
    told = ask_anki(
        tmp_path / "c.anki2",
        AGAIN,
        first=str(anki["new"]),
        second=str(tmp_path / "back.apkg"),
    )
    assert told == [4, 6, anki["reviews"]]


def test_an_export_of_a_course_is_taken_up_by_the_real_anki(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())
    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    package = tmp_path / "t.apkg"
    package.write_bytes(export_cards(course, learner, form="anki", now=NOW))

    told = ask_anki(tmp_path / "c.anki2", AGAIN, first=str(package), second=str(package))
    assert told == [11, 13, 0]  # nine items, and two words that are asked both ways


def reread(root: Path, deck: Deck) -> tuple[Course, tuple[Card, ...]]:
    """A deck taken in from a table and given out again."""
    table = root / "deck.csv"
    table.write_bytes(write_cards(deck))
    course = take(root, table, "csv", name="deck").course
    learner = LearnerFiles(DirectoryDocuments(root))
    return course, read_cards(export_cards(course, learner, form="csv", now=NOW)).cards


def squeezed(card: Card) -> tuple[object, ...]:
    """What has to survive: a word is on one line, and spaces around ` / ` do not count."""
    sides = (
        " / ".join(part.strip() for part in text.split(" / ") if part.strip())
        for text in (card.front, card.back)
    )
    return card.id, card.kind, *(" ".join(side.split()) for side in sides), frozenset(card.tags)


@given(deck=decks())
@settings(max_examples=examples(40))
def test_any_deck_is_a_course_without_problems_and_comes_back(deck: Deck) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        course, back = reread(root, deck)
        before = files_of(root)
        again, _ = reread(root, deck)

        assert said(course) == []
        assert again == course
        assert files_of(root) == before
    assert {squeezed(card) for card in deck.cards} == {squeezed(card) for card in back}
    kept = {card.id: card.history for card in back}
    for card in deck.cards:
        assert [(each.at, each.rating, each.part) for each in kept[card.id]] == [
            (each.at, each.rating, each.part)
            for each in sorted(card.history, key=lambda one: (one.at, one.part))
        ]


@pytest.mark.parametrize("writes", range(5))
def test_an_import_that_was_interrupted_is_completed(tmp_path: Path, writes: int) -> None:
    deck = replace(full_deck(), name="D")
    package = Upload("d.apkg", write_apkg(deck, now=NOW))
    options = ImportOptions()
    with pytest.raises(Unavailable):
        import_course(Failing(tmp_path / "one", writes), "anki", package, options, now=NOW)
    import_course(DirectoryDocuments(tmp_path / "one"), "anki", package, options, now=NOW)
    import_course(DirectoryDocuments(tmp_path / "two"), "anki", package, options, now=NOW)

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def table(root: Path, text: str, name: str = "words.csv") -> Path:
    path = root / name
    path.write_text(text, "utf-8")
    return path


def test_a_table_can_be_taken_in_as_words(tmp_path: Path) -> None:
    path = table(tmp_path, "term,definition\nrumah,house\nair,water / juice\n")
    course = take(tmp_path, path, "csv", both_ways=True, name="kata").course

    assert said(course) == []
    assert (course.name, course.domain) == ("kata", "language")
    assert [(word.term, word.meanings) for word in course.vocabulary] == [
        ("rumah", ("house",)),
        ("air", ("water", "juice")),
    ]


def test_a_table_is_one_sided_unless_it_is_said(tmp_path: Path) -> None:
    course = take(tmp_path, table(tmp_path, "front,back\nWhat is it?,a house\n"), "csv").course

    assert (course.name, course.domain, len(course.vocabulary)) == ("words", "conceptual", 0)
    assert next(course.all_items()).kind == "short"


def test_a_large_deck_becomes_concepts_of_a_few_cards_that_keep_their_cards(tmp_path: Path) -> None:
    rows = [f"q{number},a{number}" for number in range(CARDS_IN_A_CONCEPT * 2 + 5)]
    course = take(tmp_path, table(tmp_path, "\n".join(["front,back", *rows])), "csv").course
    before = {item.id: item.concept_id for item in course.all_items()}

    grown = ["front,back", "new,first", *rows]
    after = take(tmp_path, table(tmp_path, "\n".join(grown)), "csv").course
    assert list(course.concepts) == ["words", "words-2", "words-3"]
    assert [len(course.items[each]) for each in course.concepts] == [20, 20, 5]
    assert {item.id: item.concept_id for item in after.all_items()}.items() >= before.items()
    assert [item.prompt for item in after.items["words-3"]][-1] == "new"


def test_decks_of_the_same_name_in_letters_only_stay_apart(tmp_path: Path) -> None:
    path = table(tmp_path, "front,back,deck\na,b,Unit 1\nc,d,unit-1\ne,f,unit-1-2\n")
    course = take(tmp_path, path, "csv").course

    assert said(course) == []
    assert list(course.concepts) == ["unit-1", "unit-1-2", "unit-1-2-2"]


def test_an_edited_item_stays_as_it_is_and_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, "id,front,back\nx-1,one,satu\nx-2,two,dua\n")
    take(tmp_path, path, "csv")
    items = tmp_path / "courses/words/items/words.jsonl"
    items.write_text(items.read_text().replace("satu", "sa"))

    again = take(tmp_path, path, "csv")
    assert (again.added, again.there, again.differing) == (0, 2, ("x-1",))
    assert again.course.item("x-1").answers == ("sa",)


def test_the_name_of_a_shipped_course_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_course(tmp_path / "shipped", TIDES, tides())
    shipped = DirectoryDocuments(tmp_path / "shipped")
    monkeypatch.setattr(catalogue, "shipped_documents", lambda: shipped)

    with pytest.raises(Conflict, match="comes with Paige"):
        take(tmp_path / "own", table(tmp_path, "front,back\na,b\n", "tides.csv"), "csv")


@pytest.mark.parametrize("form", ["anki", "csv", "exercism"])
def test_a_file_that_is_not_there_is_not_found(tmp_path: Path, form: ImportForm) -> None:
    with pytest.raises(NotFound):
        take(tmp_path, tmp_path / "none.apkg", form)
    assert not (tmp_path / "courses").exists()


@pytest.mark.parametrize("text", ["", "\x00\x01", "front,back\nalone,\n"])
def test_a_table_without_a_card_is_refused_and_leaves_nothing(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput):
        take(tmp_path, table(tmp_path, text), "csv")
    assert not (tmp_path / "courses").exists()


@given(moments=st.lists(st.datetimes(datetime(2020, 1, 1), datetime(2026, 1, 1)), max_size=8))
def test_reviews_become_a_result_for_each_concept_and_day(moments: list[datetime]) -> None:
    history = tuple(Review(each.replace(tzinfo=UTC), 3, 2.0, 900) for each in sorted(moments))
    deck = Deck("D", (Card("a", "one", "satu", history=history), Card("b", "two", "dua")))
    with TemporaryDirectory() as folder:
        root = Path(folder)
        path = root / "d.csv"
        path.write_bytes(write_cards(deck))
        take(root, path, "csv")
        learner = LearnerFiles(DirectoryDocuments(root))
        results = [each.result for each in learner.changes("d")]

        assert learner.read("d").problems == ()
        assert len(results) == len({each.date() for each in moments})
        assert all(each and each.modality == "flashcard" for each in results)


def test_a_day_counts_what_was_known_at_the_first_try(tmp_path: Path) -> None:
    def answered(*ratings: int) -> tuple[Review, ...]:
        return tuple(
            Review(NOW + timedelta(minutes=number), rating)  # type: ignore[arg-type]
            for number, rating in enumerate(ratings)
        )

    cards = (
        Card("a", "one", "satu", history=answered(1, 3, 4)),
        Card("b", "two", "dua", history=answered(3)),
    )
    path = tmp_path / "d.csv"
    path.write_bytes(write_cards(Deck("D", cards)))
    take(tmp_path, path, "csv")

    (change,) = LearnerFiles(DirectoryDocuments(tmp_path)).changes("d")
    assert change.result is not None
    assert (change.result.score.correct, change.result.score.total) == (1, 2)
    assert change.result.fsrs_rating == 2


def done(item: str, rating: int, **more: object) -> Result:
    return Result(
        exercise_id=f"e-{item}-{rating}",
        concept_id="moon",
        modality="worksheet",
        score=score_of(1, 1),
        fsrs_rating=rating,  # type: ignore[arg-type]
        completed=NOON,
        **more,  # type: ignore[arg-type]
    )


def test_work_in_paige_is_exported_as_reviews_of_its_items(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())
    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    missed = ExerciseError("1.2", None, None, None, "", extra={"item": "t-choice"})
    asked = {"asked": {"items": ["t-translate", "t-choice", "w-bulan.to"]}}
    several = done("several", 2, errors=(missed,), extra=asked)
    alone = done("alone", 4, extra={"asked": {"items": ["w-bulan.from"]}}, timestamp=NOON)
    for number, result in enumerate((several, alone)):
        learner.record(TIDES, result, session="s", change_id=f"c{number}", now=NOON)

    state = learner.read(TIDES)
    found = item_reviews(learner.changes(TIDES), learner.evidence(TIDES))
    cards = {
        card.id: card for deck in course_decks(course, found, state.progress) for card in deck.cards
    }
    assert [each.rating for each in cards["tides:t-translate"].history] == [3]
    assert [each.rating for each in cards["tides:t-choice"].history] == [1]
    assert {(each.part, each.rating) for each in cards["tides:w-bulan"].history} == {(0, 4), (1, 3)}
    assert cards["tides:t-cloze"].history == ()
    card = state.progress["moon"].card
    assert card is not None
    assert cards["tides:t-choice"].due == card.due
    package = read_apkg(export_cards(course, learner, form="anki", now=NOON))
    assert sum(len(each.history) for each in package.cards) == 4


def test_what_was_asked_is_looked_for_where_exercises_write_it() -> None:
    assert reviews.ASKED == history.ASKED


def test_what_was_taken_back_is_not_exported(tmp_path: Path) -> None:
    loaded(tmp_path, tides())
    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    result = done("x", 3, extra={"asked": {"items": ["t-choice"]}})
    learner.record(TIDES, result, session="s", change_id="c", now=NOON)
    learner.undo(TIDES, "c", new_id="u", now=NOON)

    assert item_reviews(learner.changes(TIDES), learner.evidence(TIDES)) == {}
    assert export_results(TIDES, learner, Who("t", "http://localhost")) == ""


def test_results_are_exported_as_statements_that_stay_the_same(tmp_path: Path) -> None:
    loaded(tmp_path, tides())
    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    learner.record(TIDES, done("x", 3), session="s", change_id="c", now=NOON)
    token = learner_token(learner, b"1" * 16)

    assert learner_token(learner, b"2" * 16) == token
    who = Who(token, "http://localhost")
    (statement,) = map(json.loads, export_results(TIDES, learner, who).splitlines())
    assert statement["actor"]["account"] == {"homePage": "http://localhost", "name": token}
    assert statement["object"]["id"] == "http://localhost/xapi/exercises/tides/e-x-3"
    assert export_results(TIDES, learner, who) == export_results(TIDES, learner, who)


def test_a_course_without_cards_says_so(tmp_path: Path) -> None:
    course = loaded(tmp_path, {"concepts.json": '[{"id": "moon"}]'})

    with pytest.raises(BadInput, match="no words and no items"):
        export_cards(course, LearnerFiles(DirectoryDocuments(tmp_path)), form="csv", now=NOW)


def test_a_card_that_was_edited_after_the_import_is_exported_as_it_reads_now(
    tmp_path: Path,
) -> None:
    deck = replace(full_deck(), name="D")
    path = tmp_path / "d.csv"
    path.write_bytes(write_cards(deck))
    take(tmp_path, path, "csv")
    items = tmp_path / "courses/d/items/d.jsonl"
    items.write_text(items.read_text().replace("___ means thank you", "___ says thank you"))

    learner = LearnerFiles(DirectoryDocuments(tmp_path))
    course = take(tmp_path, path, "csv").course
    back = read_cards(export_cards(course, learner, form="csv", now=NOW)).cards
    fronts = {card.front for card in back}
    assert "{{c1::Terima kasih}} says thank you" in fronts
    assert "{{c1::Terima kasih}} means {{c2::thank you::polite}}" in fronts


def test_a_plan_says_what_it_left_out() -> None:
    found = FileImport((Deck("D", (Card("a", "front only", ""),)),))
    plan = plan_cards(found.decks, None, title="D")

    assert (plan.placed, plan.added) == ((), 0)
    assert plan.left_out == ("`front only` has nothing on its back",)
