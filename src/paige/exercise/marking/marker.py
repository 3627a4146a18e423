"""Marks an answer without any model: right, partly right or wrong, with a sentence that says why.

A question with exact answers (a word, a number, a date, a list) is marked by its wording; one that
asks for an explanation by its ideas. The tables for both are read when first needed and shared.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from paige.base.errors import BadInput
from paige.exercise.marking.answer_words import Reader
from paige.exercise.marking.closed import ClosedMarker
from paige.exercise.marking.exact import dates, is_code, quantity
from paige.exercise.marking.features import Comparer, Space
from paige.exercise.marking.feedback import expected, right
from paige.exercise.marking.free import FreeMarker, Kind, Weights, weights
from paige.exercise.marking.lexicon import ClosedLists, Lexicon, closed_lists, lexicon
from paige.exercise.values import AnswerMark
from paige.language.words import words as words_of

_SHORT = 3  # words; so short an answer is a name, a word, a phrase
_PHRASE = 10  # words; a longer one is compared by its ideas, whatever the question
_SENTENCE = (  # words with which an answer becomes a sentence
    "is are was were be has have had does do did will would can could should must may it they he"
    " she there this that these you we i because if when which"
)
_VERBS = frozenset(_SENTENCE.split())
_LONGEST_SHOWN = 3
MOST_SIGNS, MOST_ACCEPTED = 8_000, 50
"""Of a longer answer the beginning is marked: words are compared with words."""


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
    words = [[word.lower() for word in words_of(one)] for one in alternatives]
    longest = max(map(len, words))
    if longest > _PHRASE and not _is_list(alternatives):
        return False
    if lists.exact.search(question):
        return True
    if lists.explain.search(question):
        return longest <= 1
    if longest <= _SHORT or _is_list(alternatives):
        return not any(word in _VERBS for found in words for word in found[1:])
    asked = [word.lower() for word in words_of(question)]
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


class Marker:
    """Holds the tables; one marker may mark for everyone."""

    def __init__(self, models: Mapping[Kind, Weights] | None = None) -> None:
        self._lexicon, self._lists = lexicon(), closed_lists()
        space = Space()
        self._closed = ClosedMarker(self._lists, self._lexicon, space.rank)
        comparer = Comparer(self._lexicon, Reader(self._lexicon), space)
        self._free = FreeMarker(comparer, models or weights())

    def mark(self, question: str, reference: str | Sequence[str], answer: str) -> AnswerMark:
        """What the answer is worth, and why. ` / ` separates accepted answers in one text."""
        alternatives = [each[:MOST_SIGNS] for each in split_reference(reference)[:MOST_ACCEPTED]]
        answer = answer[:MOST_SIGNS]
        if not alternatives:
            raise BadInput(
                "There is no accepted answer to mark against",
                hint="Give `reference` at least one answer; ` / ` separates several.",
            )
        given = self._given(reference, alternatives, answer)
        if given is not None:
            others = [one for one in alternatives if one != given][:_LONGEST_SHOWN]
            return AnswerMark("correct", 1.0, right(given, others), None, given)
        blank = self._blank(answer)
        if blank:
            return AnswerMark(
                "incorrect", 0.0, f"{blank} {expected(alternatives[0])}", None, alternatives[0]
            )
        if is_closed(question, alternatives, self._lists, self._lexicon):
            return self._closed.mark(question, alternatives, answer)
        return self._free.mark(question, alternatives, answer)

    def _given(
        self, reference: str | Sequence[str], alternatives: Sequence[str], answer: str
    ) -> str | None:
        """The accepted answer that was given word for word, if it was."""
        stripped = answer.strip()
        if isinstance(reference, str) and stripped and stripped == reference.strip():
            return alternatives[0]
        if stripped in alternatives:
            return stripped
        exact_case = any(sign in "".join(alternatives) for sign in "[]{}<>=;_()\n'\"")
        return None if exact_case else self._closed.says(alternatives, answer)

    def _blank(self, answer: str) -> str:
        text = " ".join(answer.split()).casefold().replace("\u2019", "'")
        if not text.strip(" _.-"):
            return "There is no answer yet."
        if text in self._lexicon.unknown or text.rstrip(" .!?") in self._lexicon.unknown:
            return "Not knowing yet is fine."
        return "" if any(sign.isalnum() for sign in text) else self._signs(text)

    def _signs(self, text: str) -> str:
        return "" if set(text) - set("?!. ") else "There is no answer yet."


@cache
def shared() -> Marker:
    """The marker that everyone uses."""
    return Marker()


def mark(question: str, reference: str | Sequence[str], answer: str) -> AnswerMark:
    """What the answer is worth, and why."""
    return shared().mark(question, reference, answer)


_FIELDS = ("question", "reference", "answer")


def mark_answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Mark `{"question", "reference", "answer"}`. Raises: BadInput."""
    for name in _FIELDS:
        if name not in asked:
            raise BadInput(f"`{name}` is missing")
        value = asked[name]
        texts = value if name == "reference" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise BadInput(f"`{name}` is not a text")
    mark = shared().mark(asked["question"], asked["reference"], asked["answer"])
    return {"verdict": mark.verdict, "score": mark.score, "feedback": mark.feedback}
