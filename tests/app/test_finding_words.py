"""Words that are looked for: what matches, where it is marked, how titles rank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.doors.search.words import (
    WIDTH,
    TextPart,
    fold,
    holds,
    line_of,
    marked,
    rank,
    snippet,
    terms_of,
)

texts = st.text(max_size=300)
words = st.text(max_size=40)


def joined(parts: tuple[TextPart, ...]) -> str:
    return "".join(part.text for part in parts)


def test_words_match_whatever_their_case_and_accents() -> None:
    terms = terms_of("ÉCOLE strasse")

    assert terms == ("ecole", "strasse")
    assert holds(fold("L'école de la Straße"), terms)
    assert not holds(fold("L'école"), terms)


def test_a_short_word_begins_a_word_and_a_longer_one_stands_anywhere() -> None:
    assert not holds("on hold", terms_of("old"))
    assert holds("on hold, old man", terms_of("old"))
    assert holds("bruchrechnung", terms_of("rechnung"))
    assert holds("学习编程", terms_of("编程"))


def test_the_same_word_twice_counts_once_and_nothing_is_no_word() -> None:
    assert terms_of("  Loop loop  LOOP ") == ("loop",)
    assert terms_of(" \n\t ") == ()


@pytest.mark.parametrize(
    ("title", "worth"),
    [
        ("Loops", 4),
        ("Loops for 3B", 3),
        ("All the loops", 2),
        ("Sloops", 1),
        ("Poems", 0),
    ],
)
def test_a_title_ranks_by_where_the_words_stand(title: str, worth: int) -> None:
    assert rank(title, terms_of("loops")) == worth


def test_a_long_text_is_cut_around_the_words() -> None:
    text = f"{'before ' * 80}the fractions of a pizza {'after ' * 80}"

    parts = snippet(text, terms_of("fractions"))

    assert TextPart("fractions", hit=True) in parts
    assert joined(parts).startswith("…")
    assert joined(parts).endswith("…")
    assert len(joined(parts)) <= WIDTH + 2


def test_the_line_with_most_of_the_words_is_named() -> None:
    text = "# Loops\n\nPizza for all\nLoops over a pizza\n"

    assert line_of(text, terms_of("loops pizza")) == 4
    assert line_of(text, terms_of("poem")) is None


@given(texts, words)
def test_marking_loses_no_letter(text: str, asked: str) -> None:
    assert joined(marked(text, terms_of(asked))) == text


@given(texts, words)
def test_something_is_marked_where_and_only_where_a_word_is_held(text: str, asked: str) -> None:
    terms = terms_of(asked)

    found = any(part.hit for part in marked(text, terms))

    assert found is any(holds(fold(text), [term]) for term in terms)


@given(texts, words)
def test_a_snippet_is_one_short_line_of_the_text(text: str, asked: str) -> None:
    shown = joined(snippet(text, terms_of(asked)))

    assert len(shown) <= WIDTH + 2
    assert "\n" not in shown
    assert shown.strip("…") in " ".join(text.split()) or "…" in text


@given(st.text(max_size=100))
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
