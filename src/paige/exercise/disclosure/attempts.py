"""What the learner has said themself: their own right attempt is no secret any more."""

import re
from difflib import SequenceMatcher

from paige.exercise.disclosure.case import Case, Said
from paige.exercise.disclosure.choices import letters_in
from paige.exercise.disclosure.figures import gave_number
from paige.exercise.disclosure.key import Form, Part
from paige.exercise.disclosure.lexicon import lexicon
from paige.exercise.disclosure.numbers import numbers_in
from paige.exercise.disclosure.programs import wrote
from paige.exercise.disclosure.wording import covers

_LISTED = 3  # things in one turn that make a list of guesses


def own_attempt(part: Part, case: Case) -> bool:
    """Whether the learner has given a part themself, not as one of a list of guesses."""
    return any(
        any(_gave(form, said, case) for form in part.forms) and not _is_list(said, case)
        for said in case.learner
    )


def _gave(form: Form, said: Said, case: Case) -> bool:
    if form.kind == "choice":
        return form.letter in {letter for letter, _ in letters_in(said)}
    if form.kind == "code":
        return wrote(form, said, case.question)
    if form.number is not None:
        return gave_number(form.number, said)
    if form.kind == "formula":
        mine, theirs = _compact(form.raw.casefold()), _compact(said.folded)
        return len(mine) > 1 and (mine in theirs or mine.split("=")[-1] in theirs)
    if form.truth:
        return _took_side(said) == form.truth
    if form.line in said.line:
        return form.kind == "text" or _meant(form, said, case)
    return covers(form, said) or _nearly(form, said)


def _compact(text: str) -> str:
    return re.sub(r"[\s*]", "", text)


def _took_side(said: Said) -> str:
    """Which side a learner takes on yes or no; asking for both is none."""
    if re.search(r"\b(?:true or false|yes or no)\b", said.folded):
        return ""
    if re.search(r"\b(?:no|false|not|wrong|nope)\b|n't\b", said.folded):
        return "no"
    yes = re.search(r"\b(?:yes|true|right|correct|yep|yeah|it is|it does|it can)\b", said.folded)
    return "yes" if yes else ""


def _nearly(form: Form, said: Said) -> bool:
    """A name by its last word, or a long word with a slip of the pen."""
    last = form.words[-1] if form.words else ""
    if len(form.words) > 1 and len(last) > 4 and form.raw.split()[-1][:1].isupper():
        return last in said.words
    target = form.squeezed
    return len(target) > 5 and any(
        len(word) > 4 and SequenceMatcher(None, word, target).ratio() > 0.84 for word in said.words
    )


def _meant(form: Form, said: Said, case: Case) -> bool:
    """A word of the question, or an everyday word, is an answer only in a short turn."""
    everyday = all(word in lexicon().common for word in form.words)
    return not (everyday or form.line in case.question.line) or len(said.words) < 14


def _is_list(said: Said, case: Case) -> bool:
    letters = {letter for letter, _ in letters_in(said)}
    if case.options and len(letters) > 1:
        return True
    named = [one for one in case.options if one.words and f" {' '.join(one.words)} " in said.line]
    if len(named) > 1:
        return True
    if len(set(numbers_in(said.folded))) > _LISTED:
        return "=" not in said.folded
    items = [item.split() for item in re.split(r",|\bor\b|\?|/|\n", said.folded) if item.strip()]
    short = [item for item in items if len(item) <= 3]
    return len(short) > _LISTED or (len(short) >= _LISTED and len(items) == len(short))
