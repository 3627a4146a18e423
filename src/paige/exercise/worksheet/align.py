"""Telling an answer from the question around it.

The prompt says where its blanks are. If the words around them are still there, what stands between
is the answer. If some were changed, words are paired off and what has no partner is the answer.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from paige.exercise.worksheet.values import BLANK

_TOKEN = re.compile(r"_{2,}|[^\W_]+(?:['_][^\W_]+)*|_|[^\w\s]")
_BLANKS = re.compile(r"_{3,}|(?<![^\s\"'(:])__(?![^\s\"').,;:!?])")
_STRUCK = re.compile(r"~~.*?~~")
_TAGS = re.compile(r"</?(?:u|b|i|em|strong|mark|code|ins|br)\s*/?>", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:answer|ans)\s*[:=]|-+>|=+>|\u2192|[:=](?=\s))\s*", re.IGNORECASE)
_WRAPPERS = ("***", "___", "**", "__", "```", "``", "`", "*", "_", '"', "'")
_NOTHING = re.compile(r"^[\s?.\u2026\-\u2013\u2014_*\"':;,]*$")
_NEAR = 0.6
GLUED = re.compile(r"(?<!_)__++([^\s_](?:[^_]*[^\s_])?)_{2,}")
"""An answer typed into the middle of its blank."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The text of each blank, and how many of the prompt's words were found again.

    `closed` tells that the prompt goes on after its last blank, and that this part was found.
    """

    parts: tuple[str, ...]
    matched: int
    total: int
    extra: tuple[str, ...] = ()
    closed: bool = False

    @property
    def whole(self) -> bool:
        """Whether every word of the prompt was found."""
        return self.matched >= self.total


def align(prompt: str, text: str, reference: str = "") -> Alignment:
    """What stands in the blanks of a prompt in this text."""
    if "__" not in reference:
        text = GLUED.sub(r"\1", text)
    # With many blanks in a long text there are too many ways to try.
    short = len(text) <= (4000 if prompt.count(BLANK) <= 2 else 400)
    exact = _pattern(prompt).match(text) if short else None
    literals = len(_literals(prompt))
    if exact:
        parts = tuple(clean(part or "", reference) for part in exact.groups())
        tail = prompt.rsplit(BLANK, 1)[-1].strip()
        return Alignment(
            parts, literals, literals, closed=bool(tail) and text.rstrip().endswith(tail[-1])
        )
    return _pair_off(prompt, text, reference)


def clean(text: str, reference: str = "") -> str:
    """An answer without blanks, bold, backticks, quotes and the like around it.

    What the reference itself has around it stays: `__init__` is not `init` in bold.
    """
    answer = text if "__" in reference else _BLANKS.sub(" ", text)
    answer = _TAGS.sub("", answer)
    kept = _STRUCK.sub(" ", answer)
    answer = _LEAD.sub("", (kept if kept.strip() else answer).strip()).strip()
    answer = _unwrapped(answer, reference.strip())
    if _NOTHING.match(answer) and not (reference.strip() and _NOTHING.match(reference)):
        return ""
    return re.sub(r"\s+", " ", answer).strip(" :") if ":" not in reference else answer.strip()


def _unwrapped(answer: str, reference: str) -> str:
    before = None
    if answer.count('"') == 1 and '"' not in reference:  # the other one belongs to the question
        answer = answer.strip('"').strip()
    while before != answer:
        before = answer
        for mark in _WRAPPERS:
            inside = answer[len(mark) : -len(mark)]
            around = answer.startswith(mark) and answer.endswith(mark) and len(inside) > 0
            if around and mark not in inside and not reference.startswith(mark):
                answer = inside.strip()
        if not reference.startswith("_") and "__" not in reference:
            answer = answer.strip() if "_" not in answer else answer.strip().strip("_").strip()
    return answer


def _pattern(prompt: str) -> re.Pattern[str]:
    """The prompt with a hole for each blank. Words must be there, punctuation may be missing."""
    pieces = prompt.split(BLANK)
    body = "(.*?)".join(_piece(piece) for piece in pieces)
    return re.compile(rf"^\s*{body}\s*$", re.IGNORECASE | re.DOTALL)


def _piece(piece: str) -> str:
    made = ""
    tokens = _TOKEN.findall(piece)
    for token in tokens:
        optional = not (token[0].isalnum() or token[0] == "_")
        made += rf"\s*(?:{re.escape(token)})?" if optional else rf"\s*{re.escape(token)}"
    if not tokens:
        return r"\s*"
    # A word of the prompt must not be found as the end of a longer word.
    alone = r"(?<![^\W_])" if tokens[0][0].isalnum() else ""
    return rf"\s*{alone}{made.removeprefix(chr(92) + 's*')}\s*"


def _literals(prompt: str) -> list[str]:
    tokens = _TOKEN.findall(prompt.replace(BLANK, " "))
    return [token for token in tokens if token[0].isalnum()]


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return BLANK if self.text.startswith("__") else self.text.casefold()


def _tokens(text: str) -> list[_Token]:
    return [_Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]


def _pair_off(prompt: str, text: str, reference: str) -> Alignment:
    asked, written = _tokens(prompt), _tokens(text)
    matcher = SequenceMatcher(
        None, [token.key for token in asked], [token.key for token in written], autojunk=False
    )
    runs: dict[int, list[_Token]] = {}
    elsewhere: list[list[_Token]] = []
    matched = 0
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            matched += sum(token.key[0].isalnum() for token in asked[a0:a1])
            continue
        blank = _blank_near(asked, a0, a1)
        rest = _not_reworded(asked[a0:a1], written[b0:b1])
        matched += len(written[b0:b1]) - len(rest)
        if blank is not None and rest:
            runs.setdefault(blank, []).extend(rest)
        elif any(token.text[0].isalnum() for token in rest):
            elsewhere.append(rest)
    count = max(1, prompt.count(BLANK))
    parts = [clean(_span(text, runs.get(each, [])), reference) for each in range(count)]
    if not any(parts) and elsewhere:
        parts[0] = clean(_span(text, elsewhere.pop(0)), reference)
    total = len(_literals(prompt))
    left = tuple(_span(text, run).strip() for run in elsewhere)
    return Alignment(tuple(parts), min(matched, total), total, left)


def _blank_near(asked: list[_Token], start: int, end: int) -> int | None:
    """Which blank of the prompt this stretch holds or touches."""
    for at in (*range(start, end), start - 1, end):
        if 0 <= at < len(asked) and asked[at].key == BLANK:
            return sum(token.key == BLANK for token in asked[:at])
    return None


def _not_reworded(asked: list[_Token], written: list[_Token]) -> list[_Token]:
    """The written words that are not a slightly changed word of the prompt."""
    left = [token.key for token in asked if token.key != BLANK]
    kept: list[_Token] = []
    for token in written:
        near = next((each for each in left if _near(each, token.key)), None)
        if near is None:
            kept.append(token)
        else:
            left.remove(near)
    return kept


def _near(one: str, other: str) -> bool:
    if not (one[0].isalnum() and other[0].isalnum()):
        return one == other
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _NEAR


def _span(text: str, run: list[_Token]) -> str:
    """The text from the first to the last of these words, as it was typed."""
    return text[run[0].start : run[-1].end] if run else ""
