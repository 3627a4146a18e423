"""Bytes for the ids of a demo. Nothing is imported here that could draw others first."""

from hashlib import blake2b


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
