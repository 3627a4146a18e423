"""Answers that are numbers or formulas: written, said in words, or pointed at."""

import re
from collections.abc import Iterator
from fractions import Fraction

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.giveaways import gap_is_filled, is_given
from paige.exercise.disclosure.key import Form
from paige.exercise.disclosure.numbers import numbers_in, writings
from paige.language.words import runs as words

_SMALL = 12  # numbers up to this turn up anywhere


def numbered(form: Form, case: Case) -> Iterator[Finding]:
    """A number in figures or in words."""
    value = form.number
    if value is None:
        return
    small = value.denominator == 1 and 0 <= value <= _SMALL
    if small or value in numbers_in(case.question.folded):
        if any(is_given(writing, case.reply) for writing in _plain(value)):
            yield Finding("number", 4, "The reply points at the answer")
        elif any(
            gap_is_filled(case.question.folded, writing, case.reply.line)
            for writing in _plain(value)
        ):
            yield Finding("number", 4, "The reply fills the gap of the question")
        elif _is_rewritten(value, case):
            yield Finding("number", 4, "The reply contains the answer")
    elif _is_there(value, case.reply):
        yield Finding("number", 4, "The reply contains the answer, in figures or in words")


def _is_rewritten(value: Fraction, case: Case) -> bool:
    """A fraction asked for a decimal, or a decimal for a fraction, in the new writing."""
    if value.denominator == 1:
        return False
    new = [each for each in writings(value) if not _stands_alone(each, case.question.folded)]
    return any(_stands_alone(each, case.reply.folded) for each in new if not each.endswith("%"))


def _plain(value: Fraction) -> list[str]:
    return [" ".join(words(writing)) for writing in writings(value)]


def _is_there(value: Fraction, said: Said) -> bool:
    if value in numbers_in(said.folded):
        return True
    return any(f" {plain} " in said.line for plain in _plain(value) if not plain.isdigit()) or any(
        _stands_alone(writing, said.folded) for writing in writings(value)
    )


def gave_number(value: Fraction, said: Said) -> bool:
    """Whether someone said a number themself, in figures or in words."""
    if value.denominator != 1:  # 75/100 is not yet 3/4
        return any(_stands_alone(writing, said.folded) for writing in writings(value))
    if value in numbers_in(said.folded):
        return True
    return any(f" {plain} " in said.line for plain in _plain(value))


def _stands_alone(writing: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w./]){re.escape(writing)}(?![\w/]|\.\d)", text))


def formulated(form: Form, case: Case) -> Iterator[Finding]:
    """A formula as it is, or with its terms in another order."""
    if form.kind != "formula":
        return
    exact = _compact(_side(form.raw))
    if len(exact) < 2:
        if is_given(exact, case.reply):
            yield Finding("formula", 4, "The reply points at the answer")
        return
    asked = {
        _compact(chunk) for said in (case.question, *case.learner) for chunk in _formulas(said)
    }
    for chunk in _formulas(case.reply):
        compact = _compact(chunk)
        if compact in asked and exact not in asked:
            continue
        if exact in compact or sorted(compact) == sorted(exact):
            yield Finding("formula", 4, "The reply contains the answer as a formula")
            return


def _side(text: str) -> str:
    sides = text.casefold().split("=")
    return sides[-1] if len(sides) == 2 and len(sides[0].strip()) == 1 else text.casefold()


def _formulas(said: Said) -> list[str]:
    found: list[str] = []
    for piece in re.split(r"[=,;:?!\"`]|\.(?:\s|$)|\s(?=[a-z]{2})|(?<=[a-z]{2})\s", said.folded):
        text = re.sub(r"[a-z]{2,}", " ", piece).strip()
        if re.search(r"[-+*/^(]|\d[a-z]", text) and re.search(r"[a-z]", text):
            found.append(text)
    return found


def _compact(text: str) -> str:
    return re.sub(r"\s|(?<!\*)\*(?!\*)|\.$", "", text.casefold().replace("**", "^"))


def worked(case: Case) -> Iterator[Finding]:
    """A step of the solution done for the learner: an equation made of the question's own signs."""
    unknowns = set(re.findall(r"(?<![a-z])([a-z])(?![a-z'])", case.question.folded))
    unknowns -= {"a", "i", "s"}
    if not unknowns or "=" not in case.question.folded:
        return
    known = _equations(case.question).union(*(_equations(said) for said in case.learner))
    for equation in _equations(case.reply) - known:
        if unknowns & set(re.findall(r"[a-z]", equation)) and re.search(r"=-?\d", equation):
            yield Finding("worked", 3, "The reply does a step of the solution")
            return


def _equations(said: Said) -> frozenset[str]:
    found = re.findall(r"[\da-z+*/^().\- ]{0,200}=\s{0,20}-?[\d.+*/() x-]{0,200}\d", said.folded)
    return frozenset(_compact(re.sub(r"[a-z]{2,}", "", each)) for each in found)
