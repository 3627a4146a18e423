"""A simulated learner studies the shipped courses: `python -m bench.study_month`.

Everything goes through `paige study`, without a model and without a network. Several learners study
each course with the usual plan; others plan for more or less, forget faster, have another curve of
forgetting, or miss days. The first days of the first learner are done with one process for each
command, as people do it; the rest in this process, which is the same program and quicker.

Figures go to `bench/study_month.json`, pictures to `docs/pictures/`. It ends with 1 when a rule was
broken, or when the usual plan, or one for more or less, was missed by more than three points.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.study_figures import POINTS, measure, together
from bench.study_learner import Learner, in_own_processes, in_this_process
from bench.study_memory import Nature
from bench.study_plots import picture

COURSES = ("bahasa-melayu", "python-algorithms", "how-memory-works")
DAYS = 30
FIGURES = Path(__file__).parent / "study_month.json"
PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
_REAL_DAYS = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """One kind of month: what is planned, who studies, and whether the plan must be met."""

    name: str
    retention: float = 0.9
    nature: Nature = field(default_factory=Nature)
    must_be_met: bool = True


USUAL = Plan("usual")
PLANS = (
    USUAL,
    Plan("planned 85 %", 0.85),
    Plan("planned 95 %", 0.95),
    Plan("forgets 1.5 times as fast", nature=Nature(forgets=1.5), must_be_met=False),
    Plan("curve of another shape", nature=Nature(decay=0.5), must_be_met=False),
    Plan("misses one day in four", nature=Nature(misses_days=0.25), must_be_met=False),
)


def study_month(course: str, plan: Plan, seed: int, days: int, *, real_days: int = 0) -> Learner:
    """One learner's month, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        learner = Learner(root, course, in_own_processes(root), plan.nature, seed)
        learner.run("profile", "--retention", str(plan.retention))
        for _ in learner.study(min(real_days, days)):
            pass
        learner.run = in_this_process(root)
        for _ in learner.study(days - len(learner.days)):
            pass
        return learner


def measured(
    course: str, plan: Plan, learners: int, days: int, show: Callable[[str], None]
) -> dict[str, Any]:
    """Several learners of one course and one plan; the first one's picture is drawn."""
    found: list[dict[str, Any]] = []
    begun = time.perf_counter()
    for seed in range(1, learners + 1):
        real = _REAL_DAYS if plan is USUAL and seed == 1 else 0
        learner = study_month(course, plan, seed, days, real_days=real)
        found.append(measure(learner, plan.retention))
        if plan is USUAL and seed == 1 and days == DAYS:
            title = f"{learner.course.title}: {days} days of a simulated learner"
            drawn = picture(title, learner.days, learner.given, plan.retention)
            (PICTURES / f"study-month-{course}.svg").write_text(drawn, encoding="utf-8")
    figures = together(found)
    took = time.perf_counter() - begun
    show(
        f"{course:18} {plan.name:26} {figures['learners']} x {days} days: "
        f"{figures['true_recall']:.1%} of {figures['reviews']} reviews "
        f"({figures['points_off']:+} points), longest {figures['longest_minutes']} of "
        f"{figures['minutes_set']} minutes, {len(figures['broken'])} broken ({took:.0f} s)"
    )
    for line in figures["broken"][:5]:
        show(f"    {line}")
    return figures


def save(figures: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Write figures over earlier ones of the same course and plan."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for course, by_plan in figures.items():
        known[course] = {**known.get(course, {}), **by_plan}
    FIGURES.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def table(figures: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """The figures as lines of a markdown table."""
    made: list[str] = []
    for plan in PLANS:
        for course in COURSES:
            each = figures.get(course, {}).get(plan.name)
            if each is None:
                continue
            made.append(
                f"| {plan.name} | {course} | {each['learners']} | {each['reviews']} | "
                f"{each['planned']:.0%} | {each['true_recall']:.1%} | {each['points_off']:+} | "
                f"{each['passed']:.1%} | {each['longest_minutes']:g} of {each['minutes_set']} | "
                f"{len(each['broken'])} |"
            )
    return made


def failures(figures: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """What must not be: broken rules, and plans that were missed."""
    strict = {plan.name for plan in PLANS if plan.must_be_met}
    found: list[str] = []
    for course, by_plan in figures.items():
        for name, each in by_plan.items():
            if each["broken"] and "misses" not in name:
                found.append(f"{course}, {name}: {each['broken'][0]}")
            if name in strict and abs(each["points_off"]) > POINTS:
                found.append(f"{course}, {name}: {each['points_off']:+} points off the plan")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Study, measure, draw, save."""
    parser = argparse.ArgumentParser(prog="bench.study_month", description=__doc__)
    parser.add_argument("--course", action="append", choices=COURSES, help="only this one")
    parser.add_argument("--plan", action="append", choices=[each.name for each in PLANS])
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--learners", type=int, default=6, help="of each course and plan")
    parser.add_argument("--save", action="store_true", help="write figures and pictures")
    given = parser.parse_args(arguments)
    plans = [each for each in PLANS if given.plan is None or each.name in given.plan]
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    for plan in plans:
        for course in given.course or COURSES:
            found = measured(course, plan, given.learners, given.days, _show)
            figures.setdefault(course, {})[plan.name] = found
            if given.save:
                save(figures)
    wrong = failures(figures)
    for line in wrong:
        _show(f"NOT KEPT: {line}")
    return 1 if wrong else 0


def _show(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
