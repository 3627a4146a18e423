"""Sentences with blanks as Anki writes them: `{{c1::Paris::city}} is in {{c2::France}}`.

The number says which blanks are asked together, the part after the second `::` is a hint. Blanks
may stand inside blanks, and one blank may have several numbers: `{{c1,3::…}}`.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_TOKENS = re.compile(r"(\{\{c\d[\d,]{0,20}::|\}\}|::)")
_DEEPEST = 20
"""How far blanks stand inside blanks; deeper ones are text, for each holds its inner ones again."""


class Side(NamedTuple):
    """A sentence with some blanks open, and what belongs into them."""

    question: str
    answers: tuple[str, ...]


@dataclass(slots=True)
class _Open:
    """A blank whose end was not seen yet; the outermost is the sentence itself."""

    mark: str = ""
    answer: list[str] = field(default_factory=list)
    hint: list[str] | None = None

    def add(self, text: str) -> None:
        (self.answer if self.hint is None else self.hint).append(text)

    @property
    def numbers(self) -> set[int]:
        return {int(number) for number in re.findall(r"\d+", self.mark) if 0 < int(number) < 1000}


def blank_numbers(text: str) -> tuple[int, ...]:
    """The numbers of the blanks, each once, in order."""
    return tuple(sorted(_read(text, None)[1]))


def ask(text: str, number: int, *, shown: str | None = None) -> Side:
    """The sentence with the blanks of one number left open and all others filled in.

    A blank is seen as its hint in brackets, or as `shown`.
    """
    return _read(text, number, shown)[0]


def _read(text: str, asked: int | None, shown: str | None = None) -> tuple[Side, set[int]]:
    stack, numbers, answers = [_Open()], set[int](), list[str]()
    for token in _TOKENS.split(text):
        top = stack[-1]
        if token.startswith("{{c") and token.endswith("::") and len(stack) <= _DEEPEST:
            stack.append(_Open(token))
        elif token == "}}" and len(stack) > 1:
            stack.pop()
            numbers |= top.numbers if top.answer != [""] else set()
            if asked in top.numbers:
                answers.append("".join(top.answer))
                stack[-1].add(shown or f"[{''.join(top.hint or ()) or '...'}]")
            else:
                stack[-1].add("".join(top.answer))
        elif token == "::" and len(stack) > 1 and top.hint is None:
            top.hint = []
        else:
            top.add(token)
    while len(stack) > 1:  # the end of a blank is missing, so it was only text
        rest = stack.pop()
        hint = "" if rest.hint is None else f"::{''.join(rest.hint)}"
        stack[-1].add(f"{rest.mark}{''.join(rest.answer)}{hint}")
    return Side("".join(stack[0].answer), tuple(answers)), numbers
