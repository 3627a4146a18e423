"""The sentences with which marking explains itself."""

from collections.abc import Sequence


def quoted(text: str) -> str:
    """A text in quotation marks, cut if it is very long."""
    text = " ".join(text.split())
    return f"“{text if len(text) <= 160 else text[:157].rstrip() + '…'}”"


def listed(texts: Sequence[str], most: int = 5) -> str:
    """Texts in quotation marks, with commas and an `and`."""
    shown = [quoted(text) for text in texts[:most]]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def right(answer: str, others: Sequence[str]) -> str:
    """What to say of a right answer: which, and what else would have been."""
    also = f" Also accepted: {listed(others, 3)}." if others else ""
    return f"Correct: {quoted(answer)}.{also}"


def expected(answer: str) -> str:
    """The closest accepted answer, in a sentence."""
    return f"The accepted answer closest to yours is {quoted(answer)}."
