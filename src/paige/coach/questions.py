"""Questions a person asks: explain this, review that, what is on my dashboard, give me a kata.

A model may take long, so these run beside the connection that asked; the answer, or why there is
none, goes to all windows of the person. What is known without a model is answered either way.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import anyio
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync

from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.wire import wire
from paige.coach import snapshot
from paige.coach.dashboard import chart, dashboard_state
from paige.coach.files.languages import has_binary_name
from paige.coach.message_parts import Passage, Period
from paige.coach.messages import (
    DashboardIssues,
    DashboardIssuesError,
    DashboardMaterials,
    DashboardMaterialsError,
    ExplainError,
    ExplainResponse,
    PracticeSolutionReview,
    Reply,
    ReviewError,
    ReviewResponse,
)
from paige.coach.model import Work
from paige.coach.records import CoachCost, CoachSession, PhaseRow, PlanRow
from paige.coach.session_flow import SessionFlow
from paige.coach.sessions import project_key
from paige.store.messages import Message

if TYPE_CHECKING:
    from paige.coach.files.project import ProjectFiles

logger = logging.getLogger(__name__)
MOST_QUESTIONS = 16
NOT_BINARY = "Cannot explain binary files"
Failed = Callable[[PaigeError], None]


@dataclass(frozen=True, slots=True)
class CoachObserver:
    """Whether the observer watches, and whether it may speak."""

    active: bool
    muted: bool


@wire(kw_only=True)
class CoachOverview:
    """Where a person is: what the database knows, and what lies on the editor."""

    project: str | None = None
    session: CoachSession | None = None
    plan: PlanRow | None = None
    phases: tuple[PhaseRow, ...] = ()
    open_files: tuple[str, ...] = ()
    observer: CoachObserver


@wire
class CoachBudget:
    """What model calls cost: in the active session, if there is one, and ever."""

    session: CoachCost | None
    total: CoachCost


class Questions(SessionFlow):
    """The part of the live coach that answers questions."""

    _tasks: TaskGroup | None = None
    _asked: int = 0

    def begin(self, tasks: TaskGroup) -> None:
        """Run questions in this group from now on."""
        self._tasks = tasks

    def soon(self, work: Callable[[], Awaitable[object]], failed: Failed) -> None:
        """Do something beside the connection that asked; `failed` is told what went wrong.

        Raises: Unavailable when too much is asked at once.
        """
        if self._tasks is None or self._asked >= MOST_QUESTIONS:
            raise Unavailable(
                f"Paige is still busy with {self._asked} questions", hint="Ask again in a moment."
            )
        self._asked += 1
        self._tasks.start_soon(self._carry_out, work, failed)

    async def overview(self, actor: Actor) -> CoachOverview:
        """Where a person is: session, plan, phases, open files."""
        if self.project_dir is None:
            return CoachOverview(observer=CoachObserver(active=False, muted=False))
        key = project_key(self.project_dir)
        stored = await self.database.read(snapshot.overview, actor, key)
        editor = self.place(actor).editor
        return CoachOverview(
            project=str(self.project_dir),
            session=stored.session,
            plan=stored.plan,
            phases=stored.phases,
            open_files=editor.open_files,
            observer=CoachObserver(active=stored.session is not None, muted=editor.muted),
        )

    async def explain(self, actor: Actor, passage: Passage, *, reply: Reply | None = None) -> None:
        """Explain some code, or say why not."""
        where = passage.selection.model_dump(by_alias=True)
        await self.note(actor, "explain_requested", {"path": passage.path, "range": where})
        began = self.now()
        try:
            await self._check_text(actor, passage)
            session = await self.active_session(actor)
            found = await self.model.explain(actor, session, passage)
        except PaigeError as error:
            await self._completed(actor, "explain_completed", {"path": passage.path}, error, began)
            self.outlet.send(
                ExplainError(path=passage.path, error=error.message), actor, reply=reply
            )
            return
        data = {"path": passage.path, **({"model": found.model} if found.model else {})}
        await self._completed(actor, "explain_completed", data, None, began)
        answer = ExplainResponse(path=passage.path, **found.model_dump(exclude={"model"}))
        self.outlet.send(answer, actor, reply=reply)

    async def review(self, actor: Actor, work: Work, *, reply: Reply | None = None) -> None:
        """Review the solution of a kata, or without one the unsaved work; or say why not."""
        kata_id = work.kata_id
        asked = {} if kata_id is None else {"kataId": kata_id}
        await self.note(actor, "review_requested", asked)
        await self.progress(actor, "review_requested", asked)
        began = self.now()
        data = {"kataId": kata_id}
        try:
            if kata_id is None:
                diffs = await self.diffs(actor)
                work = replace(work, code="\n".join(each.diff for each in diffs))
            review = await self.model.review(actor, await self.active_session(actor), work)
        except PaigeError as error:
            await self._completed(actor, "review_completed", data, error, began)
            self.outlet.send(ReviewError(kata_id=kata_id, error=error.message), actor, reply=reply)
            return
        judged = {**data, "level": review.level, "passed": review.passed}
        if review.model:
            judged["model"] = review.model
        await self._completed(actor, "review_completed", judged, None, began)
        if review.passed:
            await self.progress(actor, "review_passed", {**asked, "level": review.level})
        told = ReviewResponse.model_validate(review, from_attributes=True)
        self.outlet.send(told.model_copy(update={"kata_id": kata_id}), actor, reply=reply)
        if kata_id is not None:
            solution = PracticeSolutionReview(
                kata_id=kata_id,
                review=told.feedback,
                level=told.level,
                passed=told.passed,
                constraints_unlocked=told.unlocked_constraints,
            )
            self.outlet.send(solution, actor, reply=reply)

    async def send_dashboard(
        self, actor: Actor, period: Period, *, reply: Reply | None = None
    ) -> None:
        """Send everything on the dashboard: what is known at once, the rest when it is there."""
        state = await self.database.read(dashboard_state, actor, period, self.now())
        self.outlet.send(state, actor, reply=reply)
        self.outlet.send(chart(state.dreyfus), actor, reply=reply)
        loaded: dict[str, bool] = {}

        async def load(name: str, send: Callable[..., Awaitable[bool]]) -> None:
            loaded[name] = await send(actor, reply=reply)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(load, "issuesLoaded", self.send_issues)
            tasks.start_soon(load, "materialsLoaded", self.send_materials)
        await self.note(actor, "dashboard_loaded", {"statsPeriod": period, **loaded})

    async def send_issues(self, actor: Actor, *, reply: Reply | None = None) -> bool:
        """Send the issues, judged for this person, or why there are none."""
        message: Message
        try:
            message = DashboardIssues(issues=await self.model.rank_issues(actor))
        except PaigeError as error:
            message = DashboardIssuesError(error=error.message)
        self.outlet.send(message, actor, reply=reply)
        return isinstance(message, DashboardIssues)

    async def send_materials(self, actor: Actor, *, reply: Reply | None = None) -> bool:
        """Send what to read, or why there is nothing; nothing at all to someone without gaps."""
        message: Message
        try:
            found = await self.model.find_materials(actor)
            if found is None:
                return False
            message = DashboardMaterials(recommendations=found)
        except PaigeError as error:
            message = DashboardMaterialsError(error=error.message)
        self.outlet.send(message, actor, reply=reply)
        return isinstance(message, DashboardMaterials)

    async def _check_text(self, actor: Actor, passage: Passage) -> None:
        """Refuse what is no text of the project. Raises: BadInput, Refused."""
        files = self.place(actor).files
        key = files.relative(passage.path)
        if has_binary_name(key) or await run_sync(_is_binary, files, key):
            raise BadInput(NOT_BINARY, hint="Select some lines of a text.")

    async def _completed(
        self,
        actor: Actor,
        action_type: Literal["explain_completed", "review_completed"],
        data: dict[str, Any],
        error: PaigeError | None,
        began: datetime,
    ) -> None:
        took = (self.now() - began) // timedelta(milliseconds=1)
        outcome: dict[str, Any] = {"success": error is None, "latency_ms": took}
        if error is not None:
            outcome["error"] = error.message
        await self.note(actor, action_type, {**data, **outcome})

    async def _carry_out(self, work: Callable[[], Awaitable[object]], failed: Failed) -> None:
        try:
            await work()
        except PaigeError as error:
            failed(error)
        except Exception:  # a fault in one answer must not end the coach
            logger.exception("A question could not be answered")
            failed(PaigeError("Paige failed inside; the server's log says why"))
        finally:
            self._asked -= 1


def _is_binary(files: "ProjectFiles", key: str) -> bool:
    try:
        return files.read(key).binary
    except PaigeError:  # not saved yet, or too large to show: what was selected is text
        return False
