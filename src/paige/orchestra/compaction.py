"""What an agent gives back, made small: what later steps need stays, what has been read goes.

Kept are decisions, bugs that are not solved, details of the implementation and the last five files.
Dropped are raw logs, output of tools, differences and whatever repeats. The text that the conductor
reads never costs more than the budget of the agent.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paige.base.secrets import redact
from paige.base.tokens import count_tokens_bound
from paige.orchestra.values import CODER, INITIALIZER, LEADER, TESTER, Return

BUDGETS: Mapping[str, int] = {INITIALIZER: 1500, LEADER: 1000, CODER: 1000, TESTER: 1000}
DEFAULT_BUDGET = 1000
MOST_FILES = 5
MOST_TEXT = 400_000
MOST_LINE = 400
_MOST_OF_A_KIND = 60
_FENCE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<kind>[\w-]*)[^\n]*$")
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_HEADING = re.compile(
    r"(?P<mark>#{1,6}\s+)?(?P<bold>[*_]{2})?(?P<name>[A-Za-z][A-Za-z ]{2,40})(?P<tail>[*_: \t]*)"
    r"(?P<rest>.*)"
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LONGEST_RAW = 500
# Lines that a program printed: they were read once, and say nothing new.
_RAW = re.compile(
    r"^\s*(?:"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d"  # a log with times
    r"|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:DEBUG|INFO|TRACE|WARN(?:ING)?|ERROR|FATAL)\b[\]: ]"
    r"|File \".*\", line \d+"
    r"|Traceback \(most recent"
    r"|at \S+ ?\(.*:\d+(?::\d+)?\)"
    r"|[+-]{3} [ab]?/|@@ -\d|diff --git|index [0-9a-f]{7,}"
    r"|[.sFEx]{20,}|[=\-_*]{8,}"
    r"|\S+::\S+ (?:PASSED|FAILED|SKIPPED|ERROR)\b"
    r"|(?:Collecting|Downloading|Installing|Requirement already|npm (?:WARN|notice))\b"
    r"|\$ |> \w+@|<\/?\w+>"
    r")"
)
_PATH = re.compile(r"(?<![\w/.-])(?:[\w.@-]+/)*[\w.@-]+\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/-])")
_SECTIONS: Mapping[str, str] = {
    "decision": "decisions", "decisions": "decisions", "architecture": "decisions",
    "architectural decisions": "decisions", "design": "decisions", "assumptions": "decisions",
    "issue": "bugs", "issues": "bugs", "bugs": "bugs", "open questions": "bugs",
    "unresolved bugs": "bugs", "open bugs": "bugs", "problems": "bugs", "failures": "bugs",
    "known issues": "bugs", "remaining": "bugs", "limitations": "bugs",
    "details": "details", "implementation": "details", "implementation details": "details",
    "tests": "details", "tests run": "details", "checks": "details", "setup": "details",
    "next": "details", "next steps": "details", "order": "details", "brief": "details",
    "files": "files", "files changed": "files", "changed files": "files",
    "evidence": "evidence", "evidence paths": "evidence",
    "summary": "summary", "result": "summary", "results": "summary",
}  # fmt: skip
_DECIDES = re.compile(r"\b(?:decided|chose|choose|instead of|because|trade-?off)\b", re.IGNORECASE)
_BROKEN = re.compile(
    r"\b(?:bugs?|broken|fails?|failed|failing|errors?|todo|fixme|unresolved|not work|does ?n.t work"
    r"|missing|incomplete|blocked|regressions?)\b",
    re.IGNORECASE,
)
_CLAIMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^[^\w\n]*+FAILED\b", re.MULTILINE), "failed"),
    (re.compile(r"^[^\w\n]*+IMPLEMENTATION INCOMPLETE\b", re.MULTILINE), "incomplete"),
    (re.compile(r"^[^\w\n]*+PASSED\b", re.MULTILINE), "passed"),
    (re.compile(r"^[^\w\n]*+IMPLEMENTATION COMPLETE\b", re.MULTILINE), "complete"),
)


@dataclass(slots=True)
class _Findings:
    """What was found, by kind, in its order; a line that repeats is there once."""

    lines: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    seen: set[str] = field(default_factory=set[str])
    dropped: int = 0

    def add(self, kind: str, line: str) -> None:
        if not line:
            return
        listed = self.lines.setdefault(kind, [])
        if line.casefold() in self.seen or len(listed) >= _MOST_OF_A_KIND:
            self.dropped += 1
            return
        self.seen.add(line.casefold())
        listed.append(line)

    def of(self, kind: str) -> tuple[str, ...]:
        return tuple(self.lines.get(kind, ()))


def compact(agent: str, text: str, *, feature: str = "", files: Sequence[str] = ()) -> Return:
    """An agent's last words as a return within its budget.

    `files` are those that really changed, the oldest first; where they are known they count more
    than what the agent says.
    """
    plain = _COLOURS.sub("", text[-MOST_TEXT:]).replace("\r\n", "\n").replace("\r", "\n")
    kept = _sorted_lines(plain)
    named = [path for line in kept.of("files") for path in _PATH.findall(line)]
    touched = tuple(dict.fromkeys(files or named))
    returned = Return(
        agent=agent,
        feature=feature,
        summary=" ".join(kept.of("summary"))[: MOST_LINE * 3],
        decisions=kept.of("decisions"),
        bugs=kept.of("bugs"),
        details=kept.of("details"),
        files=tuple(_line(each) for each in touched[-MOST_FILES:]),
        evidence=kept.of("evidence")[:MOST_FILES],
        features=features_in(plain) if agent == INITIALIZER else (),
        claims=claim_in(plain),
        left_out=kept.dropped + max(0, len(touched) - MOST_FILES),
    )
    return fitted(returned)


def fitted(returned: Return) -> Return:
    """The same within its budget: what matters least is cut first, the last line of it first."""
    most = BUDGETS.get(returned.agent, DEFAULT_BUDGET)
    while count_tokens_bound(render(returned)) > most:
        smaller = _smaller(returned)
        if smaller is None:
            return Return(agent=returned.agent, claims=returned.claims, features=returned.features,
                          left_out=returned.left_out)  # fmt: skip
        returned = smaller
    return returned


def render(returned: Return) -> str:
    """A return as the conductor and the next agent read it."""
    about = f" for {_line(returned.feature)}" if returned.feature else ""
    claims = f" It says: {returned.claims}." if returned.claims else ""
    parts = [f"{_line(returned.agent)[:60]}{about}.{claims}"]
    if returned.summary:
        parts.append(returned.summary)
    shown = [_feature_line(each) for each in returned.features]
    for title, lines in (
        ("Decisions", returned.decisions),
        ("Open bugs", returned.bugs),
        ("Details", returned.details),
        ("Files", returned.files),
        ("Evidence", returned.evidence),
        ("Features", _fitting_features(shown)),
    ):
        if lines:
            parts.append(f"{title}:\n" + "\n".join(f"- {each}" for each in lines))
    if returned.left_out:
        parts.append(f"({returned.left_out} more left out)")
    return "\n".join(parts)


def claim_in(text: str) -> str:
    """What an agent says of its work: `complete`, `incomplete`, `passed`, `failed` or nothing.

    The last marker counts; what is in a fence is quoted.
    """
    bare = "\n".join(line for line, fenced in _unfenced(text) if not fenced)
    found = [(match.start(), word) for sign, word in _CLAIMS for match in sign.finditer(bare)]
    return max(found)[1] if found else ""


def features_in(text: str) -> tuple[Mapping[str, Any], ...]:
    """The features in the last fenced block of JSON that has some; none where there are none."""
    for block in reversed(_blocks(text)):
        try:
            value = json.loads(block)
        except (ValueError, RecursionError):
            continue
        listed = value.get("features") if isinstance(value, dict) else None
        if isinstance(listed, list) and listed:
            return tuple(dict(each) for each in listed if isinstance(each, dict))
    return ()


def _sorted_lines(text: str) -> _Findings:
    kept = _Findings()
    kind = ""
    for line, fenced in _unfenced(text):
        if not line:
            continue
        if fenced or _RAW.match(line[:_LONGEST_RAW]):
            kept.dropped += bool(line.strip())
            continue
        heading = _heading(line)
        if heading is not None:
            kind, line = heading
        bare = _line(_BULLET.sub("", line))
        if not bare:
            continue
        kept.add(kind or _kind_of(bare), bare)
    return kept


def _heading(line: str) -> tuple[str, str] | None:
    """The kind of a section that begins here, and what stands behind its name."""
    match = _HEADING.match(_BULLET.sub("", line).strip())
    if match is None:
        return None
    kind = _SECTIONS.get(match["name"].strip().casefold())
    marked = match["mark"] or match["bold"] or ":" in match["tail"]
    return (kind, match["rest"]) if kind is not None and marked else None


def _kind_of(line: str) -> str:
    if _BROKEN.search(line):
        return "bugs"
    return "decisions" if _DECIDES.search(line) else "summary"


def _unfenced(text: str) -> Iterator[tuple[str, bool]]:
    """Every line, and whether it belongs to a fenced block."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match and not fence:
            fence = match["fence"]
            yield line, True
        elif match and match["fence"].startswith(fence) and not match["kind"]:
            fence = ""
            yield line, True
        else:
            yield line, bool(fence)


