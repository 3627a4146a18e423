"""What must be kept back: an answer key taken apart into parts, each with its accepted forms.

A key may be one answer, alternatives separated by ` / `, a list, numbered parts, or code. What kind
of thing a form is decides how it could leak: a number can be said in words, a letter can be left
over when the other options are ruled out, a program can be handed over line by line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from paige.exercise.disclosure.code import looks_like_code
from paige.exercise.disclosure.lexicon import fold, lexicon, see, squeeze
from paige.exercise.disclosure.numbers import parse_number
from paige.language.words import runs as words

FormKind = Literal["number", "choice", "truth", "formula", "words", "text", "code"]

_ARTICLES = frozenset(
    str.split(
        "a an the to le la les l un une des du der die das den ein eine el los las il lo gli os"
        " um uma"
    )
)
_LEADS = frozenset(("it", "is", "in", "at", "on", "by", "because", "of"))
_LABEL = re.compile(r"(?:^|(?<=[\n;,]))[ \t]*\(?(\d+(?:\.\d+)*|[a-z])[.):][ \t]+", re.I)
_OPTION = re.compile(r"(?:^|(?<=[\s;,]))\(?([A-Ha-h])[).:][ \t]+", re.M)
_BRACKET = re.compile(r"\(([^()/\n\d]{1,24}(?:/[^()/\n\d]{1,24})+)\)")
_EITHER = re.compile(r"\b(?:an? |the )?(\w+) or (?:an? |the )?(\w+)\s*\?")
_SIDE = re.compile(r"^(yes|no|true|false)\b\s*[,.;:\u2014-]?\s+(.{8,})$", re.I | re.S)
_ROMAN = re.compile(r"^(.*\w) ([IVX]{1,5})$")
_EQUALS = re.compile(r"^([a-z])\s*=\s*(.+)$")
_FORMULA = re.compile(r"^[\sa-z\d+*/^().=,-]+$")
_ORDINALS = str.split("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi")
_ORDINAL_WORDS = str.split(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth"
)
_SHORT_TEXT = 4  # ideas; an answer with more is an explanation
_TRUTHS = {"yes": "yes", "true": "yes", "no": "no", "false": "no", "y": "yes", "n": "no"}


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write an answer. `words` are folded, without a leading article."""

    kind: FormKind
    raw: str
    words: tuple[str, ...]
    squeezed: str
    number: Fraction | None = None
    letter: str = ""
    truth: str = ""
    content: frozenset[str] = frozenset()

    @property
    def line(self) -> str:
        """Its words with single spaces, and one at each end."""
        return f" {' '.join(self.words)} "


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to be answered, with every form that would be right."""

    label: str
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a multiple-choice question."""

    letter: str
    text: str  # folded

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its text."""
        return tuple(words(self.text))


def options_of(text: str) -> tuple[Option, ...]:
    """The lettered options in the text of a question, if there are at least two from A on."""
    found = list(_OPTION.finditer(text))
    start = next((at for at, match in enumerate(found) if match[1].lower() == "a"), None)
    if start is None:
        return _options_inside(text)
    options: list[Option] = []
    for at in range(start, len(found)):
        letter = found[at][1].lower()
        if ord(letter) != ord("a") + len(options):
            break
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        body = text[found[at].end() : end].split("\n")[0].strip().rstrip(";,.( ")
        options.append(Option(letter, fold(body)))
    return tuple(options) if len(options) > 1 else _options_inside(text)


def _options_inside(text: str) -> tuple[Option, ...]:
    """The options of "(for / since)" or "an acid or a base?"; yes and no are no options."""
    folded = fold(text)
    bracket = _BRACKET.search(folded)
    either = _EITHER.search(folded)
    found = re.split(r"/", bracket[1]) if bracket else list(either.groups()) if either else []
    if any(each.strip() in _TRUTHS for each in found):
        return ()
    return tuple(Option(chr(97 + at), each.strip()) for at, each in enumerate(found[:8]))


def parts_of(answer: object, options: tuple[Option, ...]) -> tuple[Part, ...]:
    """The parts of a key as it comes from JSON. Nothing to keep back is no part."""
    if isinstance(answer, Mapping):
        return tuple(
            Part(str(name), part.forms)
            for name, value in answer.items()
            for part in parts_of(value, options)
        )
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        return tuple(part for each in answer for part in parts_of(each, options))
    return _parts_of_text(str(answer), options)


@lru_cache(maxsize=512)
def _parts_of_text(answer: str, options: tuple[Option, ...]) -> tuple[Part, ...]:
    if not answer.strip():
        return ()
    if looks_like_code(answer):
        return (Part("", (_code_form(answer),)),)
    labels = list(_LABEL.finditer(answer))
    if len(labels) > 1 and labels[0].start() == 0:
        ends = [label.start() for label in labels[1:]] + [len(answer)]
        pieces = zip(labels, ends, strict=True)
        return tuple(
            Part(label[1], _forms(answer[label.end() : end].strip().rstrip(";,"), options))
            for label, end in pieces
        )
    roots = re.findall(r"([a-z]\s*=\s*-?[\d./]+)", fold(answer))
    if len(roots) > 1:
        return tuple(Part("", _forms(root, options)) for root in roots)
    return (Part("", _forms(answer, options)),)


def _forms(text: str, options: tuple[Option, ...]) -> tuple[Form, ...]:
    pieces = [piece.strip() for piece in re.split(r"(?<!\s)\s++/\s++|\n", text) if piece.strip()]
    forms: list[Form] = []
    for piece in pieces:
        forms.extend(_choice_forms(piece, options) or [form_of(piece)])
        forms.extend(_more_forms(piece))
        plain = re.sub(r"(?<!\s)\s++\([^()]*+\)", "", piece).strip()
        if plain and plain != piece:
            forms.append(form_of(plain))
    return tuple(form for form in forms if form.words or form.squeezed or form.raw.strip())


def _more_forms(piece: str) -> list[Form]:
    """The side a longer answer takes; a king's number in words."""
    side = _SIDE.match(piece)
    if side:
        return [form_of(side[1]), form_of(side[2])]
    growth = re.match(r"^O\((.+)\)$", piece.strip())
    if growth:
        return [form_of(f"O of {growth[1]}")]
    king = _ROMAN.match(piece.strip())
    if king and king[2].lower() in _ORDINALS:
        at = _ORDINALS.index(king[2].lower())
        return [form_of(f"{king[1]} {number}") for number in (at + 1, f"the {_ORDINAL_WORDS[at]}")]
    return []


