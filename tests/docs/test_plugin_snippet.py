"""The test of a plugin that the how-to shows is saved as it says, and run."""

import re
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import page

PLACE = re.compile(r"`(\.ai/plugins/kitchen/[\w/]+\.md)`")


def test_the_plugin_and_its_test_work_as_they_are_shown(tmp_path: Path) -> None:
    shown = page("docs/how-to/test-a-plugin-with-a-scripted-model.md")
    files = [block.text for block in shown.blocks if block.language == "markdown"]
    tests = [block.text for block in shown.blocks if block.language == "python"]
    places = PLACE.findall(shown.prose)
    assert (len(places), len(tests)) == (len(files), 1)
    for place, text in zip(places, files, strict=True):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text, encoding="utf-8")
    (tmp_path / "test_kitchen.py").write_text(tests[0], encoding="utf-8")

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_kitchen.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert "2 passed" in done.stdout, done.stdout + done.stderr
