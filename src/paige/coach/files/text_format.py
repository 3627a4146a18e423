"""How the text of a file is written on the disk: encoding, byte order mark, ends of lines.

An editor works on plain text. A save must not change what the person did not touch, so the format
of the file that is there decides how the new text is written.
"""

import codecs
from dataclasses import dataclass
from typing import NamedTuple

# The mark of UTF-32 starts with the one of UTF-16, so it is looked for first.
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """The format of a text file; without `newline` lines end as the text has them."""

    encoding: str
    mark: bytes
    newline: str | None

    def apply(self, text: str) -> str:
        """The text with the ends of lines that this file has."""
        if self.newline is None:
            return text
        plain = text.replace("\r\n", "\n")
        return plain if self.newline == "\n" else plain.replace("\n", self.newline)

    def encode(self, text: str) -> bytes:
        """The bytes of a text in this format."""
        plain = text.removeprefix("\ufeff") if self.mark else text  # one mark is enough
        return self.mark + self.apply(plain).encode(self.encoding)


class Decoded(NamedTuple):
    """A text and the format it had."""

    text: str
    format: TextFormat


NEW_FILE = TextFormat("utf-8", b"", None)


def decode(data: bytes) -> Decoded | None:
    """Read bytes as text; `None` when they are none."""
    encoding, mark = _encoding(data)
    if encoding == "utf-8" and b"\0" in data:
        return None
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        return None
    return Decoded(text, TextFormat(encoding, mark, newline_of(text)))


def newline_of(text: str) -> str | None:
    """How the lines of a text end; `None` when there is no saying."""
    windows = text.count("\r\n")
    plain = text.count("\n") - windows
    if windows > plain:
        return "\r\n"
    return "\n" if plain and not windows else None


def _encoding(data: bytes) -> tuple[str, bytes]:
    if not data.startswith(_UTF32):
        for mark, encoding in _MARKS:
            if data.startswith(mark):
                return encoding, mark
    return "utf-8", b""