def _blocks(text: str) -> list[str]:
    found: list[list[str]] = []
    inside = False
    for line, fenced in _unfenced(text):
        if fenced and _FENCE.match(line):
            inside = not inside
            if inside:
                found.append([])
        elif fenced and found:
            found[-1].append(line)
    return ["\n".join(each) for each in found]


def _smaller(returned: Return) -> Return | None:
    """A return with a little less in it; nothing when only the frame is left."""
    for name in ("evidence", "details", "summary", "decisions", "bugs", "files"):
        value = getattr(returned, name)
        if name == "summary" and len(value) > 80:
            return replace(returned, summary=value[: len(value) // 2].rstrip() + " …")
        if name != "summary" and len(value) > 1:
            # Long lists shrink fast, short ones by their last entry.
            cut = max(1, len(value) // 4)
            return replace(returned, **{name: value[:-cut], "left_out": returned.left_out + cut})
    for name in ("evidence", "details", "summary", "files", "decisions", "bugs"):
        value = getattr(returned, name)
        if value:
            empty = "" if name == "summary" else ()
            return replace(returned, **{name: empty, "left_out": returned.left_out + 1})
    return replace(returned, feature="") if returned.feature else None


def _fitting_features(lines: Sequence[str]) -> list[str]:
    """As many lines of features as may be shown; all of them are kept apart from this text."""
    budget = BUDGETS[INITIALIZER] // 2
    shown: list[str] = []
    for number, line in enumerate(lines):
        budget -= count_tokens_bound(f"- {line}\n")
        if budget < 0:
            return [*shown, f"and {len(lines) - number} more"]
        shown.append(line)
    return shown


def _feature_line(feature: Mapping[str, Any]) -> str:
    return _line(f"{feature.get('id', '?')}: {feature.get('title', '')}")[:120]


def _line(text: str) -> str:
    plain = " ".join(redact(text).split())
    return plain if len(plain) <= MOST_LINE else plain[: MOST_LINE - 2] + " …"
