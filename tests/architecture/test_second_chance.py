"""The runner of the tests: a test that fails beside others gets one more try, alone."""

import subprocess
import sys
from pathlib import Path

import pytest

RUNNER = Path(__file__).parents[2] / "tools" / "run_tests.py"
UNLUCKY = """
from pathlib import Path

def test_unlucky():
    mark = Path(__file__).with_name("mark")
    was_here = mark.exists()
    mark.touch()
    assert was_here
"""
BROKEN = "def test_broken():\n    assert False\n"
SIX_BROKEN = (
    "import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_n(n):\n    assert 0\n"
)


@pytest.mark.parametrize(
    ("test", "code", "said", "unsaid"),
    [
        (UNLUCKY, 0, "Passed only alone, to be mended:\n  test_it.py::test_unlucky", "no luck"),
        (BROKEN, 1, "Once more, alone: 1", "Passed only alone"),
        (SIX_BROKEN, 1, "6 failed", "Once more"),
        ("def test_fine():\n    pass\n", 0, "1 passed", "Once more"),
    ],
    ids=["unlucky", "broken", "too many", "fine"],
)
def test_the_second_chance(tmp_path: Path, test: str, code: int, said: str, unsaid: str) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "run_tests.py").write_text(RUNNER.read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(test)

    done = subprocess.run(
        [sys.executable, str(tmp_path / "tools" / "run_tests.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == code
    assert said in done.stdout
    assert unsaid not in done.stdout
