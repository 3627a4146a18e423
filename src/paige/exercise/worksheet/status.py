"""The line of a worksheet that says how far it is: pending, submitted, evaluated.

It is changed in place. Every other byte of the file, line ends and encoding included, stays as the
person's editor left it.
"""

import re
from pathlib import Path

from paige.base.errors import NotFound
from paige.base.files import write_atomic
from paige.exercise.worksheet.lines import decode
from paige.exercise.worksheet.values import Status

_STATUS = re.compile(
    r"(<!--[ \t]*+status[ \t]*+[:=][ \t]*+)"
    r"((?:[^ \t\r\n<-]++|[ \t]++(?!-->)|-(?!->))*+)([ \t]*+-->)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\A(\ufeff?)((?:[ \t]*<!--[^\r\n]*-->[ \t]*(?:\r\n|\r|\n))*)")


def set_status(text: str, status: Status) -> str:
    """The text with another status. A header that lost its line gets one again."""
    changed, count = _STATUS.subn(lambda found: found[1] + status + found[3], text, count=1)
    if count:
        return changed
    header = _HEADER.match(text)
    at = header.end() if header else 0
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    return f"{text[:at]}<!-- status: {status} -->{newline}{text[at:]}"


def write_status(path: Path, status: Status) -> None:
    """Set the status in a file. Raises: NotFound."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"There is no worksheet `{path}`") from None
    encoding = _encoding(data)
    # The mark at the start of the file is part of the text here, so it is written back as it was.
    text = data.decode(encoding, errors="surrogateescape")
    write_atomic(path, set_status(text, status).encode(encoding, errors="surrogateescape"))


def _encoding(data: bytes) -> str:
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    return "utf-8"


def read_worksheet_text(path: Path) -> str:
    """The text of a worksheet in whichever encoding it was saved. Raises: NotFound."""
    try:
        return decode(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"There is no worksheet `{path}`") from None
