"""The tools of the coach: what a coding agent reads and shows while a person works.

None of them writes a file of the project: what an agent may change is what the person sees, and the
status of a phase.
"""

from paige.doors.frame.rows import Tool, tools

_OF_PHASES = ("id", "description", "status", "hint_level", "expected_files")


def _without(part: str, *kept: str) -> tuple[str, ...]:
    """What of a phase is not told."""
    return tuple(f"{part}.{name}" for name in _OF_PHASES if name not in kept)


TOOLS = tuple(
    row._replace(sets=("coach",))
    for row in tools(
        "paige.doors.coach.operations",
        Tool(
            "paige_get_buffer",
            "get_buffer",
            title="Read an editor's text",
            description="The text of a file as the person's editor holds it now, unsaved changes "
            "included; null when the editor has not changed it.",
        ),
        Tool(
            "paige_get_open_files",
            "get_open_files",
            title="List open files",
            description="The files the person has open, in the order they were opened.",
        ),
        Tool(
            "paige_get_diff",
            "get_diff",
            title="Read unsaved changes",
            description="Unsaved changes as unified diffs: of one file, or of every file with "
            "some.",
        ),
        Tool(
            "paige_get_session_state",
            "get_session_state",
            title="Read the session",
            description="Where the coaching session stands: open files, buffers, diffs, active "
            "phase, plan, progress, hints, session, skill levels. Needs an active session.",
            drops=(
                "buffers.*.last_updated",
                *_without("phase", "id", "status", "hint_level"),
                *_without("plan.phases.*", "status"),
                "session.status",
                "session.ended_at",
            ),
        ),
        Tool(
            "paige_open_file",
            "show_file",
            title="Open a file",
            description="Open a file in the person's editor, or bring it to the front.",
        ),
        Tool(
            "paige_highlight_lines",
            "highlight_lines",
            title="Highlight lines",
            description="Highlight lines of a file in the person's editor, besides those that are "
            "highlighted already; with a text that is shown when they point at them.",
        ),
        Tool(
            "paige_clear_highlights",
            "clear_highlights",
            title="Clear highlights",
            description="Take highlights out of the person's editor: of one file, or all.",
        ),
        Tool(
            "paige_hint_files",
            "hint_files",
            title="Point out files",
            description="Let files glow in the person's file explorer, to say where to look.",
        ),
        Tool(
            "paige_clear_hints",
            "clear_hints",
            title="Clear file hints",
            description="Let no file glow in the person's file explorer any more.",
        ),
        Tool(
            "paige_show_message",
            "show_message",
            title="Say something",
            description="Show the person a coaching message, by itself or beside the lines it is "
            "about. Needs an active session.",
            idempotent=False,
        ),
        Tool(
            "paige_show_issue_context",
            "show_issue_context",
            title="Show the issue",
            description="Show the person what the issue is about. Needs an active session.",
        ),
        Tool(
            "paige_update_phase",
            "update_phase",
            title="Move a phase",
            description="Say that a phase of the plan is pending, active or complete. Needs an "
            "active session.",
            drops=_without("phase", "id", "status"),
        ),
        Tool(
            "paige_run_coaching_pipeline",
            "run_coaching_pipeline",
            title="Coach a plan",
            description="Turn a plan for an issue into coached phases for this person, with "
            "hints. Needs an active session.",
            idempotent=False,
            long=True,
            drops=_without("phases.*", "description", "hint_level"),
        ),
        Tool(
            "paige_end_session",
            "end_session",
            title="End the session",
            description="End the session and keep what was learnt from it. Needs an active "
            "session.",
            idempotent=False,
            long=True,
        ),
    )
)
