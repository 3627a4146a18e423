"""`curriculum-evidence`: no lesson is shown whose claims are not borne out by the files."""

from pathlib import Path

import pytest

from paige.models.local import LOCAL
from tests.plan.planning import lesson_text, planning

pytestmark = pytest.mark.anyio

ONLY = ("curriculum-evidence",)
WRONG = {
    "another line": ("#L9-L9", "#L11-L11"),
    "a line that is not there": ("#L9-L9", "#L900-L900"),
    "a file that is not there": ("cfe-computing.md#", "cfe-cooking.md#"),
    "a file elsewhere": ("curriculum/cfe-computing.md#", "classes/3B.md#"),
    "other words": ("Choose tools to design", "Choose friends to design"),
    "the code of a neighbour": ("[TCH 3-15a]", "[TCH 3-15b]"),
    "an invented code": ("[TCH 3-15a]", "[TCH 3-99z]"),
    "a code in prose": ("- Variables hold a value.", "- Variables (TCH 4-15a)."),
}


@pytest.mark.parametrize("why", WRONG)
async def test_a_claim_that_does_not_hold_is_refused(tmp_path: Path, why: str) -> None:
    bad = lesson_text().replace(*WRONG[why])
    assert bad != lesson_text()
    with planning(tmp_path, [bad], hooks=ONLY, name=LOCAL) as plan:
        state = await plan.start()
        span = plan.spans(state)["curriculum-evidence"]
        outcome = plan.outcome(state)

    assert state.run.status == "error_hook_abort"
    assert (state.run.reason or "").startswith("`curriculum-evidence`: Line ")
    assert not all(row["valid"] for row in span["evidence"])
    assert list(outcome.evidence) == span["evidence"]
    assert outcome.path is None


async def test_a_claim_that_holds_passes_and_is_in_the_trace(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        span = plan.spans(state)["curriculum-evidence"]

    assert state.run.status == "success"
    assert span["evidence"] == [
        {
            "file": "curriculum/cfe-computing.md",
            "lines": "9-9",
            "code": "TCH 3-15a",
            "quote": "Choose tools to design, build, evaluate and refine solutions",
            "grade": "A",
            "valid": True,
            "reason": "",
        }
    ]


async def test_the_model_hears_what_is_wrong_and_may_mend_it(tmp_path: Path) -> None:
    bad = lesson_text().replace("#L9-L9", "#L11-L11")
    with planning(tmp_path, [bad, bad, lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()

    assert "TCH 3-15a" in plan.model.requests[1].messages[-1].text
    assert state.run.status == "success"


async def test_a_lesson_that_cites_nothing_goes_back_but_is_not_refused(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(curriculum=())] * 2, hooks=ONLY) as plan:
        state = await plan.start()

    assert len(plan.model.requests) == 2
    assert "No curriculum outcome is cited" in plan.model.requests[1].messages[-1].text
    assert state.run.status == "success"


async def test_a_worksheet_needs_no_claim(tmp_path: Path) -> None:
    sheet = "<!-- WORKSHEET -->\n# Sheet\n## One\n1. ___\n<!-- ANSWER_KEY -->\n"
    with planning(tmp_path, [sheet], hooks=ONLY, command="lesson-planning:worksheet") as plan:
        state = await plan.start()

    assert state.run.status == "success"
    assert len(plan.model.requests) == 1


async def test_what_an_agent_says_about_memory_is_no_lesson(tmp_path: Path) -> None:
    hooks = ("age-appropriate", "curriculum-evidence", "reflection-prompt", "teacher-adjudication")
    command = "lesson-planning:update-memory"
    with planning(tmp_path, ["- [teacher] Likes TCH 9-99z"], hooks=hooks, command=command) as plan:
        state = await plan.start("remember it")

    assert state.run.status == "success"
    assert plan.saved() == {}
