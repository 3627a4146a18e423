"""Whether what a page shows is what comes out, whatever the numbers, paths and days."""

import re

# In this order: a moment holds numbers, and a path may hold a moment.
_VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "#"),
    (re.compile(r"\d{8}T\d{6}Z"), "#"),
    (re.compile(r"(?<![\w.])(?:~|\.{1,2})?/[\w./~-]+"), "/"),
    (re.compile(r"https?:\S*"), "/"),
    (re.compile(r"-?\b(?=[a-f]*\d)[0-9a-f]{8,}\b"), "#"),
    (re.compile(r"[\u2212-]?\d+(?:[.,:]\d+)*"), "#"),
    (re.compile(r"[#.*|]{2,}|-{3,}"), "#"),
    (re.compile(r"# (?:µs|ms|s|min)\b"), "# s"),
    (re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b[A-Z][a-z]{2} #"), "#"),
    (re.compile(r"\b(day|minute|hour|second|feature|item|question|run|line)s\b"), r"\1"),
)
ANYTHING = "…"


def missing(shown: str, came: str) -> list[str]:
    """Lines of `shown` that are not in `came`, in their order; the shape of a line counts."""
    left = [_shape(line) for line in came.splitlines()]
    lost: list[str] = []
    for line in filter(str.strip, shown.splitlines()):
        pattern = _pattern(line)
        place = next((at for at, each in enumerate(left) if pattern.fullmatch(each)), None)
        if place is None:
            lost.append(line)
        else:
            left = left[place + 1 :]
    return lost


def _shape(line: str) -> str:
    for varying, mark in _VARYING:
        line = varying.sub(mark, line)
    return " ".join(line.split())


def _pattern(line: str) -> re.Pattern[str]:
    parts = [re.escape(_shape(part)) for part in line.split(ANYTHING)]
    return re.compile(r"\s*.*".join(parts))
