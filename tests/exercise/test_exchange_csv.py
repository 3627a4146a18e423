"""Tables of cards: ours both ways, those of Anki and Quizlet, and those of spreadsheets."""

import contextlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.exercise.exchange.csv_files import (
    MOST_PROBLEMS,
    Form,
    read_cards,
    read_reviews,
    show_reviews,
    write_cards,
)
from paige.exercise.exchange.values import Card, Deck, Review, card_id
from tests.exercise.exchange_decks import NOW, decks


def pairs(content: str | bytes) -> list[tuple[str, str]]:
    data = content if isinstance(content, bytes) else content.encode()
    return [(card.front, card.back) for card in read_cards(data).cards]


# --- both ways -----------------------------------------------------------------------------------


@given(decks(), st.sampled_from(["csv", "tsv"]))
def test_any_deck_survives_our_own_table(deck: Deck, form: Form) -> None:
    found = read_cards(write_cards(deck, form=form))
    assert found.decks == (deck,)
    assert found.remarks == ()
    assert found.problems == ()


@given(st.lists(decks(), max_size=3, unique_by=lambda deck: deck.name))
def test_several_decks_stay_apart_in_one_table(several: list[Deck]) -> None:
    numbered = [
        replace(deck, cards=tuple(replace(c, id=f"{deck.name}{c.id}") for c in deck.cards))
        for deck in several
    ]
    content = write_cards(numbered)
    if numbered:
        assert read_cards(content).decks == tuple(numbered)
    else:
        with pytest.raises(BadInput, match="no cards"):
            read_cards(content)


# --- what others write ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "rumah,house\nair,water\n",
        "rumah;house\nair;water",
        "rumah\thouse\r\nair\twater\r\n",
        "rumah|house\nair|water\n",
        "front,back\nrumah,house\nair,water\n",
        "Term;Definition\nrumah;house\nair;water\n",
        "Question\tAnswer\nrumah\thouse\n\nair\twater\n\n",
        "back,front\nhouse,rumah\nwater,air\n",
        "sep=;\nrumah;house\nair;water\n",
        "#separator:semicolon\n#html:false\nrumah;house\nair;water\n",
        "#separator:Pipe\n#columns:Back|Front\nhouse|rumah\nwater|air\n",
        '"rumah","house"\r\n"air","water"',
        "\ufeffrumah,house\nair,water\n",
    ],
)
def test_tables_of_many_programs_are_understood(content: str) -> None:
    assert pairs(content) == [("rumah", "house"), ("air", "water")]


def test_a_separator_inside_the_text_is_not_taken_for_one() -> None:
    assert pairs("Haus;house, home\nBaum;tree, wood\nHund;dog\n") == [
        ("Haus", "house, home"),
        ("Baum", "tree, wood"),
        ("Hund", "dog"),
    ]
    assert pairs("a, b\tc\nd\te\n") == [("a, b", "c"), ("d", "e")]


def test_cells_may_have_several_lines_and_quotes() -> None:
    assert pairs('front,back\n"one\ntwo","say ""hi"""\nnext,"a,b"\n') == [
        ("one\ntwo", 'say "hi"'),
        ("next", "a,b"),
    ]


