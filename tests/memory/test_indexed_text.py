from hypothesis import given
from hypothesis import strategies as st

from paige.memory.retrieval.indexed_text import TOLD_MOST, indexed_text, length_of, told_of


def test_a_plain_text_is_indexed_as_it_is() -> None:
    assert indexed_text("The bus was late.") == "The bus was late."


def test_the_parts_of_a_joined_name_are_found_too() -> None:
    indexed = indexed_text("Call readQuestion first")
    assert indexed.split() == ["Call", "readQuestion", "first", "read", "Question"]


def test_length_counts_words() -> None:
    assert length_of("It's late, isn't it?") == 6
    assert length_of("") == 0


def test_what_someone_says_of_themself_is_told() -> None:
    assert told_of("I moved to Lisbon. Nice weather!", "Ana") == 4


def test_questions_and_praise_are_not_told() -> None:
    assert told_of("Great work! Did I tell you?", "Ana") == 0


def test_a_note_that_nobody_speaks_is_all_telling() -> None:
    assert told_of("Class 2A meets on Monday", None) == TOLD_MOST
    assert told_of("Class 2A meets on Monday", "") == TOLD_MOST


@given(st.text(max_size=200), st.sampled_from([None, "Ana", "user"]))
def test_any_text_can_be_indexed(text: str, speaker: str | None) -> None:
    assert indexed_text(text).startswith(text)
    assert 0 <= told_of(text, speaker) <= TOLD_MOST
    assert length_of(text) >= 0
