"""Where the server of a data folder listens, so that other programs of its person find it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from paige.base.files import write_atomic
from paige.base.settings import Settings

NAME = "server.running"


@contextmanager
def announced(settings: Settings, address: str) -> Iterator[None]:
    """Say where a server listens until the block is left; the last one to start is found."""
    place = settings.data_dir / NAME
    said = json.dumps({"address": address, "pid": os.getpid()}).encode()
    write_atomic(place, said)
    try:
        yield
    finally:
        if place.exists() and place.read_bytes() == said:
            place.unlink()


def announced_address(settings: Settings) -> str | None:
    """The address that was said; whoever said it may be gone."""
    try:
        said = json.loads((settings.data_dir / NAME).read_bytes())
        return str(said["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
