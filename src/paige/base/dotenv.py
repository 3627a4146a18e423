"""Reads `.env`: `NAME=value` a line, comments, quotes, an optional `export`."""

import re
from pathlib import Path
from typing import NamedTuple

from paige.base.errors import BadInput

_LINE = re.compile(r"(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=(?P<value>.*)$")


class Entry(NamedTuple):
    """One assignment and the line it stands on."""

    name: str
    value: str
    line: int


def read_dotenv(path: Path) -> list[Entry]:
    """The assignments of a file in their order; a missing file has none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"`{path}` cannot be read: {error}") from error
    entries: list[Entry] = []
    # Not splitlines: it also splits at characters that no editor counts as the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        match = _LINE.match(content)
        if match is None:
            # The line itself stays out of the message: it may be half a key.
            raise BadInput(
                f"{path}:{number}: this line is not `NAME=value`", hint="Comments begin with `#`."
            )
        entries.append(Entry(match["name"], _unquote(match["value"], f"{path}:{number}"), number))
    return entries


def _unquote(given: str, place: str) -> str:
    value = given.strip()
    quote = value[:1]
    if quote not in ("'", '"'):
        return re.split(r"\s#", given, maxsplit=1)[0].strip()
    end = value.find(quote, 1)
    if end < 0 or (value[end + 1 :].strip() and not value[end + 1 :].strip().startswith("#")):
        raise BadInput(f"{place}: the quote {quote} is not closed")
    return value[1:end]
