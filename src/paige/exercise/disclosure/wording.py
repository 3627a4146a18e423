"""Answers that are words: said plainly, inflected, inside a longer word, translated, paraphrased.

A rare answer is given away by being there at all. A common one, or one the question itself names,
only when a sentence points at it. An explanation is given away when most of its ideas stand
together in what the tutor states; asking about them is what tutors do.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Postfix, Prefix

from paige.exercise.disclosure.case import Case, Finding, Said, stem
from paige.exercise.disclosure.giveaways import gap_is_filled, is_given, spans
from paige.exercise.disclosure.key import Form
from paige.exercise.disclosure.lexicon import english_words, fold, lexicon
from paige.exercise.disclosure.numbers import with_figures
from paige.exercise.marking.lexicon import lexicon as marking_lexicon
from paige.language.words import runs as words
from paige.memory.embedding import StaticEmbedder

_LANGUAGES = frozenset(
    str.split(
        "english french spanish german malay italian portuguese francais espagnol deutsch"
        " bahasa melayu italiano portugues espanol allemand anglais"
    )
)
_JOINERS = frozenset(("and", "then", "followed", "by", "next", "to"))
_RELATIONS = frozenset(("is", "greater", "less", "more", "bigger", "smaller", "than", "over"))
_FOREIGN = re.compile(r"\bmeans?\b|\btranslate\b|\bword\b|\bsay\b")
_OPPOSITE = re.compile(
    r"\b(?:opposite|antonym|contrary|reverse) (?:of|to)[\s\"'*`]+(?:the word )?(\w+)"
)
_NEAR = 0.5  # how alike two words must be to stand for one idea
_SYNONYM = 0.52
_STATED = 0.55  # the share of ideas that, stated, is the explanation
_ASKED = 0.86
_OVER_TURNS = 0.8
_CLAUSE = re.compile(
    r"\bbecause\b|\bso\b|\btherefore\b|\bthus\b|[;:]|\buntil\b|, and\b|\bwhich\b", re.I
)


@cache
def _embedder() -> StaticEmbedder:
    return StaticEmbedder()


@lru_cache(maxsize=16384)
def _vector(word: str) -> np.ndarray:
    return _embedder().embed([word])[0]


def alike(one: str, two: str) -> float:
    """How alike two words are, between -1 and 1."""
    return float(_vector(one) @ _vector(two))


def is_common(form: Form, case: Case) -> bool:
    """Whether meeting the form proves nothing: everyday words, or words of the question."""
    if all(word in lexicon().common for word in form.words):
        return True
    if len(form.squeezed) < 2:
        return True
    return form.line in case.question.line


def stated(form: Form, case: Case) -> Iterator[Finding]:
    """The form itself: plainly, or pointed at if its words are common."""
    if not form.words or form.kind in {"number", "formula"}:
        return
    text = form.line.strip()
    if is_common(form, case):
        named = all(word not in lexicon().common for word in form.words)
        if is_given(text, case.reply, ends=not named or len(text) < 4):
            yield Finding("stated", 4, "The reply points at the answer")
        elif gap_is_filled(case.question.folded, text, case.reply.line):
            yield Finding("stated", 4, "The reply fills the gap of the question")
        return
    if any(word.isdigit() for word in form.words):
        told = words(with_figures(case.reply.folded))
        skipped = _JOINERS | _RELATIONS if re.search(r"[<>]", form.raw) else _JOINERS
        figures = f" {' '.join(word for word in told if word not in skipped)} "
        if form.line in figures:
            yield Finding("stated", 4, "The reply contains the answer")
            return
    unspaced = not text.isascii() and form.squeezed in "".join(case.reply.words)
    if unspaced or form.line in case.reply.line:
        yield Finding("stated", 4, "The reply contains the answer")


def formed(form: Form, case: Case) -> Iterator[Finding]:
    """Inflected, misspelt, nearly the same in another language, or inside a longer word."""
    if len(form.words) != 1 or len(form.squeezed) < 4:
        return
    word = form.words[0]
    if is_common(form, case):
        longer = [each for each in set(case.reply.words) - case.question_words if word in each[:-1]]
        if any(each.startswith(word) and is_given(each, case.reply) for each in longer):
            yield Finding("formed", 4, "The reply points at a form of the answer")
        return
    if not word.isalpha():
        return
    root = stem(word)
    hidden = root in case.question.stems
    for token in dict.fromkeys(case.reply.words):
        if token == word or token in case.question_words or len(token) < 4:
            continue
        if not hidden and stem(token) == root:
            yield Finding("formed", 4, "The reply contains a form of the answer")
        elif token not in english_words():
            yield from _like(word, token)
        elif _is_compound(word, token) or (
            len(word) > 6 and Prefix.similarity(word, token) >= max(6, 0.8 * len(word))
        ):
            yield Finding("formed", 4, "The reply contains the answer inside a longer word")


def _is_compound(word: str, token: str) -> bool:
    """`goldsmith` holds gold, `listen` holds no list."""
    rest = token.removeprefix(word) if token.startswith(word) else token.removesuffix(word)
    return 3 < len(rest) < len(token) and rest in english_words()


def _like(word: str, token: str) -> Iterator[Finding]:
    if word in token:
        yield Finding("formed", 4, "The reply contains the answer inside a longer word")
    elif len(word) > 4 and _one_apart(word, token) and not _inflected(word, token):
        yield Finding("formed", 4, "The reply contains the answer with a small change")
    elif len(word) > 6 and Prefix.similarity(word, token) >= 0.7 * max(len(word), len(token)):
        yield Finding("formed", 4, "The reply contains a word that is nearly the answer")


def _inflected(word: str, token: str) -> bool:
    """Whether the two differ in an ending that other words have too, so may be other words."""
    return word[:-1] == token or token[:-1] == word


def _one_apart(one: str, two: str) -> bool:
    if abs(len(one) - len(two)) > 1:
        return False
    start = Prefix.similarity(one, two)
    end = Postfix.similarity(one, two)
    return start + end >= max(len(one), len(two)) - 1


def translated(form: Form, case: Case) -> Iterator[Finding]:
    """The meaning in another language, or a synonym, when the meaning is what is asked for."""
    if len(form.words) > 2 or form.kind not in {"words", "truth", "choice"}:
        return
    lists = lexicon()
    text = form.line.strip()
    for number in lists.means(text):
        row = lists.rows[number]
        # Someone who is given the meaning and asked for the word learns nothing from a third one.
        given = any(f" {other} " in case.question.line for other in row[0] - {text})
        if given and text not in row[0]:
            continue
        for language, column in enumerate(row):
            for other in column - {text}:
                if _translated_as(other, language == 0, case):
                    yield Finding("translated", 4, "The reply gives the answer in other words")
                    return


def _translated_as(other: str, is_english: bool, case: Case) -> bool:
    if f" {other} " not in case.reply.line or other in case.question_words:
        return False
    everyday = other in english_words() or len(other) < 4
    named = bool(_LANGUAGES & frozenset(case.reply.words)) and other not in lexicon().common
    if is_english:
        return is_given(other, case.reply)
    return not everyday or is_given(other, case.reply, ends=False) or (named and len(other) > 2)


def spoken_elsewhere(form: Form, case: Case) -> Iterator[Finding]:
    """ "In Spanish it is …": the meaning by way of a language nobody asked about."""
    wanted = form.kind == "words" and len(form.words) == 1 and form.words[0] in english_words()
    named = _LANGUAGES & (frozenset(case.reply.words) - case.question_words)
    asked = _LANGUAGES & case.question_words or _FOREIGN.search(case.question.folded)
    if not wanted or not named or not asked:
        return
    for token in frozenset(case.reply.words) - case.question_words - lexicon().common:
        if token not in _LANGUAGES and len(token) > 2 and is_given(token, case.reply, ends=False):
            yield Finding("translated", 4, "The reply gives the answer in another language")
            return


def opposed(form: Form, case: Case) -> Iterator[Finding]:
    """ "The opposite of …", when the opposite is a word everybody knows."""
    if len(form.words) != 1:
        return
    mine = marking_lexicon().sides.get(stem(form.words[0]), ())
    for other in _OPPOSITE.findall(case.reply.folded):
        theirs = marking_lexicon().sides.get(stem(other), ())
        if any((number, -sign) in theirs for number, sign in mine):
            yield Finding("synonym", 3, "The reply gives the opposite of the answer")


def synonymous(form: Form, case: Case) -> Iterator[Finding]:
    """A word pointed at whose meaning is close to the answer's."""
    if len(form.words) != 1 or form.kind != "words" or is_common(form, case):
        return
    word = form.words[0]
    if len(word) < 3 or any(alike(word, known) > 0.6 for known in _content(case.question)):
        return
    for token in _content(case.reply) - case.question_words:
        if token == word or not token.isalpha() or _is_other(word, token, case):
            continue
        near = alike(word, token) > _SYNONYM and not _is_name(token, case.reply)
        if near and is_given(token, case.reply):
            yield Finding("synonym", 4, "The reply gives the meaning of the answer")
            return


