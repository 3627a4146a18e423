from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from paige.base.tokens import count_tokens_bound
from paige.memory.lifecycle.summaries import (
    Passage,
    SummaryInputs,
    details_of,
    extract_summary,
    summarise,
    why_not,
)
from tests.memory.life import LIFE, NOON


def inputs(*texts: str, **changes: float) -> SummaryInputs:
    passages = tuple(
        Passage(id=f"e{place}", text=text, at=NOON + timedelta(minutes=place), importance=0.5)
        for place, text in enumerate(texts)
    )
    thresholds = LIFE.summary
    if changes:
        thresholds = type(thresholds)(
            **{
                name: changes.get(name, getattr(thresholds, name))
                for name in thresholds.__dataclass_fields__
            }
        )
    return SummaryInputs(passages, thresholds)


TALK = (
    "The build of the parser failed again. We looked at the parser for a while.",
    "Hello! How are you?",
    "The parser fails because the grammar file was saved with tabs.",
    "Ada Lovelace fixed the grammar on 12 March 2026. It took 3 hours.",
    "Thanks, great.",
    "The parser works now, all 214 tests of the parser pass.",
)


def test_the_sentences_that_carry_the_talk_are_kept_in_their_order() -> None:
    text = extract_summary(inputs(*TALK, most_sentences=3))
    assert len(text.splitlines()) == 3
    assert "Hello" not in text
    assert "Thanks" not in text
    assert text.index("Ada Lovelace") < text.index("214 tests")


def test_names_numbers_and_dates_are_kept() -> None:
    text = extract_summary(inputs(*TALK, most_sentences=4))
    for detail in ("Ada Lovelace", "12 March 2026", "214"):
        assert detail in text


def test_an_important_memory_is_kept_before_a_chatty_one() -> None:
    long_talk = ["We talked about the weather and the bus and the weather."] * 8
    given_inputs = inputs(*long_talk, "Peanuts are dangerous for one pupil.", most_sentences=1)
    last = given_inputs.passages[-1]
    important = Passage(id=last.id, text=last.text, at=last.at, importance=1.0)
    passages = (
        *(
            Passage(id=p.id, text=p.text, at=p.at, importance=0.1)
            for p in given_inputs.passages[:2]
        ),
        important,
    )
    text = extract_summary(SummaryInputs(passages, given_inputs.thresholds))
    assert text == "Peanuts are dangerous for one pupil."


def test_what_repeats_is_said_once() -> None:
    text = extract_summary(inputs(*["The server runs on port 8000."] * 5))
    assert text == "The server runs on port 8000."


def test_who_said_it_stays_with_it() -> None:
    passage = Passage(id="e1", text="I moved to Lyon.", at=NOON, speaker="Caroline")
    assert extract_summary(SummaryInputs((passage,), LIFE.summary)) == "Caroline: I moved to Lyon."


def test_a_capital_at_the_start_of_a_sentence_is_no_name() -> None:
    assert details_of("Yesterday we met Ada Lovelace in Paris on 3 May.") == {
        "Ada Lovelace",
        "Paris",
        "May",
        "3",
    }


@given(st.lists(st.text(max_size=300), max_size=12), st.integers(5, 120))
def test_a_summary_never_exceeds_its_length(texts: list[str], most: int) -> None:
    text = extract_summary(inputs(*texts, most_tokens=most))
    assert count_tokens_bound(text) <= most


@given(st.lists(st.sampled_from(TALK), min_size=1, max_size=12))
def test_an_extract_has_only_words_that_were_written(texts: list[str]) -> None:
    text = extract_summary(inputs(*texts))
    assert all(any(line in " ".join(each.split()) for each in texts) for line in text.splitlines())


def test_a_models_summary_is_taken_when_it_keeps_to_the_facts() -> None:
    summary = summarise(inputs(*TALK), lambda _: "Ada fixed the grammar; 214 tests pass.")
    assert (summary.method, summary.text) == ("model", "Ada fixed the grammar; 214 tests pass.")


def test_a_models_summary_with_invented_numbers_is_not_taken() -> None:
    summary = summarise(inputs(*TALK), lambda _: "Ada fixed it; 215 tests pass.")
    assert summary.method == "extract"
    assert "215" in summary.reason


def test_an_empty_or_too_long_summary_of_a_model_is_not_taken() -> None:
    assert summarise(inputs(*TALK), lambda _: None).method == "extract"
    assert "tokens" in (why_not("word " * 900, inputs(*TALK)) or "")
