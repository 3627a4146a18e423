"""Whatever a text holds, finding its pointers and checking them ends with values."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from paige.plan.evidence import check, plain_words, says
from paige.plan.pointers import place_pointers
from tests.plan.curricula import KNOTS, PATH, knots, outcome

PIECES = [
    "[TCH 3-15a]",
    f"({PATH}#L14-L14)",
    f"({PATH}#L99999999999-L1)",
    ' "Tie a bowline that holds"',
    ' "Tie',
    "“",
    '"',
    " (edition 2020-01)",
    " (Third level",
    "\n",
    "\n\n",
    "## ",
    "TCH 3-15a",
    "MNU 9-99z",
    "&#10;",
    "\u200b",
    "\u00bd",
    "](",
    "[",
    ")",
]
pieces = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
texts = st.one_of(st.text(max_size=200), pieces, st.builds("".join, st.lists(pieces | st.text())))


@given(texts)
@example("[TCH 3-15a](x#L" + "1" * 400 + ")")
@example('[TCH 3-15a](%00%ff#L1) "a b c"')
def test_any_text_can_be_checked_and_every_fault_has_a_line_of_it(text: str) -> None:
    report = check(text, knots())
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").count("\n") + 1
    assert all(1 <= each.line <= lines for each in report.pointers)
    assert all(1 <= each.line <= lines for each in report.claims_without_pointer)
    assert all(each.valid == (each.reason is None) for each in report.pointers)
    assert len(report.faults) == sum(not each.valid for each in report.pointers) + len(
        report.claims_without_pointer
    )


@given(texts)
def test_pointers_do_not_overlap_and_are_found_in_order(text: str) -> None:
    placed = place_pointers(text)
    assert all(one.end <= other.start for one, other in pairwise(placed))


@given(texts, texts)
def test_a_true_pointer_stays_true_in_any_surroundings(before: str, after: str) -> None:
    cited = outcome("TCH 3-15a", knots()).citation
    # Words in front could say "senior phase"; an open bracket could make it a link's text.
    text = f"{before}\n\n# Plan\n\n{cited}\n\n{after}"
    report = check(text, knots())
    assert any(each.valid for each in report.pointers if each.quote), text


@given(
    st.sampled_from(["TCH 3-15a", "TCH 3-15b", "TCH 3-16a"]),
    st.integers(-3, 40),
    st.integers(-3, 40),
    st.lists(st.sampled_from(KNOTS.split()), min_size=1, max_size=9).map(" ".join),
)
def test_a_pointer_holds_only_when_row_lines_and_words_agree(
    code: str, start: int, end: int, quote: str
) -> None:
    quote = quote.replace('"', "")
    row = outcome(code, knots())
    (checked,) = check(
        f'[{code}]({PATH}#L{max(start, 0)}-L{max(end, 0)}) "{quote}"', knots()
    ).pointers
    if checked.valid:
        assert row.start <= start <= end <= row.end
        assert plain_words(quote).strip(" .,;:!?'-") in plain_words(row.about)
        assert len(quote.split()) >= 3


@given(st.text(max_size=80), st.text(max_size=30))
def test_words_are_found_whole_and_wherever_they_were_taken_from(text: str, other: str) -> None:
    words = plain_words(text).split()
    for at in range(len(words)):
        assert says(" ".join(words), " ".join(words[at:]))
    assert not says(plain_words(text), "")
    assert says(f"{plain_words(other)} {' '.join(words)}", " ".join(words)) or not words


@given(st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_line_ends_and_marks_at_the_beginning_do_not_move_lines(end: str, mark: bool) -> None:
    text = ("\ufeff" if mark else "") + KNOTS.replace("\n", end)
    library = knots(text)
    cited = outcome("TCH 3-15b", knots())
    assert replace(outcome("TCH 3-15b", library)) == cited
    assert check(f"{cited.citation}{end}".replace("\n", end), library).ok


def test_long_lines_are_checked_in_time_that_grows_with_their_length() -> None:
    for piece in (
        "[TCH 3-15a](",
        '[TCH 3-15a](a#L1) "',
        '"',
        "[",
        "(edition ",
        "CfE outcome ",
        "# h\n",
    ):
        assert check(piece * 10_000, knots()) is not None
