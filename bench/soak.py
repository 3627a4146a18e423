"""Runs the long tests and every property deeply; writes what came of each to `bench/soak.json`."""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

RESULTS = Path(__file__).parent / "soak.json"
NO_TESTS = 5  # pytest's exit code when nothing was collected


def main() -> int:
    """Run, show, save; the exit code is pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "soak.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-m",
            "soak or hypothesis",  # Hypothesis marks its own
            "--timeout=0",
            f"--junitxml={report}",
            "-ojunit_family=xunit1",  # the only one that keeps what tests record
        ]
        deeply = {**os.environ, "PAIGE_DEEP": "1"}
        code = subprocess.run([*command, *sys.argv[1:]], check=False, env=deeply).returncode
        entries = [_entry(case) for case in ET.parse(report).iter("testcase")]
    RESULTS.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")
    print(f"{len(entries)} soak tests; results in {RESULTS}")
    return 0 if code == NO_TESTS else code


def _entry(case: ET.Element) -> dict[str, object]:
    failed = case.find("failure") is not None or case.find("error") is not None
    numbers = {p.get("name", ""): p.get("value", "") for p in case.iter("property")}
    return {
        "name": f"{case.get('classname')}.{case.get('name')}",
        "passed": not failed,
        "seconds": float(case.get("time", "0")),
        **numbers,
    }


if __name__ == "__main__":
    sys.exit(main())
