"""Reads the whole curriculum folder of a workspace; a broken file costs only itself."""

from collections.abc import Sequence

from paige.base.errors import PaigeError
from paige.plan.curriculum.front import problem_of
from paige.plan.curriculum.materials import is_material, read_material
from paige.plan.curriculum.outcome_file import read_curriculum
from paige.plan.curriculum.values import (
    FOLDER,
    Curriculum,
    Library,
    Material,
    Outcome,
    WorkspaceProblem,
)
from paige.store.documents import Documents

ORIGINALS = f"{FOLDER}/originals/"
MATERIALS = f"{FOLDER}/materials/"


def load_all(documents: Documents) -> Library:
    """Every markdown file of the curriculum folder, with what is wrong in any of them."""
    curricula: list[Curriculum] = []
    materials: list[Material] = []
    for path in curriculum_paths(documents.paths(FOLDER)):
        try:
            text = documents.read(path).text
        except PaigeError as error:  # not text, or gone meanwhile: the others still count
            curricula.append(Curriculum(path, problems=(problem_of(error, path),)))
            continue
        if path.startswith(MATERIALS) or is_material(text):
            materials.append(read_material(text, path))
        else:
            curricula.append(read_curriculum(text, path))
    return Library(tuple(curricula), tuple(materials))


def curriculum_paths(paths: Sequence[str]) -> list[str]:
    """Those of the paths that hold outcomes or imported material."""
    return [
        path
        for path in paths
        if path.startswith(f"{FOLDER}/") and path.endswith(".md")
        if not path.startswith(ORIGINALS)
    ]


def broken_links(library: Library) -> tuple[WorkspaceProblem, ...]:
    """Progressions that name a code which no file has."""
    known = {each.code for each in library.outcomes}

    def unknown(outcome: Outcome) -> list[str]:
        linked = (*outcome.progression_from, *outcome.progression_to)
        return [code for code in linked if code not in known]

    return tuple(
        WorkspaceProblem(
            each.path,
            each.start,
            f"The progression of {each.code} names {code}, which no curriculum file has.",
            "Correct the code, or add the outcome.",
        )
        for each in library.outcomes
        for code in unknown(each)
    )
