"""The schema an agent declares for its answers, when its author means harm."""

import json
import time

from paige.agent.loop import what_is_wrong

SCHEMA = {"type": "object", "properties": {"code": {"type": "string", "pattern": "^(a+)+$"}}}


def test_a_pattern_of_a_schema_cannot_hold_up_the_loop() -> None:
    start = time.thread_time()
    assert "does not match" in (
        what_is_wrong(json.dumps({"code": "a" * 5_000 + "!"}), SCHEMA) or ""
    )
    assert time.thread_time() - start < 1
    assert what_is_wrong('{"code": "aaa"}', SCHEMA) is None
