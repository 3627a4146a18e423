import random
from pathlib import Path

from paige.memory.log.log import Log
from tests.memory.log_crowd import Crowd, check


def test_writers_that_are_killed_lose_nothing_that_was_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "events.jsonl"
    crowd = Crowd(path, random.Random(7), segment_bytes=100_000)
    confirmed = crowd.run(writers=4, events=200, kills=3)
    assert len(confirmed) >= 4 * 200
    assert crowd.kills > 4
    check(Log(path), confirmed)
    assert len(list(path.parent.glob("events-*.jsonl"))) > 1
