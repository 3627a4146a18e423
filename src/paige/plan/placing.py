"""Where an error says that something is wrong: `classes/3B.md:9: the message` taken apart."""

import re

from paige.base.errors import PaigeError

_PLACE = re.compile(r"(?P<file>.*?):(?P<line>\d+): (?P<message>.*)", re.S)


def place_of(error: PaigeError) -> tuple[int, str]:
    """The line that an error names, or the first, and its message without the place."""
    found = _PLACE.fullmatch(error.message)
    return (int(found["line"]), found["message"]) if found else (1, error.message)
