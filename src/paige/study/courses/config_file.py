"""`config.json` of a course: every value that can be used is, every other one is a problem."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from paige.base.errors import BadInput
from paige.exercise.code_exercise import find_language
from paige.exercise.rubric import Rubric, parse_rubric
from paige.exercise.values import (
    DOMAINS,
    MODALITIES,
    Bloom,
    Domain,
    Modality,
    bloom_level,
    modality,
)
from paige.learner.json_files import BrokenFile, StudyProblem
from paige.study.courses.fields import (
    folder_name,
    json_object,
    misspelt,
    number_of,
    object_of,
    problem_in,
    shown,
    text_of,
    texts_of,
)
from paige.study.courses.values import CourseConfig, Languages, Override

T = TypeVar("T")
PATH = "config.json"
SHORTEST, LONGEST = 5, 240
_TOP = frozenset(
    {
        *("name", "title", "description", "domain_type", "languages", "exercise_config", "rubrics"),
        *("session", "modality_weights", "modality_overrides", "rubric_template"),
    }
)
_EXERCISE = frozenset(
    {
        *("modality_weights", "modality_overrides", "code_language"),
        *("worksheet_dir", "exercise_dir", "response_dir"),
    }
)


@dataclass(slots=True)
class _ConfigReader:
    """A file on its way to a config; problems gather in it."""

    path: str
    text: str
    fields: Mapping[str, object]
    problems: list[StudyProblem] = field(default_factory=list)

    def take(self, keys: tuple[str, ...], read: Callable[[], T], otherwise: T) -> T:
        """A value, or what stands in for it when it cannot be used."""
        try:
            return read()
        except BadInput as error:
            self.problems.append(problem_in(self.path, self.text, keys, error))
            return otherwise

    def inner(self, name: str) -> Mapping[str, object]:
        """An object in the file."""
        return self.take((name,), lambda: object_of(self.fields, name), {})

    def exercises(self, name: str) -> Mapping[str, object]:
        """What may stand under `exercise_config` or at the top."""
        nested = self.inner("exercise_config")
        holder = nested if name in nested else self.fields
        return self.take((name,), lambda: object_of(holder, name), {})


def read_config(
    path: str, text: str, *, name: str, guess: Domain
) -> tuple[CourseConfig, list[StudyProblem]]:
    """The config in a file, with what is wrong in it."""
    try:
        fields = json_object(path, text)
    except BrokenFile as error:
        return default_config(name, guess), [error.problem]
    reading = _ConfigReader(path, text, fields)
    config = _config(reading, name, guess)
    for known, holder in ((_TOP, fields), (_EXERCISE, reading.inner("exercise_config"))):
        for error in misspelt(holder, known):
            reading.problems.append(problem_in(path, text, (), error))
    return config, list(dict.fromkeys(reading.problems))


def default_config(name: str, guess: Domain) -> CourseConfig:
    """What is known of a course that says nothing about itself."""
    return CourseConfig(title=title_of(name), domain=guess)


def title_of(name: str) -> str:
    """The name of a folder as words."""
    words = " ".join(name.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


def _config(reading: _ConfigReader, name: str, guess: Domain) -> CourseConfig:
    fields = reading.fields
    usual = default_config(name, guess)
    own = reading.inner("exercise_config")
    take = reading.take
    take(("name",), lambda: _same_name(fields, name), "")
    return CourseConfig(
        title=take(("title",), lambda: text_of(fields, "title"), "") or usual.title,
        description=take(("description",), lambda: text_of(fields, "description"), ""),
        domain=take(("domain_type",), lambda: _domain(fields, guess), guess),
        languages=take(("languages",), lambda: _languages(fields), None),
        weights=_weights(reading),
        overrides=_overrides(reading),
        code_language=take(("code_language",), lambda: _language(own), usual.code_language),
        worksheet_dir=take(("worksheet_dir",), lambda: _folder(own, "worksheet_dir"), "worksheets"),
        exercise_dir=take(("exercise_dir",), lambda: _folder(own, "exercise_dir"), "exercises"),
        response_dir=take(("response_dir",), lambda: _folder(own, "response_dir"), "responses"),
        rubric=take(("long_form",), lambda: _rubric(reading), None),
        code_quality=take(
            ("code_quality",), lambda: object_of(reading.inner("rubrics"), "code_quality"), {}
        ),
        minutes=take(("minutes",), lambda: _minutes(reading.inner("session")), usual.minutes),
        extra={key: value for key, value in fields.items() if key not in _TOP},
    )


def _same_name(fields: Mapping[str, object], name: str) -> str:
    given = text_of(fields, "name")
    if given and given != name:
        raise BadInput(
            f"`name` is `{shown(given)}`, but the folder is called `{name}`",
            hint="The folder's name counts; take the line out.",
        )
    return given


def _domain(fields: Mapping[str, object], guess: Domain) -> Domain:
    given = text_of(fields, "domain_type").lower()
    for domain in DOMAINS:
        if domain == given:
            return domain
    if not given:
        return guess
    raise BadInput(f"`domain_type` is `{shown(given)}`", hint=f"Use one of: {', '.join(DOMAINS)}.")


def _languages(fields: Mapping[str, object]) -> Languages | None:
    pair = object_of(fields, "languages")
    if not pair:
        return None
    source, target = text_of(pair, "from"), text_of(pair, "to")
    if source and target:
        return Languages(source, target)
    raise BadInput("`languages` needs both", hint='Write {"from": "en", "to": "ms"}.')


def _weights(reading: _ConfigReader) -> dict[Modality, float]:
    given = reading.exercises("modality_weights")
    weights: dict[Modality, float] = {}
    for name in given:
        keys = ("modality_weights", name)
        found = reading.take(keys, lambda name=name: (modality(name), _weight(given, name)), None)
        if found is not None:
            weights[found[0]] = found[1]
    if weights and not any(weights.values()):
        wrong = BadInput("Every weight in `modality_weights` is 0", hint="Raise one of them.")
        reading.problems.append(problem_in(reading.path, reading.text, (), wrong))
        return {}
    return weights


def _weight(given: Mapping[str, object], name: str) -> float:
    found = number_of(given, name, least=0, most=1000)
    if found is None:
        raise BadInput(f"`{shown(name)}` has no weight", hint="Write a number such as 0.3.")
    return found


def _overrides(reading: _ConfigReader) -> dict[str, Override]:
    given = reading.exercises("modality_overrides")
    made: dict[str, Override] = {}
    for name in given:
        keys = ("modality_overrides", name)
        found = reading.take(keys, lambda name=name: _override(object_of(given, name)), None)
        if found is not None:
            made[concept_type(name)] = found
    return made


def _override(fields: Mapping[str, object]) -> Override:
    by_bloom: dict[Bloom, Override] = {}
    levels = object_of(fields, "bloom_override")
    for level in levels:
        by_bloom[bloom_level(level)] = _override(object_of(levels, level))
    return Override(_modality(fields, "primary"), _modality(fields, "secondary"), by_bloom)


def _modality(fields: Mapping[str, object], name: str) -> Modality | None:
    text = text_of(fields, name)
    return modality(text) if text else None


def modalities_of(fields: Mapping[str, object], name: str) -> tuple[Modality, ...]:
    """A list of modalities, in the usual order. Raises: BadInput."""
    chosen = {modality(each) for each in texts_of(fields, name)}
    return tuple(each for each in MODALITIES if each in chosen)


def concept_type(text: str) -> str:
    """The name of a concept type as it is compared: small letters, no spaces around a slash."""
    return "/".join(" ".join(part.split()) for part in text.lower().replace("_", " ").split("/"))


def _language(fields: Mapping[str, object]) -> str:
    text = text_of(fields, "code_language", "python")
    found = find_language(text)
    if found is None:
        raise BadInput(f"Paige does not know the programming language `{shown(text)}`")
    return found.name


def _folder(fields: Mapping[str, object], name: str) -> str:
    usual = name.replace("_dir", "s")
    return folder_name(text_of(fields, name, usual), name)


def _rubric(reading: _ConfigReader) -> Rubric | None:
    rubrics = object_of(reading.fields, "rubrics")
    given = object_of(rubrics, "long_form") or object_of(reading.fields, "rubric_template")
    return parse_rubric(given) if given else None


def _minutes(session: Mapping[str, object]) -> int:
    found = number_of(session, "minutes", least=SHORTEST, most=LONGEST)
    return 25 if found is None else round(found)
