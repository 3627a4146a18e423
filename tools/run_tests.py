"""Runs the tests in parallel; the few that fail there are run once more, alone.

Browsers, servers and killed processes share two cores with everything else. A test that only fails
beside others is named at the end, so that it gets mended; one that fails alone fails the run.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
# More than these is no bad luck.
MOST_AGAIN = 5
TESTS_FAILED = 1  # pytest's exit code; others are an interruption or a fault of the run itself


def run_tests(root: Path, arguments: list[str]) -> int:
    """Run pytest in a folder with these arguments; returns its exit code."""
    (root / LAST_FAILED).unlink(missing_ok=True)
    # Neighbours stay together, so that what a file prepares is prepared once; the end is shared.
    code = _pytest(root, *arguments, "-n", "2", "--dist", "worksteal")
    failed = _failed(root)
    if code != TESTS_FAILED or not 0 < len(failed) <= MOST_AGAIN:
        return code
    print(f"\nOnce more, alone: {len(failed)} of the tests.", flush=True)
    code = _pytest(root, *failed)
    if code == 0:
        print("Passed only alone, to be mended:", *failed, sep="\n  ")
    return code


def _pytest(root: Path, *arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=root, check=False).returncode


def _failed(root: Path) -> list[str]:
    path = root / LAST_FAILED
    return sorted(json.loads(path.read_text())) if path.exists() else []


if __name__ == "__main__":
    sys.exit(run_tests(ROOT, sys.argv[1:]))
