"""Doctor's questions about the workspace: files that cannot be used as they are."""

from paige.base.checks import Check
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.language.names.gate import INSTEAD, NameGate
from paige.plan.classes import ClassProfile
from paige.plan.curriculum.library import load_all
from paige.plan.workspace import missing_curricula, profile_text, read_classes
from paige.store.documents import DirectoryDocuments

MOST_SHOWN = 10


def checks(settings: Settings) -> list[Check]:
    """Whether profiles and curriculum files can be read; the workspace is not created."""
    if settings.in_tables(settings.given_workspace):
        return [Check("workspace", "ok", "in the database; the Plan door tells what is wrong")]
    if not settings.workspace.is_dir():
        return [Check("workspace", "ok", "not created yet; the first use does it")]
    try:
        documents = DirectoryDocuments(settings.workspace)
        classes, library = read_classes(documents), load_all(documents)
    except PaigeError as error:
        return [Check("workspace", "warn", error.message, error.hint)]
    wrong = [
        Check("class profile", "warn", str(p), p.hint) for c in classes.profiles for p in c.problems
    ]
    wrong += [each for profile in classes.profiles for each in _named(documents, profile)]
    wrong += [
        Check(
            "class profile",
            "warn",
            f"{profile.path}: there is no `curriculum/{name}.md`",
            "Correct the name, or import the curriculum: `paige plan curriculum import`.",
        )
        for profile in classes.profiles
        for name in missing_curricula(library, profile)
    ]
    wrong += [
        Check("curriculum", "warn", str(each), each.hint or None) for each in library.problems
    ]
    if not wrong:
        return [
            Check("workspace", "ok", f"`{settings.workspace}`, {len(classes.profiles)} classes")
        ]
    left = len(wrong) - MOST_SHOWN
    more = [Check("workspace", "warn", f"and {left} more problems", None)] if left > 0 else []
    return [*wrong[:MOST_SHOWN], *more]


def _named(documents: DirectoryDocuments, profile: ClassProfile) -> list[Check]:
    """Pupils that a profile names; a class is described without them."""
    path, text = profile.path, profile_text(documents, profile)
    return [
        Check(
            "class profile",
            "warn",
            f"{path}:{text.count(chr(10), 0, span.start) + 1}: `{span.text}` looks like a person",
            INSTEAD,
        )
        for span in NameGate().find(text)
    ]
