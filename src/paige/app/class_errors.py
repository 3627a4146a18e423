"""What a class gets wrong: the errors of its learners, of which only numbers come out.

Learners are known from three places: their accounts, the learners whose files lie in the teacher's
own teaching folder, and the anonymous tokens of worksheets that a class handed in. A learner says
in their own profile which class they are in. Nothing is kept: the list is worked out from what is
there, so whoever leaves, or is erased, no longer counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.class_answers import wrong_answers
from paige.app.person_apps import installation_dir, is_owner
from paige.app.places import teaching_documents, workspace_documents
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.rights import allows
from paige.base.wire import wire
from paige.plan.workspace import read_classes
from paige.store.documents import DirectoryDocuments
from paige.store.people_queries import Person, doorkeeper, list_people
from paige.study.class_errors import (
    FEWEST,
    Classmate,
    ClassMisconception,
    LearnerError,
    concept_key,
    errors_of,
    fold_errors,
    named_classmates,
    own_classmate,
    what_to_show,
)
from paige.study.courses.catalogue import load_courses
from paige.study.preferences import checked_class

ACCOUNTS, FOLDER = "accounts", "folder"


@wire
class ClassMisconceptions:
    """Everything that enough learners of a class get wrong, the most frequent first."""

    class_id: str
    fewest: int
    misconceptions: tuple[ClassMisconception, ...]


async def class_errors(app: App, class_id: str) -> ClassMisconceptions:
    """What at least five learners of a class get wrong. Raises: NotFound, BadInput.

    Whoever calls this has been let in: by the right `classes`, or as the owner of the machine.
    """
    name = await run_sync(_known_class, app, class_id)
    answers = await _handed_in(app, name)
    return await run_sync(_listed, app, name, answers)


async def sentences_for(app: App, class_id: str) -> list[str]:
    """The same as lesson planning takes it up; nothing for whoever may not see it."""
    if app.settings.many and not allows(app.actor.roles, "classes"):
        return []
    try:
        found = await class_errors(app, class_id)
    except PaigeError:  # a class that nobody knows, or a file that cannot be read
        return []
    return [_sentence(each) for each in found.misconceptions]


def _sentence(found: ClassMisconception) -> str:
    """As a lesson plan takes it up: the wrong idea, and how it is put right."""
    helps = found.helps[0] if found.helps else "Ask for the reason behind the answer."
    return f'{found.title}: "{found.idea}" ({found.learners} learners): {helps}'


def _known_class(app: App, class_id: str) -> str:
    """The class as its teacher writes it. Raises: NotFound, BadInput."""
    name = checked_class(class_id.strip())
    if app.settings.many and not allows(app.actor.roles, "plan"):
        return name  # an admin has no classes of their own
    return read_classes(workspace_documents(app)).get(name).id


def _listed(app: App, class_id: str, answers: Sequence[LearnerError]) -> ClassMisconceptions:
    people = _people(app)
    mates = [*_own(app, class_id), *_accounts(app, class_id, people)]
    errors = [error for mate in mates for error in errors_of(mate)]
    titles = _titles(app)
    names = [*(mate.name for mate in mates), *(text for each in people for text in each)]
    shown = what_to_show(names, titles)
    rows = [
        replace(each, title=titles.get(each.concept) or each.concept.replace("-", " "))
        for each in fold_errors([*errors, *answers], shown)
    ]
    return ClassMisconceptions(class_id, FEWEST, tuple(rows))


def _own(app: App, class_id: str) -> Iterator[Classmate]:
    """Learners whose files lie in one's own teaching folder."""
    if app.settings.teaching_dir.is_dir():
        yield from named_classmates(teaching_documents(app), class_id, FOLDER)


def _accounts(app: App, class_id: str, people: Sequence[tuple[str, str]]) -> Iterator[Classmate]:
    """Learners with an account in the same tenant: what they did themselves, at their own desk."""
    desks = installation_dir(app.settings, app.actor) / "people" / app.actor.tenant
    for id, _ in people:
        if is_owner(Actor(app.actor.tenant, id)) or id == app.actor.person:
            continue  # counted with one's own folder
        folder = desks / id / "teaching"
        if folder.is_dir():
            yield from own_classmate(DirectoryDocuments(folder), class_id, ACCOUNTS, name=id)


def _people(app: App) -> list[tuple[str, str]]:
    """Everybody with an account in the tenant, by id and name."""
    if not app.settings.many:
        return []
    keeper = doorkeeper(app.actor.tenant)
    found: list[Person] = []
    with app.database.of(keeper).transaction(write=False) as connection:
        while page := list_people(connection, keeper, after=found[-1].id if found else ""):
            found += page
    return [(each.id, each.name) for each in found]


def _titles(app: App) -> Mapping[str, str]:
    """The titles of concepts in one's own courses and the shipped ones, never in a learner's."""
    courses = load_courses(teaching_documents(app))
    return {
        concept_key(concept.id): concept.title
        for course in courses
        for concept in course.concepts.values()
    }


async def _handed_in(app: App, class_id: str) -> list[LearnerError]:
    """What the class handed in. The same pupil has another token for every worksheet."""
    return [
        LearnerError(
            place=f"worksheet:{each.handout}",
            learner=each.token,
            concept=each.concept,
            error_type=each.error_type,
            what=each.what,
        )
        for each in await wrong_answers(app, class_id)
    ]
