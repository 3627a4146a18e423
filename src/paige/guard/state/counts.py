"""What a test tool said about its tests, and how a host says that a command ended.

Skipped tests are no tests that ran. Each tool has a form of its own; what is not in that form
counts for nothing, so a tool that was told to be silent gives no evidence.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NUMBERED = re.compile(r"(?<!\d)(\d++) ([a-z]+)")
_MOST_TEXT = 2 * 2**20


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How many tests ran, and how many of them did not pass."""

    tests: int
    failed: int


@dataclass(frozen=True, slots=True)
class CommandEnd:
    """What a tool answered: its text, and the exit code where the host says it."""

    text: str
    exit_code: int | None
    finished: bool = True


def counted(form: str, text: str) -> RunCounts:
    """The tests in the result of a tool; none where it says nothing of them."""
    plain = _COLOURS.sub("", text[-_MOST_TEXT:]).replace("\r\n", "\n")
    reader = FORMS.get(form)
    try:
        found = reader(plain) if reader else None
    except ValueError:
        found = None  # a number of thousands of digits is no number of tests
    return found or RunCounts(0, 0)


def ended(result: object, cli: str) -> CommandEnd:
    """The result of a shell tool as one text, and how the command ended."""
    if isinstance(result, str):
        return _of_text(result, cli)
    if not isinstance(result, dict):
        return CommandEnd("", None, finished=False)
    given: dict[str, Any] = dict(result)
    if given.get("interrupted") is True or given.get("backgroundTaskId"):
        return CommandEnd("", None, finished=False)
    text = "\n".join(
        given[key]
        for key in ("stdout", "stderr", "output", "llmContent", "textResultForLlm",
                    "text_result_for_llm", "content")
        if isinstance(given.get(key), str)
    )  # fmt: skip
    code = _code_in(given)
    if code is None:
        return _of_text(text, cli)
    return CommandEnd(text, code)


def failed_end(error: str) -> CommandEnd:
    """How a command ended that the host calls failed."""
    match = re.match(r"\s*(?:Error: )?Exit code (\d{1,9})", error)
    return CommandEnd(error, int(match.group(1)) if match else 1)


def _code_in(given: dict[str, Any]) -> int | None:
    metadata = given.get("metadata")
    inner: dict[str, Any] = dict(metadata) if isinstance(metadata, dict) else {}
    for place in (given, inner):
        for key in ("exit_code", "exitCode", "code", "returncode"):
            value = place.get(key)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    return None


def _of_text(text: str, cli: str) -> CommandEnd:
    if text.startswith("{"):
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if isinstance(value, dict) and "output" in value:
            return ended(value, cli)
    # The host's own line: at the head in Codex, at the end in the others.
    head = re.search(r"^(?:Process exited with code|Exit code:) (\d+)$", text[:400], re.MULTILINE)
    if cli == "codex" and head and not re.search(r"^(?:Final )?[Oo]utput:", text[: head.start()]):
        return CommandEnd(text, int(head.group(1)))
    if cli == "gemini":
        codes = re.findall(r"^Exit Code: (\d{1,9})\d*+$", text, re.MULTILINE)
        return CommandEnd(text, int(codes[-1]) if codes else 0)
    if cli == "copilot":
        codes = re.findall(r"<(?:exited|command exited) with exit code (\d{1,9})\d*+>", text)
        return CommandEnd(text, int(codes[-1]) if codes else None)
    # Claude Code calls a tool done only when the command ended with 0.
    return CommandEnd(text, 0 if cli == "claude-code" else None)


def _sum(pairs: list[tuple[str, str]], *, good: tuple[str, ...], bad: tuple[str, ...]) -> RunCounts:
    numbers = {name: int(number) for number, name in pairs}
    failed = sum(numbers.get(each, 0) for each in bad)
    return RunCounts(sum(numbers.get(each, 0) for each in good) + failed, failed)


def _pytest(text: str) -> RunCounts | None:
    line = r"^=*+[^\S\n]*+((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?\s*=*$"
    lines = re.findall(line, text, re.MULTILINE)
    if not lines:
        return None
    pairs = _NUMBERED.findall(lines[-1])
    return _sum(pairs, good=("passed", "xfailed", "xpassed"), bad=("failed", "error", "errors"))


