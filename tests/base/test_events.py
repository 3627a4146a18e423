import pytest

from paige.base.events import DECISIONS, EVENTS, Decision, Deny, Event, PreTool


def test_the_vocabulary_has_exactly_these_events() -> None:
    assert list(EVENTS) == [
        "session_start",
        "session_end",
        "prompt_submit",
        "pre_loop",
        "post_loop",
        "pre_model",
        "post_model",
        "pre_tool",
        "permission_request",
        "post_tool",
        "post_tool_failure",
        "stop",
        "subagent_start",
        "subagent_stop",
        "handoff",
        "pre_compact",
        "notification",
    ]


def test_the_vocabulary_has_exactly_these_decisions() -> None:
    assert list(DECISIONS) == [
        "allow",
        "deny",
        "ask",
        "modify",
        "add_context",
        "keep_working",
        "abort",
    ]


def test_only_questions_about_a_tool_are_gates() -> None:
    gates = {name for name, kind in EVENTS.items() if kind.gate}
    assert gates == {"pre_tool", "permission_request"}


@pytest.mark.parametrize("kind", [*EVENTS.values(), *DECISIONS.values()])
def test_every_value_is_made_from_its_fields_and_keeps_their_order(kind) -> None:
    given = {field: f"a {field}" for field in kind.__slots__}
    made = kind(**given)
    assert isinstance(made, Event | Decision)
    assert made.values() == tuple(given.values())
    assert {kind.name: kind}.items() <= (EVENTS | DECISIONS).items()


@pytest.mark.parametrize("kind", EVENTS.values())
def test_every_event_belongs_to_a_session(kind: type[Event]) -> None:
    with pytest.raises(TypeError, match="needs `session`"):
        kind()


def test_a_tool_call_needs_tool_and_input_only() -> None:
    event = PreTool("s1", "Bash", {"command": "ls"})
    assert (event.call, event.agent, event.cwd) == (None, None, None)


def test_a_denial_needs_a_reason() -> None:
    with pytest.raises(TypeError, match="Deny needs `reason`"):
        Deny()
