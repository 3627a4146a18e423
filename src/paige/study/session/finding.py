"""Which course somebody means who does not say: the one they are in, or were in last."""

from paige.base.errors import BadInput, NotFound
from paige.learner.files import LearnerFiles
from paige.store.documents import Documents
from paige.study.courses.loading import course_names
from paige.study.session.keeping import ENDING


def usual_course(documents: Documents, root: str) -> str:
    """The course of the newest session, else the only one. Raises: BadInput, NotFound."""
    known = course_names(documents)
    begun = [name for name in LearnerFiles(documents, root=root).courses() if name in known]
    newest = sorted(
        (session, name) for name in begun if (session := _newest(documents, root, name))
    )
    if newest:
        return newest[-1][1]
    if len(known) == 1:
        return known[0]
    if not known:
        raise NotFound("There is no course yet", hint="Begin one: `paige study new NAME`.")
    listed = ", ".join(f"`{name}`" for name in known)
    raise BadInput("Which course?", hint=f"Say `--course` and one of: {listed}.")


def _newest(documents: Documents, root: str, course: str) -> str:
    """The name of the newest session in a course; names begin with the time."""
    names = (path.rpartition("/")[2] for path in documents.paths(f"{root}/{course}/sessions"))
    plain = (name.removesuffix(".json").removesuffix(ENDING) for name in names)
    return max(plain, default="")
