"""Questions of a run, shown to and answered by someone at a terminal."""

import io

import pytest

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
)
from paige.doors.frame.console import Console, visible
from paige.doors.plan.cli_agent_runs import ask_person

ACCEPT = Option("accept", "Accept")
REVISE = Option("revise", "Revise", wants_text=True)


def answered(interaction: Interaction, *typed: str) -> tuple[Reply, str]:
    """What comes of typing some lines, and what is on the screen then."""
    screen, lines = io.StringIO(), list(typed)

    def read(prompt: str) -> str:
        screen.write(prompt)
        if not lines:
            raise EOFError
        return lines.pop(0)

    reply = ask_person(interaction, Console(read, io.StringIO(), screen, interactive=True))
    assert lines == []
    return reply, screen.getvalue()


def test_questions_are_answered_in_words_and_an_empty_answer_counts() -> None:
    asked = Questions("Before you judge", ("What fits?", "What is missing?"), text="Think first.")

    reply, screen = answered(asked, " The starter ", "")

    assert reply == Reply(texts=("The starter", ""))
    assert "Before you judge\nThink first.\n  1. What fits?" in screen


def test_a_choice_is_made_by_number_or_name_and_may_carry_words() -> None:
    asked = Choices("Go on?", (ACCEPT, REVISE))

    assert answered(asked, "1")[0] == Reply(picked={"": PickedOption("accept")})
    assert answered(asked, "ACCEPT")[0] == Reply(picked={"": PickedOption("accept")})
    assert answered(Choices("Which?", (Option("3B", "3B"),)), "3b")[0].option == "3B"
    assert answered(asked, "1 with joy")[0] == Reply(
        picked={"": PickedOption("accept", "with joy")}
    )
    assert answered(asked, "2 shorter")[0] == Reply(picked={"": PickedOption("revise", "shorter")})


@pytest.mark.parametrize("wrong", ["", "0", "3", "-1", "99999999999", "²", "perhaps"])
def test_what_is_no_option_is_asked_again(wrong: str) -> None:
    reply, screen = answered(Choices("Go on?", (ACCEPT, REVISE)), wrong, "1")

    assert reply.option == "accept"
    assert f"`{wrong}` is none of 1 to 2." in screen


def test_an_option_that_needs_words_asks_for_them_until_there_are_some() -> None:
    reply, screen = answered(Choices("Go on?", (ACCEPT, REVISE)), "2", " ", "shorter")

    assert reply.picked[""] == PickedOption("revise", "shorter")
    assert screen.count("Revise: say how.") == 2


def test_a_text_ends_with_an_empty_line_and_nothing_keeps_what_was_there() -> None:
    asked = FreeText("Your note", initial="Old words.")

    assert answered(asked, "New", "words.", "")[0].text == "New\nwords."
    assert answered(asked, "")[0].text == "Old words."


def test_every_section_gets_its_own_decision() -> None:
    asked = Sections(
        "Judge the lesson",
        (Section("s1", "Starter", "Five minutes."), Section("s2", "Main", "Recursion.")),
        (ACCEPT, REVISE),
    )

    reply, screen = answered(asked, "1", "2 more examples")

    assert reply.picked == {
        "s1": PickedOption("accept"),
        "s2": PickedOption("revise", "more examples"),
    }
    assert "[1/2] Starter\n    Five minutes.\n[2/2] Main" in screen
    assert "Revise (and say how)" in screen


def test_one_decision_may_hold_for_every_section_that_is_left() -> None:
    sections = tuple(Section(f"s{number}", f"Part {number}", "Words.") for number in range(1, 5))
    asked = Sections("Judge the lesson", sections, (ACCEPT, REVISE))

    reply, screen = answered(asked, "2 shorter", "1*")

    rest = dict.fromkeys(("s2", "s3", "s4"), PickedOption("accept"))
    assert reply.picked == {"s1": PickedOption("revise", "shorter"), **rest}
    assert "`1*` means 1 for this section and every one that is left." in screen


def test_nobody_there_is_not_an_answer() -> None:
    with pytest.raises(EOFError):
        answered(Choices("Go on?", (ACCEPT,)))


def test_what_is_shown_cannot_steer_the_terminal() -> None:
    _, screen = answered(Choices("\x1b[2JGo on?", (ACCEPT,), text="a\rb\x9b1m"), "1")

    assert "\x1b" not in screen
    assert visible("a\tb\nc\r") == "a\tb\nc�"
