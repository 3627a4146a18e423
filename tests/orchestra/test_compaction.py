"""Returns of agents: small, with what later steps need, without what has been read."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paige.base.tokens import count_tokens_bound
from paige.orchestra.compaction import (
    BUDGETS,
    MOST_FILES,
    claim_in,
    compact,
    features_in,
    fitted,
    render,
)
from paige.orchestra.values import Return
from tests.depth import examples

CODING = """IMPLEMENTATION COMPLETE - Feature F1 ready for testing

- **Files**: `shop/prices.py` (the parser), `tests/test_prices.py`
- **Tests**: `pytest tests/test_prices.py`: 7 passed in 0.02s
- **Decisions**: Decimal instead of float, because prices are compared exactly
  - one function for all forms
- **Issues**: negative prices are not handled yet

```text
2026-03-02 12:00:00 INFO collected 7 items
tests/test_prices.py::test_a PASSED
```
2026-03-02 12:00:01 DEBUG raw line of a log
Traceback (most recent call last):
"""
TESTER = """## Checks
- parse `3,50`: expected 3.50, got 3.50

## Evidence
- .claude/progress/evidence/x.json

## Issues
- an empty text gives 0 instead of an error

FAILED F1
"""
PLAN = {"features": [{"id": f"F{n}", "title": f"Part {n}"} for n in range(40)]}
INITIAL = f"**Setup**: pytest runs\n\n```json\n{json.dumps(PLAN)}\n```\n"


def test_a_coders_return_keeps_what_matters_and_drops_the_log() -> None:
    found = compact("coding-agent", CODING, feature="F1")
    assert found.claims == "complete"
    assert found.files == ("shop/prices.py", "tests/test_prices.py")
    assert found.decisions == (
        "Decimal instead of float, because prices are compared exactly",
        "one function for all forms",
    )
    assert found.bugs == ("negative prices are not handled yet",)
    shown = render(found)
    assert "7 passed" in shown
    for dropped in ("DEBUG", "Traceback", "collected 7", "::test_a"):
        assert dropped not in shown
    assert found.left_out > 0


def test_a_testers_return_keeps_evidence_and_failures() -> None:
    found = compact("tester-agent", TESTER, feature="F1")
    assert (found.claims, found.evidence) == ("failed", (".claude/progress/evidence/x.json",))
    assert found.bugs[0] == "an empty text gives 0 instead of an error"


def test_an_initializers_features_are_all_kept_and_shown_within_the_budget() -> None:
    found = compact("initializer-agent", INITIAL)
    assert len(found.features) == 40
    assert count_tokens_bound(render(found)) <= BUDGETS["initializer-agent"]
    assert "F0: Part 0" in render(found)


def test_files_that_really_changed_count_more_than_what_is_said() -> None:
    files = [f"src/f{number}.py" for number in range(9)]
    found = compact("coding-agent", CODING, files=files)
    assert found.files == tuple(files[-MOST_FILES:])


def test_secrets_are_not_passed_along() -> None:
    key = "sk-ant-api03-" + "a1B2c3D4" * 12
    assert key not in render(compact("coding-agent", f"Decisions: the key is {key}"))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("PASSED F1", "passed"),
        ("I hope it PASSED F1", ""),
        ("PASSED F1\nFAILED F2", "failed"),
        ("FAILED F1\n\nPASSED F1", "passed"),
        ("```\nPASSED F1\n```", ""),
        ("**PASSED F1**", "passed"),
        ("IMPLEMENTATION INCOMPLETE - Feature F1", "incomplete"),
        ("", ""),
    ],
)
def test_the_last_marker_outside_of_fences_is_the_claim(text: str, claim: str) -> None:
    assert claim_in(text) == claim


@pytest.mark.parametrize(
    "text",
    ["", "```json\n{\n```", '```json\n{"features": 3}\n```', '{"features": [{"id": "A"}]}'],
)
def test_what_is_no_fenced_plan_has_no_features(text: str) -> None:
    assert features_in(text) == ()


LINES = st.sampled_from(
    (
        "- **Decisions**: ",
        "## Issues",
        "Files: a/b.py, c.md",
        "Evidence:",
        "```",
        "~~~json",
        "ERROR: boom",
        "the parser is broken because of the sign",
        "x" * 3000,
        "漢字かな交じり文" * 40,
        "1234567890 " * 30,
        "\u200b\u0000\ud7ff" * 5,
    )
)
TEXTS = st.lists(LINES | st.text(max_size=300), max_size=120).map("\n".join)


@settings(max_examples=examples(80))
@given(st.sampled_from((*BUDGETS, "somebody" * 40)), TEXTS, st.text(max_size=500))
@example("coding-agent", CODING * 200, "F1")
@example("initializer-agent", INITIAL.replace("Part", "漢字" * 200), "")
def test_no_return_is_ever_over_its_budget(agent: str, text: str, feature: str) -> None:
    found = compact(agent, text, feature=feature, files=text.split()[:9])
    assert count_tokens_bound(render(found)) <= BUDGETS.get(agent, 1000)
    assert len(found.files) <= MOST_FILES


def test_bugs_outlive_details_when_room_is_short() -> None:
    wordy = tuple(f"detail number {each} with very many words in it" for each in range(200))
    found = fitted(
        Return(agent="coding-agent", bugs=("the parser loses signs",), details=wordy, files=("a",))
    )
    assert found.bugs == ("the parser loses signs",)
    assert found.files == ("a",)
    assert len(found.details) < 200
    assert found.left_out >= 200 - len(found.details)
