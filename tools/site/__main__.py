"""`python -m tools.site FOLDER`: builds the documentation as a site; fails on any problem."""

import argparse
import sys
from pathlib import Path

from paige import __version__
from tools.site.building import build_site

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Build it, and say what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the site is written; emptied first")
    parser.add_argument("--app", default="", help="address of the Paige that serves the site")
    given = parser.parse_args()
    built = build_site(ROOT, given.folder, version=__version__, app=given.app)
    for problem in built.problems:
        print(problem, file=sys.stderr)
    print(f"{given.folder}: {built.pages} pages, {built.size / 1e6:.2f} MB")
    return 1 if built.problems else 0


if __name__ == "__main__":
    sys.exit(main())
