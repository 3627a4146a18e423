"""Reading the folder of one course: every file by itself, then what only shows in the whole."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple, TypeVar

from paige.base.errors import PaigeError
from paige.exercise.values import MODALITIES, Domain
from paige.learner.concepts import build_graph
from paige.learner.json_files import StudyProblem
from paige.store.documents import Documents
from paige.study.courses import config_file, items_file, teaching_file
from paige.study.courses import vocabulary_file as words_file
from paige.study.courses.concepts_file import PATH as CONCEPTS
from paige.study.courses.concepts_file import ConceptsFile, read_concepts
from paige.study.courses.fields import shown
from paige.study.courses.item_kinds import Course as Defaults
from paige.study.courses.values import (
    ITEM_KINDS,
    Course,
    CourseConcept,
    CourseConfig,
    Item,
    Teaching,
    Word,
    graph_concept,
    word_items,
)

PROMPTS_FOLDER = "prompts"
ENDING = ".md"
PLACEHOLDERS = (
    *("concept_name", "description", "key_vocabulary", "grammar_points", "prerequisites"),
    *("bloom_level", "programming_language", "n", "worksheet|conversation"),
)
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z_|]*)\}")


class PromptFile(NamedTuple):
    """What was read from a prompt."""

    text: str
    problems: tuple[StudyProblem, ...]


def read_prompt(path: str, text: str, name: str) -> PromptFile:
    """A prompt, with what is wrong in it."""
    problems: list[StudyProblem] = []
    if name not in ITEM_KINDS and name not in MODALITIES:
        fix = f"Use one of: {', '.join(dict.fromkeys((*ITEM_KINDS, *MODALITIES)))}."
        said = f"`{shown(name)}` is neither a kind of item nor a modality"
        problems.append(StudyProblem(path, 1, said, fix))
    if not text.strip():
        problems.append(StudyProblem(path, 1, "the file is empty", "Write a prompt, or delete it."))
    for found in _PLACEHOLDER.finditer(text):
        if found[1] not in PLACEHOLDERS:
            line = text.count("\n", 0, found.start()) + 1
            fix = f"Use one of: {', '.join(PLACEHOLDERS)}."
            problems.append(StudyProblem(path, line, f"nothing fills in `{found[0]}`", fix))
    return PromptFile(text.removeprefix("\ufeff").strip(), tuple(problems))


T = TypeVar("T", Item, Word)
FOLDER = "courses"
_PLACE = re.compile(r"^(?P<path>.*):(?P<line>\d+): (?P<said>.*)$", re.DOTALL)
_ENDINGS = {
    items_file.FOLDER: items_file.ENDING,
    teaching_file.FOLDER: teaching_file.ENDING,
    PROMPTS_FOLDER: ENDING,
}


@dataclass(slots=True)
class _CourseFiles:
    """The files of a course on their way; problems gather in it."""

    documents: Documents
    folder: str
    paths: list[str]
    problems: list[StudyProblem] = field(default_factory=list)

    def place(self, name: str) -> str:
        """The path of a file of the course."""
        return f"{self.folder}/{name}"

    def text(self, path: str) -> str | None:
        """The text of a file, or nothing and a problem."""
        try:
            return self.documents.read(path).text
        except PaigeError as error:
            placed = _PLACE.match(error.message)
            line, said = (int(placed["line"]), placed["said"]) if placed else (1, error.message)
            fix = error.hint or "Look at the file."
            self.problems.append(StudyProblem(path, line, shown(said, 300), fix))
            return None

    def files(self, folder: str) -> Iterable[tuple[str, str]]:
        """The files of a folder that can be read: path and text."""
        below, ending = self.place(f"{folder}/"), _ENDINGS[folder]
        for path in self.paths:
            if not path.startswith(below):
                continue
            if not path.endswith(ending):
                said = f"only files that end in {ending} are read here"
                self.problems.append(StudyProblem(path, 1, said, "Rename it, or move it away."))
            elif (text := self.text(path)) is not None:
                yield path, text


def read_course(
    documents: Documents, name: str, paths: list[str], *, is_shipped: bool = False
) -> Course:
    """The course in a folder with these files. It never fails: what is wrong is in `problems`."""
    reading = _CourseFiles(documents, f"{FOLDER}/{name}", paths)
    config = _config(reading, name)
    listed = _concepts(reading, config.domain)
    items = _items(reading, Defaults(config.domain, config.code_language))
    words = _words(reading)
    teaching = _teaching(reading)
    concepts = _known(listed, items, words, teaching)
    _check_concepts(reading, concepts, items, words, teaching)
    kept, known = _unique(reading, items, words, concepts)
    course = Course(
        name=name,
        config=config,
        concepts=concepts,
        graph=build_graph(graph_concept(each) for each in concepts.values()),
        items=_by_concept(kept, concepts),
        words=_by_concept(known, concepts),
        teaching={each: teaching[each] for each in concepts if each in teaching},
        prompts=_prompts(reading),
        is_shipped=is_shipped,
    )
    _check_whole(reading, course, listed)
    problems = sorted(dict.fromkeys(reading.problems), key=lambda each: (each.file, each.line))
    return replace(course, problems=tuple(problems))


def _config(reading: _CourseFiles, name: str) -> CourseConfig:
    guess = _guess(reading)
    path = reading.place(config_file.PATH)
    text = reading.text(path) if path in reading.paths else None
    if text is None:
        return config_file.default_config(name, guess)
    config, problems = config_file.read_config(path, text, name=name, guess=guess)
    reading.problems += problems
    return config


def _guess(reading: _CourseFiles) -> Domain:
    """What a course is about that does not say it."""
    if reading.place(words_file.PATH) in reading.paths:
        return "language"
    below = reading.place(f"{items_file.FOLDER}/")
    for path in reading.paths:
        if path.startswith(below):
            try:
                if re.search(r'"kind"\s*:\s*"(?:code|repl)"', reading.documents.read(path).text):
                    return "technical"
            except PaigeError:  # it is named when the items are read
                continue
    return "conceptual"


def _concepts(reading: _CourseFiles, domain: Domain) -> ConceptsFile:
    path = reading.place(CONCEPTS)
    if path not in reading.paths:
        said, fix = "there is no such file", 'Write a list of concepts: [{"id": "loops"}].'
        return ConceptsFile((), (StudyProblem(path, 1, said, fix),), whole=False)
    text = reading.text(path)
    if text is None:
        return ConceptsFile((), (), whole=False)
    return read_concepts(path, text, domain)


def _items(reading: _CourseFiles, defaults: Defaults) -> list[Item]:
    items: list[Item] = []
    for path, text in reading.files(items_file.FOLDER):
        found = items_file.read_items(path, text, defaults)
        items += found.items
        reading.problems += found.problems
    return items


def _words(reading: _CourseFiles) -> list[Word]:
    path = reading.place(words_file.PATH)
    text = reading.text(path) if path in reading.paths else None
    if text is None:
        return []
    found = words_file.read_vocabulary(path, text)
    reading.problems += found.problems
    return list(found.words)


def _teaching(reading: _CourseFiles) -> dict[str, Teaching]:
    made: dict[str, Teaching] = {}
    for path, text in reading.files(teaching_file.FOLDER):
        concept = path.rpartition("/")[2].removesuffix(teaching_file.ENDING)
        found = teaching_file.read_teaching(path, text, concept)
        made.setdefault(concept, found.teaching)
        reading.problems += found.problems
    return made


def _prompts(reading: _CourseFiles) -> dict[str, str]:
    made: dict[str, str] = {}
    for path, text in reading.files(PROMPTS_FOLDER):
        name = path.rpartition("/")[2].removesuffix(ENDING)
        found = read_prompt(path, text, name)
        reading.problems += found.problems
        if found.text:
            made.setdefault(name, found.text)
    return made


def _known(
    listed: ConceptsFile, items: list[Item], words: list[Word], teaching: Mapping[str, Teaching]
) -> dict[str, CourseConcept]:
    """The concepts; when some could not be read, those that other files speak of stand in."""
    concepts = {each.concept.id: each.concept for each in listed.concepts}
    if listed.whole:
        return concepts
    spoken_of = chain((each.concept_id for each in chain(items, words)), sorted(teaching))
    for name in dict.fromkeys(spoken_of):
        title = config_file.title_of(name)
        concepts.setdefault(name, CourseConcept(id=name, title=title, bloom="remember"))
    return concepts


def _check_concepts(
    reading: _CourseFiles,
    concepts: Mapping[str, CourseConcept],
    items: list[Item],
    words: list[Word],
    teaching: Mapping[str, Teaching],
) -> None:
    """Name what belongs to no concept: once for each file and concept."""
    seen: set[tuple[str, str]] = set()
    spoken_of = [(each.path, each.line, each.concept_id) for each in chain(items, words)]
    spoken_of += [(each.path, 1, name) for name, each in teaching.items()]
    spoken_of += [(each.path, each.line, need) for each in items for need in each.needs]
    for path, line, concept in spoken_of:
        if concept not in concepts and (path, concept) not in seen:
            seen.add((path, concept))
            said = f"`{shown(concept)}` is no concept of the course"
            reading.problems.append(
                StudyProblem(path, line, said, f"Add it to {CONCEPTS}, or name another.")
            )


def _unique(
    reading: _CourseFiles,
    items: list[Item],
    words: list[Word],
    concepts: Mapping[str, CourseConcept],
) -> tuple[list[Item], list[Word]]:
    """What belongs to a concept and has an id of its own."""
    taken: dict[str, str] = {}
    kept: list[Item] = []
    known: list[Word] = []
    for each in (*items, *words):
        if each.concept_id not in concepts:
            continue
        own = word_items(each) if isinstance(each, Word) else each.variants
        names = (each.id, *(one.id for one in own))
        twice = next((name for name in names if name in taken), None)
        if twice is None:
            taken |= dict.fromkeys(names, f"{each.path}:{each.line}")
            (known if isinstance(each, Word) else kept).append(each)  # type: ignore[arg-type]
            continue
        said = f"the id `{twice}` is there already, in {taken[twice]}"
        fix = "Give it another id; the first one counts."
        reading.problems.append(StudyProblem(each.path, each.line, said, fix))
    return kept, known


def _by_concept(found: list[T], concepts: Mapping[str, CourseConcept]) -> dict[str, tuple[T, ...]]:
    grouped: dict[str, list[T]] = {name: [] for name in concepts}
    for each in found:
        grouped[each.concept_id].append(each)
    return {name: tuple(each) for name, each in grouped.items() if each}


def _check_whole(reading: _CourseFiles, course: Course, listed: ConceptsFile) -> None:
    """What is wrong with concepts when all of them are known."""
    path = reading.place(CONCEPTS)
    reading.problems += listed.problems
    asked = {*course.items, *course.words}
    if not listed.whole:
        return
    found = [
        (each.concept, each.message, "Change the prerequisites.") for each in course.graph.problems
    ]
    for concept in course.concepts.values():
        strangers = [each for each in concept.confused_with if each not in course.concepts]
        found += [
            (
                concept.id,
                f"`{concept.id}` is confused with `{each}`, which is not in the course",
                "Take it out.",
            )
            for each in strangers
        ]
        if concept.taught and concept.id not in asked:
            said = f"nothing is asked about `{concept.id}`"
            found.append((concept.id, said, f"Write {items_file.FOLDER}/{concept.id}.jsonl."))
    reading.problems += [
        StudyProblem(path, listed.line_of(concept), said, fix) for concept, said, fix in found
    ]
