"""`python -m tests.tasks.report`: runs the forty tasks and writes their results into the docs."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import ROOT
from tests.tasks.listing import DOORS, PAGE, Outcome, page_of


def main() -> int:
    """Run them one after the other; the exit code is that of pytest."""
    files = [str(module.__file__) for module in DOORS.values()]
    with TemporaryDirectory() as folder:
        told = Path(folder) / "results.xml"
        # What a server or a browser takes to start is shared, so only the task itself counts.
        counted = ("-o", "junit_duration_report=call", f"--junitxml={told}")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *counted, *files]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        outcomes = {each.attrib["name"]: _outcome(each) for each in ET.parse(told).iter("testcase")}
    PAGE.write_text(page_of(outcomes), encoding="utf-8")
    return code


def _outcome(case: ET.Element) -> Outcome:
    """What came of one test, by the file that pytest writes."""
    bad = next(
        (name for name in ("error", "failure", "skipped") if case.find(name) is not None), ""
    )
    steps = case.find("./properties/property[@name='steps']")
    return Outcome(
        bad or "passed",
        0 if steps is None else int(steps.attrib["value"]),
        float(case.attrib["time"]),
    )


if __name__ == "__main__":
    sys.exit(main())
