"""Reading a long log in pieces: its end, the lines that matter, or a summary, under a budget.

A log is read as a stream, only its last part where it is very large. What looks like a secret is
taken out of every line that is shown.
"""

import re
import stat
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paige.base.errors import BadInput, NotFound, Refused
from paige.base.secrets import redact
from paige.base.tokens import count_tokens_bound
from paige.base.wire import SNAKE
from paige.guard.fast.place import Place
from paige.guard.shell.targets import places_of

MOST_BYTES = 256 * 2**20
MOST_SIGNS = 1_000
MAX_LINES = 5_000
_LEVELS = (
    ("error", re.compile(r"\b(?:error|fatal|critical|panic|exception|traceback)\b", re.IGNORECASE)),
    ("warning", re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)),
    ("info", re.compile(r"\b(?:info|notice)\b", re.IGNORECASE)),
    ("debug", re.compile(r"\b(?:debug|trace)\b", re.IGNORECASE)),
)
_VARYING = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", re.IGNORECASE)
_MOST_SHAPES = 10_000


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log with its number."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class LogShape:
    """Lines that differ in numbers only: how many, and the first of them."""

    count: int
    first: LogLine


@dataclass(frozen=True, slots=True)
class LogPart:
    """A part of a log; `found` are the lines that were asked for, shown or not.

    `skipped_bytes` at the beginning were not read; `levels` and `common` are a summary's.
    """

    __pydantic_config__ = SNAKE

    path: str
    total: int
    found: int
    skipped_bytes: int
    lines: tuple[LogLine, ...]
    levels: Mapping[str, int]
    common: tuple[LogShape, ...] = ()


def find_log(given: str, project: Path | None, own: Sequence[Path]) -> Path:
    """The file of a log inside the project or among Paige's own. Raises: Refused, NotFound."""
    if not given or "\0" in given:
        raise BadInput("There is no such path", hint="Give the path of a log.")
    base = project if project is not None else (own[0] if own else None)
    path = Path(given).expanduser()
    if not path.is_absolute():
        if base is None:
            raise NotFound(f"`{given}` is nowhere", hint="Give an absolute path.")
        path = base / path
    real = path.resolve()
    folders = [each.resolve() for each in ((project,) if project else ())] + [
        each.resolve() for each in own
    ]
    if not any(real.is_relative_to(each) for each in folders):
        hint = "Only logs of the project and Paige's own can be read."
        raise Refused(f"`{given}` lies outside the project", hint=hint)
    place = Place(str(real.parent), str(folders[0]), str(Path.home()), "", False)
    if not {"secret", "dotenv"}.isdisjoint(places_of(str(real), place)):
        raise Refused(f"`{given}` holds keys or passwords", hint="Ask the person.")
    try:
        about = real.stat()
    except OSError as error:
        raise NotFound(f"There is no log `{given}`", hint="Look for it with `ls`.") from error
    if not stat.S_ISREG(about.st_mode):
        raise BadInput(f"`{given}` is no file", hint="Give the path of a log.")
    return real


def tail(path: Path, lines: int, budget: int) -> LogPart:
    """The last lines of a log, as many as fit."""
    part = _last(path, lines, budget, ())
    return replace(part, found=min(lines, part.total))


def grep(path: Path, words: str, lines: int, budget: int) -> LogPart:
    """The last lines that hold one of some texts, which `|` separates; case does not matter."""
    wanted = [each.strip().casefold() for each in words.split("|") if each.strip()]
    if not wanted:
        raise BadInput("There is nothing to look for", hint="Give `pattern`, such as `error|warn`.")
    return _last(path, lines, budget, wanted)


def summary(path: Path, lines: int, budget: int) -> LogPart:
    """How many lines of which kind a log has, what it says most often, and its last errors."""
    levels: Counter[str] = Counter()
    shapes: Counter[str] = Counter()
    first: dict[str, LogLine] = {}
    errors: deque[LogLine] = deque(maxlen=min(lines, MAX_LINES))
    total = 0
    stream, skipped = _opened(path)
    for line in stream:
        total = line.number
        level = next((name for name, sign in _LEVELS if sign.search(line.text)), "other")
        levels[level] += 1
        if level == "error":
            errors.append(line)
        shape = _VARYING.sub("#", line.text)
        if shape in shapes or len(shapes) < _MOST_SHAPES:
            shapes[shape] += 1
            first.setdefault(shape, line)
    common = [LogShape(count, first[shape]) for shape, count in shapes.most_common(20) if count > 1]
    told = _fitting((each.first for each in common), budget // 2)
    left = budget - sum(_tokens(each) for each in told)
    shown = _fitting(reversed(errors), left)
    return LogPart(
        str(path),
        total,
        levels["error"],
        skipped,
        tuple(reversed(shown)),
        dict(levels.most_common()),
        tuple(replace(each, first=line) for each, line in zip(common, told, strict=False)),
    )


def _last(path: Path, lines: int, budget: int, words: Sequence[str]) -> LogPart:
    """The last lines with one of some words; without words any line counts."""
    kept: deque[LogLine] = deque(maxlen=min(lines, MAX_LINES))
    total = found = 0
    stream, skipped = _opened(path)
    for line in stream:
        total = line.number
        if not words or any(each in line.text.casefold() for each in words):
            found += 1
            kept.append(line)
    shown = _fitting(reversed(kept), budget)
    return LogPart(str(path), total, found, skipped, tuple(reversed(shown)), {})


def _opened(path: Path) -> tuple[Iterator[LogLine], int]:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise NotFound(f"There is no log `{path}`") from error
    skipped = max(0, size - MOST_BYTES)
    return _lines(path, skipped), skipped


def _lines(path: Path, skipped: int) -> Iterator[LogLine]:
    try:
        with path.open("rb") as file:
            if skipped:
                file.seek(skipped)
                file.readline()
            number = 0
            while piece := file.readline(MOST_SIGNS * 4):
                number += 1
                text = piece.rstrip(b"\r\n")
                while piece and not piece.endswith(b"\n"):  # the rest of a very long line
                    piece = file.readline(MOST_SIGNS * 64)
                yield LogLine(number, text.decode("utf-8", "replace")[:MOST_SIGNS])
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror or error}") from error


def _fitting(lines: Iterator[LogLine], budget: int) -> list[LogLine]:
    """As many lines as fit into a budget of tokens, without secrets."""
    found: list[LogLine] = []
    for line in lines:
        shown = LogLine(line.number, redact(line.text))
        budget -= _tokens(shown)
        if budget < 0:
            break
        found.append(shown)
    return found


def _tokens(line: LogLine) -> int:
    return count_tokens_bound(f"{line.number}: {line.text}\n")
