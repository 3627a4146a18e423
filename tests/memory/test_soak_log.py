import random
from pathlib import Path
from typing import Any

import pytest

from paige.memory.log.log import Log
from tests.memory.log_crowd import Crowd, check

WRITERS, EVENTS, KILLS = 8, 5_000, 25


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
def test_a_crowd_of_writers_killed_at_random_loses_nothing(
    tmp_path: Path, seed: int, record_property: Any
) -> None:
    path = tmp_path / "memory" / "events.jsonl"
    crowd = Crowd(path, random.Random(seed), segment_bytes=2_000_000)
    confirmed = crowd.run(WRITERS, EVENTS, KILLS)
    record_property("confirmed", len(confirmed))
    record_property("kills", crowd.kills)
    assert len(confirmed) >= WRITERS * EVENTS
    assert crowd.kills > WRITERS
    check(Log(path), confirmed)
