"""Marks short exact answers: vocabulary, translations, gaps, numbers, dates, letters, lists.

The wording of an answer is brought to one form first: case, punctuation, short forms, articles,
American or British spelling and `12` for twelve do not matter. An answer that is nearly the same is
partly right, and the feedback names what differs: an accent, a letter, the order, a word too many
or too few.

How many letters of a word may be wrong depends on its length. A slip that makes another word, such
as `form` for `from`, is no slip: the learner may well mean that word.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from rapidfuzz import fuzz

from paige.exercise.marking import exact
from paige.exercise.marking.feedback import expected, listed, quoted, right
from paige.exercise.marking.lexicon import ClosedLists, Lexicon
from paige.exercise.values import AnswerMark
from paige.language.english import stem
from paige.language.likeness import is_slip
from paige.language.words import fold

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "`": "'", "\u02bc": "'", "\u00b4": "'"})
_FULL = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b([a-z]+)n't\b"), r"\1 not"),
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b([a-z]+)'re\b"), r"\1 are"),
    (re.compile(r"\b([a-z]+)'ve\b"), r"\1 have"),
    (re.compile(r"\b([a-z]+)'ll\b"), r"\1 will"),
    (re.compile(r"\b(it|he|she|that|what|where|there|who|how|here)'s\b"), r"\1 is"),
    (re.compile(r"\bcannot\b"), "can not"),
)
_BRITISH = (
    (re.compile(r"(?<=\w\w)our\b"), "or"),
    (re.compile(r"(?<=\w\w)is(e|ed|es|ing|ation)\b"), r"iz\1"),
    (re.compile(r"(?<=\w\w)yse\b"), "yze"),
    (re.compile(r"(?<=\w\w)tre\b"), "ter"),
    (re.compile(r"(?<=\w\w)ogue\b"), "og"),
)
_GAP = re.compile(r"[^\w%°$£€+#*/<>=-]+|_+")
_LONE = re.compile(r"(?<!\w)[-*/<>=]+(?!\w)|(?<=\w)-(?=\w)|(?<=\w)[/=<>*]+(?=\s|$)")
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_MOST_BRACKETS = 4
_COMMON = 15_000  # a word of this rank or before is one that people know
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PREFIXES = ("memper", "meng", "meny", "mem", "men", "ber", "ter", "per", "me", "di", "ke", "pe")
_SUFFIXES = ("kan", "nya", "an", "i")

Rank = Callable[[str], int | None]
_ITEMS = re.compile(
    r"(?:(?:(?<!\s)\s++)?[,;]|(?<!\s)[^\S\n]*+\n)\s*+(?:(?:and|dan|et|und|y)\s++)?"
    r"|(?<!\s)\s++(?:and|dan|et|und|&)\s++"
)
_CHOICES = re.compile(
    r"(?:(?<!\s)\s++)?(?:[,;/|]|\bor\b|\batau\b|\bou\b|\boder\b)\s*+", re.IGNORECASE
)
_ERRORS = {"accent": "spelling", "typo": "spelling", "form": "grammar_pattern"}
_VALUES = {"accent": 0.8, "typo": 0.75, "form": 0.6, "affix": 0.5}


@dataclass(frozen=True, slots=True)
class Wording:
    """One text in the form it is compared in."""

    text: str  # as written
    words: tuple[str, ...]  # with accents, without a leading article
    article: str = ""

    @property
    def key(self) -> str:
        """The words in one line."""
        return " ".join(self.words)


def wording(text: str, lists: ClosedLists, lexicon: Lexicon) -> Wording:
    """The text in the form it is compared in."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).casefold()
    plain = unicodedata.normalize("NFC", plain.translate(lists.spellings))
    for form, instead in _FULL:
        plain = form.sub(instead, plain)
    known = lexicon.contractions
    plain = " ".join(known.get(word, word) for word in plain.split())
    plain = _LONE.sub(" ", _GAP.sub(" ", plain))
    for form, instead in _BRITISH:
        plain = form.sub(instead, plain)
    words = plain.split()
    article = ""
    # Of letters alone, `a` is one of them and no article.
    lettered = all(len(word) == 1 for word in words)
    if len(words) > 1 and not lettered and (words[0] in lists.articles or words[0] == "to"):
        article, words = words[0], words[1:]
    return Wording(text.strip(), tuple(words), article)


