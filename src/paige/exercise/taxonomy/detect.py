"""Which kind of error a wrong answer shows, by rules that can be read.

A rule that does not apply says nothing, and when none applies the answer is `None`: no name is
made up, and none is given for want of a better one.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from paige.base import python_source
from paige.exercise.taxonomy.code import detect_code
from paige.exercise.taxonomy.signs import signs
from paige.exercise.taxonomy.spelling import folded, is_slip
from paige.exercise.values import Domain, TestOutcome

_WORD = re.compile(r"[^\W_]+(?:['\u2019_-][^\W_]+)*")
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


class Detected(NamedTuple):
    """A name of the taxonomy, and one sentence for the learner."""

    error_type: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What else helps to tell: other answers of the sheet, lists of the course, code and tests.

    `false_friends` maps a word to what it really means, `registers` a word to the one that suits.
    """

    other_answers: tuple[str, ...] = ()
    false_friends: Mapping[str, str] = field(default_factory=dict)
    registers: Mapping[str, str] = field(default_factory=dict)
    code: str | None = None
    language: str = "python"
    tests: tuple[TestOutcome, ...] = ()
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    question: str
    expected: tuple[str, ...]
    actual: str
    context: Context

    @property
    def written(self) -> list[str]:
        return _words(self.actual)


def detect_error(
    domain: Domain,
    question: str,
    expected: str | None,
    actual: str | None,
    context: Context | None = None,
) -> Detected | None:
    """The kind of error in a wrong answer, and a note; nothing when it cannot be told."""
    context = context or Context()
    if context.code is not None and domain in ("technical", "interview"):
        found = detect_code(
            context.code, context.tests, timed_out=context.timed_out, language=context.language
        )
        if found:
            return Detected(found[0].error_type, found[0].note)
    if not (expected or "").strip() or not (actual or "").strip():
        return None
    accepted = tuple(each.strip() for each in (expected or "").split(" / ") if each.strip())
    case = _Case(question, accepted, (actual or "").strip(), context)
    same = _same_code if domain == "technical" else _same
    if any(same(case.actual, each) for each in accepted):
        return None
    for rule in _RULES[domain]:
        if found := rule(case):
            return found
    return None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _same(one: str, other: str) -> bool:
    return _words(one) == _words(other) and bool(_words(one))


def _same_code(one: str, other: str) -> bool:
    """In code every mark counts, only spaces do not."""
    return one.split() == other.split()


def _false_friend(case: _Case) -> Detected | None:
    friends = {word.casefold(): means for word, means in case.context.false_friends.items()}
    for word in (case.actual.casefold(), *case.written):
        if word in friends and not any(word in _words(each) for each in case.expected):
            note = f"\u201c{word}\u201d means {friends[word]}."
            return Detected("false_friend", note)
    return None


def _register(case: _Case) -> Detected | None:
    for word, fits in case.context.registers.items():
        wanted = any(fits.casefold() in _words(each) for each in case.expected)
        if word.casefold() in case.written and wanted:
            note = f"Here \u201c{fits}\u201d suits better than \u201c{word}\u201d."
            return Detected("register_mismatch", note)
    return None


def _confusion(case: _Case) -> Detected | None:
    for other in case.context.other_answers:
        # Letters of a matching section are answers too, but nobody confuses words with them.
        if len(other.strip()) > 1 and _same(case.actual, other):
            return Detected(
                "vocabulary_confusion", f"\u201c{other}\u201d answers another question here."
            )
    return None


def _word_order(case: _Case) -> Detected | None:
    for each in case.expected:
        meant = _words(each)
        if len(meant) > 1 and meant != case.written and Counter(meant) == Counter(case.written):
            return Detected("word_order", "The words are right; their order is not.")
    return None


def _form(case: _Case) -> Detected | None:
    """One word with another beginning or ending, everything else the same."""
    for each in case.expected:
        meant = _words(each)
        if len(meant) != len(case.written):
            continue
        pairs = [(a, b) for a, b in zip(case.written, meant, strict=True) if a != b]
        if len(pairs) == 1 and (found := _affix(*pairs[0])):
            return found
    return None


def _affix(written: str, meant: str) -> Detected | None:
    lists = signs("language")
    stem = _shared_start(written, meant)
    if len(stem) >= 3:
        ends = {written[len(stem) :], meant[len(stem) :]}
        if ends <= lists["inflections"] | {""}:
            return Detected(
                "grammar_pattern", f"The word is right, its form is not: \u201c{meant}\u201d."
            )
        if ends <= lists["suffixes"] | {""}:
            return Detected("affix_error", f"The ending differs: \u201c{meant}\u201d.")
    base = _shared_start(written[::-1], meant[::-1])[::-1]
    if len(base) >= 3:
        starts = {written[: len(written) - len(base)], meant[: len(meant) - len(base)]}
        if starts <= lists["prefixes"] | {""}:
            return Detected("affix_error", f"The beginning differs: \u201c{meant}\u201d.")
    return None


