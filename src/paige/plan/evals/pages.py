"""Reports as markdown pages: one alone, or two side by side and what became better or worse."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
LESS_IS_BETTER = frozenset(
    {"revised", "memory_tokens", "prompt_tokens", "output_tokens", "cost_usd"}
)
_ENOUGH = 0.005


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
    cells = ([" ".join(str(each).split()).replace("|", "\\|") for each in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


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


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of one configuration in both reports."""

    config: str
    figure: str
    before: float | None
    after: float | None
    better: bool | None  # not said where it did not change or has no side


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed; `worse` are cases that were right and are not any more."""

    changes: tuple[Change, ...]
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def compare(before: Json, after: Json, *, current: str) -> Comparison:
    """Compare two reports; configurations are matched by name, a single one with a single one."""
    pairs = _pairs(before["summaries"], after["summaries"])
    changes = [
        change for config, (one, two) in pairs.items() for change in _changes(config, one, two)
    ]
    was, now = _cases(before), _cases(after)
    both = was.keys() & now.keys()
    return Comparison(
        changes=tuple(changes),
        better=tuple(sorted(name for name in both if now[name] and not was[name])),
        worse=tuple(sorted(name for name in both if was[name] and not now[name])),
        only_before=tuple(sorted(was.keys() - now.keys())),
        only_after=tuple(sorted(now.keys() - was.keys())),
        notes=tuple(_notes(before, after, current)),
    )


def render_comparison(found: Comparison) -> str:
    """The comparison as a markdown page."""
    kinds = {name: (title, how) for name, title, how in FIGURES}
    rows = [
        [
            f"{each.config}: {kinds[each.figure][0]}",
            shown(each.before, kinds[each.figure][1]),
            shown(each.after, kinds[each.figure][1]),
            {True: "better", False: "worse", None: ""}[each.better],
        ]
        for each in found.changes
    ]
    parts = [
        "# Comparison",
        *(f"Note: {note}" for note in found.notes),
        table(["figure", "before", "after", ""], rows) if rows else "No figure changed.",
        _list("Got better", found.better),
        _list("Got worse", found.worse),
        _list("Only before", found.only_before),
        _list("Only after", found.only_after),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _pairs(before: Sequence[Json], after: Sequence[Json]) -> dict[str, tuple[Json, Json]]:
    one = {each["config"]: each for each in before}
    two = {each["config"]: each for each in after}
    if len(one) == len(two) == 1 and one.keys() != two.keys():
        (first, was), (second, now) = *one.items(), *two.items()
        return {f"{first} → {second}": (was, now)}
    return {name: (one[name], two[name]) for name in one if name in two}


def _changes(config: str, before: Json, after: Json) -> list[Change]:
    found: list[Change] = []
    for name, _, _ in FIGURES:
        was, now = before.get(name), after.get(name)
        if was is None and now is None:
            continue
        better = None
        if was is not None and now is not None:
            if abs(now - was) < _ENOUGH * max(1.0, abs(was)):
                continue
            better = (now < was) if name in LESS_IS_BETTER else (now > was)
        found.append(Change(config, name, was, now, better))
    return found


def _cases(report: Json) -> dict[str, bool]:
    """Whether each case was right every time, by case and, with several, by configuration."""
    several = len({row["config"] for row in report["rows"]}) > 1
    found: dict[str, bool] = {}
    for row in report["rows"]:
        name = f"{row['case']} ({row['config']})" if several else row["case"]
        found[name] = found.get(name, True) and row["right"]
    return found


def _notes(before: Json, after: Json, current: str) -> list[str]:
    notes: list[str] = []
    if before["suite"] != after["suite"]:
        notes.append(f"the suites differ: `{before['suite']}` and `{after['suite']}`")
    for name, report in (("first", before), ("second", after)):
        if report["stamp"] != current:
            notes.append(f"the {name} report is of other code or data than there are now")
        judge = report["judge"]
        if judge is not None and not judge["trusted"]:
            notes.append(f"the judge of the {name} report is untrusted")
    return notes


def _list(title: str, names: Sequence[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {name}" for name in names) if names else ""
