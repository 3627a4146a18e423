"""Fills one part of a demo: `python -m paige.app.demo.fill <part> <day> <seed>`.

It works in the environment of the demo, which `installation.py` starts it with, and uses the
product's own functions. Wherever those draw ids by chance, they get the bytes of a seed: this
process does nothing else, so its source of chance is replaced as a whole, before anything is
imported that could hold on to the real one. Keys are no ids: what protects something stays truly
random.

Nothing it writes counts before the demo is whole. So files are not forced to the disk one by one,
which takes most of the time; everything is, once, at the end.
"""

import json
import os
import secrets  # noqa: F401 - holds on to the real source, for keys
import sys
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Literal


class Chance:
    """Bytes that look random and are the same for the same seed, for ids."""

    def __init__(self, seed: int) -> None:
        self._seed = seed.to_bytes(8, "big", signed=True)
        self._count = 0

    def __call__(self, size: int, /) -> bytes:
        """The next bytes."""
        made = b""
        while len(made) < size:
            self._count += 1
            made += blake2b(self._count.to_bytes(8, "big"), key=self._seed).digest()
        return made[:size]


def main(arguments: list[str]) -> int:
    """Fill the demo that the environment names, and say on stdout how far it is."""
    part: Literal["study", "others"] = "study" if arguments[0] == "study" else "others"
    day, seed = date.fromisoformat(arguments[1]), int(arguments[2])
    os.urandom = Chance(seed)
    os.fsync = _later
    # These imports come late: see above.
    from paige.app.demo.doors import fill_doors  # noqa: PLC0415
    from paige.base.errors import PaigeError  # noqa: PLC0415
    from paige.base.settings import read_settings  # noqa: PLC0415

    def tell(what: str, done: int, of: int) -> None:
        sys.stdout.write(f"{json.dumps({'what': what, 'done': done, 'of': of})}\n")
        sys.stdout.flush()

    try:
        fill_doors(read_settings(os.environ, Path.cwd()), part, day, seed, tell)
    except PaigeError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    if hasattr(os, "sync"):
        os.sync()
    return 0


def _later(handle: object) -> None:
    """Not now: see above."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
