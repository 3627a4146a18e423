"""Which way an answer is marked: as an exact wording, or as an explanation in own words."""

import re
from collections.abc import Sequence

from paige.exercise.marking.closed_lists import ClosedLists
from paige.exercise.marking.exact import is_code
from paige.exercise.marking.lexicon import Lexicon
from paige.exercise.marking.quantities import dates, quantity

_WORDS = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+")
_SHORT = 3  # words; so short an answer is a name, a word, a phrase
_PHRASE = 10  # words; a longer one is compared by its ideas, whatever the question
_SENTENCE = (  # words with which an answer becomes a sentence
    "is are was were be has have had does do did will would can could should must may it they he"
    " she there this that these you we i because if when which"
)
_VERBS = frozenset(_SENTENCE.split())


def split_reference(reference: str | Sequence[str]) -> tuple[str, ...]:
    """The accepted answers; ` / ` stands between those that are written in one line."""
    parts = reference.split(" / ") if isinstance(reference, str) else reference
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def is_closed(
    question: str, alternatives: Sequence[str], lists: ClosedLists, lexicon: Lexicon
) -> bool:
    """Whether one of a few exact answers is asked for."""
    if all(_one_value(question, one, lists) for one in alternatives):
        return True
    words = [[word.lower() for word in _WORDS.findall(one)] for one in alternatives]
    longest = max(map(len, words))
    if longest > _PHRASE and not _is_list(alternatives):
        return False
    if lists.exact.search(question):
        return True
    if lists.explain.search(question):
        return longest <= 1
    if longest <= _SHORT or _is_list(alternatives):
        return not any(word in _VERBS for found in words for word in found[1:])
    asked = [word.lower() for word in _WORDS.findall(question)]
    return _foreign(asked, lexicon) or all(_foreign(found, lexicon) for found in words)


def _one_value(question: str, text: str, lists: ClosedLists) -> bool:
    value = is_code(question, text, lists) or quantity(text, lists) is not None
    return value or bool(dates(text, lists))


def _is_list(alternatives: Sequence[str]) -> bool:
    for one in alternatives:
        items = re.split(r"[,;\n]", one)
        if len(items) < 2 or any(len(item.split()) > 3 for item in items):
            return False
    return True


def _foreign(words: Sequence[str], lexicon: Lexicon) -> bool:
    """No function word of English in it: another language, or a bare term."""
    return bool(words) and not any(word in lexicon.stop or word in _VERBS for word in words)
