"""Thousands of made-up events: no crash that allows, and every answer one the host understands."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from paige.guard.fast.place import Caller, Place
from paige.guard.fast.snapshot_cache import SnapshotCache
from paige.guard.hook_event import Heard, Outcome
from paige.hooks.fast import Reply, decide_with_packages, hear, respond
from tests.hooks.bodies import GATES, HOSTS, Sent, bodies, outcome
from tests.hooks.conftest import Home
from tests.hooks.process import denies, faults, schema

MANY = 5_000
VERY_MANY = 100_000


def _answered(home: Home) -> Callable[[Sent], Reply]:
    """Answers events. What takes more is decided for gates, and made up for every other event."""
    kept = SnapshotCache()
    data = str(home.data)
    random = Random(0)

    def slow(heard: Heard, place: Place) -> Outcome:
        if heard.event.gate:
            return decide_with_packages(heard, place)
        return outcome(random)

    def answer(sent: Sent) -> Reply:
        who = Caller(data, sent.role)
        return respond(sent.cli, sent.event, sent.raw, who, rules=kept.read, slow=slow)

    return answer


def _check(sent: Sent, reply: Reply) -> None:
    answer = reply.answer
    event = sent.event if schema(sent.cli, reply.event) is None else reply.event
    wrong = list(faults(sent.cli, event, answer.stdout, answer.code, answer.stderr))
    assert not wrong, (sent, answer)
    refused = denies(answer.stdout, answer.code)
    gate = HOSTS[sent.cli].EVENTS[sent.event] in GATES
    if gate and reply.rule == "could-not-judge":
        assert refused, (sent, answer)
    if sent.dangerous:
        # Where nothing is said, a host that asks its person does so; one that does not is told no.
        silent_ask = reply.said == "ask" and not answer.stdout
        assert refused or silent_ask, (sent, answer)
        assert reply.said in ("deny", "ask"), (sent, reply)


def _fire(home: Home, seed: int, count: int) -> Counter[str]:
    answer = _answered(home)
    said: Counter[str] = Counter()
    for sent in bodies(seed, count, str(home.project)):
        reply = answer(sent)
        _check(sent, reply)
        said[reply.said] += 1
    return said


@pytest.mark.timeout(600)
def test_five_thousand_events_open_no_gate(home: Home) -> None:
    said = _fire(home, 1, MANY)

    assert said.total() == MANY
    assert {"deny", "ask", "none", "allow"} <= said.keys()


@pytest.mark.soak
def test_a_hundred_thousand_events_open_no_gate(
    home: Home, record_property: Callable[[str, object], None]
) -> None:
    said = _fire(home, 2, VERY_MANY)

    record_property("events", said.total())
    assert said.total() == VERY_MANY


def test_whatever_is_decided_is_said_in_words_the_host_knows(home: Home) -> None:
    random = Random(3)
    said = 0
    for sent in bodies(3, 4000, str(home.project)):
        try:
            heard = hear(sent.cli, sent.event, sent.raw)
        except (ValueError, RecursionError):
            continue
        answer = HOSTS[sent.cli].answer(heard, outcome(random))
        event = heard.scene.host_event
        assert not list(faults(sent.cli, event, answer.stdout, answer.code, answer.stderr)), answer
        said += 1

    assert said > 2000


@pytest.mark.parametrize("cli", HOSTS)
def test_there_is_a_schema_for_the_answer_to_every_event(cli: str) -> None:
    known = json.loads((Path(__file__).parent / "schemas" / f"{cli}.json").read_text())["$defs"]

    assert set(HOSTS[cli].EVENTS) <= set(known)
