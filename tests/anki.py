"""The real Anki for the tests, in a process of its own.

Anki is under the AGPL, so Paige neither imports nor ships it. What a test wants of it is a small
program that is given to another Python, which finds Anki's packages in a folder beside Paige's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[1] / ".tools" / "anki"
MISSING = "Anki is not unpacked. Run `make test`, which does it."
SECONDS = 120
BEGIN = """
import json, sys
from anki.collection import *
from anki.import_export_pb2 import ImportAnkiPackageOptions
given = json.loads(sys.argv[1])
col = Collection(given["collection"])

def put(path, scheduling=True):
    options = ImportAnkiPackageOptions(with_scheduling=scheduling)
    return col.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options))

def answer(card, rating):
    card.start_timer()
    col.sched.answerCard(card, rating)

def export(path, legacy):
    options = ExportAnkiPackageOptions(with_scheduling=True, legacy=legacy)
    col.export_anki_package(out_path=path, options=options, limit=None)
"""
END = """
col.close()
print(json.dumps(told))
"""


def ask_anki(collection: Path, program: str, **given: object) -> Any:
    """What a program says as `told`; `col` is the collection, `given` its arguments."""
    if not PACKAGES.exists():
        pytest.fail(MISSING, pytrace=False)
    arguments = json.dumps({"collection": str(collection), **given})
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", f"{BEGIN}\n{program}\n{END}", arguments],
        env={**kept, "HOME": str(collection.parent), "PYTHONPATH": str(PACKAGES)},
        cwd=collection.parent,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
