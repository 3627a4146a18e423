"""Marks an answer without any model: right, partly right or wrong, with a sentence that says why.

A question with exact answers (a word, a number, a date, a list) is marked by its wording; one that
asks for an explanation by its ideas. The tables for both are read when first needed and shared.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from paige.base.errors import BadInput
from paige.exercise.marking.closed import ClosedMarker
from paige.exercise.marking.closed_lists import closed_lists
from paige.exercise.marking.features import Comparer, Space
from paige.exercise.marking.free import FreeMarker
from paige.exercise.marking.lexicon import lexicon
from paige.exercise.marking.model import Kind, Weights, weights
from paige.exercise.marking.reading import Reader
from paige.exercise.marking.saying import expected, right
from paige.exercise.marking.shapes import is_closed, split_reference
from paige.exercise.values import Marked

_LONGEST_SHOWN = 3
MOST_SIGNS, MOST_ACCEPTED = 8_000, 50
"""Of a longer answer the beginning is marked: words are compared with words."""


class Marker:
    """Holds the tables; one marker may mark for everyone."""

    def __init__(self, models: Mapping[Kind, Weights] | None = None) -> None:
        self._lexicon, self._lists = lexicon(), closed_lists()
        space = Space()
        self._closed = ClosedMarker(self._lists, self._lexicon, space.rank)
        comparer = Comparer(self._lexicon, Reader(self._lexicon), space)
        self._free = FreeMarker(comparer, models or weights())

    def mark(self, question: str, reference: str | Sequence[str], answer: str) -> Marked:
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
            return Marked("correct", 1.0, right(given, others), None, given)
        blank = self._blank(answer)
        if blank:
            return Marked(
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


def mark(question: str, reference: str | Sequence[str], answer: str) -> Marked:
    """What the answer is worth, and why."""
    return shared().mark(question, reference, answer)
