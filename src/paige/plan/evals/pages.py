"""A report as a markdown page: one table of configurations, what failed, memory over time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
FIGURES = (
    ("right", "all right", "share"),
    ("quality", "quality", "share"),
    ("accuracy", "curriculum right", "share"),
    ("evidence", "pointers hold", "share"),
    ("tier2", "skill overviews", "number"),
    ("tier3", "skill files", "number"),
    ("memory_reads", "memory read", "number"),
    ("revised", "sections revised", "number"),
    ("memory_tokens", "memory tokens", "count"),
    ("prompt_tokens", "prompt tokens", "count"),
    ("output_tokens", "answer tokens", "count"),
    ("cost_usd", "cost", "money"),
)
"""The figures of a summary that are shown, their titles and how they are written."""
MOST_PROBLEMS = 40


def render_page(report: Json) -> str:
    """The page of one report."""
    parts = [
        f"# Evaluation `{report['suite']}`",
        f"Made {report['made_at'][:10]}, code and data `{report['stamp']}`. Refresh it with "
        f"`paige eval run --suite {report['suite']} --out DIR`.",
        "## Configurations",
        summary_table(report["summaries"]),
        "## Criteria",
        criteria_table(report["summaries"]),
        *_judge(report),
        *_series(report["series"]),
        "## What was not right",
        _problems(report["rows"]),
        *_subjects(report["rows"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary_table(summaries: Sequence[Json]) -> str:
    """One row for each configuration."""
    head = ["configuration", "lessons", *(title for _, title, _ in FIGURES)]
    rows = [
        [
            each["config"],
            f"{each['lessons']} + {each['refusals']}" if each["refusals"] else each["lessons"],
            *(shown(each[name], how) for name, _, how in FIGURES),
        ]
        for each in summaries
    ]
    return table(head, rows)


def criteria_table(summaries: Sequence[Json]) -> str:
    """How often each criterion was met, by configuration."""
    names = dict.fromkeys(name for each in summaries for name in each["criteria"])
    rows = [
        [name, *(shown(each["criteria"].get(name), "share") for each in summaries)]
        for name in names
    ]
    return table(["criterion", *(each["config"] for each in summaries)], rows)


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A markdown table; the first column is text, the others are numbers."""
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(_cell(each) for each in line)} |" for line in lines)


def shown(value: float | None, how: str) -> str:
    """A figure as people read it; what is not known is a dash."""
    if value is None:
        return "-"
    match how:
        case "share":
            return f"{value:.0%}"
        case "count":
            return f"{value:,.0f}"
        case "money":
            return f"${value:.4f}"
        case _:
            return f"{value:.2f}"


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def _judge(report: Json) -> list[str]:
    judge = report["judge"]
    if judge is None:
        return []
    found = judge["agreement"]
    trust = "trusted" if judge["trusted"] else "**untrusted**: its scores are shown, not used"
    said = (
        f"`{judge['who']}` is {trust}. On {found['pairs']} labelled scores it agrees exactly in "
        f"{found['exact']:.0%}, within one in {found['within_one']:.0%}; quadratic kappa "
        f"{found['kappa']:.2f}, bias {found['bias']:+.2f}. {judge['unsupported']} labelled scores "
        "had no quote behind them."
    )
    names = dict.fromkeys(name for each in report["summaries"] for name in each["judged"])
    rows = [
        [
            name,
            shown(judge["dimensions"].get(name, {}).get("kappa"), "number"),
            *(shown(each["judged"].get(name), "number") for each in report["summaries"]),
        ]
        for name in names
    ]
    heads = ["dimension", "kappa", *(each["config"] for each in report["summaries"])]
    return ["## Judge", said, table(heads, rows)] if rows else ["## Judge", said]


def _series(points: Sequence[Json]) -> list[str]:
    if not points:
        return []
    numbers = sorted({each["number"] for each in points})
    lines = dict.fromkeys((each["series"], each["config"]) for each in points)
    rows = []
    for series, config in lines:
        own = {e["number"]: e for e in points if (e["series"], e["config"]) == (series, config)}
        said = [str(own[n]["revised"]) if n in own else "-" for n in numbers]
        rows.append([series, config, *said])
    head = ["series", "configuration", *(f"lesson {n}" for n in numbers)]
    told = "Sections the teacher had to revise, lesson by lesson: one wish, said until it is known."
    return ["## Memory over time", told, table(head, rows)]


def _problems(rows: Sequence[Json]) -> str:
    lines: list[str] = []
    for row in rows:
        failed = {**row["structural"], **row["behavioural"]}
        reasons = [f"{name}: {why}" for name, why in failed.items() if why is not True]
        if row["refuse"] and not row["right"]:
            reasons.append("it was not turned away")
        if row["problem"]:
            reasons.append(row["problem"])
        if row["accurate"] is False:
            reasons.append(f"cites {', '.join(row['cited']) or 'nothing'}")
        if reasons:
            lines.append(f"- `{row['config']}` {row['case']}: {'; '.join(reasons)}")
    more = len(lines) - MOST_PROBLEMS
    shown_lines = lines[:MOST_PROBLEMS] + ([f"- and {more} more"] if more > 0 else [])
    return "\n".join(shown_lines) or "Nothing."


def _subjects(rows: Sequence[Json]) -> list[str]:
    """The first configuration by subject and class."""
    first = next((row["config"] for row in rows if not row["series"]), None)
    own = [r for r in rows if r["config"] == first and not r["series"] and not r["refuse"]]
    groups = dict.fromkeys((row["subject"], row["class"]) for row in own)
    lines = []
    for subject, class_id in groups:
        found = [row for row in own if (row["subject"], row["class"]) == (subject, class_id)]
        right = sum(row["right"] for row in found)
        lines.append([subject, class_id or "-", len(found), right])
    return ["## By subject", table(["subject", "class", "lessons", "all right"], lines)]
