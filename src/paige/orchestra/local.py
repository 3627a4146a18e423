"""Reflection by rules, for when there is no model: what a failure looks like says what to do.

The rules read what was missing and the lines that failed, and name the file or test they are about.
A reflection that names nothing helps nobody, so where nothing is named it says what to look at.
"""

import re
from dataclasses import dataclass

from paige.models.local import Registry
from paige.orchestra.reflections import CAUSE, PREVENTION, Attempt, Cause, CauseGiven, Prevention
from paige.orchestra.values import Missing

_NAMES = re.compile(
    r"(?<![\w.-])(?:[\w.-]{1,100}/){0,20}[\w-]{1,100}\.[A-Za-z]{1,5}(?:::[\w\[\]-]+)*(?::\d+)?|\btest_\w+|\b\w+Error\b"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One kind of failure: how it looks, what was assumed, and what prevents it."""

    sign: re.Pattern[str]
    assumption: str
    steps: tuple[str, ...]
    check: str


def _sign(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FAILURES = (
    _Rule(
        _sign(r"ModuleNotFoundError|ImportError|cannot find module|unresolved import"),
        "That what {name} imports is there under that name.",
        ("Run the import that failed by itself before anything else.",
         "Put the module where {name} looks for it, or name it as it is named."),
        "The import runs by itself, from the folder the tests start in.",
    ),
    _Rule(
        _sign(r"SyntaxError|IndentationError|unexpected token|parse error"),
        "That {name} can be read by the language at all.",
        ("Compile or load {name} after every change to it.",),
        "Every changed file loads without an error.",
    ),
    _Rule(
        _sign(r"AssertionError|assert |expected .* (?:got|but|received)|!=|not equal"),
        "That the result {name} gives is the one that was asked for.",
        ("Read in {name} which value is expected, and for which input.",
         "Follow that one input through the code until the value differs."),
        "The test that failed passes by itself, then all tests together.",
    ),
    _Rule(
        _sign(r"time[ds]? ?out|deadlock|hang"),
        "That what {name} waits for comes.",
        ("Find what {name} waits for, and give the wait an end.",),
        "The slowest test ends well within its time.",
    ),
    _Rule(
        _sign(r"KeyError|AttributeError|TypeError|undefined|null|NoneType|IndexError"),
        "That the value {name} gets has the form its code expects.",
        ("Write a test for {name} with the value from the failure.",
         "Decide where that form is made sure of, and do it there once."),
        "That test passes, and so does one with an empty value.",
    ),
    _Rule(
        _sign(r"no such file|FileNotFound|ENOENT|permission denied"),
        "That the file {name} uses is where it looks.",
        ("Look from which folder {name} starts, and make the path from there.",),
        "It works when it is started from another folder, too.",
    ),
)  # fmt: skip
_MISSING: dict[Missing, tuple[str, tuple[str, ...], str]] = {
    "changes": (
        "That something had been written to the project.",
        ("Write the first file of the feature, then look at it with `git status`.",),
        "`git status` shows the files of the feature.",
    ),
    "checks": (
        "That {name} passes the project's own checks.",
        ("Run the project's checks on {name} before anything else.",
         "Mend what they name, one at a time."),
        "All checks of the project pass, run by themselves.",
    ),
    "tests": (
        "That the tests of {name} pass.",
        ("Run the test that failed by itself and read its first error.",
         "Mend its cause before you write anything new."),
        "All tests pass, run by themselves, with the files as you hand them over.",
    ),
    "evidence": (
        "That saying the tests passed is enough for {name}.",
        ("Run the project's test tool by itself, without a pipe, as the last thing you do.",),
        "The last command is the test tool, and no file changed after it.",
    ),
    "state_files": (
        "That the files which say where the work stands may be edited.",
        ("Leave `.claude/progress/` alone; report in your answer instead.",),
        "`git status` and the report are the only traces of your work there.",
    ),
    "scope": (
        "That {name} belongs to this task.",
        ("Take back the changes to {name}, and keep to the files of the feature.",),
        "`git diff --stat` names files of the feature only.",
    ),
    "agreement": (
        "That {name} does what the feature asks for.",
        ("Read the acceptance criteria again, and write down for each which code meets it.",
         "Build the one that has none."),
        "Each criterion has a test that fails without the code.",
    ),
    "merge": (
        "That nobody else had changed {name} meanwhile.",
        ("Begin with the project as it is now, and read what changed in {name}.",),
        "The change goes into the project as it is now without a conflict.",
    ),
    "features": (
        "That the plan could be read by the orchestra.",
        ("End the answer with one fenced block of JSON that has a list `features`.",),
        "Every feature has an id of its own and a title.",
    ),
    "report": (
        "That the work speaks for itself.",
        ("Say which files changed, which tests ran and what is open.",),
        "The answer begins with the line the task asks for.",
    ),
    "answer": (
        "That the whole feature fits into the time there is.",
        ("Do the smallest part that can be tested first, and hand that over.",),
        "An answer is given well before the time is up.",
    ),
}  # fmt: skip
_UNKNOWN = (
    "That the attempt would pass as it was.",
    ("Run the project's tests by themselves and read the first error.",),
    "All tests pass, run by themselves.",
)


def register(registry: Registry) -> None:
    """Add the engines of reflection. The judge has none: without a model nobody judges."""
    registry.register(CAUSE, Attempt, find_cause)
    registry.register(PREVENTION, CauseGiven, find_prevention)


def find_cause(attempt: Attempt) -> Cause:
    """The assumption that failed, by what the failure looks like."""
    names = names_in(attempt)
    line = next((each for each in attempt.failures if each.strip()), "")
    rule = _rule(attempt)
    assumption = rule.assumption if rule is not None else _missing(attempt)[0]
    return Cause(
        assumption=assumption.format(name=_about(names, attempt)),
        because=" ".join(line.split())[:400],
        names=list(names),
    )


def find_prevention(given: CauseGiven) -> Prevention:
    """What prevents it, by the same rules; it names what the cause names."""
    rule = _rule(given.attempt)
    steps, check = (rule.steps, rule.check) if rule is not None else _missing(given.attempt)[1:]
    name = _about(tuple(given.cause.names), given.attempt)
    return Prevention(steps=[each.format(name=name) for each in steps], check=check)


def names_in(attempt: Attempt) -> tuple[str, ...]:
    """The files, tests and errors that the failures name, else the files of the attempt."""
    found = [name for line in attempt.failures for name in _NAMES.findall(line)]
    return tuple(dict.fromkeys(found or attempt.files[-3:]))[:5]


def _about(names: tuple[str, ...], attempt: Attempt) -> str:
    files = [each for each in names if not each.endswith("Error")]
    name = (files or [attempt.feature])[0]
    return "`" + name.replace("{", "").replace("}", "") + "`"


def _rule(attempt: Attempt) -> _Rule | None:
    # What is missing besides tests says more than a line that happens to look like an error.
    if attempt.missing and attempt.missing[0] not in ("tests", "checks"):
        return None
    text = "\n".join(attempt.failures[:20])[:20_000]
    return next((each for each in _FAILURES if each.sign.search(text)), None)


def _missing(attempt: Attempt) -> tuple[str, tuple[str, ...], str]:
    return _MISSING[attempt.missing[0]] if attempt.missing else _UNKNOWN
