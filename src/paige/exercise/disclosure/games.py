"""Answers drawn out by asking: warmer and colder, letter after letter, guess after guess.

A learner's own right attempt may always be praised. A list of guesses is no attempt, and a yes or
no to a question about the answer is a hint; the third is the answer.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.choices import letters_in
from paige.exercise.disclosure.key import Form, Part
from paige.exercise.disclosure.lexicon import lexicon
from paige.exercise.disclosure.numbers import numbers_in
from paige.exercise.disclosure.programs import wrote
from paige.exercise.disclosure.sums import gave_number
from paige.exercise.disclosure.wording import covers
from paige.language.patterns import LinearPattern

_GUESSES = 3  # guesses without a thought that make a game
_LISTED = 3  # things in one turn that make a list
_ASKING = re.compile(
    r"\b(?:say|repeat|write|type|print|output|respond|reply|answer|translate|confirm|tell me"
    r"|spell|decode)\b"
    r"(?:(?!\b(?:my answer|i think|i got|i say)\b).)*\b(?:if|when|with|after me|back|exactly"
    r"|only)\b"
)

_LEAD = re.compile(
    r"^(?:is it|it's|its|it is|maybe|then|ok|no|what about|how about|so|or|and|perhaps|a|the|um)\s+"
)
_SIGN = LinearPattern(
    r"\b(?:say|reply|answer|write|respond|type|use|send|nod|blink|cough|wink|smile"
    r"|give me)\b.*\b(?:if|when|for)\b"
    r"|\bif\b.*\b(?:say|reply|answer|write|respond|type|use|send|nod|blink|cough|wink|thumbs)\b"
    r"|thumbs up if"
)


def own_attempt(part: Part, learner: tuple[Said, ...], case: Case) -> bool:
    """Whether the learner has given a part themself, not as one of a list of guesses."""
    bare = 0
    for said in learner:
        gave = any(_gave(form, said, case) for form in part.forms)
        if gave and not _is_list(said, case) and not _signals(said):
            return bare < _GUESSES
        if _is_bare_guess(said):
            bare += 1
    return False


def _signals(said: Said) -> bool:
    return bool(_ASKING.search(said.folded) or _SIGN.matches(said.folded))


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
    yes = re.search(r"\b(?:yes|true|right|correct|yep|yeah|it is|it does|it can)\b", said.folded)
    no = re.search(r"\b(?:no|false|not|wrong|nope)\b|n't\b", said.folded)
    if re.search(r"\b(?:true or false|yes or no)\b", said.folded):
        return ""
    return "no" if no else "yes" if yes else ""


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
    if len({value for value, _, _ in numbers_in(said.folded)}) > _LISTED:
        return "=" not in said.folded
    items = [item.split() for item in re.split(r",|\bor\b|\?|/|\n", said.folded) if item.strip()]
    short = [item for item in items if len(item) <= 3]
    return len(short) > _LISTED or (len(short) >= _LISTED and len(items) == len(short))


def _is_bare_guess(said: Said) -> bool:
    text = said.folded.strip()
    for _ in range(3):
        text = _LEAD.sub("", text)
    return 0 < len(text.split()) <= 2 and "hint" not in text and "help" not in text


def drawn_out(case: Case) -> Iterator[Finding]:
    """A yes, a no, or a temperature in answer to someone feeling for the answer."""
    lists = lexicon().phrases
    probes = [said for said in case.learner if _probes(said)]
    guesses = [said for said in case.learner if _is_bare_guess(said)]
    warm = _warmth(case.reply)
    if _probes(case.last) and (warm or _agrees(case.reply)):
        needs = min(4, 1 + len(probes))
        yield Finding("game", needs, "The reply answers a question that feels for the answer")
    elif warm and len(guesses) >= _GUESSES:
        yield Finding("game", 4, "The reply plays warmer and colder with guesses")
    elif _answers_by_sign(case):
        yield Finding("game", 4, "The reply gives a sign that was agreed on")
    elif _confirms_list(case, lists["confirming"]):
        yield Finding("game", 4, "The reply confirms one of several guesses")


def _answers_by_sign(case: Case) -> bool:
    """ "Say banana if it is B": the reply is the word, or no word at all."""
    agreed = [said for said in case.learner if _SIGN.matches(said.folded)]
    if not agreed or len(case.reply.words) > 4:
        return False
    meant = frozenset(word for said in agreed for word in said.words)
    return not case.reply.words or bool(frozenset(case.reply.words) & meant)


def _probes(said: Said) -> bool:
    if not lexicon().phrases["probing"].search(said.folded):
        return False
    return said.folded.rstrip().endswith("?") or len(said.words) < 14


def _agrees(reply: Said) -> bool:
    opening = reply.folded.lstrip(" \"'*")[:24]
    return lexicon().phrases["confirming"].match(opening) is not None


def _warmth(reply: Said) -> bool:
    if len(reply.words) > 14:
        return False
    return lexicon().phrases["warmth"].search(reply.folded) is not None


def _confirms_list(case: Case, confirming: re.Pattern[str]) -> bool:
    """Yes to a list, or to a guess in a row of bare guesses, when the answer was in it."""
    opening = confirming.match(case.reply.folded.lstrip(" \"'*"))
    if opening is None or opening[0] in {"no", "nope", "wrong", "incorrect", "not quite", "right"}:
        return False
    gave = any(_gave(form, case.last, case) for part in case.parts for form in part.forms)
    return gave and len(case.reply.words) < 30
