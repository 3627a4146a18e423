"""Without a model nothing is explained: the lines say what they define and call, for any text."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.inquiry.explanation import (
    CANNOT,
    NOTHING,
    WITHOUT_FACTS,
    PassageInputs,
    PhaseContext,
    called_names,
    explain_code,
    parse_piece,
)

SUM = '''
def total(items, seen=[]):
    """What has to be paid.

    And more."""
    for item in items:
        seen.append(item)
    return sum(items)
'''


def explained(text: str, language: str = "python", **more: object) -> str:
    given_ = PassageInputs(text=text, path="a.x", language=language, **more)  # type: ignore[arg-type]
    return explain_code(given_).explanation


def test_facts_stand_in_for_an_explanation_and_say_so() -> None:
    answer = explain_code(PassageInputs(text=SUM, path="a.py", language="python"))
    assert answer.explanation.startswith(CANNOT)
    assert answer.explanation.splitlines()[2:] == [
        "- It defines `total(items, seen=[])`: “What has to be paid.”",
        "- It calls `seen.append`, `sum`.",
    ]
    assert (answer.key_concepts, answer.analogy) == ([], None)


@pytest.mark.parametrize(
    ("language", "code", "fact"),
    [
        ("python", "class Basket(dict): ...", "`class Basket(dict)`"),
        ("python", "    else:\n        return price(x)", "It calls `price`."),
        ("python", "except ValueError:\n    give_up()", "It calls `give_up`."),
        ("typescript", "const f = async (x: number) => { await g(x); }", "It defines `f`."),
        ("go", "func Add(a int) int {", "It defines `Add`."),
    ],
)
def test_pieces_and_other_languages_are_read_too(language: str, code: str, fact: str) -> None:
    assert fact in explained(code, language)


def test_what_says_nothing_of_itself_is_left_to_a_search() -> None:
    assert explained("x = y + 1") == f"{CANNOT} {WITHOUT_FACTS}"


def test_the_phase_is_named_only_where_it_expects_the_file() -> None:
    phase = PhaseContext(2, "Totals", "Correct the discount", ("cart.py",))
    for path, expected in (("cart.py", "phase 2, “Totals”"), ("other.py", "None")):
        given_ = PassageInputs(text="discount = 3", path=path, language="python", phase=phase)
        assert expected in str(explain_code(given_).phase_connection)


def test_nothing_selected_is_taken_from_around_or_said() -> None:
    around = "a = 1\nfor x in y:\n    pay(x)\n"
    assert "It calls `pay`." in explained("", context=around, lines=(2, 3))
    assert explained("") == NOTHING


@given(st.text(max_size=300), st.sampled_from(["python", "go", "sql"]))
def test_any_text_gets_an_answer(text: str, language: str) -> None:
    assert explained(text, language).strip()


@given(st.sampled_from([SUM, "for x in y:\n    z(x)\n", "a = b() if c else d"]), st.integers(0, 8))
def test_indentation_does_not_change_what_is_found(code: str, depth: int) -> None:
    plain, moved = parse_piece(code), parse_piece(textwrap.indent(code, " " * depth))
    assert plain is not None
    assert moved is not None
    assert called_names(plain) == called_names(moved)
