import sqlite3
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.retrieval.question import MOST_TERMS, match_any, read_question

PEOPLE = ("Andrew", "Mireille", "Tomas Berg")
TODAY = date(2026, 3, 18)


def words_of(query: str) -> list[str]:
    return [term.word for term in read_question(query, PEOPLE).terms]


def test_small_words_are_dropped_and_the_rest_are_terms() -> None:
    assert words_of("Where did the ferry to Gozo leave from?") == ["ferry", "gozo", "leave"]


def test_a_question_of_small_words_only_keeps_them() -> None:
    assert words_of("Who are you?") == ["who", "are", "you"]


def test_a_speaker_is_named_not_searched_for() -> None:
    question = read_question("What is Andrew's boat called?", PEOPLE)
    assert question.named == {"Andrew"}
    assert [term.word for term in question.terms] == ["boat", "called"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Does Mir like tea?", {"Mireille"}),  # a short name
        ("does mir like tea?", set()),  # not written like a name
        ("bread and butter", set()),  # "and" begins Andrew
        ("what did mireille buy", {"Mireille"}),
        ("Is Berg at home?", {"Tomas Berg"}),
        ("Did Andrew and Tomas meet?", {"Andrew", "Tomas Berg"}),
        ("Who is Andromeda?", set()),
    ],
)
def test_speakers_are_named_by_their_name_or_its_beginning(query: str, named: set[str]) -> None:
    assert read_question(query, PEOPLE).named == named


def test_forms_of_irregular_words_are_looked_for_together() -> None:
    for query in ("buying boats", "bought boats", "buys boats"):
        forms = read_question(query, ()).terms[0].forms
        assert {"buy", "bought"} <= set(forms)
        assert forms[0] == query.split()[0]


def test_singular_and_plural_are_one_term() -> None:
    assert words_of("boats and a boat") == ["boats"]


def test_a_name_of_something_is_known_by_its_capital() -> None:
    proper = {t.word: t.proper for t in read_question("Which ferry goes to Gozo?", ()).terms}
    assert proper == {"ferry": False, "gozo": True}


def test_related_words_come_from_the_caller_without_small_words() -> None:
    related = {"boat": ("ship", "the", "boat", "canoe")}
    question = read_question("boat 77", (), near=lambda word: related.get(word, ("seven",)))
    assert [term.near for term in question.terms] == [("ship", "canoe"), ()]


def test_meaning_is_of_the_terms_and_without_terms_of_the_whole() -> None:
    assert read_question("What is Andrew's new boat?", PEOPLE).meaning == "new boat"
    assert read_question("Andrew?", PEOPLE).meaning == "Andrew?"


def test_it_is_known_who_is_meant() -> None:
    mine = read_question("What is my password hint?", ())
    yours = read_question("Which book did you recommend?", ())
    assert (mine.of_asker, mine.of_answerer) == (True, False)
    assert (yours.of_asker, yours.of_answerer) == (False, True)


def test_a_long_text_is_searched_by_its_first_words() -> None:
    query = " ".join(f"word{number}" for number in range(100))
    assert words_of(query) == [f"word{number}" for number in range(MOST_TERMS)]


def test_months_years_and_days_are_read() -> None:
    dates = read_question("What happened on 8 May 2023?", ()).dates
    assert (dates.years, dates.months, dates.days) == ({2023}, {5}, {8})
    dates = read_question("the visit of October 21st", ()).dates
    assert (dates.years, dates.months, dates.days) == (frozenset(), {10}, {21})
    dates = read_question("log of 2024-02-29", ()).dates
    assert (dates.years, dates.months, dates.days) == ({2024}, {2}, {29})


def test_a_season_is_its_months() -> None:
    assert read_question("last summer's trip", ()).dates.months == {6, 7, 8}


@pytest.mark.parametrize("query", ["May I march in?", "may they march", "did prices fall"])
def test_verbs_are_not_dates_unless_written_so(query: str) -> None:
    assert read_question(query.replace("May I", "may I"), ()).dates.months == frozenset()


def test_words_that_count_from_today_are_spans() -> None:
    def spans(query: str) -> tuple[tuple[date, date], ...]:
        return read_question(query, (), today=TODAY).dates.spans

    assert spans("what did we eat yesterday") == ((date(2026, 3, 17), date(2026, 3, 17)),)
    assert spans("what did we plan two weeks ago") == ((date(2026, 3, 1), date(2026, 3, 7)),)
    assert spans("what went wrong last week") == ((date(2026, 3, 4), TODAY),)
    assert spans("some time ago") == ()


def test_without_today_nothing_counts_from_it() -> None:
    assert not read_question("what did we eat yesterday", ()).dates


@given(st.text(max_size=80), st.lists(st.text(max_size=12), max_size=3))
def test_any_text_is_a_question(query: str, speakers: list[str]) -> None:
    question = read_question(query, speakers, near=lambda word: (word + "x",), today=TODAY)
    assert question == read_question(query, speakers, near=lambda word: (word + "x",), today=TODAY)
    assert len(question.terms) <= MOST_TERMS
    assert question.named <= set(speakers)
    assert all(term.forms[0] == term.word for term in question.terms)


@given(st.text(max_size=40))
def test_every_term_is_a_valid_full_text_expression(query: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE words USING fts5(body, marks)")
    for term in read_question(query, ()).terms:
        expression = f"marks : sp1 AND {match_any(term.forms)}"
        database.execute("SELECT rowid FROM words WHERE words MATCH ?", [expression]).fetchall()
    database.close()
