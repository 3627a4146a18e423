"""The parts of QTI packages: identifiers, text, XML with a fixed form, zips with fixed dates.

The standard library's XML does all of it: the packages that exist for QTI make one version for one
kind of program each, number their questions anew every time, and bring a markdown reader.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from xml.etree import ElementTree as ET

from paige.base.errors import BadInput
from paige.exercise.exchange.values import (
    Essay,
    FillIn,
    Matching,
    MultipleChoice,
    Quiz,
    QuizQuestion,
    ShortAnswer,
    TrueFalse,
    plain,
)

BLANK = "___"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
_BLANKS = re.compile(r"_{3,}")
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def identifier(kind: str, *parts: str) -> str:
    """A name that XML allows, the same for the same parts in every export."""
    joined = "\x1f".join(plain(part) for part in parts)
    return f"{kind}_{sha256(joined.encode()).hexdigest()[:24]}"


def quiz_identifier(quiz: Quiz) -> str:
    """The name of a whole quiz."""
    return identifier("quiz", quiz.id or quiz.title)


def check_quiz(quiz: Quiz) -> None:
    """Raises: BadInput, when a question could not be answered rightly by anyone."""
    if not plain(quiz.title):
        raise BadInput("A quiz needs a title")
    if not quiz.questions:
        raise BadInput(f"The quiz `{quiz.title}` has no questions")
    seen: set[str] = set()
    for question in quiz.questions:
        if not question.id.strip() or question.id in seen:
            raise BadInput(f"Two questions of `{quiz.title}` have the id `{question.id}`, or none")
        seen.add(question.id)
        if what := _wrong(question):
            raise BadInput(f"The question `{question.id}` {what}")


def _wrong(question: QuizQuestion) -> str:
    if not plain(question.prompt):
        return "asks nothing"
    if not 0 <= question.points < float("inf"):
        return f"cannot be worth {question.points} points"
    match question:
        case MultipleChoice():
            return _wrong_choices(question)
        case ShortAnswer():
            return "" if any(map(plain, question.answers)) else "has no answer that is right"
        case FillIn():
            return _wrong_blanks(question)
        case Matching():
            return _wrong_pairs(question)
        case TrueFalse() | Essay():
            return ""


def _wrong_choices(question: MultipleChoice) -> str:
    if len(question.choices) < 2:
        return "needs at least two choices"
    if not any(choice.correct for choice in question.choices):
        return "has no choice that is right"
    return "" if all(plain(choice.text) for choice in question.choices) else "has an empty choice"


def _wrong_blanks(question: FillIn) -> str:
    found = len(_BLANKS.findall(question.prompt))
    if found == 0 or found != len(question.blanks):
        return f"has {found} blanks and answers for {len(question.blanks)}"
    filled = all(any(map(plain, answers)) for answers in question.blanks)
    return "" if filled else "has a blank without an answer"


def _wrong_pairs(question: Matching) -> str:
    if len(question.pairs) < 2:
        return "needs at least two pairs"
    if not all(plain(left) and plain(right) for left, right in question.pairs):
        return "has a pair with an empty side"
    lefts = [plain(left) for left, _ in question.pairs]
    return "has the same thing to match twice" if len(set(lefts)) < len(lefts) else ""


def right_sides(question: Matching) -> list[str]:
    """Everything that can be matched with, each once, in the order of the alphabet.

    The order of the pairs would give the answers away.
    """
    texts = {plain(right) for _, right in question.pairs}
    texts |= {plain(text) for text in question.distractors} - {""}
    return sorted(texts, key=lambda text: (text.casefold(), text))


def accepted(answers: Sequence[str]) -> list[str]:
    """Answers that are right, each once."""
    return list(dict.fromkeys(text for answer in answers if (text := plain(answer))))


def pieces(prompt: str) -> list[str]:
    """The text around the blanks: one piece more than there are blanks."""
    return _BLANKS.split(plain(prompt))


def html_of(text: str) -> str:
    """Plain text as paragraphs of HTML, for formats that carry HTML as text."""
    paragraphs = re.split(r"\n{2,}", plain(text))
    return "".join(f"<p>{escape(each).replace(chr(10), '<br/>')}</p>" for each in paragraphs)


def short_title(text: str, most: int = 80) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(plain(text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def number(value: float) -> str:
    """2 rather than 2.0."""
    return str(int(value)) if float(value).is_integer() else repr(round(value, 6))


def node(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    """Add an element; `_` at the end of a name is for words that Python keeps for itself."""
    made = ET.SubElement(parent, tag, {name.rstrip("_"): text for name, text in attributes.items()})
    made.text = text
    return made


def document(root: ET.Element, *, indented: bool = True) -> bytes:
    """The bytes of an XML file; not indented where spaces between elements would be seen."""
    if indented:
        ET.indent(root)
    return ET.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"


def package(files: Mapping[str, bytes]) -> bytes:
    """A zip with these files, the same bytes for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _FIXED_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            zipped.writestr(entry, data)
    return content.getvalue()
