"""Shapes of the Plan door's part of the REST API."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from paige.server.wire import Asked, Wire

FileKind = Literal["identity", "profile", "class", "curriculum", "lesson", "other"]
ExportFormat = Literal["docx", "pdf", "md", "slides", "worksheet", "qti", "ics"]


class PlanCommand(Wire):
    """A command of a plugin that a teacher may run."""

    name: str
    plugin: str
    full_name: str
    description: str
    local: bool  # whether it is answered without a model too


class PlanClass(Wire):
    """A class of the workspace, as pickers show it."""

    id: str
    year: str | None
    subject: str | None
    level: str | None
    minutes: int | None


class PlanProblem(Wire):
    """What is wrong with a file, and where."""

    path: str
    line: int | None
    message: str


class PlanOverview(Wire):
    """What the page needs first."""

    commands: list[PlanCommand]
    classes: list[PlanClass]
    problems: list[PlanProblem]
    provider: str
    local: bool  # whether runs are answered without a model
    waiting: int  # gates that wait for this person


class PlanFile(Wire):
    """A file of the workspace, as the tree shows it."""

    path: str
    kind: FileKind
    size: int
    version: str
    text: bool  # false for what the editor cannot open, as a PDF


class PlanText(Wire):
    """A file with its text; `version` goes back with a change."""

    path: str
    kind: FileKind
    text: str
    version: str
    problems: list[PlanProblem]


class PlanOrigin(Wire):
    """The session that another one branched off from."""

    id: str
    title: str | None


class PlanSession(Wire):
    """A session as lists show it."""

    id: str
    title: str | None
    command: str | None
    class_id: str | None
    state: Literal["running", "waiting", "ended", "interrupted"]
    status: str | None
    started_at: datetime
    updated_at: datetime
    branch_of: PlanOrigin | None


class PlanSessions(Wire):
    """Sessions, newest first or best match first."""

    sessions: list[PlanSession]


class PlanToolCall(Wire):
    """A tool that an agent used, folded away until somebody looks."""

    name: str
    input: dict[str, Any]
    result: str
    failed: bool


class PlanSaid(Wire):
    """Something that was said in a session."""

    role: Literal["person", "agent"]
    text: str
    tools: list[PlanToolCall]


class PlanGate(Wire):
    """A question of a run with its answer, if there is one."""

    run: str
    gate: str
    revision: int
    hook: str  # which hook asks, as `feedforward`
    interaction: dict[str, Any]
    reply: dict[str, Any] | None
    opened_at: datetime
    answered_at: datetime | None


class PlanWriting(Wire):
    """What is being written at this moment; `plan:delta` goes on from here."""

    step: str
    attempt: int
    text: str


class PlanRun(Wire):
    """One run of a session; `reason` says why it failed or was interrupted."""

    id: str
    session: str  # another one when it was said before the session branched off
    number: int
    prompt: str
    state: Literal["running", "waiting", "ended", "interrupted"]
    status: str | None
    reason: str | None
    output: str | None
    source: str
    turns: int
    cost_usd: float | None
    lesson: str | None  # path of the lesson it saved
    created_at: datetime
    said: list[PlanSaid]
    writing: PlanWriting | None
    gates: list[PlanGate]


class PlanPlace(Wire):
    """A run, and the session to read it in."""

    session: str
    run: str


class PlanTranscript(Wire):
    """A session with some of its runs.

    `branches` has, for each run that was said instead of others, all of them, oldest first.
    """

    session: PlanSession
    total: int
    first: int  # how many runs come before these
    runs: list[PlanRun]
    branches: dict[str, list[PlanPlace]]


class PlanStarted(Wire):
    """A run that was started."""

    session: str
    run: str


class PlanEvidence(Wire):
    """One pointer of a lesson into the curriculum, and whether it holds."""

    code: str
    file: str
    start: int | None  # missing when the lesson names no lines
    end: int | None
    quote: str
    line: int  # where it stands in the lesson
    edition: str | None
    grade: str | None
    valid: bool
    reason: str | None
    verified: bool  # false for rows that nobody has checked against the official text


class PlanSection(Wire):
    """A section of a lesson."""

    id: str
    title: str
    text: str


class PlanLesson(Wire):
    """A saved lesson: its text, sections, and the state of its evidence."""

    path: str
    title: str
    class_id: str | None
    text: str
    version: str
    source: str | None
    sections: list[PlanSection]
    evidence: list[PlanEvidence]
    faults: list[PlanProblem]


class PlanLessonItem(Wire):
    """A saved lesson, as lists show it."""

    path: str
    title: str
    class_id: str | None
    date: str | None


class PlanLines(Wire):
    """Some lines of a curriculum file with what is around them."""

    path: str
    first: int  # number of the first line in `lines`
    start: int
    end: int
    lines: list[str]


class PlanProposal(Wire):
    """Something that might be remembered and waits for a decision."""

    key: str
    scope: Literal["teacher", "class"]
    class_id: str | None
    path: str
    text: str
    session: str | None
    proposed_at: datetime
    asked: bool  # a run of its session asks about it now: it is answered there


class PlanAsk(Asked):
    """A command to run."""

    command: str = Field(min_length=1, max_length=200)
    input: str = Field(min_length=1, max_length=100_000)
    class_id: str | None = None
    session: str | None = None
    provider: str | None = None
    model: str | None = None
    memory: bool = True


class PlanBranch(Asked):
    """What to ask where a run began; without `input` the same again."""

    input: str | None = Field(default=None, min_length=1, max_length=100_000)


class PlanAnswer(Asked):
    """The answer to a gate; `reply` has the form of the interaction."""

    revision: int = Field(ge=0)
    reply: dict[str, Any]


class PlanWrite(Asked):
    """A new text for a file; without `version` the file must not exist yet."""

    text: str = Field(max_length=2_000_000)
    version: str | None = None


class PlanDecide(Asked):
    """What becomes of a proposal."""

    decision: Literal["confirmed", "edited", "dismissed"]
    text: str | None = None


OUT = (
    PlanOverview,
    PlanFile,
    PlanText,
    PlanSessions,
    PlanTranscript,
    PlanStarted,
    PlanLesson,
    PlanLessonItem,
    PlanLines,
    PlanProposal,
)
IN = (PlanAsk, PlanBranch, PlanAnswer, PlanWrite, PlanDecide)
