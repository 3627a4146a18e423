"""Patterns from data: matched once over the text, and refused when that cannot be done."""

import time

import pytest

from paige.base.errors import BadInput
from paige.language.patterns import LinearPattern

LONG = 2**20
EVIL = ("(a+)+$", "(a|a)*b", r"(.*)x(.*)y(.*)z", r"\s*\n\s*,", "(?:a?){200}a{200}")
TEXTS = ("a" * LONG, " " * LONG, "\n" * LONG, "ax" * (LONG // 2))


@pytest.mark.parametrize("pattern", EVIL)
def test_a_pattern_never_costs_more_than_the_text_is_long(pattern: str) -> None:
    linear = LinearPattern(pattern)
    start = time.thread_time()
    for text in TEXTS:
        linear.find(f"{text}!")
    assert time.thread_time() - start < 2


@pytest.mark.parametrize("pattern", [r"(a)\1", "a(?=b)", "(?<!a)b", "(a"])
def test_what_the_engine_cannot_match_is_refused_with_the_pattern(pattern: str) -> None:
    with pytest.raises(BadInput) as refused:
        LinearPattern(pattern)
    assert pattern in refused.value.message
    assert refused.value.hint


def test_lines_and_letters_are_matched_as_they_are_in_other_patterns() -> None:
    assert LinearPattern("^b").find("é\nb") == 3
    assert LinearPattern("END$").matches("the END\nof it")
    assert not LinearPattern("end$").matches("the END\nof it")
    assert LinearPattern("b").matches("\ud800b"), "half a sign breaks nothing"
