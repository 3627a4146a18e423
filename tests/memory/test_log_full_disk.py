import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.processes import run_python

WRITE = """
import json, os, resource, subprocess, sys
from pathlib import Path
from paige.base.errors import Unavailable
from tests.memory.log_writer import Log, add, texts

way, folder, group = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
filler = folder / "filler"
if way == "tmpfs":
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=True)
    filler.write_bytes(bytes(16 * 1024))
else:
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
log = Log(folder / "memory" / "events.jsonl")
said, failures = [], []
while len(failures) < 3:
    words = [f"{len(said) + n} " + "word " * 40 for n in range(group)]
    before = log.path.stat().st_size if said else 0
    try:
        add(log, *words)
        said += words
    except Unavailable as error:
        failures.append([error.message, error.hint])
        assert log.path.stat().st_size == before
full = [texts(log) == said, texts(Log(log.path)) == said, log.verify().ok, log.last_seq()]
if way == "tmpfs":
    filler.unlink()
else:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
add(log, "after")
later = [texts(log)[-1], texts(Log(log.path)) == [*said, "after"], log.verify().ok]
names = sorted(os.listdir(log.path.parent))
print(json.dumps([str(log.path), len(said), failures, full, later, names]))
"""


def write(way: str, folder: Path, group: int) -> list[Any]:
    # A namespace of its own lets anyone mount a file system that is really small.
    prefix = ("unshare", "--map-root-user", "--mount") if way == "tmpfs" else ()
    return json.loads(run_python(WRITE, way, folder, group, prefix=prefix))


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small file system")
@pytest.mark.parametrize("group", [1, 7, 100])
@pytest.mark.parametrize("way", ["tmpfs", "limit"])
def test_on_a_full_disk_nothing_is_written_and_later_everything_works(
    tmp_path: Path, way: str, group: int
) -> None:
    path, count, failures, full, later, names = write(way, tmp_path, group)
    sentence = f"The disk is full: `{path}` was not written"
    assert failures == [[sentence, "Free some space and try again."]] * 3
    assert full == [True, True, True, count]
    assert count > 20 or group == 100
    assert later == ["after", True, True]
    assert names == ["events.jsonl", "events.jsonl.lock"]


FORGET = """
import json, os, subprocess, sys
from pathlib import Path
from paige.base.errors import Unavailable
from tests.memory.log_writer import Log, add, texts

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=True)
log = Log(folder / "events.jsonl")
add(log, *["word " * 40] * 50)
try:
    log.forget(["e1"])
except Unavailable as error:
    print(json.dumps([error.message, len(texts(log)), log.verify().ok, sorted(os.listdir(folder))]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small file system")
def test_forgetting_on_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    prefix = ("unshare", "--map-root-user", "--mount")
    message, count, ok, names = json.loads(run_python(FORGET, tmp_path, prefix=prefix))
    assert message == f"The disk is full: `{tmp_path / 'events.jsonl'}` was not written"
    assert (count, ok) == (50, True)
    assert names == ["events.jsonl", "events.jsonl.lock"]
