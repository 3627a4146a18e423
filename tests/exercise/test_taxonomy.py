"""Which kind of error an answer shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.taxonomy.detect import detect_error, is_slip
from paige.exercise.taxonomy.names import find_kind, known_name, names_of, taxonomy
from paige.exercise.values import DOMAINS, Domain

OTHERS = ("selamat malam", "B")


@pytest.mark.parametrize(
    ("domain", "question", "expected", "actual", "kind"),
    [
        ("language", "Good evening", "selamat petang", "selamat malam", "vocabulary_confusion"),
        ("language", "Thank you", "terima kasih", "terimah kasih", "spelling"),
        ("language", "Water", "\u00e9t\u00e9", "ete", "spelling"),
        ("language", "a big house", "rumah besar", "besar rumah", "word_order"),
        ("language", "to run", "berlari", "melari", "affix_error"),
        ("language", "drinks", "minuman", "minum", "affix_error"),
        ("language", "he walks", "he walks", "he walked", "grammar_pattern"),
        ("language", "to school", "ke sekolah", "sekolah", "grammar_pattern"),
        ("language", "dog", "anjing", "kucing besar", None),
        ("language", "dog", "anjing", "Anjing", None),
        ("language", "dog", "anjing", "", None),
        ("technical", "How many?", "5", "4", "off_by_one"),
        ("technical", "The loop", "range(5)", "range(6)", "off_by_one"),
        ("technical", "The loop", "i < n", "i <= n", "off_by_one"),
        ("technical", "How many?", "5", "9", None),
        ("technical", "Call it", "print(x)", "print(x", "syntax_error"),
        (
            "conceptual",
            "Ice cream and drowning",
            "they are correlated because of summer",
            "ice cream causes drowning",
            "correlation_causation",
        ),
        (
            "conceptual",
            "Heat",
            "friction causes heat",
            "heat causes friction",
            "causal_error",
        ),
        (
            "conceptual",
            "Set and element",
            "a class contains methods",
            "methods contain a class",
            "relationship_confusion",
        ),
        (
            "conceptual",
            "Swans",
            "most swans are white",
            "all swans are white",
            "overgeneralization",
        ),
        (
            "conceptual",
            "Conduction",
            "all metals conduct electricity",
            "only copper conducts electricity",
            "undergeneralization",
        ),
        (
            "conceptual",
            "Define osmosis",
            "the movement of water through a membrane",
            "when plants grow towards light",
            "definition_error",
        ),
        ("conceptual", "Why?", "gravity", "magnets", None),
        ("interview", "How many?", "5", "6", "off_by_one"),
    ],
)
def test_kinds_of_errors_in_answers(
    domain: Domain, question: str, expected: str, actual: str, kind: str | None
) -> None:
    found = detect_error(domain, question, expected, actual, OTHERS)
    assert (found.error_type if found else None) == kind
    assert found is None or found.note


@given(st.sampled_from(DOMAINS), st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_only_names_of_the_domain_are_given(domain: Domain, q: str, e: str, a: str) -> None:
    found = detect_error(domain, q, e, a)
    assert found is None or found.error_type in names_of(domain)


def test_names_are_known_or_nothing() -> None:
    assert known_name("Word Order") == "word_order"
    assert known_name("typo") == "spelling"
    assert known_name("something") is None
    assert known_name(None) is None
    kind = find_kind("off-by-one")
    assert kind is not None
    assert kind.domain == "technical"
    assert all(each.says and each.practise for each in taxonomy().kinds.values())


def test_a_swap_of_two_letters_is_one_slip() -> None:
    assert is_slip("selamta", "selamat")
    assert not is_slip("kitten", "sitting")
    assert is_slip("recieve", "receive")
    assert not is_slip("cat", "car")
    assert not is_slip("same", "same")


@given(st.text(max_size=8), st.text(max_size=8))
def test_a_slip_is_the_same_both_ways(one: str, other: str) -> None:
    assert is_slip(one, other) == is_slip(other, one)
