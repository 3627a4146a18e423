from typing import get_args

import pytest

from paige.base.errors import BadInput
from paige.coach.log.action_log import BY_NAME, KINDS, ActionType, kind_of

# The catalogue: what each type must tell, and whether the observer looks at it.
CATALOGUE = {
    "file_open": ({"path"}, True),
    "file_save": ({"path", "charCount"}, True),
    "file_close": ({"path"}, True),
    "buffer_summary": ({"path", "editCount", "charDelta", "charCount"}, True),
    "buffer_significant_change": ({"path", "previousCharCount", "newCharCount", "delta"}, True),
    "tab_switch": ({"fromPath", "toPath"}, True),
    "selection": ({"path", "range", "textLength"}, True),
    "hint_level_change": ({"level", "previousLevel"}, True),
    "explain_requested": ({"path", "range"}, True),
    "review_requested": (set(), True),
    "idle_start": ({"lastActionTimestamp"}, True),
    "idle_end": (set(), True),
    "session_started": ({"issueNumber"}, False),
    "session_resumed": ({"previousSessionId"}, False),
    "session_ended": ({"status", "durationMs"}, False),
    "phase_started": ({"phaseId", "phaseNumber", "title"}, True),
    "phase_completed": ({"phaseId", "phaseNumber", "title"}, True),
    "coaching_message": ({"messageType"}, False),
    "nudge_sent": ({"signal", "confidence"}, False),
    "nudge_suppressed": ({"reason"}, False),
    "observer_muted": ({"muted"}, False),
    "mcp_tool_call": ({"toolName", "sessionId"}, False),
    "decorations_applied": ({"path", "count"}, False),
    "file_hints_applied": ({"paths"}, False),
    "explain_completed": ({"path", "success"}, False),
    "review_completed": ({"kataId", "success"}, False),
    "dashboard_loaded": ({"statsPeriod", "issuesLoaded", "materialsLoaded"}, False),
    "coaching_pipeline": (set(), False),
    "test_run": ({"passed", "failed"}, True),
}


def test_every_type_of_the_catalogue_is_there_with_its_data_and_its_listener() -> None:
    assert {k.name: (set(k.required), k.observed) for k in KINDS} == CATALOGUE
    assert set(get_args(ActionType)) == set(BY_NAME) == set(CATALOGUE)
    assert len(KINDS) == len(BY_NAME)


def test_only_what_may_happen_outside_a_session_is_logged_without_one() -> None:
    assert {kind.name for kind in KINDS if not kind.needs_session} == {
        "explain_requested",
        "explain_completed",
        "review_requested",
        "review_completed",
        "dashboard_loaded",
        "mcp_tool_call",
        "coaching_pipeline",
    }


def test_a_type_takes_more_than_it_must_tell() -> None:
    assert kind_of("file_open", {"path": "a.py", "source": "tree"}).name == "file_open"
    assert kind_of("idle_end", None).name == "idle_end"


@pytest.mark.parametrize("data", [None, {}, {"path": "a.py"}])
def test_missing_data_is_named(data: dict | None) -> None:
    with pytest.raises(BadInput, match="`charCount`"):
        kind_of("file_save", data)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(BadInput, match="`file_peeked`"):
        kind_of("file_peeked", None)
