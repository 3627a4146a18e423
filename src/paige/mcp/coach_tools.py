"""The MCP tools of the coach: what a coding agent reads and shows while a person works.

Each one calls the live coach, as the windows do. None of them writes a file of the project: what an
agent may change is what the person sees, and the status of a phase.
"""

from pydantic import TypeAdapter

from paige.base.clock import to_iso
from paige.coach.message_parts import Decoration, IssueContext
from paige.coach.model import PlanText
from paige.mcp.coach_params import (
    BufferOut,
    DiffOut,
    DiffsOut,
    DoneOut,
    EndOut,
    EndParams,
    FileDoneOut,
    FilesDoneOut,
    HighlightParams,
    HintParams,
    IssueParams,
    MaybePathParams,
    MessageParams,
    NoParams,
    OpenFilesOut,
    PathParams,
    PhaseDoneOut,
    PhaseOut,
    PhaseParams,
    PipelineOut,
    PipelineParams,
    PlannedOut,
    Position,
    StateOut,
    StateParams,
)
from paige.mcp.registry import Tool, ToolCall

_STATE: TypeAdapter[StateOut] = TypeAdapter(StateOut)


async def get_buffer(call: ToolCall, params: PathParams) -> BufferOut | None:
    """What the editor holds of a file; nothing when it never told."""
    path, entry = call.coach.buffer(call.actor, params.path)
    if entry is None:
        return None
    cursor = entry.cursor_position
    return BufferOut(
        path=path,
        content=entry.content,
        cursor_position=Position(line=cursor.line, column=cursor.column),
        dirty=entry.dirty,
        last_updated=to_iso(entry.last_updated),
    )


async def get_open_files(call: ToolCall, _: NoParams) -> OpenFilesOut:
    """The open files, whoever opened them."""
    return OpenFilesOut(files=call.coach.open_files(call.actor))


async def get_diff(call: ToolCall, params: MaybePathParams) -> DiffsOut:
    """Unsaved changes."""
    found = await call.coach.diffs(call.actor, params.path)
    return DiffsOut(diffs=[DiffOut(path=path, diff=diff) for path, diff in found])


async def get_session_state(call: ToolCall, params: StateParams) -> StateOut:
    """What is known of the session. Raises: NotFound without one."""
    state = await call.coach.session_state(call.actor, params.include)
    return _STATE.validate_python(state)


async def open_file(call: ToolCall, params: PathParams) -> FileDoneOut:
    """Open a file in the person's editor. Raises: NotFound, Refused naming the file."""
    content = await call.coach.show_file(call.actor, params.path)
    return FileDoneOut(path=content.path)


async def highlight_lines(call: ToolCall, params: HighlightParams) -> FileDoneOut:
    """Highlight lines, besides those that are highlighted already."""
    lines = Decoration(
        start=params.start, end=params.end, style=params.style, hover_text=params.hover_text
    )
    return FileDoneOut(path=await call.coach.highlight(call.actor, params.path, lines))


async def clear_highlights(call: ToolCall, params: MaybePathParams) -> DoneOut:
    """Take highlights away."""
    await call.coach.clear_highlights(call.actor, params.path)
    return DoneOut()


async def hint_files(call: ToolCall, params: HintParams) -> FilesDoneOut:
    """Let files glow in the explorer."""
    return FilesDoneOut(paths=await call.coach.hint_files(call.actor, params.as_hints()))


async def clear_hints(call: ToolCall, _: NoParams) -> DoneOut:
    """Let no file glow any more."""
    await call.coach.clear_hints(call.actor)
    return DoneOut()


async def update_phase(call: ToolCall, params: PhaseParams) -> PhaseDoneOut:
    """Give a phase another status. Raises: NotFound without a session or such a phase."""
    update = await call.coach.update_phase(call.actor, params.phase, params.status)
    return PhaseDoneOut(phase=PhaseOut.model_validate(update.phase))


async def show_message(call: ToolCall, params: MessageParams) -> DoneOut:
    """Say something to the person. Raises: NotFound without a session."""
    coach = call.coach
    await coach.show_message(call.actor, params.message, type=params.type, anchor=params.anchor)
    return DoneOut()


async def show_issue_context(call: ToolCall, params: IssueParams) -> DoneOut:
    """Show what the issue is about. Raises: NotFound without a session."""
    issue = IssueContext(
        number=params.number,
        title=params.title,
        summary=params.summary,
        labels=params.labels or [],
        url=params.url,
    )
    await call.coach.show_issue_context(call.actor, issue)
    return DoneOut()


