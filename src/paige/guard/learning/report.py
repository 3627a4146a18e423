"""How learning goes wrong, as a report with numbers.

Five things make a learning system useless while it looks busy: what is stored is never read, every
failure turns the approach around, reflections say nothing, agents grade themselves, and there is
more planning than work. Each has a number that shows it, a threshold, a verdict and what to do. A
verdict needs enough cases; with fewer it is `unknown`, which is not `ok`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from paige.guard.learning.settings import ReportLimits

Verdict = Literal["ok", "warning", "unknown"]
# What makes a reflection about something: a file, a name in code, a test, a rule, a command.
_NAMED = re.compile(
    r"`[^`\s][^`]*`"
    r"|(?:^|[\s(\"'])(?:~|\.{1,2})?/[\w.-]+|\b[\w.-]{1,200}/[\w.-]{1,200}/|\b[\w.-]{1,200}/(?=[\s,.;)]|$)"
    r"|\b[\w-]{1,200}\.(?:py|js|ts|tsx|jsx|json|toml|ya?ml|md|sql|sh|go|rs|java|rb|css|html|log|txt|cfg)\b"
    r"|\btest_\w+|\b\w+_test\b|\b\w+\(\)"
    r"|\bguard:[\w-]+"
    r"|\b\w+(?:Error|Exception)\b"
    r"|\bline \d+\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What somebody concluded from an attempt; `linked` says that it names files or a rule."""

    text: str
    linked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the report is made of.

    `stored` traces had time to be looked up, and `retrieved` of them were. `approaches` are the
    ways that were tried, one after the other, for each feature and each guard. `claims` are the
    times an agent said that it was done, `refuted` those that a check from outside did not bear
    out. `idle` is the longest run of turns without an action, for each session or attempt.
    """

    stored: int = 0
    retrieved: int = 0
    approaches: tuple[tuple[str, ...], ...] = ()
    mistakes: tuple[int, ...] = ()  # of each session, for the variance
    reflections: tuple[Reflection, ...] = ()
    claims: int = 0
    refuted: int = 0
    idle: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One anti-pattern: what was measured over how many cases, and what to do."""

    name: str
    symptom: str
    detection: str
    measured: float | None
    threshold: float
    cases: int
    verdict: Verdict
    advice: str
    numbers: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Report:
    """All rows of the checklist."""

    rows: tuple[Row, ...]

    @property
    def warnings(self) -> tuple[Row, ...]:
        """The rows that are over their threshold."""
        return tuple(each for each in self.rows if each.verdict == "warning")


def make_report(seen: Seen, limits: ReportLimits) -> Report:
    """The checklist with its numbers, every row of it."""
    return Report(
        (
            _unread(seen, limits),
            _oscillation(seen, limits),
            _generic(seen, limits),
            _self_scored(seen, limits),
            _overthinking(seen, limits),
        )
    )


def is_generic(reflection: Reflection) -> bool:
    """Whether a reflection names nothing that somebody could act on."""
    return not reflection.linked and _NAMED.search(reflection.text) is None


def turns_back(approaches: Sequence[str]) -> tuple[int, int]:
    """How many changes of approach there are, and how many go back to the one before."""
    changes = [a for n, a in enumerate(approaches) if n == 0 or a != approaches[n - 1]]
    back = sum(changes[n] == changes[n - 2] for n in range(2, len(changes)))
    return max(len(changes) - 1, 0), back


def variance(values: Sequence[float]) -> float:
    """The variance of some numbers; 0 for fewer than two."""
    if len(values) < 2:
        return 0.0
    middle = sum(values) / len(values)
    return sum((each - middle) ** 2 for each in values) / len(values)


def dump_report(report: Report) -> dict[str, Any]:
    """A report as JSON."""
    return {
        "warnings": len(report.warnings),
        "rows": [
            {
                "anti_pattern": each.name,
                "symptom": each.symptom,
                "detection": each.detection,
                "measured": None if each.measured is None else round(each.measured, 4),
                "threshold": each.threshold,
                "cases": each.cases,
                "verdict": each.verdict,
                "advice": each.advice,
                "numbers": {name: round(value, 4) for name, value in each.numbers.items()},
            }
            for each in report.rows
        ],
    }


def _unread(seen: Seen, limits: ReportLimits) -> Row:
    never = max(seen.stored - seen.retrieved, 0)
    return _row(
        ("Reflection without action", "Stored traces never retrieved", "Retrieval frequency"),
        (never, seen.stored),
        limits.never_retrieved,
        limits,
        advice="Ask for precedents before a decision (`query_traces`), or store less.",
        numbers={"stored": seen.stored, "never_retrieved": never},
    )


def _oscillation(seen: Seen, limits: ReportLimits) -> Row:
    counted = [turns_back(each) for each in seen.approaches]
    changes, back = sum(c for c, _ in counted), sum(b for _, b in counted)
    return _row(
        (
            "Over-indexing recent failures",
            "Rapid strategy oscillation",
            "Variance across attempts",
        ),
        (back, changes),
        limits.oscillation,
        limits,
        advice="Let a change prove itself on several attempts before the next one is made.",
        numbers={
            "changes": changes,
            "turned_back": back,
            "attempts": sum(len(each) for each in seen.approaches),
            "variance_of_mistakes": variance(seen.mistakes),
        },
    )


def _generic(seen: Seen, limits: ReportLimits) -> Row:
    generic = sum(is_generic(each) for each in seen.reflections)
    return _row(
        ("Generic reflections", '"Reflect on performance"', "Reflections that name nothing"),
        (generic, len(seen.reflections)),
        limits.generic,
        limits,
        advice="Ask for the assumption that failed, the file or test it shows in, and one step.",
        numbers={"reflections": len(seen.reflections), "generic": generic},
    )


def _self_scored(seen: Seen, limits: ReportLimits) -> Row:
    return _row(
        (
            "Self-scoring without validation",
            "Agent rates itself highly",
            "Claims against checks from outside",
        ),
        (seen.refuted, seen.claims),
        limits.overclaimed,
        limits,
        advice="Let a tester's evidence decide, and run the project's checks at every stop.",
        numbers={"claims": seen.claims, "refuted": seen.refuted},
    )


def _overthinking(seen: Seen, limits: ReportLimits) -> Row:
    longest = max(seen.idle, default=0)
    over = sum(each > limits.idle_turns for each in seen.idle)
    known = len(seen.idle) >= limits.least_cases or longest > limits.idle_turns
    warned = longest > limits.idle_turns
    return Row(
        name="Overthinking",
        symptom="Excessive planning, no action",
        detection="Turns without an action",
        measured=float(longest) if seen.idle else None,
        threshold=float(limits.idle_turns),
        cases=len(seen.idle),
        verdict="warning" if warned else "ok" if known else "unknown",
        advice="Set a limit of turns for an attempt, and stop it when nothing is done.",
        numbers={"longest": longest, "over_the_limit": over},
    )


def _row(
    words: tuple[str, str, str],
    share: tuple[int, int],
    threshold: float,
    limits: ReportLimits,
    *,
    advice: str,
    numbers: dict[str, float],
) -> Row:
    """A row whose number is a share of cases."""
    part, cases = share
    measured = part / cases if cases else None
    verdict: Verdict = "unknown"
    if measured is not None and cases >= limits.least_cases:
        verdict = "warning" if measured > threshold else "ok"
    name, symptom, detection = words
    return Row(
        name=name,
        symptom=symptom,
        detection=detection,
        measured=measured,
        threshold=threshold,
        cases=cases,
        verdict=verdict,
        advice=advice,
        numbers=numbers,
    )
