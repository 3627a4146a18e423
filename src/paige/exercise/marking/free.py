"""Marks short answers in own words, and says which ideas were there, missing or contradicted."""

from collections.abc import Iterable, Mapping, Sequence

from paige.exercise.marking.direction import reversed_relation
from paige.exercise.marking.features import NAMES, Compared, Comparer
from paige.exercise.marking.model import Kind, Weights, closest, summary
from paige.exercise.marking.reading import Reading, Word
from paige.exercise.marking.saying import expected, listed, quoted
from paige.exercise.values import Marked

_CONTRADICTED = 0.4  # a contradiction in an answer leaves it at most this
_REPEATED = 0.2
_LONGEST = 4000  # characters; what follows is not read
_COVER = NAMES.index("soft_cover_all")
_CROSSED = NAMES.index("crossed")
_OFTEN = 0.3  # of the neighbouring ideas
_FOCUS = NAMES.index("soft_focus_all")


class FreeMarker:
    """Marks explanations by what they share with the accepted ones."""

    def __init__(self, comparer: Comparer, models: Mapping[Kind, Weights]) -> None:
        self._comparer, self._models = comparer, models

    def mark(self, question: str, alternatives: Sequence[str], answer: str) -> Marked:
        """The mark, with the closest accepted answer."""
        answer, question = answer[:_LONGEST], question[:_LONGEST]
        compared = self._comparer.compare(question, alternatives, answer)
        model = self._models["one" if len(compared) == 1 else "several"]
        chance = model.chance(summary(compared))
        at = closest(compared)
        best, alternative = compared[at], alternatives[at]
        reader = self._comparer.reader
        asked, said, meant = (reader.read(text) for text in (question, answer, alternative))
        turned = reversed_relation(meant, said, self._comparer.lexicon)
        if turned or self._contradicted(best):
            chance = min(chance, _CONTRADICTED)
        if said.stems <= asked.stems and not meant.stems <= asked.stems | said.stems:
            chance = min(chance, _REPEATED)
        score = round(chance, 4)
        if score >= model.correct:
            return Marked("correct", score, _praise(best, alternative), None, alternative)
        verdict = "partial" if score >= model.partial else "incorrect"
        text = _criticism(best, asked, said, turned)
        text = f"{text} {expected(alternative)}"
        return Marked(verdict, score, text, _error(best, turned), alternative)

    def _contradicted(self, best: Compared) -> bool:
        """Whether an answer that is otherwise about the same thing says the opposite."""
        about = best.values[_COVER] >= 0.4 and best.values[_FOCUS] >= 0.4
        crossed = best.values[_CROSSED] >= _OFTEN
        return about and (bool(best.opposed) or crossed)


def _error(best: Compared, turned: str | None) -> str | None:
    if turned:
        return "causal_error" if turned.startswith("caus") else "relationship_confusion"
    return "misconception" if best.opposed else None


def _praise(best: Compared, alternative: str) -> str:
    ideas = _texts(best.found)
    if not ideas:
        return f"Correct: it says the same as {quoted(alternative)}."
    missing = _texts(word for word in best.missing if not word.label)
    more = f" A fuller answer would also mention {listed(missing, 3)}." if missing else ""
    return f"Correct: you have {listed(ideas, 4)}.{more}"


def _criticism(best: Compared, asked: Reading, said: Reading, turned: str | None) -> str:
    parts = []
    if turned:
        parts.append("You have it the wrong way round: what stands first and last is swapped.")
    for ours, theirs in best.opposed[:2]:
        parts.append(f"{_shown(ours)} contradicts {_shown(theirs)}.")
    if best.values[_CROSSED] >= _OFTEN and not best.opposed:
        parts.append("Right words, but some of them go with the wrong ones.")
    new = [word for word in best.missing if word.stem not in asked.stems]
    if said.stems <= asked.stems and new:
        parts.append("This only repeats the question.")
    found = _texts(word for word in best.found if word.stem not in asked.stems)
    if found:
        parts.append(f"You have {listed(found, 4)}.")
    opposed = {theirs.stem for _, theirs in best.opposed}
    missing = _texts(word for word in new if word.stem not in opposed)
    if missing:
        parts.append(f"Not yet there: {listed(missing, 4)}.")
    return " ".join(parts) or "This does not say what is asked for."


def _shown(word: Word) -> str:
    return quoted(f"not {word.text}" if word.denied else word.text)


def _texts(words: Iterable[Word]) -> list[str]:
    return list(dict.fromkeys(word.text for word in words))
