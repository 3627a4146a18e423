"""What one answer to one question is worth, by rules: letters, gaps, order, reasons, own words."""

import re
from collections.abc import Sequence

from paige.exercise.taxonomy.detect import detect_error
from paige.exercise.taxonomy.names import known_name
from paige.exercise.values import AnswerMark, Domain, Marker
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.exercise.worksheet.tables import choice_letter
from paige.exercise.worksheet.values import Choice
from paige.language.english import stop_words
from paige.language.words import word_count, words
from paige.study.generation.words import is_short, lettered, plain
from paige.study.values import Question

_PARTS = re.compile(r"(?:(?<!\s)\s++)?[;|]\s*+|(?<!\s)[^\S\n]*+\n\s*+")
_COMMAS = re.compile(r"(?:(?<!\s)\s++)?,\s*+")
_TRUTH = re.compile(r"^\W*(true|false|yes|no|right|wrong|correct|incorrect)\b\W*", re.IGNORECASE)
_TRUE = frozenset({"true", "yes", "right", "correct"})
_BOTH = re.compile(r"^(?:(?:or|and)\b\W*)?(?:true|false)\b(?!\s+(?:that|for|if)\b)", re.IGNORECASE)
_BECAUSE = re.compile(r"^(?:because|since|as|for)\b\W*", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:not|never|tidak|bukan|pas|nicht|kein\w*|or|either|atau|ou|oder)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Signs that an answer is denied, or is one of several guesses."""
_LISTED = re.compile(r"[/|;\n]")
_ROOM = 10
"""So many words may stand around an answer that was asked for."""


def mark_answer(
    question: Question, text: str, mark: Marker, domain: Domain, others: Sequence[str] = ()
) -> AnswerMark:
    """The mark of an answer, with the kind of error where it can be told."""
    given = text.strip()
    if not given:
        return AnswerMark("incorrect", 0.0, "There is no answer yet.")
    marked = _by_kind(question, given, mark, others)
    if marked.verdict == "correct":
        return marked
    expected = ALTERNATIVES.join(question.answers)
    found = detect_error(domain, question.prompt, expected, given, tuple(others))
    kind = known_name(marked.error_type) or (found.error_type if found else None)
    note = f" {found.note}" if found and not known_name(marked.error_type) else ""
    return AnswerMark(
        marked.verdict, marked.score, f"{marked.feedback}{note}".strip(), kind, marked.matched
    )


def _by_kind(question: Question, given: str, mark: Marker, others: Sequence[str]) -> AnswerMark:
    if question.choices:
        return _letters(question, given)
    if question.kind == "true_false" and question.answers in (("true",), ("false",)):
        return _reasoned(question, given, mark)
    if len(question.blanks) > 1:
        return _gaps(question, given, mark)
    if question.kind == "order" and question.key:
        return _ordered(question, given, mark)
    return in_words(question, given, mark, others)


def in_words(
    question: Question, given: str, mark: Marker, others: Sequence[str] = ()
) -> AnswerMark:
    """The mark of an answer in words, which may stand inside a sentence."""
    held = holds(question.answers, given, question.prompt)
    own = plain(" ".join(question.answers))
    wrong = [each for each in others if plain(each) not in own]
    if held is not None and holds(wrong, given, question.prompt) is not None:
        held = None  # it names the answer to another question as well
    if held is not None:
        return AnswerMark("correct", 1.0, f"Correct: {held}.", None, held)
    return _by_words(mark, question, question.answers, given)


def holds(answers: Sequence[str], given: str, prompt: str = "") -> str | None:
    """The short answer that a sentence holds word for word and does not deny.

    A row of guesses is no sentence: words that neither the question nor any sentence has.
    """
    known = stop_words("en", "ms", "fr", "de") | set(words(prompt.casefold()))
    said = words(given.casefold())
    for answer in answers:
        wanted = words(answer.casefold())
        if not wanted or not is_short(answer, 6) or any(sign in answer for sign in "()[]{}=<>"):
            continue
        if len(said) > len(wanted) + _ROOM or (len(wanted) == 1 and len(wanted[0]) < 3):
            continue
        for at in range(len(said) - len(wanted) + 1):
            around = (*said[:at], *said[at + len(wanted) :])
            guesses = bool(_LISTED.search(given)) or (
                len(around) >= 2 * len(wanted) and known.isdisjoint(around)
            )
            held = said[at : at + len(wanted)] == wanted
            if held and not guesses and not _DENIAL.search(" ".join(around)):
                return answer
    return None


def _letters(question: Question, given: str) -> AnswerMark:
    choices = tuple(Choice(letter, text) for letter, text in lettered(question.choices))
    right = set(question.key)
    whole = choice_letter(given, choices)
    parts = [given] if whole else [each for each in re.split(r"[\s,;&]+|\band\b", given) if each]
    chosen = {letter for each in parts if (letter := choice_letter(each, choices))}
    if not chosen:
        letters = ", ".join(choice.letter for choice in choices)
        return AnswerMark("incorrect", 0.0, f"Choose one of the letters {letters}.")
    if chosen == right:
        return AnswerMark("correct", 1.0, "Right.", None, ", ".join(sorted(right)))
    if chosen & right and len(right) > 1:
        share = len(chosen & right) / len(chosen | right)
        return AnswerMark(
            "partial", round(share, 4), "Some of it is right; look at the others again."
        )
    wrong = next(each.text for each in choices if each.letter in chosen - right)
    return AnswerMark("incorrect", 0.0, f"\u201c{wrong}\u201d is not it.")


def _reasoned(question: Question, given: str, mark: Marker) -> AnswerMark:
    """True or false first, then why; without a reason it could be a guess."""
    said = _TRUTH.match(given)
    wanted = question.answers[0]
    if said is None:
        return AnswerMark("incorrect", 0.0, "Say first whether it is true or false, then why.")
    if ("true" if said[1].casefold() in _TRUE else "false") != wanted:
        return AnswerMark("incorrect", 0.0, "Think again: look for a case that decides it.")
    reason = _BECAUSE.sub("", given[said.end() :].strip())
    if _BOTH.match(reason):
        return AnswerMark("incorrect", 0.0, "Say one of the two, true or false, then why.")
    if word_count(reason) < 3:
        told = f"It is {wanted}; a reason is still missing."
        return AnswerMark("partial", 0.6, told, None, wanted)
    if not question.explanation:
        return AnswerMark("correct", 1.0, f"Correct: it is {wanted}.", None, wanted)
    why = mark(question.prompt, question.explanation, reason)
    if why.verdict == "incorrect":
        told = f"It is {wanted}, but the reason is another one."
        return AnswerMark("partial", 0.6, told, why.error_type, wanted)
    return AnswerMark("correct", 1.0, f"Correct: it is {wanted}.", None, wanted)


def _gaps(question: Question, given: str, mark: Marker) -> AnswerMark:
    wanted = len(question.blanks)
    parts = [each for each in _PARTS.split(given) if each]
    if len(parts) != wanted:
        parts = [each for each in _COMMAS.split(given) if each]
    if len(parts) != wanted and len(given.split()) == wanted:
        parts = given.split()
    if len(parts) != wanted:
        return AnswerMark(
            "incorrect", 0.0, f"There are {wanted} gaps: separate the words with commas."
        )
    marks = [
        _by_words(mark, question, accepted, part)
        for accepted, part in zip(question.blanks, parts, strict=True)
    ]
    score = sum(each.score for each in marks) / wanted
    if all(each.verdict == "correct" for each in marks):
        return AnswerMark("correct", 1.0, "Right.")
    wrong = [f"Gap {at}: {each.feedback}" for at, each in enumerate(marks, 1) if each.score < 1.0]
    kind = next((each.error_type for each in marks if each.error_type), None)
    verdict = "partial" if any(each.score for each in marks) else "incorrect"
    return AnswerMark(verdict, round(score, 4), " ".join(wrong), kind)


def _ordered(question: Question, given: str, mark: Marker) -> AnswerMark:
    """Words in the right order; only their order counts, however they are separated."""
    wanted = [plain(each) for each in question.key]
    if plain(given) and plain(given) == "".join(wanted):
        return AnswerMark("correct", 1.0, "Right.", None, " ".join(question.key))
    said = sorted(plain(each) for each in re.split(r"[\s/,|>-]+", given) if plain(each))
    meant = sorted(plain(each) for one in question.key for each in one.split())
    if said == meant:
        return AnswerMark(
            "incorrect", 0.3, "The words are there; their order is not.", "word_order"
        )
    return _by_words(mark, question, question.answers, given)


def _by_words(mark: Marker, question: Question, accepted: Sequence[str], given: str) -> AnswerMark:
    # A list, because an accepted answer may hold what separates alternatives in a text.
    return mark(question.prompt, list(accepted), given)  # type: ignore[arg-type] - see `Marker`
