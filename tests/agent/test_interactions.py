"""Questions and answers survive JSON; an answer that does not fit is refused in words."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from paige.agent.interactions import (
    Choices,
    FreeText,
    Interaction,
    Option,
    PickedOption,
    Questions,
    Reply,
    Section,
    Sections,
    automatic_reply,
    check_reply,
    dump_interaction,
    dump_reply,
    load_interaction,
    load_reply,
    picked,
)
from paige.base.errors import BadInput

YES_NO = Choices("Go on?", (Option("yes", "Yes"), Option("no", "No", wants_text=True)))
PLAN = Sections(
    "The plan",
    (Section("start", "Starter", "Quiz"), Section("main", "Main part", "Loops")),
    (Option("accept", "Accept"), Option("revise", "Revise", wants_text=True)),
)

words = st.text(max_size=20)
names = st.text(min_size=1, max_size=8)
options = st.lists(
    st.builds(Option, names, words, st.booleans()),
    min_size=1,
    max_size=4,
    unique_by=lambda option: option.id,
).map(tuple)
sections = st.lists(
    st.builds(Section, names, words, words),
    min_size=1,
    max_size=4,
    unique_by=lambda section: section.id,
).map(tuple)
interactions: st.SearchStrategy[Interaction] = st.one_of(
    st.builds(Questions, words, st.lists(words, max_size=4).map(tuple), words),
    st.builds(Choices, words, options, words),
    st.builds(FreeText, words, words, words),
    st.builds(Sections, words, sections, options, words),
)
replies = st.builds(
    Reply,
    picked=st.dictionaries(words, st.builds(PickedOption, words, words), max_size=4),
    texts=st.lists(words, max_size=4).map(tuple),
    auto=st.booleans(),
)


@given(interactions)
def test_every_question_survives_json(interaction: Interaction) -> None:
    stored = json.loads(json.dumps(dump_interaction(interaction)))

    assert load_interaction(stored) == interaction


@given(replies)
def test_every_answer_survives_json(reply: Reply) -> None:
    assert load_reply(json.loads(json.dumps(dump_reply(reply)))) == reply


@given(interactions)
def test_an_automatic_answer_always_fits_and_is_marked(interaction: Interaction) -> None:
    reply = automatic_reply(interaction)

    check_reply(interaction, reply)
    assert reply.auto


@given(interactions, replies)
def test_an_answer_that_is_not_refused_answers_what_was_asked(
    interaction: Interaction, reply: Reply
) -> None:
    with contextlib.suppress(BadInput):
        check_reply(interaction, reply)
        match interaction:
            case Questions(questions=asked):
                assert len(reply.texts) == len(asked)
            case FreeText():
                assert len(reply.texts) == 1
            case Choices(options=known):
                assert reply.option in {option.id for option in known}
            case Sections(sections=parts):
                assert set(reply.picked) == {part.id for part in parts}


def test_yes_to_all_takes_the_first_option_and_writes_nothing() -> None:
    assert automatic_reply(YES_NO) == Reply(picked={"": PickedOption("yes")}, auto=True)
    assert automatic_reply(PLAN) == Reply(
        picked={"start": PickedOption("accept"), "main": PickedOption("accept")}, auto=True
    )
    assert automatic_reply(Questions("How was it?", ("Good?", "Bad?"))) == Reply(
        texts=("", ""), auto=True
    )
    assert automatic_reply(FreeText("The note", initial="As it is")) == Reply(
        texts=("As it is",), auto=True
    )


@pytest.mark.parametrize(
    ("interaction", "reply", "said"),
    [
        (YES_NO, Reply(), "`the question` has no decision"),
        (YES_NO, Reply(texts=("yes",)), "`the question` has no decision"),
        (YES_NO, picked("perhaps"), "`perhaps` is not an option for `the question`"),
        (YES_NO, picked("no"), "`no` for `the question` needs some words"),
        (YES_NO, picked("no", "  \n"), "`no` for `the question` needs some words"),
        (
            YES_NO,
            Reply(picked={"": PickedOption("yes"), "main": PickedOption("yes")}),
            "Nothing was asked about `main`",
        ),
        (PLAN, Reply(picked={"start": PickedOption("accept")}), "`Main part` has no decision"),
        (
            PLAN,
            Reply(picked={"start": PickedOption("accept"), "main": PickedOption("revise")}),
            "`revise` for `Main part` needs some words",
        ),
        (
            PLAN,
            Reply(picked={name: PickedOption("accept") for name in ("start", "main", "end")}),
            "Nothing was asked about `end`",
        ),
        (
            Questions("Q", ("a", "b")),
            Reply(texts=("one",)),
            "2 answers are asked for, 1 were given",
        ),
        (Questions("Q", ("a",)), Reply(texts=("1", "2")), "1 answers are asked for, 2 were given"),
        (FreeText("T"), Reply(), "One text is asked for"),
        (FreeText("T"), Reply(texts=("a", "b")), "One text is asked for"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(
    interaction: Interaction, reply: Reply, said: str
) -> None:
    with pytest.raises(BadInput) as refused:
        check_reply(interaction, reply)

    assert refused.value.message == said


def test_a_refused_option_comes_with_those_there_are() -> None:
    with pytest.raises(BadInput) as refused:
        check_reply(YES_NO, picked("perhaps"))

    assert refused.value.hint == "Choose one of `yes`, `no`."


def test_an_empty_answer_to_a_question_is_an_answer() -> None:
    check_reply(Questions("Q", ("a", "b")), Reply(texts=("", "")))
    check_reply(FreeText("T"), Reply(texts=("",)))


def test_the_words_of_an_answer_are_those_of_its_choice_or_its_first_text() -> None:
    assert (picked("no", "too long").option, picked("no", "too long").text) == ("no", "too long")
    assert Reply(texts=("first", "second")).text == "first"
    assert Reply().text == ""


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("yes", "the answer"),
        ({"picked": {"": {"option": 3}}}, "picked"),
        ({"texts": [None]}, "texts.0"),
        ({"auto": "perhaps"}, "auto"),
        (None, "the answer"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(data: object, where: str) -> None:
    with pytest.raises(BadInput, match="cannot be used as an answer") as refused:
        load_reply(data)

    assert f"`{where}" in refused.value.message


def test_an_unknown_kind_of_question_is_not_guessed() -> None:
    with pytest.raises(ValidationError, match="kind"):
        load_interaction({"kind": "riddle", "title": "What?"})