def _is_other(word: str, token: str, case: Case) -> bool:
    """Whether two words are known to mean different things, or the learner said the second."""
    lists, sides = lexicon(), marking_lexicon().sides
    if lists.means(word) and lists.means(token):
        return not set(lists.means(word)) & set(lists.means(token))
    mine, theirs = sides.get(stem(word), ()), sides.get(stem(token), ())
    if any((number, -sign) in theirs for number, sign in mine):
        return True
    return any(f" {token} " in said.line for said in case.learner)


def _is_name(token: str, said: Said) -> bool:
    return f" {token.capitalize()}" in said.seen


def _content(said: Said) -> frozenset[str]:
    return frozenset(said.words) - lexicon().common


def named(form: Form, case: Case) -> Iterator[Finding]:
    """The telling last word of a name: `Curie`, `Versailles`."""
    capitals = [word for word in form.raw.split() if word[:1].isupper()]
    if len(form.words) < 2 or len(form.content) > 4 or len(capitals) < max(2, len(form.content)):
        return
    last = form.words[-1]
    if last in case.question_words or last in lexicon().common or len(last) < 4:
        return
    for sentence in case.reply.sentences:
        for start, _ in spans(last, sentence.folded):
            if sentence.seen[start : start + 1].isupper():
                yield Finding("named", 4, "The reply contains the telling part of the answer")
                return


