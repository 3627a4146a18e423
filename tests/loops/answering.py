"""A class that answers a worksheet: filled-in files, and pupils with a code at a browser."""

import json
import re
from pathlib import Path
from typing import Any

import httpx2

from tests.live import run_paige

SHEET = """\
<!-- WORKSHEET -->
<!-- course: computing-science -->
<!-- concept: fixed-loops -->
<!-- status: pending -->

# Worksheet: Fixed loops

**Instructions**: Write your answer where the `___` is.

## Section 1: Loops

1. How many times does `for i in range(5)` repeat?  A) 4 times  B) 6 times  C) 5 times  ___
2. What is the first value of `i` in `range(5)`? ___
3. Which word begins a loop in Python? ___

<!-- ANSWER_KEY (do not edit below this line) -->
<!-- answers:
1.1: C / 5 times
1.2: 0
1.3: for / while
-->
"""
RIGHT = {"1.1": "C", "1.2": "0", "1.3": "for"}
WRONG = {"1.1": "B", "1.2": "0", "1.3": "for"}
SECRETS = ("ANSWER_KEY", "answers:", "C / 5 times", "for / while")
"""What would be seen of a key."""


def fill_in(sheet: str, answers: list[str]) -> str:
    """A worksheet with its blanks filled in one after the other."""
    head, rule, body = sheet.partition("\n## Section 1")
    given = iter(answers)
    return head + rule + re.sub(r"___", lambda _: next(given, "___"), body)


class School:
    """One teacher's folder, with `paige` to run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = {
            "DATA_DIR": str(folder / "data"),
            "PAIGE_WORKSPACE": str(folder / "workspace"),
            "AI_MEMORY_PATH": str(folder / "memory" / "events.jsonl"),
        }

    def paige(self, *arguments: str, code: int = 0) -> Any:
        """Run a command of the plan door with `--json`; return what it printed."""
        done = run_paige(self.folder, "plan", *arguments, "--json", **self.places)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    def said(self, *arguments: str) -> str:
        """Run a command as a person does; return all its words."""
        done = run_paige(self.folder, "plan", *arguments, **self.places)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr


class Pupil:
    """Somebody with a code and no account."""

    def __init__(self, url: str, token: str) -> None:
        self.address = f"{url}/api/answer/{token}"

    def sheet(self) -> Any:
        """Open the worksheet."""
        found = httpx2.get(self.address, timeout=30)
        assert found.status_code == 200, found.text
        return found.json()

    def save(self, answers: dict[str, str], version: int, *, hand_in: bool = True) -> Any:
        """Send answers; return the whole response."""
        given = {name: [text] for name, text in answers.items()}
        body = {"answers": given, "version": version, "handIn": hand_in}
        return httpx2.put(self.address, json=body, timeout=30)