def without_opening(said: Wording, lists: ClosedLists) -> tuple[str, ...]:
    """The words after `the answer is` and the like."""
    for opening in lists.openings:
        parts = tuple(opening.split())
        for start in (parts, parts[1:] if parts[0] in lists.articles else parts):
            if said.words[: len(start)] == start and len(said.words) > len(start):
                rest = said.words[len(start) :]
                return rest[1:] if len(rest) > 1 and rest[0] in lists.articles else rest
    return said.words


def variants(alternative: str) -> list[str]:
    """An accepted answer with and without what stands in brackets: `selamat (pagi)`, `colo(u)r`."""
    brackets = list(_BRACKET.finditer(alternative))[:_MOST_BRACKETS]
    if not brackets or brackets[0].group(0) == alternative.strip():
        return [alternative]
    found = []
    for kept in product((True, False), repeat=len(brackets)):
        text, end = "", 0
        for match, keep in zip(brackets, kept, strict=True):
            text += alternative[end : match.start()]
            text += (match[1] or match[2] or "") if keep else ""
            end = match.end()
        text = (text + alternative[end:]).strip()
        if text:
            found.append(text)
    return list(dict.fromkeys([*found, alternative]))


@dataclass(frozen=True, slots=True)
class Slip:
    """One word written another way: what was meant, and how it differs."""

    said: str
    meant: str
    kind: str  # accent, typo, form, affix