def explained(form: Form, case: Case) -> Iterator[Finding]:
    """Most of the ideas of an answer of several words."""
    ideas = sorted({stem(word): word for word in form.content}.items())
    if sum(len(word) > 2 for word in form.content) < 2:
        return
    new = [(root, word) for root, word in ideas if root not in case.known]
    if not new:
        if form.line in case.reply.line and is_given(form.line.strip(), case.reply, ends=False):
            yield Finding("stated", 4, "The reply points at the answer")
        return
    if len(new) == 1 and len(ideas) < 4 and _is_foreign(new[0][1], case):
        yield Finding("stated", 4, "The reply contains the missing part of the answer")
        return
    if len(form.words) == 2 and _is_half_given(form, case):
        yield Finding("stated", 4, "The reply contains the missing part of the answer")
        return
    reply = case.reply
    claims = [each for each in reply.sentences if not each.asks]
    if _tells(ideas, new, claims, _STATED) or _tells(ideas, new, reply.sentences, _ASKED):
        yield Finding("explained", 4, "The reply says what the answer says, in its own words")
        return
    before = _ideas_in(new, _words_of(case.tutor))
    after = _ideas_in(new, _words_of([*case.tutor, *claims]))
    whole = sum(_weight(word) for _, word in new)
    if len(new) > 2 and after >= _OVER_TURNS * whole and after - before >= 0.9:
        yield Finding("explained", 4, "The reply completes an answer given over several turns")


def _is_half_given(form: Form, case: Case) -> bool:
    """Of two words the question has one, and the reply the other."""
    missing = [word for word in form.words if stem(word) not in case.question.stems]
    if len(missing) != 1 or missing[0] in lexicon().common or len(missing[0]) < 4:
        return False
    return stem(missing[0]) in case.reply.stems


def _is_foreign(word: str, case: Case) -> bool:
    """A word no one meets by chance in an English reply, and the reply has it."""
    rare = word not in english_words() and len(word) > 3 and not word.isdigit()
    return rare and f" {word} " in case.reply.line


