"""The answer key of a worksheet: its lines in the file, its digest, and where the blanks were.

The key stands in a comment at the end of the file, in plain sight of anyone who looks. So a digest
of it stands in the header: it does not keep a key secret, but it shows that one was edited. Whoever
needs more keeps the key elsewhere and passes it in when the worksheet is read.

Next to the key stand the prompts, packed: once a blank in the middle of a sentence is filled in,
nobody could otherwise tell the answer from the sentence.
"""

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from paige.exercise.worksheet.values import Choice, Question, Section

ALTERNATIVES = " / "
# One separator only after a colon: what follows it is the answer, even when that is a colon.
_LINE = re.compile(r"^\s*(?:[-*+]\s+)?(\d{1,3})\s*\.\s*(\d{1,3})\s*(?:[.)]\s*[:=]?|[:=])?(.*)$")
_PARTS = re.compile(r"\s*;\s*")
_MOST_PACKED = 200_000


@dataclass(frozen=True, slots=True)
class KeyLines:
    """The key as read, and the lines of its block that say nothing: line number and text."""

    answers: Mapping[str, str]
    odd: tuple[tuple[int, str], ...]


def dump_key(key: Mapping[str, str]) -> list[str]:
    """The lines of the key, in order of the questions."""
    return [f"{name}: {_escaped(key[name])}" for name in sorted(key, key=_order)]


def parse_key(lines: Iterable[tuple[int, str]]) -> KeyLines:
    """The key in the lines of its block; a later line for the same question is odd."""
    answers: dict[str, str] = {}
    odd: list[tuple[int, str]] = []
    for number, line in lines:
        found = _LINE.match(line)
        if found and (name := f"{int(found[1])}.{int(found[2])}") not in answers:
            answers[name] = _unescaped(found[3].strip())
        elif line.strip():
            odd.append((number, line.strip()))
    return KeyLines(answers, tuple(odd))


def key_digest(key: Mapping[str, str]) -> str:
    """A short digest of a key; spaces at the ends of lines do not count."""
    return hashlib.sha256("\n".join(dump_key(key)).encode()).hexdigest()[:16]


def alternatives(reference: str) -> tuple[str, ...]:
    """The accepted answers of one line of the key."""
    found = tuple(each.strip() for each in reference.split(ALTERNATIVES) if each.strip())
    return found or (reference.strip(),)


def key_parts(reference: str, blanks: int) -> tuple[str, ...]:
    """The reference of each blank, or the whole for a question with one blank."""
    parts = tuple(_PARTS.split(reference.strip()))
    return parts if blanks > 1 and len(parts) == blanks else (reference,)


def pack_sections(sections: tuple[Section, ...]) -> str:
    """The sections as one word of letters, small enough for a comment."""
    plain = [
        [
            section.number,
            section.title,
            section.intro,
            [[question.number, question.prompt] for question in section.questions],
            [[choice.letter, choice.text] for choice in section.choices],
            list(section.header),
        ]
        for section in sections
    ]
    packed = json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")


def unpack_sections(text: str) -> tuple[Section, ...] | None:
    """The sections in a packed word, or nothing when someone edited it."""
    word = re.sub(r"\s+", "", text)
    try:
        data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        unpacker = zlib.decompressobj()
        plain = json.loads(unpacker.decompress(data, _MOST_PACKED).decode())
        return tuple(_section(each) for each in plain)
    except (ValueError, TypeError, IndexError, binascii.Error, zlib.error):
        return None


def _section(plain: list) -> Section:
    number, title, intro, questions, choices, header = plain
    left, middle, right = (str(each) for each in header)
    return Section(
        number=int(number),
        title=str(title),
        intro=str(intro),
        questions=tuple(Question(int(number), int(n), str(prompt)) for n, prompt in questions),
        choices=tuple(Choice(str(letter), str(words)) for letter, words in choices),
        header=(left, middle, right),
    )


def _order(name: str) -> tuple[int, int]:
    section, _, question = name.partition(".")
    return int(section), int(question)


def _escaped(answer: str) -> str:
    """One line that cannot end the comment it stands in."""
    return re.sub(r"\s+", " ", answer).strip().replace("&", "&amp;").replace("-->", "--&gt;")


def _unescaped(answer: str) -> str:
    return answer.replace("--&gt;", "-->").replace("&amp;", "&")
