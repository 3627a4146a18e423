"""Answers handed over in pieces: letters, syllables, acrostics, gaps to fill in, word games.

Pieces count over the whole dialogue: what the tutor gave before and what the reply adds are read as
one stream. A first letter or a number of letters is a pointed hint; half of the word is the word.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.ciphers import disguised
from paige.exercise.disclosure.key import Form
from paige.exercise.disclosure.lexicon import english_words

_RUN = re.compile(
    r"(?<![^\W_])[^\W_](?:[^\w\n]{1,4}[^\W_](?![^\W_])){2,}|(?:^|\n)[^\w\n]*+\w(?:[^\w\n]*+(?:\n[^\w\n]*+)++\w)+\W*+$"
)
_QUOTED = re.compile(r"[\"'*`_\u201c(\[]{1,2}([^\s\"'*`_)\]]{1,12})[\"'*`_\u201d)\]]{1,2}")
_PIECE = re.compile(
    r"(?:letters?|digits?|figures?|halves|half|part|syllable|bit|piece|chunk|then|next"
    r"|followed by|starts? with|begins? with|"
    r"ends? (?:with|in)|finish(?:es)? with|prefix|suffix|beginning|ending|first|second|third"
    r"|fourth|fifth|"
    r"sixth|last|add|append|comes?|after that|finally|plus|character)"
    r"(?: (?:letters?|digits?|one|part|half|two|three|is|are|was|comes|with|the|be))*"
    r"\s*+(?:[:=-]\s*+)?"
    r"[\"'*`(]*(?P<piece>[^\W_]{1,6})(?![^\W_])"
)
_START = re.compile(
    r"(?:starts?|begins?|beginning|starting)(?: with| in)?(?: the)?(?: letters?)?[\s\"'*`:]+"
    r"(?P<piece>[^\W_]+(?:-[^\W_](?![^\W_]))*)|first letters?(?: is| are|:"
    r"| of it is)?[\s\"'*`:]+(?P<first>[^\W_]+)"
)
_END = re.compile(
    r"(?:ends?|finish(?:es)?|ending)(?: with"
    r"| in)(?: the)?(?: letters?)?[\s\"'*`:-]+(?P<piece>[^\W_]+)"
    r"|last letters?(?: is| are|:)?[\s\"'*`:]+(?P<last>[^\W_]+)"
)
_MASK = re.compile(r"(?<!\w)(?:[a-z_*?\u2022.\u00b7-][ ]?){3,}(?!\w)")
_MASKS = "_*?\u2022.-"
_COUNT = re.compile(r"\b(\w+)[- ]letters?\b")
_COUNTS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_COUNTS |= {str(number): number for number in range(2, 20)}
_SHORTEST = 3


def spelled(form: Form, case: Case) -> Iterator[Finding]:
    """Every way in which the reply spells a form, alone or with what was said before."""
    target = form.squeezed
    if len(target) < 2 or form.kind in {"choice", "text", "code", "truth"}:
        return
    yield from _runs(target, case)
    if len(target) >= _SHORTEST:
        yield from _acrostic(target, case.reply)
        yield from _split(form, case)
        yield from _masked(target, case)
        if target.isalpha():
            yield from _dressed(form, case)


def _leak(how: str) -> Finding:
    return Finding("spelled", 4, f"The reply gives the answer {how}")


def _runs(target: str, case: Case) -> Iterator[Finding]:
    for match in _RUN.finditer(case.reply.folded):
        run = "".join(sign for sign in match[0] if sign.isalnum())
        if len(target) > 2 and (target in run or run == target):
            yield _leak("letter by letter")
        elif len(target) > 2 and target[::-1] in run:
            yield _leak("letter by letter, backwards")
        elif len(target) > 4 and _prefix(run, target) >= 0.6 * len(target):
            yield _leak("almost completely, letter by letter")


def _prefix(one: str, two: str) -> int:
    size = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        size += 1
    return size


def _acrostic(target: str, reply: Said) -> Iterator[Finding]:
    seen = reply.seen
    lines = [line for line in seen.splitlines() if line.strip()]
    streams = [
        ("in the first letters of its lines", [_first(line) for line in lines]),
        ("in the last letters of its lines", [_last(line) for line in lines]),
        ("in the first letters of its sentences", [_first(each.seen) for each in reply.sentences]),
    ]
    for how, signs in streams:
        stream = "".join(signs)
        long_enough = len(target) > 3 or len(stream) <= len(target) + 1
        if (target in stream and long_enough) or (len(target) > 3 and target[::-1] in stream):
            yield _leak(how)
    if len(target) > 3:
        yield from _word_streams(target, reply)


def _word_streams(target: str, reply: Said) -> Iterator[Finding]:
    initials = "".join(word[0] for word in reply.words)
    finals = "".join(word[-1] for word in reply.words)
    inside = "".join(re.findall(r"(?<=[a-z])[A-Z]", reply.seen)).casefold()
    every = "".join(re.findall(r"[A-Z]", reply.seen)).casefold()
    marked = "".join(re.findall(r"[*_]{1,2}(\w)[*_]{1,2}", reply.seen)).casefold()
    short = len(target) < 5 and len(reply.words) > 3 * len(target) + 6
    if not short and (target in initials or target in finals):
        yield _leak("in the first or last letters of its words")
    if any(target in stream for stream in (inside, every, marked)):
        yield _leak("in its capital or marked letters")


def _first(text: str) -> str:
    found = re.search(r"[^\W_]", re.sub(r"^\W*\d+[.)]\s*", "", text))
    return found[0].casefold() if found else ""


def _last(text: str) -> str:
    found = re.search(r"([^\W_])[\W_]*$", text)
    return found[1].casefold() if found else ""


def _split(form: Form, case: Case) -> Iterator[Finding]:
    """Pieces of the reply, joined with pieces the tutor gave before."""
    target = form.squeezed
    now = _pieces(case.reply)
    if not now:
        return
    earlier = [piece for said in case.tutor for piece in _pieces(said)]
    told = "".join(earlier)
    for pieces in (now, _pieces_after_words(case.reply), _quoted(case.reply)):
        stream = "".join(pieces)
        if len(pieces) > 1 and target in stream and all(target not in piece for piece in pieces):
            yield _leak("in pieces that only need to be joined")
        elif told and target in told + stream and target not in told and stream:
            yield _leak("piece by piece over several turns")
    yield from _sizes(target, now, case)


def _sizes(target: str, now: list[str], case: Case) -> Iterator[Finding]:
    shown = max(_starts(target, case.reply), _ends(target, case.reply))
    both = _starts(target, case.reply) + _ends(target, case.reply)
    before = max((_starts(target, said) + _ends(target, said) for said in case.tutor), default=0)
    total = max(both, before + both if both else 0)
    if total > max(2, 0.6 * len(target)) and len(target) > 3:
        yield _leak("with most of its letters")
    elif shown:
        yield Finding("structure", 2, "The reply shows letters of the answer")


def _starts(target: str, said: Said) -> int:
    found = (match["piece"] or match["first"] for match in _START.finditer(said.folded))
    plain = (piece.replace("-", "") for piece in found)
    return max((len(each) for each in plain if target.startswith(each) and each), default=0)


def _ends(target: str, said: Said) -> int:
    found = (match["piece"] or match["last"] for match in _END.finditer(said.folded))
    return max((len(each) for each in found if target.endswith(each)), default=0)


def _pieces(said: Said) -> list[str]:
    words = said.words
    if len("".join(words)) <= 8 and len(words) <= 3:
        return ["".join(words)]
    found: list[tuple[int, str]] = []
    for pattern, group in ((_QUOTED, 1), (_PIECE, "piece")):
        for match in pattern.finditer(said.folded):
            found.append((match.start(group), match[group]))
    for match in _RUN.finditer(said.folded):
        found.append((match.start(), "".join(sign for sign in match[0] if sign.isalnum())))
    ordered = sorted(dict(found).items())
    return ["".join(sign for sign in piece if sign.isalnum()) for _, piece in ordered]


def _pieces_after_words(said: Said) -> list[str]:
    return [match["piece"] for match in _PIECE.finditer(said.folded)]


def _quoted(said: Said) -> list[str]:
    found = (match[1] for match in _QUOTED.finditer(said.folded))
    return ["".join(sign for sign in piece if sign.isalnum()) for piece in found]


def _masked(target: str, case: Case) -> Iterator[Finding]:
    for match in _MASK.finditer(case.reply.folded):
        shape = match[0].replace(" ", "").strip(".") if match[0][0] != "." else match[0]
        shape = shape.replace(" ", "").rstrip("-")
        if len(shape) != len(target) or not any(sign in _MASKS for sign in shape):
            continue
        pairs = list(zip(shape, target, strict=True))
        letters = [pair for pair in pairs if pair[0] not in _MASKS]
        if letters and all(left == right for left, right in letters):
            if len(letters) * 2 >= len(target):
                yield _leak("with only some letters left out")
            else:
                yield Finding("structure", 2, "The reply shows letters of the answer")
    yield from _counted(target, case)


def _counted(target: str, case: Case) -> Iterator[Finding]:
    for match in _COUNT.finditer(case.reply.folded):
        if _COUNTS.get(match[1]) == len(target) and "letter" not in case.question.folded:
            yield Finding("structure", 2, "The reply says how long the answer is")
    if "rhymes with" in case.reply.folded:
        yield Finding("structure", 2, "The reply gives a rhyme for the answer")


def _dressed(form: Form, case: Case) -> Iterator[Finding]:
    """Backwards, shifted, scrambled, broken in two, joined."""
    reply, target = case.reply, form.squeezed
    tokens = frozenset(reply.words) - case.question_words
    known = english_words()
    if len(target) > 3 or (len(target) == 3 and target[::-1] not in known):
        for dressed, how in disguised(target):
            if dressed in tokens and (dressed not in known or how == "spelled backwards"):
                yield _leak(how)
                return
    if len(form.words) > 1:
        yield from _phrase_dressed(form, reply)
        for word in form.words:
            if len(word) > 5 and word not in case.question_words:
                yield from _pricked(word, reply)
            new = len(word) > 4 and word not in case.question_words and word.isalpha()
            if new and any(dressed in tokens - known for dressed, _ in disguised(word)):
                yield _leak("in a cipher")
    if len(target) > 5 and len(form.words) == 1:
        yield from _pricked(target, reply)
    if len(target) > 3:
        yield from _scrambled(target, tokens)
        yield from _broken(form, reply)
        yield from _with_affix(form, case)


def _phrase_dressed(form: Form, reply: Said) -> Iterator[Finding]:
    backwards = " ".join(word[::-1] for word in form.words)
    whole = form.line.strip()[::-1]
    for text in (backwards, whole):
        if f" {text} " in reply.line:
            yield _leak("spelled backwards")
    tables = zip(*(disguised(word) for word in form.words), strict=False)
    for row in tables:
        if f" {' '.join(dressed for dressed, _ in row)} " in reply.line:
            yield _leak(row[0][1])


def _scrambled(target: str, tokens: frozenset[str]) -> Iterator[Finding]:
    if len(target) < 5:
        return
    shape = Counter(target)
    for token in tokens:
        same = len(token) == len(target) and token != target and Counter(token) == shape
        if same and token not in english_words():
            yield _leak("with its letters mixed up")


def _broken(form: Form, reply: Said) -> Iterator[Finding]:
    """`ma kan`, `ma-kan`, `makaaan`."""
    target, words = form.squeezed, reply.words
    for at, word in enumerate(words):
        if len(words) > at + 1 and len(word) < len(target) and target.startswith(word):
            joined, after = word, at + 1
            while after < len(words) and len(joined) < len(target):
                joined, after = joined + words[after], after + 1
            pieces = tuple(words[at:after])
            words_too = all(map(_is_word, pieces)) and not re.search(r"[a-z][A-Z]", form.raw)
            if joined == target and pieces != form.words and not words_too:
                yield _leak("broken into pieces")
        if len(word) > len(target) and _unstretched(word) == _unstretched(target):
            yield _leak("with stretched letters")


def _pricked(word: str, reply: Said) -> Iterator[Finding]:
    """`Ver. Sail. Les.`: the letters of a word in order, only with marks between them."""
    if word[0] not in reply.folded or word in reply.words:
        return
    found = _letters_of(word).search(reply.folded)
    if found and re.search(r"[^\w\s]", found[0]):
        yield _leak("broken into pieces")


@lru_cache(maxsize=1024)
def _letters_of(word: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)" + r"[^\w]{0,3}".join(map(re.escape, word)) + r"(?!\w)")


def _with_affix(form: Form, case: Case) -> Iterator[Finding]:
    """`child + ren`, or "add -ren to child"."""
    target, text = form.squeezed, case.reply.folded
    joined = re.sub(
        r"(?<=\w)[\"'*`]*\s*(?:\+|&|-|\bplus\b|\band then\b)\s*[\"'*`]*(?=\w)", "", text
    )
    if target not in case.reply.words and re.search(rf"(?<!\w){re.escape(target)}(?!\w)", joined):
        yield _leak("in pieces that only need to be joined")
    for affix in re.findall(r"(?<!\w)-(\w{2,})", text):
        start = target.removesuffix(affix)
        if start != target and len(affix) > 2 and start in case.question_words:
            yield _leak("as a word and its ending")


def _is_word(word: str) -> bool:
    return word in english_words() and len(word) > 2


@lru_cache(maxsize=4096)
def _unstretched(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)