def claimed(form: Form, case: Case) -> Iterator[Finding]:
    """One clause of an explanation: a step of it, not yet the whole."""
    if len(form.content) <= 4:
        return
    for clause in _CLAUSE.split(form.raw):
        root_of = {stem(word): word for word in words(fold(clause)) if word not in lexicon().stop}
        ideas = sorted(root_of.items())
        new = [(root, word) for root, word in ideas if root not in case.known]
        if len(ideas) < 3 or not new:
            continue
        claims = [each for each in case.reply.sentences if not each.asks]
        if any(_all_there(ideas, new, _words_of([each])) for each in claims):
            yield Finding("claimed", 3, "The reply states a step of the explanation")
            return


def corrected(form: Form, case: Case) -> Iterator[Finding]:
    """The one word that a corrected sentence changes."""
    if len(form.words) < 3:
        return
    for base in (case.question_words, frozenset(case.last.words)):
        changed = [word for word in form.words if word not in base]
        limit = 0.5 if base is case.question_words else 0.7
        if not 0 < len(changed) <= 3 or len(changed) > limit * len(form.words):
            continue
        whole = " ".join(changed)
        if whole in form.line and len(changed) > 1 and is_given(whole, case.reply):
            yield Finding("corrected", 4, "The reply gives the words that have to change")
            return
        if base is case.question_words and any(_is_shown(word, case) for word in changed):
            yield Finding("corrected", 4, "The reply gives the word that has to change")
            return


def _is_shown(word: str, case: Case) -> bool:
    plain = word in lexicon().common or len(word) < 4
    return is_given(word, case.reply) or (not plain and f" {word} " in case.reply.line)


def _tells(
    ideas: list[tuple[str, str]], new: list[tuple[str, str]], said: list[Said], share: float
) -> bool:
    """Whether the new ideas, and with them the whole, are there."""
    if not said:
        return False
    if len(ideas) <= 4:
        groups = [[each] for each in said] + [list(pair) for pair in pairwise(said)]
        return any(_all_there(ideas, new, _words_of(group)) for group in groups)
    told = _words_of(said)
    enough = _ideas_in(new, told) >= share * sum(_weight(word) for _, word in new)
    return enough and _ideas_in(ideas, told) >= 0.5 * sum(_weight(word) for _, word in ideas)


def _all_there(
    ideas: list[tuple[str, str]], new: list[tuple[str, str]], told: frozenset[str]
) -> bool:
    return all(
        _ideas_in(each, told) >= 0.75 * sum(_weight(word) for _, word in each)
        for each in (new, ideas)
    )


def _words_of(said: Iterable[Said]) -> frozenset[str]:
    return frozenset(word for each in said for word in each.words)


def _ideas_in(ideas: list[tuple[str, str]], told: frozenset[str]) -> float:
    """How many of the ideas are there: fully, or nearly in other words."""
    stems = {stem(word) for word in told}
    total, missing = 0.0, []
    for root, word in ideas:
        if root in stems:
            total += _weight(word)
        elif len(root) > 4 and any(each.startswith(root) for each in told):
            total += 0.9 * _weight(word)
        else:
            missing.append((root, word))
    candidates = [word for word in told if word not in lexicon().stop and not word.isdigit()]
    if not missing or not candidates:
        return total
    groups = _groups(stems)
    left = [(root, word) for root, word in missing if not (_groups({root}) & groups)]
    total += 0.9 * sum(_weight(word) for root, word in missing if (root, word) not in left)
    if left:
        table = np.array([_vector(word) for word in candidates])
        for _, word in left:
            best = float(np.max(table @ _vector(word))) if not word.isdigit() else 0.0
            total += best * _weight(word) if best > _NEAR else 0.0
    return total


def _weight(word: str) -> float:
    """How much of an answer a word is: everyday words are little, technical ones much."""
    if word in lexicon().common:
        return 0.5
    return 1.0 if word in english_words() else 1.5


def _groups(stems: set[str]) -> set[tuple[int, int]]:
    lists = marking_lexicon()
    found = {side for root in stems for side in lists.sides.get(root, ())}
    return found | {(-number - 1, 0) for root in stems for number in lists.same.get(root, ())}


def covers(form: Form, said: Said) -> bool:
    """Whether a text has most of the ideas of a form: a learner's own explanation."""
    ideas = sorted({stem(word): word for word in form.content}.items())
    share = 0.6 if len(ideas) > 4 else 0.8
    return len(ideas) > 1 and _ideas_in(ideas, frozenset(said.words)) >= share * sum(
        _weight(word) for _, word in ideas
    )
