"""The tools of Study: an agent shows a step, takes what the person does, and sees progress.

No answer leaves Paige before the person has earned or asked for it: an agent cannot give away what
it does not know.
"""

from paige.doors.frame.rows import Tool, tools

_PAGE_ONLY = (
    "concepts",
    *(f"exercise.{name}" for name in (
        "offer", "number", "count", "language", "min_words", "points", "rubric", "criteria",
        "partner", "attempts", "hints_used", "uploads",
    )),
    *(f"result.{name}" for name in (
        "errors", "strengths", "improvements", "answers", "tests", "remarks",
    )),
    *(f"summary.{name}" for name in (
        "session", "course", "kind", "planned_minutes", "exercises", "checks", "modalities",
        "errors", "next",
    )),
)  # fmt: skip
"""What only the page needs."""
TOOLS = tools(
    "paige.doors.study.operations",
    Tool(
        "study_next",
        "next_step",
        title="Show the next step of studying",
        description="The step of the person's study session: a lesson to show, a question to ask, "
        "an exercise to give; begins a session when none is open. Show it as it is and wait for "
        "what they do: never answer for them. No answers are in it.",
        sets=("study",),
        drops=_PAGE_ONLY,
    ),
    Tool(
        "study_submit",
        "submit",
        title="Hand in what the person did",
        description="Take what the person did with a step: their answer in their own words, a file "
        "that is ready, a hint they ask for, giving up, leaving it out, the end. Gives what to "
        "tell them and the next step.",
        sets=("study",),
        idempotent=False,
        drops=_PAGE_ONLY,
    ),
    Tool(
        "study_progress",
        "progress",
        title="Read progress in studying",
        description="How far the person is: what is due, what is known and how well it is "
        "remembered, which errors come up, days in a row.",
        sets=("study",),
        drops=(
            *(f"courses.*.{name}" for name in (
                "today", "recall", "forecast", "calendar", "modalities",
            )),
            *(f"courses.*.concepts.*.{name}" for name in (
                "bloom", "target", "successes", "prerequisites",
            )),
            "courses.*.errors.*.says",
            "courses.*.errors.*.practise",
        ),
    ),
)  # fmt: skip
