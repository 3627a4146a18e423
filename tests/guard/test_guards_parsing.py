"""Guard files: what is written is read again; a mistake is named by its field."""

import json
from typing import Any

import pytest
from hypothesis import given

from paige.base.errors import BadInput
from paige.guard.guards.parser import (
    digest_of,
    dump_guard,
    dump_record,
    is_untouched,
    parse_guard,
    parse_record,
)
from paige.guard.guards.stages import propose_again, roll_back
from paige.guard.guards.values import Guard, LearnedMatcher
from tests.guard.guard_values import (
    NOON,
    calls,
    force_push,
    in_production,
    in_shadow,
    matchers,
    proposed,
)

PLAIN = dump_guard(force_push())


def changed(**parts: Any) -> dict[str, Any]:
    return {**PLAIN, **parts}


@given(matchers, calls)
def test_what_is_written_is_read_again(matcher: LearnedMatcher, call: Any) -> None:
    guard = force_push(matcher=matcher, must=(call,), must_not=(call, call))
    written = json.loads(json.dumps(dump_guard(guard)))
    try:
        found = parse_guard(written)
    except BadInput:
        return  # it is about too much
    assert found == guard
    assert digest_of(found) == digest_of(guard)


@pytest.mark.parametrize("make", [proposed, in_shadow, in_production])
def test_a_record_keeps_every_version_and_step(make: Any) -> None:
    record = make(force_push())
    record = roll_back(record, at=NOON, by="x", why="No.")
    record = propose_again(record, force_push(message="Other."), at=NOON, by="y", why="Again.")

    found = parse_record(json.loads(json.dumps(dump_record(record))))

    assert found == record
    assert dump_record(found) == dump_record(record)


def test_a_bare_guard_is_a_proposal() -> None:
    record = parse_record(PLAIN, at=NOON)
    assert record.standing == "proposed"
    assert record.guard == force_push()
    assert record.blocking is None


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (changed(matcher={"path": ["src/**"]}), "guard.matcher.path"),
        (changed(matcher={"paths": "src/**"}), "guard.matcher.paths"),
        (changed(matcher={"paths": ["src/**", 3]}), "guard.matcher.paths[1]"),
        (changed(matcher={"paths": ["**"]}), "guard.matcher.paths"),
        (changed(matcher={"paths": ["*"]}), "guard.matcher.paths"),
        (changed(matcher={"command": ["**", "push"]}), "guard.matcher.command"),
        (changed(matcher={"contains": [" "]}), "guard.matcher.contains[0]"),
        (changed(matcher={"paths": ["a"], "unless": ["rain"]}), "guard.matcher.unless"),
        (changed(matcher={}), "guard.matcher"),
        (changed(matcher={"tools": ["shell"]}), "guard.matcher"),
        (changed(matcher={"agents": ["coding-agent"]}), "guard.matcher"),
        (changed(event="post_tool"), "guard.event"),
        (changed(event="stop"), "guard.matcher"),
        (changed(event="stop", matcher={"agents": ["a"]}, decision="ask"), "guard.decision"),
        (changed(event="stop", matcher={"agents": ["a"], "paths": ["x"]}), "guard.matcher"),
        (changed(decision="allow"), "guard.decision"),
        (changed(id="../../x"), "guard.id"),
        (changed(id=""), "guard.id"),
        (changed(message=" "), "guard.message"),
        (changed(must=[{"tool": "Bash", "input": []}]), "guard.must[0].input"),
        (changed(must=[{"tol": "Bash"}]), "guard.must[0].tol"),
        (changed(must=[{}] * 60), "guard.must"),
        ([], "guard"),
        ("x", "guard"),
    ],
)
def test_a_mistake_is_named_by_its_field(given: object, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_guard(given)
    assert f"`{field}`" in caught.value.message
    assert caught.value.hint


def forged(record: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(record)), **parts}


def test_a_record_that_no_step_could_have_made_is_refused() -> None:
    good = dump_record(in_shadow(force_push()))
    live = dump_record(in_production(force_push()))
    both = forged(live)
    both["versions"][0]["stage"] = "production"
    jumped = forged(good)
    jumped["versions"][1]["stage"] = "production"
    for bad in (
        forged(good, line=[]),
        forged(good, line=[1]),
        forged(good, versions=[]),
        forged(good, versions=good["versions"][1:]),
        forged(good, format=9),
        forged(good, id="other"),
        both,
        jumped,
    ):
        with pytest.raises(BadInput):
            parse_record(bad)


def test_a_guard_that_was_changed_after_its_promotion_is_known() -> None:
    written = dump_record(in_production(force_push()))
    assert is_untouched(parse_record(written).lineage.production)
    written["versions"][1]["value"]["matcher"] = {"command": ["git"]}
    assert not is_untouched(parse_record(written).lineage.production)


def test_a_version_that_a_rollback_restored_is_still_the_promoted_one() -> None:
    first = in_production(force_push())
    again = propose_again(first, force_push(message="Two."), at=NOON, by="x", why="Better.")
    from paige.guard.guards.stages import to_shadow  # noqa: PLC0415
    from tests.guard.guard_values import NOTHING, let_block  # noqa: PLC0415

    second = let_block(to_shadow(again, NOTHING, at=NOON, by="x", why="Watch."))
    back = roll_back(second, at=NOON, by="x", why="Worse.")

    assert isinstance(back.blocking, Guard)
    assert back.blocking.message == force_push().message
    assert is_untouched(back.lineage.production)
