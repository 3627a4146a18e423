"""A course as values: what it is about, its concepts, items, words and teaching texts.

Everything here is already right. What could not be read of a course is in `problems`, each with its
file and line; the rest of the course works without it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from paige.base.errors import NotFound
from paige.exercise.code_exercise import CodeTest
from paige.exercise.rubric import Rubric
from paige.exercise.values import Bloom, Domain, ImageKind, Modality
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.learner.concepts import Concept, Graph
from paige.learner.json_files import StudyProblem

ItemKind = Literal[
    "translate",
    "cloze",
    "choice",
    "match",
    "order",
    "categorise",
    "true_false",
    "error",
    "short",
    "define",
    "predict",
    "code",
    "long_form",
    "image",
    "role_play",
    "socratic",
    "repl",
]
ITEM_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
Direction = Literal["to", "from"]
"""Into the language that is learned, or out of it."""


@dataclass(frozen=True, slots=True)
class Languages:
    """The language a course explains in, and the one it teaches, as short codes such as `ms`."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Override:
    """The modalities a course wants for a concept type; `by_bloom` where a level wants others."""

    primary: Modality | None = None
    secondary: Modality | None = None
    by_bloom: Mapping[Bloom, "Override"] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseConfig:
    """What a course says about itself. `weights` is empty when it leaves modalities to the matrix.

    `overrides` are by concept type, in lower case. `extra` is what else the file holds.
    """

    title: str
    domain: Domain
    description: str = ""
    languages: Languages | None = None
    weights: Mapping[Modality, float] = field(default_factory=dict, hash=False)
    overrides: Mapping[str, Override] = field(default_factory=dict, hash=False)
    code_language: str = "python"
    worksheet_dir: str = "worksheets"
    exercise_dir: str = "exercises"
    response_dir: str = "responses"
    rubric: Rubric | None = None
    code_quality: Mapping[str, object] = field(default_factory=dict, hash=False)
    minutes: int = 25
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseConcept:
    """One thing to learn. `bloom` is how far the course wants to take it.

    `concept_type` is a row of the matrix for the course's domain, in lower case, or empty.
    `modalities` are the only ones that suit it; empty means any.
    """

    id: str
    title: str
    prerequisites: tuple[str, ...] = ()
    taught: bool = True
    concept_type: str = ""
    bloom: Bloom = "apply"
    unit: str = ""
    description: str = ""
    modalities: tuple[Modality, ...] = ()
    confused_with: tuple[str, ...] = ()
    """Concepts that learners mix up with this one: worth practising together."""
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a scripted dialogue: what is said, what is expected back, help if it is not."""

    say: str
    expect: tuple[str, ...]
    hint: str = ""

    @property
    def reference(self) -> str:
        """All accepted replies, as a marker takes them."""
        return ALTERNATIVES.join(self.expect)


@dataclass(frozen=True, slots=True)
class ReplCase:
    """A situation in which an entry at the prompt is tried: what ran before, what is printed."""

    starter: str
    prints: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCode:
    """The code of a `code` or `repl` item.

    Python items have `tests`, others `test_source`, the whole file. `files` are those of a ready
    exercise in another layout, by their paths in its folder; then the rest is empty. `cases` are
    those of `repl`: the learner's entry must be right in every one.
    """

    starter: str = ""
    solution: str = ""
    tests: tuple[CodeTest, ...] = ()
    test_source: str = ""
    imports: tuple[str, ...] = ()
    language: str = "python"
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    cases: tuple[ReplCase, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to ask. Which of the fields hold its answer depends on the kind.

    `answers`: accepted answers (right choices of `choice`; `true` or `false` of `true_false`; a
    model answer of open kinds). `blanks`: of `cloze`, accepted answers for each `___`. `sequence`:
    of `order`, from first to last. `pairs`: of `match`, left and right; of `categorise`, a thing
    and its category.
    """

    id: str
    concept_id: str
    kind: ItemKind
    prompt: str
    title: str = ""
    bloom: Bloom = "remember"
    answers: tuple[str, ...] = ()
    blanks: tuple[tuple[str, ...], ...] = ()
    sequence: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    distractors: tuple[str, ...] = ()
    direction: Direction | None = None
    """Of `translate`."""
    explanation: str = ""
    hints: tuple[str, ...] = ()
    """At most three: a nudge, a pointed hint, a worked step of another item."""
    context: str = ""
    discrimination: bool = False
    """Whether it tests when something does not apply."""
    code: ItemCode | None = None
    points: tuple[str, ...] = ()
    """Of `long_form`: what the text must address, shown to the learner."""
    reference: tuple[str, ...] = ()
    """Of `image`: what should be seen. Of `long_form`: what a good text says, kept back."""
    rubric: Rubric | None = None
    min_words: int = 0
    image: ImageKind | None = None
    script: tuple[Turn, ...] = ()
    variants: tuple["Item", ...] = ()
    """Of an item with parameters: each way to ask it, the first as the item itself asks it."""
    needs: tuple[str, ...] = ()
    """Concepts that have to be known as well, besides the prerequisites of its own."""
    tags: tuple[str, ...] = ()
    minutes: float | None = None
    path: str = ""
    line: int = 0
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        """The answer in one line as keys of worksheets have it; empty for open kinds."""
        if self.blanks:
            return "; ".join(ALTERNATIVES.join(each) for each in self.blanks)
        if self.sequence:
            return "; ".join(self.sequence)
        if self.pairs:
            return "; ".join(f"{left} = {right}" for left, right in self.pairs)
        return ALTERNATIVES.join(self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A row of the vocabulary. `terms` are in the language that is learned, the first is shown."""

    id: str
    terms: tuple[str, ...]
    meanings: tuple[str, ...]
    concept_id: str
    example: str = ""
    example_meaning: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    card: str = ""
    """The id of the card of a deck it came from."""
    path: str = ""
    line: int = 0

    @property
    def term(self) -> str:
        """The word as it is shown."""
        return self.terms[0]

    @property
    def meaning(self) -> str:
        """What it means, in one way."""
        return self.meanings[0]


@dataclass(frozen=True, slots=True)
class Check:
    """A question that shows whether a text was understood; `because` explains its answer."""

    question: str
    answers: tuple[str, ...]
    because: str = ""


@dataclass(frozen=True, slots=True)
class Teaching:
    """How a concept is taught: an explanation, worked examples, and a check. All in markdown."""

    concept_id: str
    explanation: str
    examples: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A course that was read. Mappings by concept are in the order the course names them."""

    name: str
    config: CourseConfig
    concepts: Mapping[str, CourseConcept]
    graph: Graph
    items: Mapping[str, tuple[Item, ...]]
    """By concept, what is written in `items/`; `items_of` adds what the vocabulary asks."""
    words: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    """By concept, the rows of the vocabulary."""
    teaching: Mapping[str, Teaching] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Prompts for a model, by item kind or modality."""
    problems: tuple[StudyProblem, ...] = ()
    is_shipped: bool = False

    @property
    def title(self) -> str:
        """What people call it."""
        return self.config.title

    @property
    def domain(self) -> Domain:
        """What kind of subject it is."""
        return self.config.domain

    @property
    def vocabulary(self) -> tuple[Word, ...]:
        """Every word, concept by concept."""
        return tuple(word for words in self.words.values() for word in words)

    @property
    def item_count(self) -> int:
        """How many things it can ask; a word counts once, an item of several parts as well."""
        return sum(len(each) for each in (*self.items.values(), *self.words.values()))

    def concept(self, concept: str) -> CourseConcept:
        """One concept. Raises: NotFound."""
        found = self.concepts.get(concept)
        if found is None:
            raise NotFound(
                f"The course `{self.name}` has no concept `{concept}`",
                hint=f"`paige study courses {self.name}` lists its concepts.",
            )
        return found

    def words_of(self, concept: str) -> tuple[Word, ...]:
        """The words of a concept."""
        return self.words.get(concept, ())

    def items_of(self, concept: str) -> tuple[Item, ...]:
        """Everything that can be asked about a concept, each word in both directions."""
        asked = (item for word in self.words_of(concept) for item in word_items(word))
        return (*self.items.get(concept, ()), *asked)

    def all_items(self) -> Iterator[Item]:
        """Everything that can be asked, concept by concept."""
        for concept in self.concepts:
            yield from self.items_of(concept)

    def item(self, item_id: str) -> Item:
        """One item, one of its variants, or one of a word. Raises: NotFound."""
        for each in self.all_items():
            for one in (each, *each.variants):
                if one.id == item_id:
                    return one
        raise NotFound(f"The course `{self.name}` has no item `{item_id}`")


def word_items(word: Word) -> tuple[Item, Item]:
    """A word as items: into the language that is learned, and out of it."""
    return _word_item(word, "to"), _word_item(word, "from")


def _word_item(word: Word, direction: Direction) -> Item:
    into = direction == "to"
    shown, wanted = (word.meaning, word.terms) if into else (word.term, word.meanings)
    example = f"{word.example} \u2013 {word.example_meaning}".strip(" \u2013")
    return Item(
        id=f"{word.id}.{direction}",
        concept_id=word.concept_id,
        kind="translate",
        prompt=shown,
        answers=wanted,
        direction=direction,
        explanation="\n".join(each for each in (example, word.note) if each),
        tags=word.tags,
        path=word.path,
        line=word.line,
    )


def graph_concept(concept: CourseConcept) -> Concept:
    """A concept as the graph of prerequisites knows it."""
    return Concept(concept.id, concept.title, concept.prerequisites, concept.taught)
