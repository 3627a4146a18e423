"""A text as words with what the name lists know about each, and runs of them that may be a name."""

import re
from dataclasses import dataclass, field
from typing import Literal

from paige.language.names.lists import Lists, lists
from paige.language.words import fold

_PUNJABI = re.compile(
    r"(?:aman|amar|amrit|ansh|arsh|av|bal|bhag|bhup|bir|char(?:an)?|dal|dav|deep|dev|dharam|dil|"
    r"ek|gagan|gian|gul|gur|har|harman|hir|inder|ish|jag|jap|jas|jat|jiv|jot|kamal|karam|karan|"
    r"khush|kiran|kul|lakh|lov|love|mal|man|mand|meh(?:ar)?|mohan|nav|nir|noor|pal|par|param|parm|"
    r"pav|prab(?:h)?|prit|preet|raj|ram(?:an)?|ran|rav|rip|roop|rup|saha?j|sam(?:ar)?|san|sat|"
    r"shar(?:an)?|sher|sim(?:ar|ran)?|sukh|sur|taj|tar(?:an)?|tej|var|veer|vikram|vir|yad|yuv)"
    r"(?:preet|jeet|jit|deep|dip|w?inder|vinder|pal|leen|want|b[ie]r|veer|vir|dev|jot|"
    r"meet|roop|noor|sharan|raj|kirat|kiran|simran|mandeep|neet|tej)"
)
_INITIALS = r"(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])"
_FINALS = (
    r"(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|an|ao|ei|en|er|ia|ie|in|iu|ou|ua|ue|ui|"
    r"un|uo|[aeiou])"
)
_PINYIN = re.compile(rf"{_INITIALS}?{_FINALS}(?:{_INITIALS}{_FINALS})")
# At least one part that English hardly has; `Banana` and `Panda` are built of pinyin too.
_CHINESE = re.compile(
    r"zh|x[iu]|q[^u]|uang|iang|iao|iong|yu[aeiou]?n|[jh]ua|[dghlnrtz]uo|[lmhjnty]ui?ao"
    r"|(?:yu|yi|wei|jie|hui|xin|qing|ling|ming|feng|hong|rong|zhen|yan|lei|fei|ying|jun|han)$"
)
_SLAVIC_GIVEN = re.compile(
    r".{2,}(?:slaw|slawa|slav|slava|myr|myra|mira|mierz|osz|iusz|usz|ysia|eczek|yna|iia|iya|ianna)"
)
_SURNAME = re.compile(
    r".{2,}(?:owski|owska|ewski|ewska|inski|inska|ynski|ynska|[a-z]cki|[a-z]cka|dzki|dzka|ski|ska|"
    r"owicz|ewicz|czyk|czak|czuk|enko|chuk|shyn|yshyn|skyi|skyy|skyj|tsky|tska|skaya|ovych|"
    r"evych|vych|dottir|poulos|idis|escu)"
)


def shape_of(low: str) -> Literal["given", "surname"] | None:
    """Whether an unknown word is built like a given name or a surname."""
    if len(low) < 5 or not low.isascii():
        return None
    if _PUNJABI.fullmatch(low) or _SLAVIC_GIVEN.fullmatch(low):
        return "given"
    if _PINYIN.fullmatch(low) and _CHINESE.search(low):
        return "given"
    return "surname" if _SURNAME.fullmatch(low) else None


Shape = Literal["cap", "upper", "lower", "none"]
# What a word may be: a given name, a surname, one of these that is an ordinary word as well, a
# person who is taught, another term, an ordinary word, or none of them.
Sort = Literal["given", "surname", "given?", "surname?", "figure", "term", "word", "unknown"]
NAMES = frozenset({"given", "surname", "given?", "surname?", "unknown"})
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NEW_SENTENCE = re.compile(r"[.!?:;\n\r•|\u2013\u2014]|(?:^|\s)[-*•]\s|[\"“(\[]\s*$")
_PREFIXED = re.compile(r"(?:mc|mac(?=[bcdfghklmnpqrstvw])|o'|d'|al-|el-|abu-|ben-|fitz)[a-z'-]{3,}")
# Built from a root as names never are: `Personification`, `Factorising`, `Fifteen`.
_BUILT = re.compile(
    r".{3,}(?:tion|sion|ising|izing|ating|ity|ness|ment|ism|ology|graphy|teen|ically)"
)
_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "ers", "ly", "y", "n't", "ful", "ness", "ment", "al")


@dataclass(slots=True)
class Token:
    """One word of a text."""

    text: str
    start: int
    end: int
    low: str  # folded, without a possessive ending
    gap: str  # what stands between the word before and this one
    shape: Shape
    sort: Sort
    first: bool  # it begins a sentence
    owns: bool = False  # it has a possessive ending
    masked: bool = False  # part of a phrase that is no name


