"""Checks what Paige is made of: every pin has its hash, and what is known to be unsafe is named.

Pins and hashes are checked without a network. What is known about versions lies elsewhere; where
that cannot be reached, this says so and is not a failure.

    python tools/audit.py
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKS = (ROOT / "web" / "package-lock.json", ROOT / "tools" / "clients" / "package-lock.json")
MEANT = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[\w,-]+\])?(?P<rest>.*)$")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}(?![0-9a-f])")
INTEGRITY = re.compile(r"sha512-[A-Za-z0-9+/]{86}==")
AWAY = re.compile(r"could not be audited|ConnectionError|405|ENOTFOUND|ECONN|audit endpoint", re.I)
KNOWN = re.compile(r"\b(?:GHSA|PYSEC|CVE)-")
AUDIT = ROOT / ".tools" / "audit"


def python_faults(name: str, text: str) -> Iterator[str]:
    """What is wrong with the pins of a requirement file."""
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = MEANT.match(line)
        if found is None or not found["rest"].startswith("=="):
            yield f"{name}: `{line.split()[0]}` is not pinned with `==`"
        elif not HASH.search(line):
            yield f"{name}: `{found['name']}` has no sha256 hash"


def npm_faults(name: str, text: str) -> Iterator[str]:
    """What is wrong with the pins of an npm lock file."""
    for place, package in json.loads(text)["packages"].items():
        if place and not package.get("link") and not package.get("inBundle"):
            if not package.get("version"):
                yield f"{name}: `{place}` has no version"
            if not INTEGRITY.fullmatch(package.get("integrity", "")):
                yield f"{name}: `{place}` has no sha512 integrity"


def faults() -> list[str]:
    """Every fault of every lock file."""
    found: list[str] = []
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        found += python_faults(path.name, path.read_text(encoding="utf-8"))
    for path in LOCKS:
        found += npm_faults(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    return found


def judged(what: str, code: int, output: str) -> tuple[bool, str]:
    """Whether an audit passes, and the words about it."""
    away = AWAY.search(output)
    if KNOWN.search(output) or (code and not away):
        return False, f"{what}:\n{output.strip()}"
    if away:
        return True, f"{what}: not audited, the list of known faults cannot be reached from here"
    return True, f"{what}: nothing known"


def audit_python(locked: Path) -> tuple[bool, str]:
    """Ask about the versions that a requirement file pins."""
    tool = AUDIT / "bin" / "pip-audit"
    if not tool.exists():
        subprocess.run([sys.executable, "-m", "venv", str(AUDIT)], check=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pip-audit"]
        subprocess.run([str(AUDIT / "bin" / "python"), *install], check=True)
    asked = [str(tool), "-r", str(locked), "--require-hashes", "--disable-pip"]
    return judged(locked.name, *_run(asked))


def audit_npm(folder: Path) -> tuple[bool, str]:
    """Ask about the versions that an npm lock file pins."""
    asked = ["npm", "audit", "--audit-level=high", "--prefix", str(folder)]
    return judged(str(folder.relative_to(ROOT)), *_run(asked))


def _run(command: list[str]) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout + done.stderr


def main() -> int:
    """Check, audit, say; 1 when something is wrong."""
    wrong = faults()
    print("\n".join(wrong) or "Every pin has its hash.")
    results = [audit_python(ROOT / "requirements" / "test.txt")]
    results += [audit_npm(path.parent) for path in LOCKS]
    print("\n".join(words for _, words in results))
    return int(bool(wrong) or not all(passed for passed, _ in results))


if __name__ == "__main__":
    sys.exit(main())
