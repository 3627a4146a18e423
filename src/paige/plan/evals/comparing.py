"""Two reports side by side: which figures changed, which cases got better or worse."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from paige.plan.evals.tables import FIGURES, shown, table

Json = Mapping[str, Any]
LESS_IS_BETTER = frozenset(
    {"revised", "memory_tokens", "prompt_tokens", "output_tokens", "cost_usd"}
)
_ENOUGH = 0.005


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

    def dump(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


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
