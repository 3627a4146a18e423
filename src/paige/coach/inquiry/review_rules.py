"""Reviews without a model: tests decide about a kata, syntax about its constraints.

Work in a phase has no tests of its own here. It passes when the project's tests ran after the last
change and none failed. Whatever they do not tell is left to the person, with what can be seen:
which files were to change, and what was left lying about in the code.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from paige.base import python_source
from paige.coach.answers import ReviewAnswer
from paige.coach.inquiry.constraint_checks import Verdict
from paige.coach.inquiry.kata_runs import KataRun
from paige.coach.message_parts import FollowUp
from paige.learner.gaps import HIGHEST_LEVEL, LOWEST_LEVEL, Attempt, Constraint

SOLVED_LEVEL = 4
MANY_FAILURES = 2
_LEFT_BEHIND = (
    (re.compile(r"^\+.*\b(?:print|console\.log|dbg!|var_dump)\s*\("), "a line that prints"),
    (re.compile(r"^\+.*\b(?:breakpoint\(\)|debugger\b|pdb\.set_trace)"), "a breakpoint"),
    (re.compile(r"^\+.*(?:#|//)\s*(?:TODO|FIXME|XXX)\b"), "a note to come back later"),
    (re.compile(r"^\+.*except\s*+:\s*+(?:pass\s*+)?$"), "an `except` that hides every error"),
)
_UNREAD = "Reading your change needs a model, and none answered; this is what can be seen."


@dataclass(frozen=True, slots=True)
class PhaseWork:
    """Work in a phase: what it expects, what changed, and what tests said last (passed, failed).

    `changed_since` says that something was changed after they ran.
    """

    number: int
    title: str
    description: str
    expected_files: tuple[str, ...] = ()
    changed_files: tuple[str, ...] = ()
    tests: tuple[int, int] | None = None
    changed_since: bool = False

    @property
    def unproven(self) -> str:
        """Why no test shows that the work is right; nothing when one does."""
        if self.tests is None:
            return "No tests have been run in this phase, so I cannot judge whether it works."
        passed, failed = self.tests
        if failed:
            return f"When tests ran last, {passed + failed} ran and {failed} failed."
        if not passed:
            return "The last run had 0 tests, so I cannot judge whether it works."
        if self.changed_since:
            return "Files were changed after the tests ran, so I cannot judge whether it works."
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkInputs:
    """What a review looks at."""

    code: str
    scaffolding: str = ""
    run: KataRun | None = None
    active: tuple[Constraint, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    others: tuple[Constraint, ...] = ()  # constraints that were not switched on
    attempts: tuple[Attempt, ...] = ()  # earlier ones under the same constraints
    best_level: int | None = None
    phase: PhaseWork | None = None


def review_by_rules(given: WorkInputs) -> ReviewAnswer:
    """Review a kata's solution, or the work in a phase."""
    return _review_phase(given, given.phase) if given.phase else _review_kata(given)


def _review_kata(given: WorkInputs) -> ReviewAnswer:
    run = given.run
    broken = [verdict.title for verdict in given.verdicts if verdict.kept is False]
    solved = run is not None and run.all_passed
    passed = solved and not broken
    level = kata_level(given, solved=solved, broken=bool(broken))
    failed_before = sum(attempt.passed is False for attempt in given.attempts[-MANY_FAILURES:])
    signal = "advancing" if passed else "stable"
    if not passed and failed_before >= MANY_FAILURES:
        signal = "struggling"
    return ReviewAnswer(
        correct=solved,
        feedback=" ".join(_kata_words(given, broken)),
        level=level,
        passed=passed,
        follow_up=_follow_up(given, level, broken, passed=passed),
        dreyfus_signal=signal,
    )


def kata_level(given: WorkInputs, *, solved: bool, broken: bool) -> int:
    """A level from 1 to 10: by the tests, the constraints that held, and how it is written."""
    run = given.run
    if run is None:
        return given.best_level or LOWEST_LEVEL
    if not solved:
        share = run.passed / run.total if run.total else 0.0
        return LOWEST_LEVEL + int(share * (SOLVED_LEVEL - 1 - LOWEST_LEVEL + 0.999))
    if broken:
        return SOLVED_LEVEL
    level = SOLVED_LEVEL + (not run.remarks)
    kept = {verdict.title for verdict in given.verdicts if verdict.kept}
    for constraint in (each for each in given.active if each.title in kept):
        level = max(level + 1, min(HIGHEST_LEVEL, constraint.min_level + 2))
    return min(HIGHEST_LEVEL, level)


