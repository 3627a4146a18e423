"""Text as fields of cards and back; HTML of others read for its words; sentences with blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.exchange.html_text import from_html, to_html
from paige.exercise.exchange.values import ask, blank_numbers, plain, with_blanks
from tests.exercise.exchange_decks import TEXTS


@given(TEXTS)
def test_any_text_comes_back_from_a_field_as_it_was(text: str) -> None:
    assert from_html(to_html(plain(text))) == plain(text)


@given(st.text(st.sampled_from("<>/&;!-[]= abcdivprlnk#\n\"'"), max_size=60))
def test_any_markup_gives_some_text_without_an_error(text: str) -> None:
    assert "\x02" not in from_html(text)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<p>one</p>\n\n  <p>two</p>", "one\ntwo"),
        ("one <b>bold</b>\n   next", "one bold next"),
        ("<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "- a\n- b"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a\tb\nc"),
        ("a&nbsp;b &lt;i&gt; &eacute; &#65; &bogus;", "a b <i> é A &bogus"),
        ("<style>.a{}</style>x<script>alert(1)</script>", "x"),
        ("<!-- hidden -->seen", "seen"),
        ('<img src="pic.jpg"> [sound:word.mp3]', "(image: pic.jpg) (sound: word.mp3)"),
        ('<img alt="a cat" src="x.png">', "(image: a cat)"),
        ('<img src="data:image/png;base64,AAAA">', "(image: inline)"),
        ("[anki:tts lang=en_GB]spoken[/anki:tts]", "spoken"),
        ("<pre>def f():\n    pass</pre>", "def f():\n    pass"),
        ("5 < 6 and a<b", "5 < 6 and a<b"),
        ("a<![CDATA[ <i> ]]>b<![if !IE]>c<![endif]>", "a <i> bc"),
        ("seen <![^A-Z]> too", "seen  too"),
        ("", ""),
    ],
)
def test_markup_of_others_becomes_what_they_meant(html: str, text: str) -> None:
    assert from_html(html) == text


@pytest.mark.parametrize(
    ("text", "numbers", "question", "answers"),
    [
        ("{{c1::Paris}} is in {{c2::France}}", (1, 2), "[...] is in France", ("Paris",)),
        ("{{c1::Paris::city}}", (1,), "[city]", ("Paris",)),
        ("{{c1::a}} {{c1::b}}", (1,), "[...] [...]", ("a", "b")),
        ("{{c1,3::both}} {{c3::x}}", (1, 3), "[...] x", ("both",)),
        ("{{c2::out {{c1::in}} end}}", (1, 2), "out [...] end", ("in",)),
        ("{{c1::std::cout}}", (1,), "[cout]", ("std",)),
        ("{{c1::never closed", (), "{{c1::never closed", ()),
        ("{{c0::nothing}} }} ::", (), "nothing }} ::", ()),
    ],
)
def test_blanks_are_found_and_asked(
    text: str, numbers: tuple[int, ...], question: str, answers: tuple[str, ...]
) -> None:
    assert blank_numbers(text) == numbers
    assert ask(text, 1) == (question, answers)


@given(st.text(st.sampled_from("{}c12:, a"), max_size=40))
def test_any_braces_are_read_without_an_error(text: str) -> None:
    for number in blank_numbers(text):
        assert ask(text, number).answers


@pytest.mark.parametrize(
    ("sentence", "answers", "marked"),
    [
        ("Selamat ___, cikgu", ["pagi"], "Selamat {{c1::pagi}}, cikgu"),
        ("___ is in ___", ["Paris", "France"], "{{c1::Paris}} is in {{c1::France}}"),
        ("___ and ___", ["one"], None),
        ("___", ["a}}b"], None),
    ],
)
def test_answers_fill_the_blanks_of_a_sentence(
    sentence: str, answers: list[str], marked: str | None
) -> None:
    assert with_blanks(sentence, answers) == marked