def _unittest(text: str) -> RunCounts | None:
    ran = re.findall(r"^Ran (\d+) tests? in [\d.]+s$", text, re.MULTILINE)
    ends = re.findall(r"^(OK|FAILED)(?: \((.*)\))?$", text, re.MULTILINE)
    if not ran or not ends:
        return None
    word, details = ends[-1]
    numbers = dict(re.findall(r"(?<!\w)(\w++)=(\d+)", details))
    failed = int(numbers.get("failures", 0)) + int(numbers.get("errors", 0))
    tests = int(ran[-1]) - int(numbers.get("skipped", 0))
    return RunCounts(max(tests, 0), failed or (1 if word == "FAILED" else 0))


def _line_of_numbers(
    start: str, good: tuple[str, ...], bad: tuple[str, ...]
) -> Callable[[str], RunCounts | None]:
    """A form whose last line that begins so has numbers and words: `Tests: 1 failed, 4 passed`."""
    pattern = re.compile(start, re.MULTILINE)

    def read(text: str) -> RunCounts | None:
        lines = pattern.findall(text)
        return _sum(_NUMBERED.findall(lines[-1]), good=good, bad=bad) if lines else None

    return read


def _last_of(good: str, bad: str, *, always: bool = False) -> Callable[[str], RunCounts | None]:
    """A form with one line for what passed and one for what failed; `always` has the first."""
    patterns = re.compile(good, re.MULTILINE), re.compile(bad, re.MULTILINE)

    def read(text: str) -> RunCounts | None:
        passed, failed = (pattern.findall(text) for pattern in patterns)
        if not passed and (always or not failed):
            return None
        wrong = int(failed[-1]) if failed else 0
        return RunCounts((int(passed[-1]) if passed else 0) + wrong, wrong)

    return read


def _go(text: str) -> RunCounts | None:
    told = re.findall(r'"Action":"(pass|fail)".{0,1000}"Test":', text)
    named = re.findall(r"^[^\S\n]*+--- (PASS|FAIL):", text, re.MULTILINE)
    shown = [each.lower() for each in told or named]
    packages = [
        line
        for line in re.findall(r"^ok\s+\S+.*$", text, re.MULTILINE)
        if "[no tests to run]" not in line
    ]
    broken = re.findall(r"^FAIL\s+\S+", text, re.MULTILINE)
    failed = max(shown.count("fail"), len(broken))
    if told or any(each == "pass" for each in shown):
        return RunCounts(len(shown), failed)
    # Without `-v` only packages are told; each of them has one test at the least.
    return RunCounts(len(packages) + failed, failed)


def _added(line: str) -> Callable[[str], RunCounts | None]:
    """A form with one line for each part, passed and failed in it."""
    pattern = re.compile(line, re.MULTILINE)

    def read(text: str) -> RunCounts | None:
        found = pattern.findall(text)
        failed = sum(int(bad or 0) for _, bad in found)
        return RunCounts(sum(int(good) for good, _ in found) + failed, failed) if found else None

    return read


def _all_and_bad(line: str) -> Callable[[str], RunCounts | None]:
    """A form whose last line tells all tests, those that failed, and perhaps those left out."""
    pattern = re.compile(line, re.MULTILINE)

    def read(text: str) -> RunCounts | None:
        found = [match.groupdict("0") for match in pattern.finditer(text)]
        if not found:
            return None
        last = {name: int(value or 0) for name, value in found[-1].items()}
        failed = last.get("failed", 0) + last.get("errors", 0)
        return RunCounts(max(last["all"] - last.get("skipped", 0), 0), failed)

    return read


def _phpunit(text: str) -> RunCounts | None:
    good = re.findall(r"^OK \((\d+) tests?, \d+ assertions?\)$", text, re.MULTILINE)
    if good:
        return RunCounts(int(good[-1]), 0)
    lines = re.findall(r"^Tests: \d+, Assertions: \d+.*$", text, re.MULTILINE)
    if not lines:
        return None
    numbers = {name: int(value) for name, value in re.findall(r"(?<!\w)(\w++): (\d+)", lines[-1])}
    left_out = numbers.get("Skipped", 0) + numbers.get("Incomplete", 0)
    failed = numbers.get("Failures", 0) + numbers.get("Errors", 0)
    return RunCounts(max(numbers["Tests"] - left_out, 0), failed)


