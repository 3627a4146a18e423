import importlib
import string
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base import tokens
from paige.base.tokens import count_tokens_bound
from tests.depth import examples

ENGLISH = (
    "The class has worked on loops for two weeks. Most of them can trace a program with one loop, "
    "but nested loops still confuse about a third of the group. Begin with a short retrieval "
    "exercise, then show the worked example from last year and let pairs explain each step to "
    "each other. Anyone who finishes early may change the program so that it prints a triangle. "
    "Don't mark the exercise; ask for one sentence about what was hard, and read these before "
    "Thursday (the differentiation sheet is in the shared folder)."
)
SAMPLES = {
    "code": Path(__file__).read_text(),
    "german": "Die Schülerinnen und Schüler überprüfen Gleichungssysteme mit Rechenverfahren.",
    "finnish": "Opiskelijat harjoittelevat itsenäisesti epäjärjestelmällistyttämättömyyttä.",
    "welsh": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch yw'r pentref.",
    "russian": "Ученики повторяют материал и учитель проверяет домашние задания.",
    "greek": "Μαθητές λύνουν ασκήσεις στην τάξη.",
    "arabic": "يراجع الطلاب الدرس قبل الاختبار.",
    "hindi": "छात्र परीक्षा से पहले पाठ दोहराते हैं।",
    "chinese": "学生们在考试前复习功课。老师批改作业。",
    "japanese": "生徒たちは試験の前に授業を復習します。",
    "korean": "학생들은 시험 전에 수업을 복습합니다.",
    "thai": "นักเรียนทบทวนบทเรียนก่อนสอบ",
    "emoji": "👩🏽‍🏫 👍🏿 🇺🇦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️‍🔥",
    "numbers": "3.14159265358979 1,000,000 2026-03-02T12:00:00Z 0xdeadbeef",
    "table": "| a | b |\n|------|:----:|\n| 1 |   2  |\n" + "-" * 200 + "=" * 77,
    "space": " " * 300 + "\t\t\t\n\n\n\n  \n \r\n\r\n\t x",
    "base64": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.qzxkQvWjZgXkKqYv7JqPzB",
    "rare": "\ufdfa \u0f3a\u1680\u2009½ﬁ㎏ \U00020000\U000e0041\x00\x7f",
}
WORDS = ENGLISH.split()


Counter = Callable[[str], int]


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base", "voyage3_base"])
def real_count(request: pytest.FixtureRequest) -> Counter:
    """A real tokenizer with its data in the package: nothing is fetched."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it opens its data the old way
        encoding = importlib.import_module("bpe_openai").get_encoding(request.param)
    return lambda text: len(encoding.encode_ordinary(text))


@pytest.mark.parametrize("name", SAMPLES)
def test_no_kind_of_text_has_more_tokens_than_the_bound(real_count: Counter, name: str) -> None:
    assert real_count(SAMPLES[name]) <= count_tokens_bound(SAMPLES[name])


def test_english_is_counted_at_no_more_than_1_6_times_the_truth(
    real_count: Counter,
) -> None:
    true = real_count(ENGLISH)

    assert true <= count_tokens_bound(ENGLISH) <= 1.6 * true


@settings(max_examples=examples(150))
@given(
    st.text()
    | st.text(string.ascii_lowercase + " ")
    | st.text(string.ascii_letters)
    | st.text(string.printable)
    | st.text(" \n\t\r.a1")
    | st.lists(st.sampled_from([*WORDS, *string.punctuation, " ", "\n", "'s", "7"])).map("".join)
)
def test_no_text_at_all_has_more_tokens_than_the_bound(real_count: Counter, text: str) -> None:
    assert real_count(text) <= count_tokens_bound(text)


def test_every_word_that_is_counted_as_one_token_is_one(real_count: Counter) -> None:
    lines = Path(tokens.__file__).with_name("vocabulary.txt").read_text().splitlines()
    words = [line for line in lines if not line.startswith("#")]

    assert len(words) > 10_000
    assert [word for word in words if real_count(word) != 1] == []


def test_nothing_has_no_tokens() -> None:
    assert count_tokens_bound("") == 0


def test_a_lone_surrogate_is_counted_and_not_an_error() -> None:
    assert count_tokens_bound("a\ud800b") == 5


def test_a_text_of_one_endless_word_is_counted_quickly() -> None:
    started = time.perf_counter()

    assert count_tokens_bound("x" * 1_000_000) == 1_000_000
    assert time.perf_counter() - started < 1
