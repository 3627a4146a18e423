"""The teacher's side of handouts, behind the Plan door."""

from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Depends, Query

from paige.app.application import App
from paige.server import answer_views as views
from paige.server import answer_wire as wire
from paige.server.desks import At, needs
from paige.server.routes import Routes

ClassId = Annotated[str | None, Query(alias="class", max_length=80)]


def handout_routes() -> Routes:
    """The addresses under `/plan/handouts`."""
    routes = Routes(prefix="/plan/handouts", tags=["plan"], dependencies=[Depends(needs("plan"))])

    @routes.get("")
    async def handouts(desk: At, class_id: ClassId = None) -> list[wire.HandoutItem]:
        """List what was handed out, newest first."""
        from paige.app import class_answers  # noqa: PLC0415 - brings the plan room

        now = desk.now()
        return [
            views.item_of(
                each, open=each.is_open(now), tokens=tally.tokens, handed_in=tally.handed_in
            )
            for each, tally in await class_answers.list_handouts(desk, class_id)
        ]

    @routes.post("")
    async def make(desk: At, asked: wire.HandoutMake) -> wire.HandoutSeen:
        """Hand out a lesson or worksheet of the workspace: as many codes as were asked for."""
        from paige.app import class_answers  # noqa: PLC0415 - as above
        from paige.plan.handout_making import HandoutAsked  # noqa: PLC0415

        text = await run_sync(_text, desk, asked.path)
        wanted = HandoutAsked(
            markdown=text,
            source=asked.path,
            class_id=asked.class_id,
            tokens=asked.tokens,
            days=asked.days,
        )
        return views.seen_of(await class_answers.hand_out(desk, wanted))

    @routes.get("/{id}")
    async def handout(desk: At, id: str) -> wire.HandoutSeen:
        """Read a handout: how many answered, and how each question went."""
        from paige.app import class_answers  # noqa: PLC0415 - as above

        return views.seen_of(await class_answers.look(desk, id))

    _add_changes(routes)
    return routes


def _add_changes(routes: Routes) -> None:
    @routes.post("/{id}/close")
    async def close(desk: At, id: str) -> wire.HandoutSeen:
        """Take no more answers."""
        from paige.app import class_answers  # noqa: PLC0415 - as above

        return views.seen_of(await class_answers.close(desk, id))

    @routes.post("/{id}/open")
    async def reopen(desk: At, id: str) -> wire.HandoutSeen:
        """Take answers again."""
        from paige.app import class_answers  # noqa: PLC0415 - as above

        return views.seen_of(await class_answers.reopen(desk, id))

    @routes.post("/{id}/keep")
    async def keep(desk: At, id: str) -> wire.HandoutKept:
        """Close it for good and propose what the memory of the class should keep."""
        from paige.app import class_answers  # noqa: PLC0415 - as above

        pending = await class_answers.propose(desk, id)
        return views.kept_of(await class_answers.look(desk, id), pending)


def _text(desk: App, path: str) -> str:
    """A file of the workspace. Raises: NotFound, Refused."""
    from paige.app.places import workspace_documents  # noqa: PLC0415 - as above
    from paige.app.plan_workspace import workspace_path  # noqa: PLC0415

    documents = workspace_documents(desk)
    return documents.read(workspace_path(documents, path)).text
