"""Everything of one person, handed out or erased; it brings every room along."""

from paige.app import erasure
from paige.app.application import App
from paige.app.erasure import ErasePlan, ExportResult
from paige.doors.people.operations import PEOPLE
from paige.doors.people.values import PersonExport, PersonId


@PEOPLE.read
def plan(app: App, given: PersonId) -> ErasePlan:
    """Say what would go if everything of a person were erased."""
    return erasure.plan_erasure(app, app.actor, given.id)


@PEOPLE.change()
def erase(app: App, given: ErasePlan) -> ErasePlan:
    """Erase everything of a person, as planned."""
    return erasure.erase(app, app.actor, given)


@PEOPLE.change()
def export(app: App, given: PersonExport) -> ExportResult:
    """Write everything of a person into a file."""
    return erasure.export_person(app, app.actor, given.id, given.file)