def _kata_words(given: WorkInputs, broken: list[str]) -> Iterator[str]:
    run = given.run
    if not given.code.strip() or given.code.strip() == given.scaffolding.strip():
        yield "There is no code of your own yet: write a first version, however rough, and hand it"
        yield "in again."
        return
    if run is None:
        yield "This kata has no tests that can be run here, so nobody has checked that it works."
        yield from _missing_parts(given)
        return
    if run.unreadable:
        yield f"{run.unreadable}. Fix that first; the tests could not begin."
        return
    yield run.in_words()
    for failure in run.failures[:1]:
        yield f"Look at `{failure.name}` first: {failure.message.rstrip('.')}."
    for title in broken:
        yield f"The constraint “{title}” does not hold yet."
    kept = [verdict.title for verdict in given.verdicts if verdict.kept]
    if kept and run.all_passed:
        yield f"Kept: {', '.join(kept)}."
    unknown = [verdict.title for verdict in given.verdicts if verdict.kept is None]
    if unknown and run.all_passed:
        yield f"Check for yourself, as the code alone does not tell: {', '.join(unknown)}."
    if run.all_passed:
        yield from (f"{remark.rstrip('.')}." for remark in run.remarks[:2])


def _missing_parts(given: WorkInputs) -> Iterator[str]:
    wanted, mine = _names(given.scaffolding), _names(given.code)
    if missing := sorted(wanted - mine):
        yield f"What the kata starts with and your code lacks: {', '.join(missing)}."
    else:
        yield "Try it with an ordinary value, an empty one, and the largest you can think of."


def _names(code: str) -> set[str]:
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(re.findall(r"\b(?:function|def|fn|func|class)\s+(\w+)", code))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def _follow_up(
    given: WorkInputs, level: int, broken: list[str], *, passed: bool
) -> FollowUp | None:
    if passed:
        open_ones = [each for each in given.others if each.min_level <= level]
        harder = max(open_ones, key=lambda each: each.min_level, default=None)
        if harder is None:
            return FollowUp(type="completed", reason="You solved it with all that is open.")
        return FollowUp(
            type="constraint_escalation",
            constraint=f"{harder.title}: {harder.description}".rstrip(": "),
            reason=f"It is open to you from level {harder.min_level} on.",
        )
    return FollowUp(type="retry_hint", reason=_next_step(given, broken))


def _next_step(given: WorkInputs, broken: list[str]) -> str:
    run = given.run
    if run is None:
        return "Run it by hand with three inputs, and compare with what you expect."
    if run.unreadable:
        return "Begin with the line that is named."
    if run.failures:
        name = run.failures[0].name
        return f"Follow your code by hand with the values of `{name}`: where does it go wrong?"
    if broken:
        return f"The tests pass. Now change it so that “{broken[0]}” holds, too."
    return "Change one thing, and run the tests again."


def _review_phase(given: WorkInputs, phase: PhaseWork) -> ReviewAnswer:
    changed = {PurePosixPath(path).as_posix() for path in phase.changed_files}
    missing = [path for path in phase.expected_files if path not in changed]
    left = list(dict.fromkeys(_left_behind(given.code)))
    has_work = bool(changed or given.code.strip())
    passed = has_work and not missing and not phase.unproven
    words = list(_phase_words(phase, missing, left, has_work=has_work))
    level = LOWEST_LEVEL + 2 * has_work + 2 * (has_work and not missing) + (passed and not left)
    return ReviewAnswer(
        correct=passed,
        feedback=" ".join(words),
        level=level,
        passed=passed,
        follow_up=None if passed else FollowUp(type="retry_hint", reason=words[-1]),
        dreyfus_signal="stable",
    )


def _phase_words(
    phase: PhaseWork, missing: list[str], left: list[str], *, has_work: bool
) -> Iterator[str]:
    name = f"phase {phase.number}, “{phase.title}”"
    if not has_work:
        yield f"Nothing has changed yet in {name}. It asks for this: {phase.description}"
        return
    yield _UNREAD
    touched = ", ".join(f"`{path}`" for path in phase.changed_files[:6])
    yield f"In {name}, you changed {touched}." if touched else f"There is work in {name}."
    yield phase.unproven or _all_passed(phase)
    if left:
        yield f"Before you finish, look at what was left in the code: {', '.join(left)}."
    if missing:
        files = ", ".join(f"`{path}`" for path in missing)
        yield f"The phase also expects a change in {files}."
    elif phase.tests is not None and phase.tests[1]:
        yield "Make the failing tests pass before you call it done."
    elif phase.unproven:
        yield "Here is what to compare it with: " + phase.description.strip()
        yield "Run the tests, or try it by hand, before you call it done."
    else:
        yield "All files the phase expects were changed; read the change once as a reviewer would."


def _all_passed(phase: PhaseWork) -> str:
    ran = phase.tests[0] if phase.tests else 0
    return f"When tests ran last, {ran} ran and all of them passed."


def _left_behind(diff: str) -> Iterator[str]:
    for line in diff.splitlines():
        if not line.startswith("+++"):
            yield from (said for pattern, said in _LEFT_BEHIND if pattern.search(line))
