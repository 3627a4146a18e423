"""What a run may ask a person, and the answers; any door can show them.

A run that asks ends there. The interaction is stored, shown by whichever door the person opens, and
the answer starts a new segment of the run.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from paige.base.errors import BadInput


@dataclass(frozen=True, slots=True)
class Option:
    """One of several answers; `wants_text` asks for words with it."""

    id: str
    label: str
    wants_text: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of something that is judged part by part."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions to be answered in words; an empty answer is an answer."""

    title: str
    questions: tuple[str, ...]
    text: str = ""
    kind: Literal["questions"] = "questions"


@dataclass(frozen=True, slots=True)
class Choices:
    """One of several options."""

    title: str
    options: tuple[Option, ...]
    text: str = ""
    kind: Literal["choices"] = "choices"


@dataclass(frozen=True, slots=True)
class FreeText:
    """A text to write or change."""

    title: str
    initial: str = ""
    text: str = ""
    kind: Literal["free_text"] = "free_text"


@dataclass(frozen=True, slots=True)
class Sections:
    """A decision for every section."""

    title: str
    sections: tuple[Section, ...]
    options: tuple[Option, ...]
    text: str = ""
    kind: Literal["sections"] = "sections"


Interaction = Questions | Choices | FreeText | Sections


@dataclass(frozen=True, slots=True)
class PickedOption:
    """An option, with the words it asked for."""

    option: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: `picked` by section id (`""` for a single choice), `texts` for what was written.

    `auto` marks an answer nobody gave: the first option, taken because a person said yes to all.
    """

    picked: dict[str, PickedOption] = Field(default_factory=dict)
    texts: tuple[str, ...] = ()
    auto: bool = False

    @property
    def option(self) -> str:
        """The option of a single choice."""
        return self.picked[""].option

    @property
    def text(self) -> str:
        """The words of a single choice or a free text."""
        return self.picked[""].text if "" in self.picked else "".join(self.texts[:1])


_INTERACTION = TypeAdapter[Interaction](Annotated[Interaction, Field(discriminator="kind")])
_REPLY = TypeAdapter(Reply)


def dump_interaction(interaction: Interaction) -> dict[str, object]:
    """An interaction as JSON."""
    return _INTERACTION.dump_python(interaction, mode="json")


def load_interaction(data: object) -> Interaction:
    """An interaction from JSON."""
    return _INTERACTION.validate_python(data)


def dump_reply(reply: Reply) -> dict[str, object]:
    """A reply as JSON."""
    return _REPLY.dump_python(reply, mode="json")


def load_reply(data: object) -> Reply:
    """A reply from JSON. Raises: BadInput when it is not one."""
    try:
        return _REPLY.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the answer"
        raise BadInput(f"`{where}` cannot be used as an answer: {first['msg']}") from error


def picked(option: str, text: str = "") -> Reply:
    """The reply to a single choice."""
    return Reply(picked={"": PickedOption(option, text)})


def check_reply(interaction: Interaction, reply: Reply) -> None:
    """Refuse a reply that does not fit its interaction. Raises: BadInput."""
    match interaction:
        case Questions(questions=questions):
            if len(reply.texts) != len(questions):
                raise BadInput(
                    f"{len(questions)} answers are asked for, {len(reply.texts)} were given"
                )
        case FreeText():
            if len(reply.texts) != 1:
                raise BadInput("One text is asked for")
        case Choices(options=options):
            _check_picked({"": "the question"}, options, reply)
        case Sections(sections=sections, options=options):
            _check_picked({section.id: section.title for section in sections}, options, reply)


def automatic_reply(interaction: Interaction) -> Reply:
    """What `--yes` answers: the first option, nothing written."""
    match interaction:
        case Questions(questions=questions):
            return Reply(texts=("",) * len(questions), auto=True)
        case FreeText(initial=initial):
            return Reply(texts=(initial,), auto=True)
        case Choices(options=options):
            return Reply(picked={"": PickedOption(options[0].id)}, auto=True)
        case Sections(sections=sections, options=options):
            return Reply(picked={s.id: PickedOption(options[0].id) for s in sections}, auto=True)


def _check_picked(wanted: dict[str, str], options: tuple[Option, ...], reply: Reply) -> None:
    known = {option.id: option for option in options}
    for key, name in wanted.items():
        if key not in reply.picked:
            raise BadInput(f"`{name}` has no decision")
        choice = reply.picked[key]
        if choice.option not in known:
            raise BadInput(
                f"`{choice.option}` is not an option for `{name}`",
                hint=f"Choose one of {', '.join(f'`{option}`' for option in known)}.",
            )
        if known[choice.option].wants_text and not choice.text.strip() and not reply.auto:
            raise BadInput(f"`{choice.option}` for `{name}` needs some words")
    extra = set(reply.picked) - set(wanted)
    if extra:
        raise BadInput(f"Nothing was asked about `{sorted(extra)[0]}`")
