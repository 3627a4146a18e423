"""Decks for the tests of exchange: arbitrary ones, and one that has everything."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import strategies as st

from paige.exercise.exchange.values import (
    CARD_KINDS,
    Card,
    CardKind,
    Deck,
    Review,
    blank_numbers,
    tidy_deck,
)

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
AWKWARD = [
    'a "quoted" word, and more',
    "tab\there; semicolon | pipe",
    "line one\nline two\n\nline four",
    "#separator:tab",
    "<b>bold</b> & <br> &amp; &nbsp; <script>x</script>",
    "[sound:a.mp3] [anki:tts lang=en]x[/anki:tts]",
    "سلام 你好 🎓 é e\u0301",
    "two  spaces   three",
    "{{c1::not a blank}} {{Front}} {{#Back}}",
    "=SUM(A1)",
    "-->]]>",
    "non\u00a0breaking\u2028separator",
]
TEXTS = st.one_of(st.sampled_from(AWKWARD), st.text(max_size=40))
SOME_TEXT = TEXTS.map(lambda text: f"{text}x")
WORDS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
MOMENTS = st.datetimes(
    min_value=datetime(2015, 1, 1), max_value=datetime(2035, 1, 1), timezones=st.just(UTC)
)
INTERVALS = st.one_of(
    st.integers(1, 3000).map(float), st.integers(0, 86_399).map(lambda seconds: seconds / 86_400)
)


@st.composite
def cards(draw: st.DrawFn, number: int) -> Card:
    """A card with any text, any kind and any history."""
    kind: CardKind = draw(st.sampled_from(CARD_KINDS))
    front = draw(SOME_TEXT)
    if kind == "cloze":
        front = f"{front} {{{{c1::{draw(WORDS)}}}}} {{{{c2::{draw(WORDS)}::hint}}}}"
    parts = {"basic": 1, "reversed": 2, "cloze": len(blank_numbers(front))}[kind]
    reviews = st.builds(
        Review,
        MOMENTS,
        st.sampled_from([1, 2, 3, 4]),
        INTERVALS,
        st.integers(0, 60_000),
        st.integers(0, parts - 1),
    )
    return Card(
        id=f"{draw(WORDS)}-{number}",
        front=front,
        back=draw(SOME_TEXT),
        tags=tuple(draw(st.lists(WORDS, max_size=3))),
        note=draw(TEXTS),
        kind=kind,
        history=tuple(draw(st.lists(reviews, max_size=4, unique_by=lambda each: each.at))),
        due=draw(st.none() | MOMENTS),
    )


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """A deck with any cards, as it is after it was tidied."""
    made = [draw(cards(number)) for number in range(draw(st.integers(1, 4)))]
    name = draw(WORDS)
    return tidy_deck(Deck(f"{name}::{draw(WORDS)}", tuple(made)))


def apart(deck: Deck) -> bool:
    """Whether no two reviews are in the same millisecond, where Anki cannot tell them apart."""
    moments = sorted(review.at for card in deck.cards for review in card.history)
    return all(later - earlier >= timedelta(milliseconds=1) for earlier, later in pairwise(moments))


def full_deck() -> Deck:
    """One card of each kind, reviewed."""
    learnt = (Review(NOW - timedelta(days=13), 3, 2.0, 4000),)
    known = (*learnt, Review(NOW - timedelta(days=11), 3, 11.0, 3000))
    turned = (Review(NOW - timedelta(minutes=5), 1, 600 / 86_400, 2500, 1),)
    return Deck(
        "Malay::Greetings",
        (
            Card("m-1", "Selamat pagi", "good <morning> & co", ("greeting",), "formal", "basic"),
            Card("m-2", "air\n(noun)", "water", (), "", "reversed", turned),
            Card("m-3", "{{c1::Terima kasih}} means {{c2::thank you::polite}}", "", kind="cloze"),
            Card("m-4", "Apa khabar?", "How are you?", history=known, due=NOW),
        ),
    )