async def run_coaching_pipeline(call: ToolCall, params: PipelineParams) -> PipelineOut:
    """Turn a plan into phases. Raises: NotFound without a session, Unavailable."""
    text = PlanText(params.plan_text, params.issue_summary, params.issue_number)
    stored = await call.coach.run_pipeline(call.actor, text, call.progress)
    return PipelineOut(
        plan_id=stored.plan.id,
        phases=[PlannedOut.model_validate(phase) for phase in stored.phases],
        memory_connection=stored.plan.memory_connection,
        estimated_difficulty=stored.plan.estimated_difficulty or "",
    )


async def end_session(call: ToolCall, params: EndParams) -> EndOut:
    """End the session and say what was learnt. Raises: NotFound without one, Unavailable."""
    learnt = await call.coach.end_session(call.actor, params.session_transcript, strict=True)
    return EndOut(
        knowledge_gaps=learnt.knowledge_gaps,
        kata_specs=learnt.kata_specs,
        dreyfus_updates=learnt.dreyfus_updates,
        memories_stored=learnt.memories_stored,
        note=learnt.note,
    )


READING_TOOLS = (
    Tool(
        name="paige_get_buffer",
        title="Read an editor's text",
        description=(
            "The text of a file as the person's editor holds it now, unsaved changes included; "
            "null when the editor has not changed it."
        ),
        params=PathParams,
        result=BufferOut | None,
        run=get_buffer,
    ),
    Tool(
        name="paige_get_open_files",
        title="List open files",
        description="The files the person has open, in the order they were opened.",
        params=NoParams,
        result=OpenFilesOut,
        run=get_open_files,
    ),
    Tool(
        name="paige_get_diff",
        title="Read unsaved changes",
        description="Unsaved changes as unified diffs: of one file, or of every file with some.",
        params=MaybePathParams,
        result=DiffsOut,
        run=get_diff,
    ),
    Tool(
        name="paige_get_session_state",
        title="Read the session",
        description=(
            "Where the coaching session stands: open files, buffers, diffs, active phase, plan, "
            "progress, hints, session, skill levels. Needs an active session."
        ),
        params=StateParams,
        result=StateOut,
        run=get_session_state,
    ),
)
SHOWING_TOOLS = (
    Tool(
        name="paige_open_file",
        title="Open a file",
        description="Open a file in the person's editor, or bring it to the front.",
        params=PathParams,
        result=FileDoneOut,
        run=open_file,
        read_only=False,
    ),
    Tool(
        name="paige_highlight_lines",
        title="Highlight lines",
        description=(
            "Highlight lines of a file in the person's editor, besides those that are highlighted "
            "already; with a text that is shown when they point at them."
        ),
        params=HighlightParams,
        result=FileDoneOut,
        run=highlight_lines,
        read_only=False,
    ),
    Tool(
        name="paige_clear_highlights",
        title="Clear highlights",
        description="Take highlights out of the person's editor: of one file, or all.",
        params=MaybePathParams,
        result=DoneOut,
        run=clear_highlights,
        read_only=False,
    ),
    Tool(
        name="paige_hint_files",
        title="Point out files",
        description="Let files glow in the person's file explorer, to say where to look.",
        params=HintParams,
        result=FilesDoneOut,
        run=hint_files,
        read_only=False,
    ),
    Tool(
        name="paige_clear_hints",
        title="Clear file hints",
        description="Let no file glow in the person's file explorer any more.",
        params=NoParams,
        result=DoneOut,
        run=clear_hints,
        read_only=False,
    ),
    Tool(
        name="paige_show_message",
        title="Say something",
        description=(
            "Show the person a coaching message, by itself or beside the lines it is about. "
            "Needs an active session."
        ),
        params=MessageParams,
        result=DoneOut,
        run=show_message,
        read_only=False,
        idempotent=False,
    ),
    Tool(
        name="paige_show_issue_context",
        title="Show the issue",
        description="Show the person what the issue is about. Needs an active session.",
        params=IssueParams,
        result=DoneOut,
        run=show_issue_context,
        read_only=False,
    ),
)
SESSION_TOOLS = (
    Tool(
        name="paige_update_phase",
        title="Move a phase",
        description=(
            "Say that a phase of the plan is pending, active or complete. Needs an active session."
        ),
        params=PhaseParams,
        result=PhaseDoneOut,
        run=update_phase,
        read_only=False,
    ),
    Tool(
        name="paige_run_coaching_pipeline",
        title="Coach a plan",
        description=(
            "Turn a plan for an issue into coached phases for this person, with hints. "
            "Needs an active session."
        ),
        params=PipelineParams,
        result=PipelineOut,
        run=run_coaching_pipeline,
        read_only=False,
        idempotent=False,
        long=True,
    ),
    Tool(
        name="paige_end_session",
        title="End the session",
        description="End the session and keep what was learnt from it. Needs an active session.",
        params=EndParams,
        result=EndOut,
        run=end_session,
        read_only=False,
        idempotent=False,
        long=True,
    ),
)
COACH_TOOLS = (*READING_TOOLS, *SHOWING_TOOLS, *SESSION_TOOLS)
