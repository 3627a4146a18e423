"""Shows a question of a run in the terminal and reads the answer."""

from collections.abc import Callable
from typing import assert_never

from paige.agent.interactions import (
    Choices,
    FreeText,
    Interaction,
    Option,
    Picked,
    Questions,
    Reply,
    Section,
    Sections,
    check_reply,
)
from paige.base.errors import BadInput
from paige.doors.frame.console import Console

ANSWER = "> "
FOR_ALL = "*"
"""Behind a number: the same for every section that is left."""


def ask_person(interaction: Interaction, console: Console) -> Reply:
    """Ask until the answer fits. Raises: EOFError when there is nobody to answer."""
    show_question(interaction, console.say)
    while True:
        reply = _answer(interaction, console)
        try:
            check_reply(interaction, reply)
        except BadInput as error:
            console.say(f"{error.message}. {error.hint or ''}".rstrip())
        else:
            return reply


def show_question(interaction: Interaction, say: Callable[[str], None]) -> None:
    """The question with everything that is needed to answer it."""
    say("")
    say(interaction.title)
    if interaction.text.strip():
        say(interaction.text.strip())
    match interaction:
        case Questions(questions=questions):
            for number, question in enumerate(questions, 1):
                say(f"  {number}. {question}")
        case Choices(options=options):
            _show_options(options, say)
        case FreeText(initial=initial):
            if initial.strip():
                say(_indented(initial))
        case Sections(sections=sections, options=options):
            for number, section in enumerate(sections, 1):
                say(f"[{number}/{len(sections)}] {section.title}")
                say(_indented(section.text))
            _show_options(options, say)
            say(f"`1{FOR_ALL}` means 1 for this section and every one that is left.")
        case _:
            assert_never(interaction)


def _answer(interaction: Interaction, console: Console) -> Reply:
    match interaction:
        case Questions(questions=questions):
            return Reply(texts=tuple(_question(text, console) for text in questions))
        case Choices(options=options):
            return Reply(picked={"": _pick(options, console, ANSWER)[0]})
        case FreeText(initial=initial):
            return Reply(texts=(_text(initial, console),))
        case Sections(sections=sections, options=options):
            return Reply(picked=_pick_each(sections, options, console))
        case _:
            assert_never(interaction)


def _question(question: str, console: Console) -> str:
    console.say(question)
    return console.read(ANSWER).strip()


def _text(initial: str, console: Console) -> str:
    keep = " Nothing at all keeps the text above." if initial.strip() else ""
    console.say(f"Write the text and end it with an empty line.{keep}")
    lines: list[str] = []
    while line := console.read(ANSWER).rstrip():
        lines.append(line)
    return "\n".join(lines) or initial


def _pick_each(
    sections: tuple[Section, ...], options: tuple[Option, ...], console: Console
) -> dict[str, Picked]:
    """A decision on every section; a lesson has a dozen, so one may hold for all that are left."""
    picked: dict[str, Picked] = {}
    for section in sections:
        if section.id not in picked:
            chosen, for_all = _pick(options, console, f"{section.title} {ANSWER}")
            left = [each.id for each in sections if each.id not in picked]
            picked |= dict.fromkeys(left if for_all else left[:1], chosen)
    return picked


def _pick(options: tuple[Option, ...], console: Console, prompt: str) -> tuple[Picked, bool]:
    """One option by its number or its name, perhaps followed by words; whether it is for all."""
    while True:
        first, _, words = console.read(prompt).strip().partition(" ")
        option = _find(options, first.removesuffix(FOR_ALL))
        if option is None:
            console.say(f"`{first}` is none of 1 to {len(options)}.")
            continue
        words = words.strip()
        while option.wants_text and not words:
            console.say(f"{option.label}: say how.")
            words = console.read(ANSWER).strip()
        return Picked(option.id, words), first.endswith(FOR_ALL)


def _find(options: tuple[Option, ...], word: str) -> Option | None:
    if word.isdecimal():
        number = int(word) if len(word) < 5 else 0
        return options[number - 1] if 1 <= number <= len(options) else None
    return next((option for option in options if option.id.lower() == word.lower()), None)


def _show_options(options: tuple[Option, ...], say: Callable[[str], None]) -> None:
    for number, option in enumerate(options, 1):
        say(f"  {number}  {option.label}{' (and say how)' if option.wants_text else ''}")
    say("Answer with a number; words after it are kept.")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())
