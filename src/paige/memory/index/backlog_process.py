"""Preparing a large backlog in another process, so that reading and writing overlap.

Half of the work of a rebuild is reading lines and making words of them; the other half is writing
rows. Vectors are made on both sides, a batch here and a batch there, so that neither waits for the
other. The other process is this module, run as a program: it writes prepared batches to its output,
each with its length before it, and ends when nobody reads them. If it cannot be started or dies,
whoever asked goes on alone from where it stopped.
"""

import gc
import marshal
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, count, islice
from pathlib import Path
from typing import IO

import numpy as np

from paige.memory.embedding import StaticEmbedder
from paige.memory.index.preparation import TOGETHER, Batch, Item, PreparedMemory, read_items
from paige.memory.log.log import Log

BATCH = 4000  # events in a transaction: written for less together, and done in a moment
PIPE = 2**20  # bytes: with the usual few, both wait for each other all the time
_LENGTH = 8


def can_prepare(log: object) -> bool:
    """Whether another process could read a log, on a processor of its own."""
    return isinstance(log, Log) and (os.cpu_count() or 1) > 1


@contextmanager
def prepared_elsewhere(
    path: Path, after: int, embedder: StaticEmbedder
) -> Iterator[Iterator[Batch]]:
    """The batches of a log after a number, made meanwhile; fewer when the process ends early."""
    command = [sys.executable, "-m", __name__, str(path), str(after), str(embedder.folder)]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pipesize=PIPE,
        )
    except OSError:
        yield iter(())
        return
    assert process.stdout is not None
    try:
        yield _received(process.stdout, embedder)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _received(stream: IO[bytes], embedder: StaticEmbedder) -> Iterator[Batch]:
    with ThreadPoolExecutor(1) as reader:  # the next is read while this one is written
        next_one = reader.submit(_read, stream)
        while (data := next_one.result()) is not None:
            next_one = reader.submit(_read, stream)
            yield _unpacked(data, embedder)


def _read(stream: IO[bytes]) -> bytes | None:
    header = stream.read(_LENGTH)
    size = int.from_bytes(header)
    data = stream.read(size) if len(header) == _LENGTH else b""
    return data if data and len(data) == size else None


def _unpacked(data: bytes, embedder: StaticEmbedder) -> Batch:
    found, words, vectors = marshal.loads(data)
    items = [
        Item(seq, id, type_, fields, None if ready is None else PreparedMemory(*ready), acts)
        for seq, id, type_, fields, ready, acts in found
    ]
    if vectors is None:
        return Batch(items, _embedded(words, embedder))
    return Batch(items, np.frombuffer(vectors, np.float16).reshape(-1, embedder.dimension))


def _embedded(words: list[list[str]], embedder: StaticEmbedder) -> np.ndarray:
    starts = range(0, max(1, len(words)), TOGETHER)
    return np.concatenate([embedder.embed_words(words[at : at + TOGETHER]) for at in starts])


class _BatchWords:
    """The words of a batch, for whoever makes vectors of them."""

    def __init__(self) -> None:
        self.words: list[list[str]] = []

    def add(self, text: str, words: list[str]) -> None:
        """Take in the words of a text."""
        self.words.append(words)


def main() -> None:
    """Prepare the lines of the log that is named, and write them out."""
    gc.disable()  # this process makes thousands of lists and not one cycle, and ends soon
    log, after, table = sys.argv[1:]
    lines = Log(Path(log)).read_parsed(int(after))
    embedder = StaticEmbedder(Path(table))
    out = sys.stdout.buffer
    for number in count():
        first = list(islice(lines, 1))
        if not first:
            break
        heard = _BatchWords()
        some = chain(first, islice(lines, BATCH - 1))  # each line is gone before the next
        del first
        plain = [
            (*item[:4], None if item.ready is None else tuple(item.ready), item.acts)
            for item in read_items(some, heard)
        ]
        here = number % 2
        vectors = _embedded(heard.words, embedder).astype(np.float16).tobytes() if here else None
        # The quickest way between two processes of one Python.
        data = marshal.dumps((plain, () if here else heard.words, vectors))
        out.write(len(data).to_bytes(_LENGTH))
        out.write(data)
    out.flush()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # whoever asked has left
        os._exit(1)