def _tap(text: str) -> RunCounts | None:
    lines = re.findall(r"^(ok|not ok) \d+(.*)$", text, re.MULTILINE)
    ran = [word for word, rest in lines if "# skip" not in rest.lower()]
    if lines:
        return RunCounts(len(ran), ran.count("not ok"))
    return _all_and_bad(r"^(?P<all>\d+) tests?, (?P<failed>\d+) failures?")(text)


def _dart(text: str) -> RunCounts | None:
    found = re.findall(r"\+(\d+)(?: ~\d+)?(?: -(\d+))?: (?:All tests passed|Some tests failed)",
                       text)  # fmt: skip
    if not found:
        return None
    good, bad = found[-1]
    return RunCounts(int(good) + int(bad or 0), int(bad or 0))


_DOTNET = (
    r"Failed:\s+(?P<failed>\d+), Passed:\s+\d+, Skipped:\s+(?P<skipped>\d+), "
    r"Total:\s+(?P<all>\d+)"
)
_MAVEN = (
    r"Tests run: (?P<all>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), "
    r"Skipped: (?P<skipped>\d+)"
)
FORMS: dict[str, Callable[[str], RunCounts | None]] = {
    "pytest": _pytest,
    "unittest": _unittest,
    "jest": _line_of_numbers(r"^Tests:\s+.*$", ("passed",), ("failed",)),
    "vitest": _line_of_numbers(r"^[^\S\n]*+Tests\s+.*\(\d+\)$", ("passed",), ("failed",)),
    "pest": _line_of_numbers(r"^[^\S\n]*+Tests:\s+.*$", ("passed", "risky"), ("failed",)),
    "mocha": _last_of(r"^[^\S\n]*+(\d+) passing\b", r"^[^\S\n]*+(\d+) failing\b"),
    "ava": _line_of_numbers(
        r"^[^\S\n]*+\d+ tests? passed$|^[^\S\n]*+\d+ tests? failed$", ("test", "tests"), ()
    ),
    "tap": _tap,
    "node": _last_of(r"^(?:#|\u2139) pass (\d+)$", r"^(?:#|\u2139) fail (\d+)$", always=True),
    "deno": _line_of_numbers(r"^[^\S\n]*+(?:ok|FAILED) \| .*$", ("passed",), ("failed",)),
    "bun": _last_of(r"^[^\S\n]*+(\d+) pass$", r"^[^\S\n]*+(\d+) fail$"),
    "playwright": _line_of_numbers(r"^[^\S\n]*+\d+ passed(?: \(.*\))?$", ("passed",), ()),
    "go": _go,
    "gotestsum": _all_and_bad(
        r"^DONE (?P<all>\d+) tests?(?:, (?P<skipped>\d+) skipped)?(?:, (?P<failed>\d+) failures?)?"
    ),
    "cargo": _added(r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed;"),
    "nextest": _added(r"tests? run: (\d+) passed(?: \(.{0,99}?\))?(?:, (\d+) failed)?(?=[,\s]|$)"),
    "rspec": _all_and_bad(
        r"^(?P<all>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?"
    ),
    "phpunit": _phpunit,
    "minitest": _all_and_bad(
        r"^(?P<all>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, "
        r"(?P<errors>\d+) errors, (?P<skipped>\d+) skips"
    ),
    "exunit": _all_and_bad(
        r"^(?:\d+ doctests?, )?(?P<all>\d+) tests?, (?P<failed>\d+) failures?"
        r"(?:, (?P<skipped>\d+) skipped)?"
    ),
    "dotnet": _all_and_bad(_DOTNET),
    "maven": _all_and_bad(_MAVEN),
    "swift": _all_and_bad(r"Executed (?P<all>\d+) tests?, with (?P<failed>\d+) failures?"),
    "ctest": _all_and_bad(r"tests passed, (?P<failed>\d+) tests? failed out of (?P<all>\d+)"),
    "dart": _dart,
}
