"""What is evaluated: requests, what they are remembered with, configurations and suites, as data.

Everything stands in TOML files that come with Paige; another folder with files of the same names
takes their place. A file that is not right is named with what is wrong in it.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from paige.base.errors import BadInput, NotFound
from paige.base.paths import shipped

FOLDER = "evals"
T = TypeVar("T", bound=BaseModel)


class _Read(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Case(_Read):
    """A request and what is known about a good answer to it."""

    id: str
    request: str
    class_id: str | None = Field(None, alias="class")
    subject: str = ""
    codes: tuple[str, ...] = ()
    minutes: int | None = None
    refuse: bool = False
    tags: tuple[str, ...] = ()


class Wish(_Read):
    """What a teacher wants of a section; `met` is how its title then begins."""

    section: str
    says: str
    met: str


class Series(_Read):
    """Lessons of one class over some weeks, with a wish that can be remembered."""

    id: str
    class_id: str = Field(alias="class")
    wish: Wish
    lessons: tuple[Case, ...] = Field(alias="lesson", min_length=2)


class Config(_Read):
    """What a planner has to go by, and who plans."""

    name: str = ""
    about: str = ""
    workspace: bool = True
    skills: bool = True
    memory: bool = True
    single: bool = False
    provider: str = ""
    model: str = ""


class Suite(_Read):
    """Which cases run in which configurations, and which of those run the series."""

    name: str = ""
    about: str = ""
    tag: str | None = None
    configs: tuple[str, ...] = ("base",)
    series: tuple[str, ...] = ()


class Dimension(_Read):
    """One thing a judge looks for, and what its scores mean."""

    name: str
    question: str
    one: str
    three: str
    five: str


class Label(_Read):
    """An extract with the scores that a teacher gave."""

    id: str
    about: str
    text: str
    scores: Mapping[str, int]
    why: str = ""

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        for name, score in self.scores.items():
            if not 1 <= score <= 5:
                raise ValueError(f"the score of `{name}` is {score}, not 1 to 5")
        return self


class _Cases(_Read):
    case: tuple[Case, ...]


class _Series(_Read):
    series: tuple[Series, ...]


class _Suites(_Read):
    config: Mapping[str, Config]
    suite: Mapping[str, Suite]


class _Rubric(_Read):
    dimension: tuple[Dimension, ...] = Field(min_length=1)


class _Labels(_Read):
    label: tuple[Label, ...] = Field(min_length=1)


class _Memory(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, tuple[str, ...]]  # pyright: ignore[reportIncompatibleVariableOverride] - pydantic's way to type what is extra


class Evals(BaseModel):
    """All of it."""

    model_config = ConfigDict(frozen=True)

    cases: tuple[Case, ...]
    series: tuple[Series, ...]
    configs: Mapping[str, Config]
    suites: Mapping[str, Suite]
    memory: Mapping[str, tuple[str, ...]]
    rubric: tuple[Dimension, ...]
    labels: tuple[Label, ...]

    def suite(self, name: str) -> Suite:
        """The suite of that name. Raises: NotFound."""
        return _named(self.suites, name, "suite")

    def config(self, name: str) -> Config:
        """The configuration of that name. Raises: NotFound."""
        return _named(self.configs, name, "configuration")

    def cases_of(self, suite: Suite) -> tuple[Case, ...]:
        """The cases of a suite: those with its tag, or all."""
        return tuple(case for case in self.cases if suite.tag in (None, *case.tags))

    def remembered(self, class_id: str | None) -> tuple[str, ...]:
        """The lines that are remembered for a class and for the teacher."""
        wanted = ("MEMORY.md", f"classes/{class_id}/MEMORY.md")
        return tuple(line for path in wanted for line in self.memory.get(path, ()))


def read_evals(folder: Path | None = None, *, labels: Path | None = None) -> Evals:
    """Read all files; those of `folder` instead of the shipped ones. Raises: BadInput, NotFound."""
    place = folder or shipped(FOLDER)
    suites = _read(place / "suites.toml", _Suites)
    memory = _read(place / "memory.toml", _Memory)
    return Evals(
        cases=_read(place / "cases.toml", _Cases).case,
        series=_read(place / "series.toml", _Series).series,
        configs={
            name: each.model_copy(update={"name": name}) for name, each in suites.config.items()
        },
        suites={
            name: each.model_copy(update={"name": name}) for name, each in suites.suite.items()
        },
        memory=memory.__pydantic_extra__ or {},
        rubric=_read(place / "rubric.toml", _Rubric).dimension,
        labels=_read(labels or place / "labels.toml", _Labels).label,
    )


def read_config(text: str, known: Mapping[str, Config]) -> Config:
    """A configuration as a command line names it: `no-skills`, or `mine:model=x,memory=no`.

    Raises: BadInput, NotFound.
    """
    name, colon, rest = text.partition(":")
    if not colon:
        return _named(known, name, "configuration")
    values: dict[str, object] = {}
    for part in filter(None, (each.strip() for each in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadInput(
                f"`{part}` says nothing", hint="Write it as `name:provider=openai,model=…`."
            )
        values[key.strip()] = value.strip()
    base = known.get(name)
    start = base.model_dump(exclude={"name"}) if base else {}
    try:
        return Config.model_validate({**start, **values, "name": name})
    except ValidationError as error:
        raise BadInput(f"Configuration `{name}`: {_first(error)}") from None


def _read(path: Path, shape: type[T]) -> T:
    try:
        return shape.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NotFound(f"There is no `{path}`", hint="Evaluations need it.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"`{path}` is not TOML: {error}") from None
    except ValidationError as error:
        raise BadInput(f"`{path}`: {_first(error)}") from None


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"


def _named(known: Mapping[str, T], name: str, what: str) -> T:
    if name not in known:
        raise NotFound(f"There is no {what} `{name}`", hint=f"There are: {', '.join(known)}.")
    return known[name]