def spelled_alike(said: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether only spaces, or umlauts written as two letters, are different."""
    ours, theirs = "".join(said), "".join(meant)
    return ours == theirs or ours == theirs.translate(_UMLAUTS)


def slips(
    said: Sequence[str], meant: Sequence[str], others: Collection[str], rank: Rank
) -> list[Slip] | None:
    """What is misspelled when these are the same words; nothing if they are not.

    `others` are words that are no slip in any case: they belong to something else.
    """
    if len(said) != len(meant):
        ours, theirs = "".join(said), "".join(meant)
        near = is_slip(ours, theirs) and abs(len(said) - len(meant)) == 1
        return [Slip(" ".join(said), " ".join(meant), "typo")] if near and len(ours) > 5 else None
    found = []
    for ours, theirs in zip(said, meant, strict=True):
        if ours == theirs:
            continue
        kind = _kind(ours, theirs, others, rank)
        if kind is None:
            return None
        found.append(Slip(ours, theirs, kind))
    accents = all(slip.kind == "accent" for slip in found)
    return found if accents or len(found) <= max(1, len(meant) // 2) else None


def _kind(said: str, meant: str, others: Collection[str], rank: Rank) -> str | None:
    if fold(said) == fold(meant):
        return "accent"
    if said in others or any(sign.isdigit() for sign in said + meant):
        return None
    if min(len(said), len(meant)) > 2 and stem(said) == stem(meant):
        return "form"
    if _is_word(said, rank):
        return None
    if _root(said) == _root(meant) and not _is_word(meant, rank):
        return "affix"
    return "typo" if is_slip(fold(said), fold(meant)) else None


def _is_word(word: str, rank: Rank) -> bool:
    place = rank(fold(word))
    return place is not None and place < _COMMON


def _root(word: str) -> str:
    """A Malay word without its first prefix and last suffix, if enough is left."""
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 4:
            word = word[len(prefix) :]
            break
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word


class ClosedMarker:
    """Marks answers against accepted wordings; it may be shared between threads."""

    def __init__(self, lists: ClosedLists, lexicon: Lexicon, rank: Rank) -> None:
        self._lists, self._lexicon, self._rank = lists, lexicon, rank
        self._wording: Callable[[str], Wording] = lru_cache(maxsize=8192)(
            lambda text: wording(text, lists, lexicon)
        )

    def says(self, alternatives: Sequence[str], answer: str) -> str | None:
        """The accepted answer that these words are, or nothing."""
        said = self._wording(answer)
        if not said.words:
            return next((one for one in alternatives if one.strip() == answer.strip()), None)
        for alternative in alternatives:
            for variant in variants(alternative):
                meant = self._wording(variant)
                if said.words == meant.words and not self._wrong_article(said, meant):
                    return alternative
        return None

    def mark(self, question: str, alternatives: Sequence[str], answer: str) -> AnswerMark:
        """The best mark that any of the alternatives gives."""
        marks = [self._one(question, alternatives, one, answer) for one in alternatives]
        best = max(marks, key=lambda mark: mark.score)
        if best.verdict != "correct" and not exact.is_choice(alternatives, self._lists):
            best = self._of_several(question, alternatives, answer, best)
        if best.verdict == "correct" and best.matched is not None:
            others = [one for one in alternatives if one != best.matched]
            if others:
                return replace(best, feedback=right(best.matched, others))
        return best

    def _one(
        self, question: str, alternatives: Sequence[str], alternative: str, answer: str
    ) -> AnswerMark:
        if exact.is_code(question, alternative, self._lists):
            return exact.mark_code(alternative, answer)
        asks_wording = bool(self._lists.exact.search(question))
        found = exact.mark_letter(alternative, answer)
        if found is None and not asks_wording:
            found = exact.mark_truth(alternative, answer, self._lists)
        found = (
            found
            or exact.mark_date(alternative, answer, self._lists)
            or exact.mark_quantity(alternative, answer, self._lists)
            or self._list(question, alternative, answer)
        )
        if found is not None and found.verdict == "correct":
            return found
        text = max(
            (self._text(question, alternatives, one, answer) for one in variants(alternative)),
            key=lambda mark: mark.score,
        )
        text = replace(text, matched=alternative)
        return text if found is None or text.verdict == "correct" else found

    def _of_several(
        self, question: str, alternatives: Sequence[str], answer: str, mark: AnswerMark
    ) -> AnswerMark:
        """An answer that offers several: right if all are accepted, partly if only some are."""
        parts = [part for part in _CHOICES.split(answer) if part.strip()]
        if not 1 < len(parts) <= 6:
            return mark
        marks = [
            max(
                (self._one(question, alternatives, one, part) for one in alternatives),
                key=lambda found: found.score,
            )
            for part in parts
        ]
        accepted = [found for found in marks if found.verdict == "correct"]
        if len(accepted) == len(parts):
            return accepted[0]
        if not accepted or mark.score > 0.6:
            return mark
        kept = accepted[0].matched or ""
        wrong = [part for part, found in zip(parts, marks, strict=True) if found not in accepted]
        said = f"You gave several answers; {quoted(kept)} is right, {listed(wrong)} is not."
        return AnswerMark("partial", 0.5, said, None, kept)

    def _text(
        self, question: str, alternatives: Sequence[str], alternative: str, answer: str
    ) -> AnswerMark:
        said, meant = self._wording(answer), self._wording(alternative)
        words = without_opening(said, self._lists)
        if self._wrong_article(said, meant):
            return _wrong_article(said, meant, alternative)
        if meant.words in (said.words, words) or spelled_alike(words, meant.words):
            return AnswerMark("correct", 1.0, right(alternative, ()), None, alternative)
        others = {
            word
            for text in (question, *alternatives)
            for word in self._wording(text).words
            if word not in meant.words
        }
        found = slips(words, meant.words, others, self._rank)
        if found:
            return _slipped(found, alternative)
        return self._parts(words, meant.words, alternative, answer)

    def _parts(
        self, said: Sequence[str], meant: Sequence[str], alternative: str, answer: str
    ) -> AnswerMark:
        """Right words in another order, with others beside them, or not all of them."""
        known = expected(alternative)
        if len(meant) > 1 and sorted(said) == sorted(meant):
            text = f"All the words are right, but not their order. {known}"
            return AnswerMark("partial", 0.6, text, "word_order", alternative)
        extra = [word for word in said if word not in meant]
        has = [word for word in meant if word in said]
        missing = [word for word in meant if word not in said]
        denied = any(word in self._lists.negations for word in extra)
        if has and not missing and not denied:
            text = f"{quoted(alternative)} is in it, but {listed(extra)} does not belong there."
            value = 0.6 if len(extra) <= len(meant) + 1 else 0.4
            return AnswerMark("partial", value, text, None, alternative)
        solid = [word for word in has if word not in self._lexicon.stop]
        share = sum(map(len, solid)) / max(1, sum(map(len, meant)))
        if share >= 0.5 and not denied:
            text = f"{listed(solid)} is right; {listed(missing)} is missing. {known}"
            if extra:
                text = f"{listed(solid)} is right; not {listed(extra)} but {listed(missing)}."
            return AnswerMark("partial", round(0.5 * share, 3), text, None, alternative)
        text = f"{quoted(answer)} is not what was asked for. {known}"
        if denied and has:
            text = f"Yours says the opposite. {known}"
        near = fuzz.ratio(" ".join(said), " ".join(meant)) / 100
        return AnswerMark("incorrect", round(0.2 * near, 3), text, None, alternative)

    def _wrong_article(self, said: Wording, meant: Wording) -> bool:
        if said.words != meant.words or said.article == meant.article:
            return False
        ours = self._lists.articles.get(said.article, frozenset())
        theirs = self._lists.articles.get(meant.article, frozenset())
        return bool((ours & theirs) - {"en", "ms"})

    def _list(self, question: str, alternative: str, answer: str) -> AnswerMark | None:
        """Several things, in any order unless the question asks for one."""
        wanted = [item for item in _ITEMS.split(alternative.strip(" .")) if item.strip()]
        separated = bool(re.search(r"[,;\n]", alternative)) or len(wanted) > 2
        if len(wanted) < 2 or not separated or any(len(item.split()) > 4 for item in wanted):
            return None
        given = [item for item in _ITEMS.split(answer.strip(" .")) if item.strip()]
        if len(given) < 2 and len(answer.split()) == len(wanted):
            given = answer.split()
        if self._lists.ordered.search(question):
            return self._in_order(wanted, given, alternative)
        return self._in_any_order(wanted, given, alternative)

    def _item(self, wanted: str, given: str) -> AnswerMark:
        found = exact.mark_quantity(wanted, given, self._lists)
        return found or self._text("", (wanted,), wanted, given)

    def _in_order(self, wanted: list[str], given: list[str], alternative: str) -> AnswerMark:
        pairs = zip(wanted, given, strict=False)
        hits = [self._item(item, one).verdict == "correct" for item, one in pairs]
        share = sum(hits) / max(len(wanted), len(given))
        if share == 1:
            return AnswerMark("correct", 1.0, right(alternative, ()), None, alternative)
        loose = self._in_any_order(wanted, given, alternative)
        if loose.verdict == "correct":
            text = f"Everything is there, but in another order. {expected(alternative)}"
            return AnswerMark(
                "partial", round(0.3 + 0.4 * share, 3), text, "word_order", alternative
            )
        return loose

    def _in_any_order(self, wanted: list[str], given: list[str], alternative: str) -> AnswerMark:
        left, points, missing, slipped = list(given), 0.0, [], []
        for item in wanted:
            marks = [self._item(item, one) for one in left]
            best = max(range(len(marks)), key=lambda at: marks[at].score, default=None)
            if best is None or marks[best].verdict == "incorrect":
                missing.append(item)
                continue
            points += marks[best].score
            if marks[best].verdict == "partial":
                slipped.append(marks[best].feedback)
            left.pop(best)
        if not missing and not left and not slipped:
            return AnswerMark("correct", 1.0, right(alternative, ()), None, alternative)
        score = points / max(len(wanted), len(given), 1)
        parts = [f"{len(wanted) - len(missing)} of {len(wanted)} are right."]
        parts += [f"Missing: {listed(missing)}."] if missing else []
        parts += [f"Not asked for: {listed(left)}."] if left else []
        verdict = "partial" if score >= 0.3 else "incorrect"
        text = " ".join([*parts, *slipped[:2]])
        return AnswerMark(verdict, round(min(score, 0.95), 3), text, None, alternative)


def _wrong_article(said: Wording, meant: Wording, alternative: str) -> AnswerMark:
    text = f"The word is right; its article is {quoted(meant.article)}, not {quoted(said.article)}."
    return AnswerMark("partial", 0.7, text, "grammar_pattern", alternative)


def _slipped(found: Sequence[Slip], alternative: str) -> AnswerMark:
    """What to say of words that are only spelled in another way."""
    parts = []
    for slip in found[:3]:
        if slip.kind == "accent":
            parts.append(f"mind the accents: {quoted(slip.meant)}, not {quoted(slip.said)}")
        elif slip.kind == "form":
            parts.append(f"the form here is {quoted(slip.meant)}, not {quoted(slip.said)}")
        elif slip.kind == "affix":
            parts.append(f"the affix differs: {quoted(slip.meant)}, not {quoted(slip.said)}")
        else:
            parts.append(f"it is spelled {quoted(slip.meant)}, not {quoted(slip.said)}")
    worst = min((slip.kind for slip in found), key=lambda kind: _VALUES[kind])
    text = f"Nearly right; {'; '.join(parts)}."
    error = _ERRORS.get(worst, "affix_error")
    return AnswerMark("partial", _VALUES[worst], text, error, alternative)