def tokens_of(text: str) -> list[Token]:
    """The words of a text, known phrases masked."""
    known = lists()
    found: list[Token] = []
    end = 0
    for match in _WORD.finditer(text):
        word, gap = match[0], text[end : match.start()]
        low, owns = _bare(word, text, match.end())
        shape = _shape(word)
        sort = sort_of(low, word, known)
        first = end == 0 or bool(_NEW_SENTENCE.search(gap))
        if first and shape == "lower" and gap == ". " and found and len(found[-1].text) == 1:
            first = False  # `K. L. refuses`
        found.append(Token(word, match.start(), match.end(), low, gap, shape, sort, first, owns))
        end = match.end()
    _mask_phrases(found, known)
    _lower_shouting(found)
    return found


def sort_of(low: str, word: str, known: Lists) -> Sort:
    """What the lists say about a word."""
    if low in known.given:
        unsure = low in known.also_words or low in known.terms or low in known.figures
        return "given?" if unsure else "given"
    if low in known.figures:
        return "surname?" if low in known.surnames else "figure"
    if low in known.surnames:
        return "surname?" if low in known.also_words or low in known.terms else "surname"
    if low in known.terms:
        return "term"
    if low in known.words:
        return "word"
    if word[:1].isupper() and _PREFIXED.fullmatch(low) and not is_ordinary(low, known):
        return "surname"
    if "-" in low:
        return _compound(low, known)
    if is_ordinary(low, known):
        return "word"
    if word[:1].isupper() and (shape := shape_of(low)):
        return shape
    return "word" if _BUILT.fullmatch(low) else "unknown"


def is_ordinary(low: str, known: Lists) -> bool:
    """Whether a word is an ordinary one, maybe with an ending."""
    if (len(low) < 3 and low.isascii()) or low in known.words:
        return True
    for ending in _ENDINGS:
        stem = low.removesuffix(ending)
        if stem != low and len(stem) >= 3:
            if stem in known.words or f"{stem}e" in known.words or f"{stem}y" in known.words:
                return True
            if stem[-1] == stem[-2] and stem[:-1] in known.words:
                return True
            if stem[-1] == "i" and f"{stem[:-1]}y" in known.words:
                return True
    return low.startswith(("un", "re", "pre", "non", "mis", "co", "sub")) and any(
        low.removeprefix(each) in known.words
        for each in ("un", "re", "pre", "non", "mis", "co", "sub")
        if low.startswith(each)
    )


def _compound(low: str, known: Lists) -> Sort:
    parts = [part for part in low.split("-") if part]
    if all(part in known.given or part in known.surnames for part in parts):
        given = parts[0] in known.given
        if all(part in known.terms for part in parts):
            return "given?" if given else "surname?"
        return "given" if given else "surname"  # two words that are names, joined, are a name
    if any(part in known.terms or is_ordinary(part, known) for part in parts):
        return "word"
    return "surname" if any(part in known.surnames for part in parts) else "unknown"


def _bare(word: str, text: str, end: int) -> tuple[str, bool]:
    low = fold(word).replace("\u2019", "'")
    if low.endswith("'s"):
        return low[:-2], True
    # `James' book`, but not a closing quotation mark after any other word.
    owns = low.endswith("s") and text[end : end + 2] in ("' ", "\u2019 ")
    return low, owns


def _shape(word: str) -> Shape:
    if not word[0].isupper():
        return "lower" if word[0].islower() else "none"
    bare = word[:-2] if word[-2:] in ("'s", "\u2019s") else word
    return "upper" if len(bare) > 1 and bare.isupper() else "cap"


def _mask_phrases(tokens: list[Token], known: Lists) -> None:
    for index, token in enumerate(tokens):
        phrases = known.phrases.get(token.low) or (
            known.phrases.get(f"{token.low}'s") if token.owns else None
        )
        for phrase in phrases or ():
            found = tokens[index : index + len(phrase)]
            if len(found) == len(phrase) and all(map(_is_word, found, phrase)) and _capital(found):
                for each in found:
                    each.masked = True
                break


def _is_word(token: Token, word: str) -> bool:
    return word in (token.low, f"{token.low}'s" if token.owns else token.low, fold(token.text))


def _capital(found: list[Token]) -> bool:
    """`tiny tim` is a character only when written like one; `jack plug` is a thing anyway."""
    return found[0].shape != "lower" or all(each.sort not in ("given",) for each in found)


def _lower_shouting(tokens: list[Token]) -> None:
    """In a text written in capitals they tell nothing."""
    long = [token for token in tokens if len(token.low) > 1]
    loud = sum(token.shape == "upper" for token in long)
    if len(long) >= 3 and loud > 0.7 * len(long):
        for token in tokens:
            if token.shape == "upper":
                token.shape = "lower"


@dataclass(slots=True)
class Run:
    """Words that stand together and may be one name: `tokens[first:last]`."""

    first: int
    last: int
    score: float
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, worth: float, reason: str) -> None:
        """Count something for or against this name."""
        self.score += worth
        self.reasons.append((worth, reason))

    @property
    def reason(self) -> str:
        """The two strongest reasons."""
        told = sorted((each for each in self.reasons if each[0] > 0), key=lambda each: -each[0])
        return ", ".join(reason for _, reason in told[:2])