def _choice_forms(piece: str, options: tuple[Option, ...]) -> list[Form]:
    if not options:
        return []
    folded = fold(piece).strip()
    plain = {squeeze(folded), form_of(piece).squeezed}
    lettered = re.match(r"^(?:option |answer )?\(?([a-h])(?:[).:]\s*.*|)$", folded)
    for option in options:
        if (lettered and lettered[1] == option.letter) or squeeze(option.text) in plain:
            letter = Form("choice", option.letter, (option.letter,), "", letter=option.letter)
            return [letter, form_of(option.text)] if option.text else [letter]
    return []


@lru_cache(maxsize=2048)
def form_of(text: str) -> Form:
    """What kind of answer a short text is."""
    if looks_like_code(text):
        return _code_form(text)
    folded = fold(text).strip().strip(".!")
    kept = words(folded)
    if len(kept) > 1 and kept[0] in _ARTICLES:
        kept = kept[1:]
    while len(kept) > 1 and kept[0] in _LEADS:
        kept = kept[1:]
    line, squeezed = tuple(kept), "".join(kept)
    if re.fullmatch(r"[A-H]\)?", text.strip()):
        return Form("choice", folded[0], (folded[0],), "", letter=folded[0])
    if folded in _TRUTHS:
        return Form("truth", text, line, squeezed, truth=_TRUTHS[folded])
    equation = _EQUALS.match(folded)
    number = parse_number(equation[2] if equation else folded)
    if number is not None:
        figures = tuple(words(fold(equation[2]))) if equation else line
        return Form("number", text, figures, "".join(figures), number=number)
    if (
        _FORMULA.match(folded)
        and re.search(r"[-+*/^=(]|\d[a-z]$", folded)
        and all(len(word) == 1 or not word.isalpha() for word in split(folded))
    ):
        return Form("formula", see(text), line, squeezed)
    content = frozenset(word for word in kept if word not in lexicon().stop)
    if len(content) < 2 < len(kept):  # a sentence of small words
        content = frozenset(kept) - _ARTICLES
    kind: FormKind = "text" if len(content) > _SHORT_TEXT else "words"
    return Form(kind, text, line, squeezed, content=content)


def split(text: str) -> list[str]:
    """Runs of letters, and runs of digits."""
    return re.findall(r"[a-z]+|\d+", text)


def _code_form(text: str) -> Form:
    return Form("code", text, (), "")
