"""Which kind of error a wrong answer shows, by rules that can be read.

A rule that does not apply says nothing, and when none applies the answer is `None`: no name is
made up, and none is given for want of a better one.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import OSA, Postfix, Prefix

from paige.base import python_source
from paige.exercise.taxonomy.names import signs
from paige.exercise.values import Domain
from paige.language.words import fold, words

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_CAUSES = re.compile(
    r"\b(?:causes?|caused|leads? to|led to|results? in|produces?|makes?|brings? about)\b", re.I
)
_RELATES = re.compile(
    r"\b(?:is part of|contains?|consists? of|belongs? to|is an?|are|before|after|depends? on|"
    r"inherits? from|calls|includes?|(?:larger|greater|smaller|less|faster|slower) than)\b",
    re.I,
)
_COMPARISONS = ({"<", "<="}, {">", ">="})


def is_slip(written: str, meant: str) -> bool:
    """Whether a text is another one misspelt: one slip in a short word, more in a long text."""
    if not written or not meant or written.casefold() == meant.casefold():
        return False
    one, other = fold(written), fold(meant)
    longest = max(len(one), len(other))
    if longest > 200 or abs(len(one) - len(other)) > longest // 4:
        return False
    if one == other:
        return True  # only accents are missing
    allowed = 0 if longest < 4 else 1 if longest < 6 else max(2, longest // 6)
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed


class Detection(NamedTuple):
    """A name of the taxonomy, and one sentence for the learner."""

    error_type: str
    note: str


@dataclass(frozen=True, slots=True)
class _Case:
    question: str
    expected: tuple[str, ...]
    actual: str
    others: tuple[str, ...]  # answers to other questions of the same exercise

    @property
    def written(self) -> list[str]:
        return _words(self.actual)


def detect_error(
    domain: Domain,
    question: str,
    expected: str | None,
    actual: str | None,
    others: tuple[str, ...] = (),
) -> Detection | None:
    """The kind of error in a wrong answer, and a note; nothing when it cannot be told.

    `others` are the answers to other questions of the same exercise.
    """
    if not (expected or "").strip() or not (actual or "").strip():
        return None
    accepted = tuple(each.strip() for each in (expected or "").split(" / ") if each.strip())
    case = _Case(question, accepted, (actual or "").strip(), others)
    # In code every mark counts, only spaces do not.
    code = domain == "technical"
    if any(
        case.actual.split() == each.split() if code else _same(case.actual, each)
        for each in accepted
    ):
        return None
    for rule in _RULES[domain]:
        if found := rule(case):
            return found
    return None


def _words(text: str) -> list[str]:
    return words(text.casefold())


def _same(one: str, other: str) -> bool:
    return _words(one) == _words(other) and bool(_words(one))


def _confusion(case: _Case) -> Detection | None:
    for other in case.others:
        # Letters of a matching section are answers too, but nobody confuses words with them.
        if len(other.strip()) > 1 and _same(case.actual, other):
            return Detection(
                "vocabulary_confusion", f"\u201c{other}\u201d answers another question here."
            )
    return None


def _word_order(case: _Case) -> Detection | None:
    for each in case.expected:
        meant = _words(each)
        if len(meant) > 1 and meant != case.written and Counter(meant) == Counter(case.written):
            return Detection("word_order", "The words are right; their order is not.")
    return None


def _form(case: _Case) -> Detection | None:
    """One word with another beginning or ending, everything else the same."""
    for each in case.expected:
        meant = _words(each)
        if len(meant) != len(case.written):
            continue
        pairs = [(a, b) for a, b in zip(case.written, meant, strict=True) if a != b]
        if len(pairs) == 1 and (found := _affix(*pairs[0])):
            return found
    return None


def _affix(written: str, meant: str) -> Detection | None:
    lists = signs("language")
    stem = written[: Prefix.similarity(written, meant)]
    if len(stem) >= 3:
        ends = {written[len(stem) :], meant[len(stem) :]}
        if ends <= lists["inflections"] | {""}:
            return Detection(
                "grammar_pattern", f"The word is right, its form is not: \u201c{meant}\u201d."
            )
        if ends <= lists["suffixes"] | {""}:
            return Detection("affix_error", f"The ending differs: \u201c{meant}\u201d.")
    base = written[len(written) - Postfix.similarity(written, meant) :]
    if len(base) >= 3:
        starts = {written[: len(written) - len(base)], meant[: len(meant) - len(base)]}
        if starts <= lists["prefixes"] | {""}:
            return Detection("affix_error", f"The beginning differs: \u201c{meant}\u201d.")
    return None


def _spelling(case: _Case) -> Detection | None:
    for each in case.expected:
        if is_slip(case.actual, each):
            if fold(case.actual) == fold(each):
                return Detection("spelling", f"Mind the accents: \u201c{each}\u201d.")
            return Detection("spelling", f"It is spelt \u201c{each}\u201d.")
    return None


def _grammar(case: _Case) -> Detection | None:
    """Only small words are missing, or too many."""
    small = signs("language")["function_words"]
    for each in case.expected:
        meant, written = Counter(_words(each)), Counter(case.written)
        differ = (meant - written) + (written - meant)
        if differ and set(differ) <= small and sum((meant & written).values()) > 0:
            named = ", ".join(f"\u201c{word}\u201d" for word in sorted(differ))
            return Detection("grammar_pattern", f"Look at the small words again: {named}.")
    return None


def _off_by_one(case: _Case) -> Detection | None:
    for each in case.expected:
        meant, written = _NUMBER.findall(each), _NUMBER.findall(case.actual)
        around = _NUMBER.sub("#", each).split() == _NUMBER.sub("#", case.actual).split()
        gaps = [float(a) - float(b) for a, b in zip(meant, written, strict=False) if a != b]
        if around and len(meant) == len(written) and len(gaps) == 1 and abs(gaps[0]) == 1.0:
            return Detection("off_by_one", f"You are off by one: {each}.")
        if _compared_otherwise(each, case.actual):
            return Detection("off_by_one", "The border belongs to the other side.")
    return None


def _compared_otherwise(one: str, other: str) -> bool:
    signs_ = [re.findall(r"[<>]=?", text) for text in (one, other)]
    bare = [re.sub(r"[<>]=?|\s", "", text) for text in (one, other)]
    if bare[0] != bare[1] or len(signs_[0]) != len(signs_[1]):
        return False
    differ = [{a, b} for a, b in zip(*signs_, strict=True) if a != b]
    return bool(differ) and all(pair in _COMPARISONS for pair in differ)


def _syntax(case: _Case) -> Detection | None:
    """Code was asked for, and what was written cannot be read as code."""
    coded = [each for each in case.expected if re.search(r"[(\[{=]", each) and _parses(each)]
    if coded and re.search(r"[(\[{=:]", case.actual) and not _parses(case.actual):
        return Detection("syntax_error", f"This cannot be read as code; compare `{coded[0]}`.")
    return None


def _parses(text: str) -> bool:
    try:
        python_source.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _correlation(case: _Case) -> Detection | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    causal = lists["causal"] & set(case.written)
    denied = {"not", "no", "n't", "doesn't"} & set(case.written)
    if causal and not denied and meant & lists["correlating"]:
        return Detection(
            "correlation_causation", "They happen together; that does not make one the cause."
        )
    return None


def _causal(case: _Case) -> Detection | None:
    for each in case.expected:
        if _turned_round(_CAUSES, each, case.actual):
            return Detection("causal_error", "Cause and effect are the other way round.")
    return None


def _relationship(case: _Case) -> Detection | None:
    for each in case.expected:
        if _turned_round(_RELATES, each, case.actual):
            return Detection("relationship_confusion", "It is the other way round.")
    for other in case.others:
        if len(other.strip()) > 1 and _same(case.actual, other):
            return Detection(
                "relationship_confusion", f"\u201c{other}\u201d belongs to another question here."
            )
    return None


def _turned_round(verb: re.Pattern[str], meant: str, written: str) -> bool:
    """Whether the two sides of a verb have changed places."""
    first, second = verb.search(meant), verb.search(written)
    if not first or not second or first[0].casefold()[:4] != second[0].casefold()[:4]:
        return False
    left, right = set(_words(meant[: first.start()])), set(_words(meant[first.end() :]))
    other_left = set(_words(written[: second.start()]))
    other_right = set(_words(written[second.end() :]))
    crossed = len((left - right) & other_right) + len((right - left) & other_left)
    straight = len((left - right) & other_left) + len((right - left) & other_right)
    return crossed >= 2 and crossed > straight


def _overgeneral(case: _Case) -> Detection | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    strong = lists["absolutes"] & set(case.written)
    if strong and not (lists["absolutes"] & meant) and (lists["hedges"] & meant):
        word = sorted(strong)[0]
        return Detection("overgeneralization", f"\u201c{word}\u201d says too much here.")
    return None


def _undergeneral(case: _Case) -> Detection | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    narrow = lists["narrowing"] & set(case.written)
    if narrow and not (lists["narrowing"] & meant) and (lists["widening"] & meant):
        word = sorted(narrow)[0]
        return Detection("undergeneralization", f"\u201c{word}\u201d says too little here.")
    return None


def _definition(case: _Case) -> Detection | None:
    asked = set(_words(case.question)) & signs("conceptual")["defining"]
    meant = [set(_words(each)) for each in case.expected if len(_words(each)) >= 4]
    if not asked or not meant or len(case.written) < 3:
        return None
    overlap = max(len(each & set(case.written)) / len(each) for each in meant)
    if overlap < 0.5:
        return Detection("definition_error", "The definition misses what sets the thing apart.")
    return None


_Rule = Callable[[_Case], Detection | None]
_LANGUAGE: tuple[_Rule, ...] = (*(_confusion, _word_order, _form, _spelling, _grammar),)
_TECHNICAL: tuple[_Rule, ...] = (_off_by_one, _syntax)
_CONCEPTUAL: tuple[_Rule, ...] = (
    *(_correlation, _causal, _relationship, _overgeneral, _undergeneral, _definition),
)
_RULES: dict[Domain, tuple[_Rule, ...]] = {
    "language": _LANGUAGE,
    "technical": _TECHNICAL,
    "conceptual": _CONCEPTUAL,
    "interview": (*_CONCEPTUAL, *_TECHNICAL),
}
