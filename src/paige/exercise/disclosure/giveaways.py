"""Tells giving an answer from merely using its words.

`is`, `B` or `5` turn up in any explanation. They give something away when the sentence points at
them: "the answer is …", "choose …", "… is correct", or when the gap of the question is filled.
"""

import re
from functools import lru_cache

from paige.exercise.disclosure.case import Said
from paige.exercise.disclosure.lexicon import lexicon
from paige.language.words import runs as words

_REACH = 120  # what stands further away points at something else
_DRESS = " \t:=*_`\"'>-(~#\u2192"
_CLAUSE_END = re.compile(
    r"^[\"'*`_)\]]*\s*(?:[.,;:!?\n)]|$|(?:because|since|so|as|and|which|here|there|in this|is"
    r"|for this"
    r"|to|then|-)\b|-)"
)
_FILLERS = frozenset(str.split("a an the so ok okay yes well fine sure then psst right oh alright"))
_BETWEEN = frozenset(
    str.split(
        "the a an then simply just word option du de la le les des un une el los der die das ein"
    )
) | {"", "of course", "de la", "the word", "eine"}
_RULE = re.compile(
    r"^[\"'*`_)\]]*\s*(?:for|with|when|if|after|before|whenever|in front of|to talk|to say|or"
    r"|versus|vs)\b"
)
_LEADING = re.compile(
    r"(?:could it be|might it be|isn'?t it|is it not|what about|how about|could be|might be"
    r"|would it be|"
    r"wouldn'?t it be|what if it(?:'s| is| was)|considered|looked at|thought about|thought of|"
    r"don'?t you think it'?s|surely)\W*(?:the |a |an )?$"
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of|\bisnt|\bunlike|\bif"
    r"|\bwhether|"
    r"\bwhy|\byou (?:said|wrote|chose|picked|put|answered|used|typed|have)|\byour(?: answer"
    r"| guess)?)"
    r"[\s\w\"'*`]{0,14}$"
)
_BLANK = re.compile(r"_{2,}|\([^()\n]*/[^()\n]*\)|\.{3,}|\u2026|\[\s*\]|\(\s*\)")
_POINTERS = re.compile(
    r"\b(?:replace|swap|change|exchange)\b.{1,30}\b(?:by|with|to|into|for)[\s\"'*`_(\[]*$|"
    r"(?:=|->|=>|\u2192|\bis|\bbe|\bwas|\bare)(?: now| then| just| simply| indeed| also)?"
    r"[\s\"'*`_(\[]*(?:the |a |an )?$"
)


@lru_cache(maxsize=4096)
def _span(form: str) -> re.Pattern[str]:
    between = r"[^\w\n]+".join(re.escape(word) for word in form.split())
    return re.compile(rf"(?<![\w]){between}(?![\w])")


def spans(form: str, text: str) -> list[tuple[int, int]]:
    """Where the words of a form stand in a folded text."""
    if not form:
        return []
    return [match.span() for match in _span(form).finditer(text)]


def is_given(form: str, said: Said, *, ends: bool = True) -> bool:
    """Whether some sentence points at a form. `ends`: only if its clause ends there."""
    if said.words == form.split():
        return True
    for sentence in said.sentences:
        for start, end in spans(form, sentence.folded):
            if _given_at(sentence, start, end, ends):
                return True
    return False


def _given_at(sentence: Said, start: int, end: int, ends: bool) -> bool:
    before = sentence.folded[max(0, start - _REACH) : start]
    after = sentence.folded[end : end + _REACH]
    if _DENIED.search(before):
        return False
    if sentence.asks:
        return bool(_LEADING.search(before)) or sentence.words == words(sentence.folded[start:end])
    lone = not frozenset(words(before)) - _FILLERS and not words(after)
    follows = _follows(after)
    if lone or (follows and not (ends and before.strip() and not _quoted(before, after))):
        return True
    if before.rstrip("\"'*`_ ").endswith(":") and not words(after):
        return True
    if not _points(before) or _RULE.match(after):
        return False
    return not ends or bool(_CLAUSE_END.match(after)) or _quoted(before, after)


def _quoted(before: str, after: str) -> bool:
    return before[-1:] in "\"'*`_(" and before[-1:] != "" and after[:1] in "\"'*`_)"


def _follows(after: str) -> bool:
    rest = after.lstrip("\"'*`_) ,:-")
    found = lexicon().phrases["following"].match(rest)
    return found is not None and not rest[found.end() :].lstrip().startswith("not")


def _points(before: str) -> bool:
    if _POINTERS.search(before[-60:]):
        return True
    tail = before[-48:]
    for match in lexicon().phrases["pointing"].finditer(tail):
        rest = tail[match.end() :].strip(_DRESS)
        if rest in _BETWEEN:
            return True
    return False


def gap_is_filled(question: str, form: str, line: str) -> bool:
    """Whether a line of words has the question's gap filled with the form."""
    for gap in _BLANK.finditer(question):
        before = words(question[: gap.start()].rsplit("\n", 1)[-1])[-2:]
        after = words(question[gap.end() :].split("\n", 1)[0])[:2]
        if len(before) + len(after) < 2:
            continue
        for left, right in ((before, after), (before, after[:1]), (before[-1:], after)):
            if len(left) + len(right) > 1 and f" {' '.join([*left, form, *right])} " in line:
                return True
    return False