def test_quotes_in_tab_separated_lines_are_characters() -> None:
    found = read_cards(b'5" pipe\t"thick\nair\twater\n')
    assert [card.back for card in found.cards] == ['"thick', "water"]
    assert any("Quotes" in remark for remark in found.remarks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings_that_can_be_told_are_read(encoding: str) -> None:
    assert pairs("café,naïve\nüber,straße\n".encode(encoding)) == [
        ("café", "naïve"),
        ("über", "straße"),
    ]


def test_latin_1_is_read_with_a_remark() -> None:
    found = read_cards("air,water\ncafé,coffee\n".encode("latin-1"))
    assert found.cards[1].front == "café"
    assert found.remarks == (
        "Line 2 is not UTF-8, so the file was read as Latin-1: check the accents.",
    )
    assert read_cards("a,“b”\n".encode("cp1252")).cards[0].back == "“b”"
    assert read_cards(b"a\x81,b\n").problems == ()


def test_ankis_lines_at_the_top_say_where_things_are() -> None:
    content = (
        "#separator:tab\n#html:true\n#tags:extra\n#deck:Malay\n#guid column:1\n#tags column:4\n"
        "# written by hand\n"
        "g1\trumah<br>(noun)\thouse &amp; home\tnoun basic\n"
    )
    found = read_cards(content.encode())
    assert [deck.name for deck in found.decks] == ["Malay"]
    card = found.cards[0]
    assert (card.id, card.front, card.back) == ("g1", "rumah\n(noun)", "house & home")
    assert card.tags == ("noun", "basic", "extra")
    assert found.remarks == ("Comments at the top were left out: 1.",)


def test_a_front_that_begins_like_a_comment_is_a_card() -> None:
    assert pairs("#1,first\n#2,second\n") == [("#1", "first"), ("#2", "second")]


def test_columns_nobody_knows_are_kept_in_the_note() -> None:
    found = read_cards(b"word,translation,example,tags\nair,water,minum air,noun\n")
    assert found.cards[0].note == "example: minum air"
    assert found.cards[0].tags == ("noun",)
    assert read_cards(b"air\twater\tminum air\n").cards[0].note == "minum air"


def test_a_cloze_text_is_a_cloze_card_unless_its_kind_is_given() -> None:
    content = b"front,back,kind\n{{c1::a}} b,,\n{{c1::a}} c,x,basic\nrumah,house,Basic (reversed)\n"
    assert [card.kind for card in read_cards(content).cards] == ["cloze", "basic", "reversed"]


# --- rows that are not what they should be -------------------------------------------------------


def test_rows_that_repeat_are_left_out_and_named() -> None:
    found = read_cards(b"air,water\nrumah,house\nair,water\nair,liquid\n")
    assert [(card.front, card.back) for card in found.cards] == [
        *(("air", "water"), ("rumah", "house"), ("air", "liquid")),
    ]
    assert found.remarks == ("Rows that were there already were left out: lines 3.",)
    assert found.cards[0].id == card_id("Cards", "air")
    assert len({card.id for card in found.cards}) == 3


def test_a_better_back_is_the_same_card_when_it_is_imported_again() -> None:
    before, after = read_cards(b"air,water\n"), read_cards(b"air,water (drink)\n")
    assert before.cards[0].id == after.cards[0].id


def test_bad_rows_are_named_by_line_and_the_others_are_read() -> None:
    content = (
        "id,front,back,due,history\n"
        "1,air,water,2026-03-01,2026-02-22T14:30:00Z 3 4d 5200ms\n"
        '2,"two\nlines",x,tomorrow,\n'
        "3,,nothing,,\n"
        "1,again,same id,,\n"
        "5,five,lima,,2026-02-22 7\n"
    )
    found = read_cards(content.encode())
    assert [card.id for card in found.cards] == ["1", "2", "5"]
    assert found.cards[0].due == datetime(2026, 3, 1, tzinfo=UTC)
    assert found.cards[0].history == (Review(NOW, 3, 4.0, 5200),)
    assert [problem.line for problem in found.problems] == [3, 5, 6, 7]
    assert str(found.problems[0]).startswith("Line 3: due: `tomorrow` is not a date.")
    assert "line 2 already" in found.problems[2].message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no cards"),
        (b"front,back\n", "no cards"),
        (b"only one column\nhere\n", "Line 1: there is only one column"),
        (b'a,b\nc,"never closed\nd,e\n', "Line 2: a quote is opened and never closed"),
        (b'a,b\n"x"y,z\n', "Line 2: there is text after a closing quote"),
        (b"\xff\xfea", "begins as UTF-16, but is damaged"),
        (b"#separator:ab\nx\n", "cannot separate cells"),
        (b'a,"' + b"x" * 140_000 + b'"\n', "Line 1: a cell is far too long"),
    ],
)
def test_a_file_that_cannot_be_read_gets_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_cards(content)
    assert said in raised.value.message


def test_only_the_first_of_many_problems_are_named() -> None:
    found = read_cards(b"front,back\na,b\n" + b",x\n" * 500)
    assert len(found.problems) == MOST_PROBLEMS
    assert found.remarks == ("500 rows have problems; only the first are named.",)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_sentence(data: bytes) -> None:
    with contextlib.suppress(BadInput):
        read_cards(data)


def test_a_card_too_long_for_a_table_is_named() -> None:
    with pytest.raises(BadInput, match="`1` is too long"):
        write_cards(Deck("D", (Card("1", "x" * 140_000, "b"),)))


# --- reviews in a cell ---------------------------------------------------------------------------


def test_reviews_are_written_so_that_people_can_read_them() -> None:
    history = (Review(NOW, 1, 600 / 86_400, 1000), Review(NOW, 4, 2.5, 0, 1), Review(NOW, 3))
    shown = (
        "2026-02-22T14:30:00Z 1 600s 1000ms; 2026-02-22T14:30:00Z 4 2.5d 0ms #1; "
        "2026-02-22T14:30:00Z 3 0d"
    )
    assert show_reviews(history) == shown
    assert read_reviews(shown) == history
    assert read_reviews(" 2026-02-22 2 ; ")[0].rating == 2


@pytest.mark.parametrize(
    "text",
    ["3", "2026-02-22 5", "2026-02-22 3 4x", "2026-02-22 3 -4d", "2026-02-22 3 1e999d", "x 3"],
)
def test_a_review_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_reviews(text)


@pytest.mark.parametrize("row", [b"a,b\n", b'a\t"b\n'])
def test_a_table_has_no_more_rows_than_anybody_learns(row: bytes) -> None:
    with pytest.raises(BadInput, match="more than 200,000 rows"):
        read_cards(row * 200_001, name="Cards")


def test_a_card_with_more_blanks_than_its_length_allows_is_named() -> None:
    front = "".join(f"{{{{c{number}::{'a' * 200}}}}}" for number in range(1, 100))
    read = read_cards(f"front,back\n{front},b\nrain,wet\n".encode())

    assert [card.front for card in read.cards] == ["rain"]
    assert "99 blanks" in read.problems[0].message
