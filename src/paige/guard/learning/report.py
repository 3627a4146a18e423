"""How learning goes wrong, as a report with numbers.

Five things make a learning system useless while it looks busy: what is stored is never read, every
failure turns the approach around, reflections say nothing, agents grade themselves, and there is
more planning than work. Each has a number that shows it, a threshold, a verdict and what to do. A
verdict needs enough cases; with fewer it is `unknown`, which is not `ok`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import pvariance
from typing import Annotated, Any, Literal

from pydantic import Field

from paige.base.wire import plain
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
class ReportFacts:
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
class LearnedSign:
    """One line of the anti-pattern report: what was measured over how many cases."""

    name: str
    symptom: str
    detection: str
    measured: float | None
    threshold: float
    cases: int
    verdict: Verdict
    advice: str
    numbers: Annotated[dict[str, float], Field(exclude=True)]


@dataclass(frozen=True, slots=True)
class Report:
    """All rows of the checklist."""

    rows: tuple[LearnedSign, ...]

    @property
    def warnings(self) -> tuple[LearnedSign, ...]:
        """The rows that are over their threshold."""
        return tuple(each for each in self.rows if each.verdict == "warning")


def make_report(seen: ReportFacts, limits: ReportLimits) -> Report:
    """The checklist with its numbers, every row of it."""
    never = max(seen.stored - seen.retrieved, 0)
    counted = [turns_back(each) for each in seen.approaches]
    changes, back = sum(c for c, _ in counted), sum(b for _, b in counted)
    generic = sum(is_generic(each) for each in seen.reflections)
    return Report(
        (
            _share(
                ("Reflection without action", "Stored traces never retrieved",
                 "Retrieval frequency"),
                "Ask for precedents before a decision (`query_traces`), or store less.",
                (never, seen.stored), limits.never_retrieved, limits,
                {"stored": seen.stored, "never_retrieved": never},
            ),
            _share(
                ("Over-indexing recent failures", "Rapid strategy oscillation",
                 "Variance across attempts"),
                "Let a change prove itself on several attempts before the next one is made.",
                (back, changes), limits.oscillation, limits,
                {"changes": changes, "turned_back": back,
                 "attempts": sum(len(each) for each in seen.approaches),
                 "variance_of_mistakes": pvariance(seen.mistakes) if seen.mistakes else 0.0},
            ),
            _share(
                ("Generic reflections", '"Reflect on performance"',
                 "Reflections that name nothing"),
                "Ask for the assumption that failed, the file or test it shows in, and one step.",
                (generic, len(seen.reflections)), limits.generic, limits,
                {"reflections": len(seen.reflections), "generic": generic},
            ),
            _share(
                ("Self-scoring without validation", "Agent rates itself highly",
                 "Claims against checks from outside"),
                "Let a tester's evidence decide, and run the project's checks at every stop.",
                (seen.refuted, seen.claims), limits.overclaimed, limits,
                {"claims": seen.claims, "refuted": seen.refuted},
            ),
            _overthinking(seen, limits),
        )
    )  # fmt: skip


def is_generic(reflection: Reflection) -> bool:
    """Whether a reflection names nothing that somebody could act on."""
    return not reflection.linked and _NAMED.search(reflection.text) is None


def turns_back(approaches: Sequence[str]) -> tuple[int, int]:
    """How many changes of approach there are, and how many go back to the one before."""
    changes = [a for n, a in enumerate(approaches) if n == 0 or a != approaches[n - 1]]
    back = sum(changes[n] == changes[n - 2] for n in range(2, len(changes)))
    return max(len(changes) - 1, 0), back


def dump_report(report: Report) -> dict[str, Any]:
    """A report as JSON."""
    rows = [plain(each) for each in report.rows]
    return {
        "warnings": len(report.warnings),
        "rows": [{"anti_pattern": each.pop("name"), **each} for each in rows],
    }


def _overthinking(seen: ReportFacts, limits: ReportLimits) -> LearnedSign:
    longest = max(seen.idle, default=0)
    over = sum(each > limits.idle_turns for each in seen.idle)
    known = len(seen.idle) >= limits.least_cases or longest > limits.idle_turns
    warned = longest > limits.idle_turns
    return LearnedSign(
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


def _share(
    words: tuple[str, str, str],
    advice: str,
    share: tuple[int, int],
    threshold: float,
    limits: ReportLimits,
    numbers: dict[str, float],
) -> LearnedSign:
    """A row whose number is a share of cases."""
    part, cases = share
    measured = part / cases if cases else None
    verdict: Verdict = "unknown"
    if measured is not None and cases >= limits.least_cases:
        verdict = "warning" if measured > threshold else "ok"
    name, symptom, detection = words
    return LearnedSign(
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