def _shared_start(one: str, other: str) -> str:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return one[:length]


def _spelling(case: _Case) -> Detected | None:
    for each in case.expected:
        if is_slip(case.actual, each):
            if folded(case.actual) == folded(each):
                return Detected("spelling", f"Mind the accents: \u201c{each}\u201d.")
            return Detected("spelling", f"It is spelt \u201c{each}\u201d.")
    return None


def _grammar(case: _Case) -> Detected | None:
    """Only small words are missing, or too many."""
    small = signs("language")["function_words"]
    for each in case.expected:
        meant, written = Counter(_words(each)), Counter(case.written)
        differ = (meant - written) + (written - meant)
        if differ and set(differ) <= small and sum((meant & written).values()) > 0:
            named = ", ".join(f"\u201c{word}\u201d" for word in sorted(differ))
            return Detected("grammar_pattern", f"Look at the small words again: {named}.")
    return None


def _off_by_one(case: _Case) -> Detected | None:
    for each in case.expected:
        meant, written = _NUMBER.findall(each), _NUMBER.findall(case.actual)
        around = _NUMBER.sub("#", each).split() == _NUMBER.sub("#", case.actual).split()
        gaps = [float(a) - float(b) for a, b in zip(meant, written, strict=False) if a != b]
        if around and len(meant) == len(written) and len(gaps) == 1 and abs(gaps[0]) == 1.0:
            return Detected("off_by_one", f"You are off by one: {each}.")
        if _compared_otherwise(each, case.actual):
            return Detected("off_by_one", "The border belongs to the other side.")
    return None


def _compared_otherwise(one: str, other: str) -> bool:
    signs_ = [re.findall(r"[<>]=?", text) for text in (one, other)]
    bare = [re.sub(r"[<>]=?|\s", "", text) for text in (one, other)]
    if bare[0] != bare[1] or len(signs_[0]) != len(signs_[1]):
        return False
    differ = [{a, b} for a, b in zip(*signs_, strict=True) if a != b]
    return bool(differ) and all(pair in _COMPARISONS for pair in differ)


def _syntax(case: _Case) -> Detected | None:
    """Code was asked for, and what was written cannot be read as code."""
    coded = [each for each in case.expected if re.search(r"[(\[{=]", each) and _parses(each)]
    if coded and re.search(r"[(\[{=:]", case.actual) and not _parses(case.actual):
        return Detected("syntax_error", f"This cannot be read as code; compare `{coded[0]}`.")
    return None


def _parses(text: str) -> bool:
    try:
        python_source.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _correlation(case: _Case) -> Detected | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    causal = lists["causal"] & set(case.written)
    denied = {"not", "no", "n't", "doesn't"} & set(case.written)
    if causal and not denied and meant & lists["correlating"]:
        return Detected(
            "correlation_causation", "They happen together; that does not make one the cause."
        )
    return None


def _causal(case: _Case) -> Detected | None:
    for each in case.expected:
        if _turned_round(_CAUSES, each, case.actual):
            return Detected("causal_error", "Cause and effect are the other way round.")
    return None


def _relationship(case: _Case) -> Detected | None:
    for each in case.expected:
        if _turned_round(_RELATES, each, case.actual):
            return Detected("relationship_confusion", "It is the other way round.")
    for other in case.context.other_answers:
        if len(other.strip()) > 1 and _same(case.actual, other):
            return Detected(
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


def _overgeneral(case: _Case) -> Detected | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    strong = lists["absolutes"] & set(case.written)
    if strong and not (lists["absolutes"] & meant) and (lists["hedges"] & meant):
        word = sorted(strong)[0]
        return Detected("overgeneralization", f"\u201c{word}\u201d says too much here.")
    return None


def _undergeneral(case: _Case) -> Detected | None:
    lists = signs("conceptual")
    meant = {word for each in case.expected for word in _words(each)}
    narrow = lists["narrowing"] & set(case.written)
    if narrow and not (lists["narrowing"] & meant) and (lists["widening"] & meant):
        word = sorted(narrow)[0]
        return Detected("undergeneralization", f"\u201c{word}\u201d says too little here.")
    return None


def _definition(case: _Case) -> Detected | None:
    asked = set(_words(case.question)) & signs("conceptual")["defining"]
    meant = [set(_words(each)) for each in case.expected if len(_words(each)) >= 4]
    if not asked or not meant or len(case.written) < 3:
        return None
    overlap = max(len(each & set(case.written)) / len(each) for each in meant)
    if overlap < 0.5:
        return Detected("definition_error", "The definition misses what sets the thing apart.")
    return None


_Rule = Callable[[_Case], Detected | None]
_LANGUAGE: tuple[_Rule, ...] = (
    *(_false_friend, _register, _confusion, _word_order),
    *(_form, _spelling, _grammar),
)
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
