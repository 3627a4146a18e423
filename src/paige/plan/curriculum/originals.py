"""Keeps the documents that were imported, byte for byte, below the workspace."""

from collections.abc import Callable
from pathlib import Path

from paige.base.errors import Conflict
from paige.base.files import write_atomic


def keep_in(root: Path, *, replace: bool = False) -> Callable[[str, bytes], None]:
    """Stores originals below a workspace; another file of that name is not overwritten unasked."""

    def keep(path: str, data: bytes) -> None:
        place = root / path
        if place.exists():
            if place.read_bytes() == data:
                return
            if not replace:
                raise Conflict(
                    f"`{path}` is there already and differs",
                    hint="Say `--as NAME` for another, or `--replace`.",
                )
        write_atomic(place, data)

    return keep
