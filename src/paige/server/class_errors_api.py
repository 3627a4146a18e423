"""What a class gets wrong, for whoever may see how classes get on."""

from fastapi import Depends

from paige.server import class_errors_wire as wire
from paige.server.desks import At, needs
from paige.server.routes import Routes


def class_errors_routes() -> Routes:
    """The address `/plan/classes/{id}/misconceptions`."""
    routes = Routes(prefix="/plan", tags=["plan"], dependencies=[Depends(needs("classes"))])

    @routes.get("/classes/{id}/misconceptions")
    async def misconceptions(desk: At, id: str) -> wire.ClassMisconceptions:
        """Say what at least five learners of a class get wrong, and never who."""
        # It reads courses and learners' files, whose rooms are loaded late.
        from paige.app.class_errors import class_errors  # noqa: PLC0415

        found = await class_errors(desk, id)
        return wire.ClassMisconceptions(
            class_id=found.class_id,
            fewest=found.fewest,
            misconceptions=[
                wire.ClassMisconception(
                    concept=each.found.concept,
                    title=each.title,
                    course=each.found.course,
                    kind=each.found.kind,
                    idea=each.found.idea,
                    example=each.found.example,
                    helps=list(each.found.helps),
                    learners=each.found.learners,
                    since=each.found.since,
                )
                for each in found.rows
            ],
        )

    return routes
