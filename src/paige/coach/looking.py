"""What can be looked up about a person's work with the coach, without changing anything."""

from dataclasses import dataclass

from paige.base.actor import Actor
from paige.coach import snapshot
from paige.coach.action_queries import budget, recent_actions
from paige.coach.dashboard import dashboard_state
from paige.coach.message_parts import Period
from paige.coach.messages import DashboardState
from paige.coach.project_context import ProjectContext
from paige.coach.records import Action, Budget
from paige.coach.sessions import project_key


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a person is: what the database knows, and what lies on the editor."""

    project: str | None
    stored: snapshot.Overview
    open_files: tuple[str, ...]
    muted: bool


@dataclass(frozen=True, slots=True)
class Spent:
    """What model calls cost: in the active session, if there is one, and ever."""

    session: Budget | None
    total: Budget


class Looking(ProjectContext):
    """The part of the live coach that only reads."""

    async def overview(self, actor: Actor) -> Whereabouts:
        """Where a person is: session, plan, phases, open files."""
        if self.project_dir is None:
            return Whereabouts(None, snapshot.NOTHING, (), muted=False)
        key = project_key(self.project_dir)
        stored = await self.database.read(snapshot.overview, actor, key)
        editor = self.place(actor).editor
        return Whereabouts(str(self.project_dir), stored, editor.open_files, editor.muted)

    async def actions(self, actor: Actor, limit: int) -> list[Action]:
        """The newest actions of the active session, newest first; none without a session."""
        session = await self.active_session(actor)
        if session is None:
            return []
        return await self.database.read(recent_actions, actor, session.id, limit=limit)

    async def budget(self, actor: Actor) -> Spent:
        """What model calls cost so far."""
        session = await self.active_session(actor)
        own = await self.database.read(budget, actor, session.id) if session else None
        return Spent(own, await self.database.read(budget, actor))

    async def dashboard(self, actor: Actor, period: Period) -> DashboardState:
        """What is known of a person's work in a period."""
        return await self.database.read(dashboard_state, actor, period, self.now())
