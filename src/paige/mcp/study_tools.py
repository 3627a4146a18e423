"""The MCP tools of Study: an agent shows a step, takes what the person does, and sees progress.

They work on the same files as the web app and the commands, so a session can go on anywhere. No
answer leaves Paige before the person has earned or asked for it: an agent cannot give away what it
does not know.
"""

from typing import TYPE_CHECKING

from paige.mcp.registry import Tool, ToolCall
from paige.mcp.study_params import (
    CourseOut,
    NextParams,
    ProgressOut,
    ProgressParams,
    StepOut,
    SubmitParams,
)

if TYPE_CHECKING:
    from paige.app.study_door import Seen, StudyDoor


async def study_next(call: ToolCall, params: NextParams) -> StepOut:
    """The step of the open session, or the first of a new one. Raises: NotFound, BadInput."""
    door = await call.study.open(call.app)
    if params.kind is None and not params.anew:
        return _step(await door.go_on(params.where, params.asked))
    return _step(await door.start(params.where, params.asked))


async def study_submit(call: ToolCall, params: SubmitParams) -> StepOut:
    """Do something with a step. Raises: NotFound, BadInput, Conflict when it is elsewhere."""
    door = await call.study.open(call.app)
    return _step(await door.act(params.where, params.asked))


async def study_progress(call: ToolCall, params: ProgressParams) -> ProgressOut:
    """How far the person is in one course, or in all that were begun. Raises: NotFound."""
    door = await call.study.open(call.app)
    today = await door.shelf.today(params.learner)
    begun = {each.overview.name: each.overview.begun for each in today.courses}
    wanted = [params.course] if params.course else [name for name in begun if begun[name]]
    courses = [
        await _course(door, name, params.learner, begun=begun.get(name, False)) for name in wanted
    ]
    return ProgressOut(courses=courses, due=today.due, streak=today.streak)


async def _course(door: "StudyDoor", name: str, learner: str | None, *, begun: bool) -> CourseOut:
    made = await door.shelf.report(name, learner)
    problems = [
        {"file": each.path, "line": each.line, "message": each.message, "fix": each.fix}
        for each in dict.fromkeys(made.problems)
    ]
    return CourseOut.model_validate({**made.dump(), "begun": begun, "problems": problems})


def _step(seen: "Seen") -> StepOut:
    return StepOut.model_validate({**seen.dump(), "root": str(seen.root)})


STUDY_TOOLS = (
    Tool(
        name="study_next",
        title="Show the next step of studying",
        description=(
            "The step of the person's study session: a lesson to show, a question to ask, an "
            "exercise to give; begins a session when none is open. Show it as it is and wait for "
            "what they do: never answer for them. No answers are in it."
        ),
        params=NextParams,
        result=StepOut,
        run=study_next,
        read_only=False,
    ),
    Tool(
        name="study_submit",
        title="Hand in what the person did",
        description=(
            "Take what the person did with a step: their answer in their own words, a file that is "
            "ready, a hint they ask for, giving up, leaving it out, the end. Gives what to tell "
            "them and the next step."
        ),
        params=SubmitParams,
        result=StepOut,
        run=study_submit,
        read_only=False,
        idempotent=False,
    ),
    Tool(
        name="study_progress",
        title="Read progress in studying",
        description=(
            "How far the person is: what is due, what is known and how well it is remembered, "
            "which errors come up, days in a row."
        ),
        params=ProgressParams,
        result=ProgressOut,
        run=study_progress,
    ),
)
