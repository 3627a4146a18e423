"""Choosing hooks by name, and decisions as JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.hooks import dump_decision, load_decision, resolve_hooks
from paige.base.errors import BadInput
from paige.base.events import Abort, AddContext, Allow, Ask, Decision, Deny, KeepWorking, Modify
from tests.agent.hooking import deciding


def test_an_unknown_hook_is_refused_with_those_there_are() -> None:
    known = {name: deciding(name, "pre_loop", None) for name in ("scope", "age")}

    with pytest.raises(BadInput, match="no hook `scop`") as refused:
        resolve_hooks(["age", "scop"], known)
    assert refused.value.hint == "There are: age, scope."


def test_a_hook_at_a_point_that_is_none_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="there is no point `pre_lop`"):
        deciding("x", "pre_lop", None)


@given(st.lists(st.sampled_from("abcd"), unique=True), st.lists(st.sampled_from("abcdxy")))
def test_a_name_counts_once_and_the_agents_place_wins(named: list[str], extra: list[str]) -> None:
    known = {name: deciding(name, "pre_loop", None) for name in "abcd"}
    given_hooks = [deciding(name, "post_loop", None) for name in extra]

    chosen = resolve_hooks(named, known, given_hooks)

    assert [hook.name for hook in chosen] == list(dict.fromkeys([*named, *extra]))
    assert all(hook is known[hook.name] for hook in chosen[: len(named)])


values = st.dictionaries(st.text(), st.integers() | st.text())
reasons = st.text()
decisions = st.one_of(
    st.none(),
    st.just(Allow()),
    st.builds(lambda reason: Deny(reason=reason), reasons),
    st.builds(lambda reason: Ask(reason=reason), reasons),
    st.builds(lambda reason: KeepWorking(reason=reason), reasons),
    st.builds(lambda text: AddContext(text=text), reasons),
    st.builds(lambda given: Modify(input=given), values),
    st.builds(lambda rule, reason: Abort(rule=rule, reason=reason), reasons, reasons),
)


@given(decisions)
def test_every_decision_survives_json(decision: Decision | None) -> None:
    assert load_decision(json.loads(json.dumps(dump_decision(decision)))) == decision
