"""`prompts/*.md` of a course: what a model is told when it makes exercises."""

import re
from typing import NamedTuple

from paige.exercise.values import MODALITIES
from paige.learner.json_files import FileProblem
from paige.study.courses.fields import shown
from paige.study.courses.values import ITEM_KINDS

FOLDER = "prompts"
ENDING = ".md"
PLACEHOLDERS = (
    *("concept_name", "description", "key_vocabulary", "grammar_points", "prerequisites"),
    *("bloom_level", "programming_language", "n", "worksheet|conversation"),
)
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z_|]*)\}")


class PromptFile(NamedTuple):
    """What was read from a prompt."""

    text: str
    problems: tuple[FileProblem, ...]


def read_prompt(path: str, text: str, name: str) -> PromptFile:
    """A prompt, with what is wrong in it."""
    problems: list[FileProblem] = []
    if name not in ITEM_KINDS and name not in MODALITIES:
        fix = f"Use one of: {', '.join(dict.fromkeys((*ITEM_KINDS, *MODALITIES)))}."
        said = f"`{shown(name)}` is neither a kind of item nor a modality"
        problems.append(FileProblem(path, 1, said, fix))
    if not text.strip():
        problems.append(FileProblem(path, 1, "the file is empty", "Write a prompt, or delete it."))
    for found in _PLACEHOLDER.finditer(text):
        if found[1] not in PLACEHOLDERS:
            line = text.count("\n", 0, found.start()) + 1
            fix = f"Use one of: {', '.join(PLACEHOLDERS)}."
            problems.append(FileProblem(path, line, f"nothing fills in `{found[0]}`", fix))
    return PromptFile(text.removeprefix("\ufeff").strip(), tuple(problems))
