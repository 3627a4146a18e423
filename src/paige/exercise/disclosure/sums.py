"""Answers that are numbers or formulas: written, said, worked out, or one keystroke away."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.key import Form
from paige.exercise.disclosure.letters import words
from paige.exercise.disclosure.numbers import (
    Sum,
    evaluate,
    numbers_in,
    sums,
    with_figures,
    writings,
)
from paige.exercise.disclosure.pointing import gap_is_filled, is_given

_SMALL = 12  # numbers up to this turn up anywhere
_DIGITS = re.compile(
    r"(?:digits?|figures?|tens?|units?|ones|hundreds?|place|thousands?)(?:'s)?(?: (?:digit|place"
    r"|figure|column))?"
    r"(?: (?:is|are|has|holds|has a|is a|gets|of))?[\s:]+(?:an? )?(\d)\b"
    r"|\b(\d) (?:tens|units|ones|hundreds|thousands|in the (?:tens|units|ones|hundreds))\b"
)


def numbered(form: Form, case: Case) -> Iterator[Finding]:
    """A number in any writing, or arithmetic that comes to it."""
    value = form.number
    if value is None:
        return
    if _is_small(value) or _asked_about(value, case.question):
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
    yield from _digit_by_digit(value, case)
    if _checks(value, case):
        yield Finding("sum", 4, "The reply checks the answer in a sum")
    if _comes_to(value, case):
        yield Finding("sum", 4, "The reply holds a sum that only needs to be worked out")


def _is_rewritten(value: Fraction, case: Case) -> bool:
    """A fraction asked for a decimal, or a decimal for a fraction, in the new writing."""
    if value.denominator == 1:
        return False
    new = [each for each in writings(value) if not _stands_alone(each, case.question.folded)]
    return any(_stands_alone(each, case.reply.folded) for each in new if not each.endswith("%"))


def _is_small(value: Fraction) -> bool:
    return value.denominator == 1 and 0 <= value <= _SMALL


def _asked_about(value: Fraction, question: Said) -> bool:
    return any(found == value for found, _, _ in numbers_in(question.folded))


def _plain(value: Fraction) -> list[str]:
    return [" ".join(words(writing)) for writing in writings(value)]


def _is_there(value: Fraction, said: Said) -> bool:
    if any(found == value for found, _, _ in numbers_in(said.folded)):
        return True
    line = said.line
    return any(
        f" {plain} " in line for plain in _plain(value) if len(plain) > 1 and not plain.isdigit()
    ) or _figures_there(value, said)


def _figures_there(value: Fraction, said: Said) -> bool:
    if value.denominator != 1 or value < 0:
        share = re.escape(f"{float(value * 100):.10g}")
        return bool(re.search(rf"(?<![\d.]){share} ?(?:%|percent|per cent)", said.folded))
    if 1000 < value < 2100 and re.search(rf"'{int(value) % 100:02d}\b", said.folded):
        return True
    writing = str(int(value))
    spaced = rf"(?<!\d)(?<!\d[.,]){r'[ ,.-]{0,2}'.join(writing)}(?!\d)"
    found = re.search(spaced, said.folded)
    return bool(found) or f" {bin(int(value))[2:]} " in said.line


def gave_number(value: Fraction, said: Said) -> bool:
    """Whether someone said a number themself, in any writing."""
    if value.denominator != 1:  # 75/100 is not yet 3/4
        return any(_stands_alone(writing, said.folded) for writing in writings(value))
    if any(found == value for found, _, _ in numbers_in(said.folded)):
        return True
    return any(f" {plain} " in said.line for plain in _plain(value))


def _stands_alone(writing: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w./]){re.escape(writing)}(?![\w/]|\.\d)", text))


def _digit_by_digit(value: Fraction, case: Case) -> Iterator[Finding]:
    if value.denominator != 1 or abs(value) < 10:
        return
    wanted = str(abs(int(value)))
    now = _digits(case.reply)
    before = "".join(_digits(said) for said in case.tutor)
    told = [now, before + now] if now else []
    if any(wanted in digits or wanted[::-1] in digits for digits in told):
        yield Finding("number", 4, "The reply gives the answer digit by digit")


def _digits(said: Said) -> str:
    found = _DIGITS.findall(with_figures(said.folded))
    return "".join(one or two for one, two in found)


def _comes_to(value: Fraction, case: Case) -> bool:
    asked = sums(case.question.folded)
    known = {each.written for each in asked}
    known |= {each.written for said in case.learner for each in sums(said.folded)}
    whole = {each.numbers for each in asked if each.value == value}
    for each in sums(case.reply.folded):
        if abs(each.value - value) > Fraction(1, 10**6) or each.written in known:
            continue
        plain = value.denominator != 1 and re.fullmatch(r"\d+/\d+", each.written)
        if plain and _asked_about(value, case.question):
            continue  # the same number, on the way to its simplest form
        if each.numbers not in whole and (not _is_small(value) or _is_near(each, case)):
            return True
    return False


def _checks(value: Fraction, case: Case) -> bool:
    """A sum with the answer in it that comes to a number of the question: `9 * 9` for 81."""
    if value.denominator != 1 or value < 2:
        return False
    answer = str(int(value))
    asked = {found for found, _, _ in numbers_in(case.question.folded)}
    known = {str(int(each)) for each in asked if each.denominator == 1} - {answer}
    return any(
        answer in each.numbers and each.numbers - {answer} <= known and each.value in asked
        for each in sums(case.reply.folded)
        if each.value != value and len(each.written) > 2
    )


def _is_near(found: Sum, case: Case) -> bool:
    """Whether a sum has to do with the question; small numbers come out of many sums."""
    asked = set(re.findall(r"\d+(?:\.\d+)?", with_figures(case.question.folded)))
    return bool(found.numbers & asked) or len(case.reply.words) < 8


def formulated(form: Form, case: Case) -> Iterator[Finding]:
    """A formula as it is, with its terms in another order, or in an equal form."""
    if form.kind != "formula":
        return
    wanted = _side(form.raw)
    exact = _compact(wanted)
    if len(exact) < 2:
        if is_given(exact, case.reply):
            yield Finding("formula", 4, "The reply points at the answer")
        return
    value = _value(wanted)
    asked = {_compact(chunk) for chunk in _formulas(case.question)}
    asked |= {_compact(chunk) for said in case.learner for chunk in _formulas(said)}
    rewriting = value is not None and any(
        _value(chunk) == value for chunk in _formulas(case.question)
    )
    for chunk in _formulas(case.reply):
        compact = _compact(chunk)
        if rewriting and compact not in asked and _value(chunk) == value:
            yield Finding("worked", 3, "The reply does a step of the solution")
        if compact in asked and exact not in asked:
            continue
        same = exact in compact or sorted(compact) == sorted(exact)
        if same or (not rewriting and value is not None and _value(chunk) == value):
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


@lru_cache(maxsize=2048)
def _value(text: str) -> tuple[Fraction, ...] | None:
    """What a formula comes to at two points: equal values mean an equal formula."""
    signs = sorted(set(re.findall(r"[a-z]", text)))
    if not signs or re.search(r"[a-z]{3,}", text):
        return None
    values: list[Fraction] = []
    for shift in (3, 10):
        plain = text.replace("^", "**")
        plain = re.sub(r"(?<=[\da-z)])\s*(?=[a-z(])", "*", plain)
        for at, sign in enumerate(signs):
            plain = plain.replace(sign, f"({shift + 4 * at + 2})")
        plain = re.sub(r"\)\s*(?=\()|(?<=\d)\s*(?=\()", lambda match: match[0] + "*", plain)
        found = evaluate(plain)
        if found is None:
            return None
        values.append(found)
    return tuple(values)


def worked(case: Case) -> Iterator[Finding]:
    """A step of the solution done for the learner: an equation made of the question's own signs."""
    unknowns = set(re.findall(r"(?<![a-z])([a-z])(?![a-z'])", case.question.folded)) - {
        "a",
        "i",
        "s",
    }
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
