"""Reads from the output of a terminal how many tests passed and failed.

Every runner closes with a line of its own; those of the common ones are known here. Output comes in
pieces, so a reader keeps what is not a whole line yet.
"""

import re
from dataclasses import dataclass, field

LONGEST_LINE = 4_000
MOST_OUTPUT = 200_000
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_PYTEST = re.compile(r"^=*+\s*+(?=.*\b(?:passed|failed|error)\b)(?P<counts>.+?) in [\d.]+m?s\b")
_COUNT = re.compile(r"(?<!\d)(\d++) (passed|failed|errors?)\b")
_JEST = re.compile(r"^\s*+Tests:?\s++(?=.*\d)(?P<counts>.*\b(?:passed|failed)\b.*)$")
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed")
_RSPEC = re.compile(r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?")
_MAVEN = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?")
_DOTNET = re.compile(r"^\s*(?:Passed|Failed)!\s+-\s+Failed:\s+(\d+), Passed:\s+(\d+)")
_PHPUNIT_OK = re.compile(r"^OK \((\d+) tests?")
_PHPUNIT = re.compile(r"^Tests: (\d+), Assertions: \d++(?P<rest>.*)\.$")
_UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ")
_UNITTEST_OK = re.compile(r"^(?:OK|NO TESTS RAN)(?: \((?P<rest>.*)\))?$")
_UNITTEST_FAILED = re.compile(r"^FAILED \((?P<rest>.*)\)$")
_NODE = re.compile(r"^\S+ (pass|fail) (\d+)$")
_MOCHA = re.compile(r"^\s+(\d+) (passing|failing)\b")
_PROMPT = re.compile(r"[$#%>\u276f] ?$")
_GO = re.compile(r"^(ok|FAIL)\s*\t\S+(?!.*\[no tests to run\])")
_LEFT_OUT = re.compile(r"(?:skipped=|Skipped: |Incomplete: )(\d+)")


@dataclass(frozen=True, slots=True)
class TestRun:
    """How a run of tests ended."""

    __test__ = False  # not a test itself, whatever its name says

    passed: int
    failed: int


@dataclass(slots=True)
class RunReader:
    """Finds test runs in what a terminal shows, piece by piece."""

    _rest: str = ""
    _held: dict[str, int] = field(default_factory=dict)

    def feed(self, text: str) -> list[TestRun]:
        """Take some more output; return the runs that ended in it."""
        *lines, rest = (self._rest + text).split("\n")
        self._rest = rest[-LONGEST_LINE:]
        runs = [run for line in lines if (run := self._line(clean_line(line))) is not None]
        if "mocha" in self._held and _PROMPT.search(clean_line(rest)):
            runs.append(TestRun(self._held.pop("mocha"), 0))
        return runs

    def _line(self, line: str) -> TestRun | None:
        return _whole_line(line) or self._of_several(line)

    def _of_several(self, line: str) -> TestRun | None:
        """Runners that say it in two lines: the first is kept until the second comes."""
        if found := _UNITTEST_RAN.match(line):
            self._held["unittest"] = int(found[1])
        elif "unittest" in self._held and _UNITTEST_OK.match(line):
            return TestRun(max(0, self._held.pop("unittest") - _left_out(line)), 0)
        elif "unittest" in self._held and (found := _UNITTEST_FAILED.match(line)):
            failed = sum(int(count) for count in re.findall(r"(?:failures|errors)=(\d+)", line))
            return TestRun(max(0, self._held.pop("unittest") - failed - _left_out(line)), failed)
        elif found := _NODE.match(line):
            if found[1] == "pass":
                self._held["node"] = int(found[2])
            elif "node" in self._held:
                return TestRun(self._held.pop("node"), int(found[2]))
        else:
            return self._mocha(line)
        return None

    def _mocha(self, line: str) -> TestRun | None:
        found = _MOCHA.match(line)
        if found is not None and found[2] == "passing":
            self._held["mocha"] = int(found[1])
            return None
        if "mocha" not in self._held or not line.strip():
            return None
        passed = self._held.pop("mocha")
        return TestRun(passed, int(found[1]) if found else 0)


def read_runs(output: str) -> list[TestRun]:
    """The runs in a whole output, in order."""
    reader = RunReader()
    return [*reader.feed(output[-MOST_OUTPUT:]), *reader.feed("\n \n")]


def last_run(output: str) -> TestRun | None:
    """The last run in a whole output; packages that are tested one by one count together."""
    lines = [clean_line(line) for line in output[-MOST_OUTPUT:].splitlines()]
    packages = [found[1] for line in lines if (found := _GO.match(line))]
    if packages:
        return TestRun(packages.count("ok"), packages.count("FAIL"))
    runs = read_runs(output)
    return runs[-1] if runs else None


def clean_line(line: str) -> str:
    """A line without colours and without what was overwritten."""
    return _ESCAPES.sub("", line).rstrip("\r").rsplit("\r", 1)[-1]


def _whole_line(line: str) -> TestRun | None:
    for pattern in (_PYTEST, _JEST):
        if found := pattern.match(line):
            return _counted(found["counts"])
    if found := _CARGO.match(line):
        return TestRun(int(found[1]), int(found[2]))
    if found := _RSPEC.match(line):
        failed, pending = int(found[2]), int(found[3] or 0)
        return TestRun(max(0, int(found[1]) - failed - pending), failed)
    if found := _MAVEN.search(line):
        failed = int(found[2]) + int(found[3])
        return TestRun(max(0, int(found[1]) - failed - int(found[4] or 0)), failed)
    if found := _DOTNET.match(line):
        return TestRun(int(found[2]), int(found[1]))
    if found := _GO.match(line):
        return TestRun(1, 0) if found[1] == "ok" else TestRun(0, 1)
    return _phpunit(line)


def _phpunit(line: str) -> TestRun | None:
    if found := _PHPUNIT_OK.match(line):
        return TestRun(int(found[1]), 0)
    if found := _PHPUNIT.match(line):
        failed = sum(int(count) for count in re.findall(r"(?:Failures|Errors): (\d+)", line))
        return TestRun(max(0, int(found[1]) - failed - _left_out(line)), failed)
    return None


def _left_out(line: str) -> int:
    """Tests that a line counts and that did not run."""
    return sum(int(count) for count in _LEFT_OUT.findall(line))


def _counted(text: str) -> TestRun | None:
    counts = {"passed": 0, "failed": 0}
    found = _COUNT.findall(text)
    for number, word in found:
        counts["passed" if word == "passed" else "failed"] += int(number)
    return TestRun(**counts) if found else None
