"""Notices when an answer turns a relation round: "friction causes heat", "heat causes friction"."""

from paige.exercise.marking.lexicon import Lexicon
from paige.exercise.marking.reading import Reading


def reversed_relation(ref: Reading, said: Reading, lexicon: Lexicon) -> str | None:
    """The word around which the answer has swapped what the reference says, or nothing."""
    if ("by" in ref.every) != ("by" in said.every):
        return None  # one of the two is in the passive
    for turn in ref.every:
        if turn not in lexicon.directional or said.every.count(turn) != 1:
            continue
        if ref.every.count(turn) == 1 and _swapped(_sides(ref, turn, ref), _sides(said, turn, ref)):
            return turn
    return None


def _sides(text: Reading, turn: str, ref: Reading) -> tuple[set[str], set[str]]:
    """The ideas before and after a word, of those that the reference has."""
    at = text.every.index(turn)
    known = ref.stems - {turn}
    return set(known.intersection(text.every[:at])), set(known.intersection(text.every[at + 1 :]))


def _swapped(ours: tuple[set[str], set[str]], theirs: tuple[set[str], set[str]]) -> bool:
    before, after = ours[0] - ours[1], ours[1] - ours[0]
    then, later = theirs[0] - theirs[1], theirs[1] - theirs[0]
    return bool(before & later and after & then)
