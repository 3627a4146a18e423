"""What people write in markdown: agents, commands, skills and plugins, read from front matter.

A definition is a value; reading one touches no disk. Keys that only
Claude Code knows are kept in `metadata`, because the same files must work there;
any other key is a question back to the author, with file and line.
"""

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar

from paige.base.errors import BadInput
from paige.language.front_matter import Value, read_front_matter

T = TypeVar("T")

# Claude Code reads the same files: these keys of its own are allowed in each of them.
SHARED_KEYS = (
    "name",
    "description",
    "allowed-tools",
    "argument-hint",
    "license",
    "metadata",
    "color",
)
MOST_MONEY = 10_000
SCHEMA_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Keys:
    """The front matter of one file, read key by key."""

    def __init__(self, text: str, file: str, own: tuple[str, ...]) -> None:
        """Raises: BadInput for a key that is neither `own` nor shared."""
        self._front = read_front_matter(text, file)
        self._own = own
        known = (*own, *SHARED_KEYS)
        for key in self._front.values:
            if key not in known:
                close = difflib.get_close_matches(key, known, n=1)
                hint = f"Did you mean `{close[0]}`?" if close else "Remove it."
                raise self._fail(key, f"the key `{key}` is not known here", hint)

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return self._front.body

    @property
    def lines(self) -> Mapping[str, int]:
        """Where each key stands."""
        return self._front.lines

    def metadata(self) -> dict[str, Value]:
        """What the file says in keys that Paige does not use."""
        used = (*self._own, "name", "description")
        return {key: value for key, value in self._front.values.items() if key not in used}

    def name(self, expected: str) -> str:
        """The name a definition has by its place; a `name` key may only repeat it."""
        given = self.text("name", default=expected)
        if given != expected:
            raise self._fail("name", f"`name` is `{given}`", f"By its place it is `{expected}`.")
        if not _NAME.fullmatch(expected):
            hint = "Use letters, digits, `-` and `_`, at most 64."
            raise self._fail("name", f"`{expected}` cannot be a name", hint)
        return expected

    def text(self, key: str, *, default: str = "") -> str:
        """A text on one or several lines."""
        value = self._front.values.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self._wrong(key, f'Put it in quotes: `{key}: "{value}"`.')
        return value.strip()

    def required(self, key: str) -> str:
        """A text that must be there."""
        value = self.text(key)
        if not value:
            raise self._fail(key, f"`{key}` is missing", f"Add a line `{key}: …`.")
        return value

    def choice(self, key: str, choices: tuple[T, ...], *, default: T | None = None) -> T:
        """One of the words of `choices`; required when there is no default."""
        value = self.required(key) if default is None else self.text(key, default=str(default))
        for choice in choices:
            if choice == value:
                return choice
        listed = ", ".join(f"`{choice}`" for choice in choices)
        raise self._wrong(key, f"Choose one of {listed}.")

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self._front.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._wrong(key, "Write `true` or `false`.")
        return value

    def number(self, key: str, *, default: int | None = None, most: int) -> int:
        """A whole number from 1 to `most`; required when there is no default."""
        value = self._front.values.get(key)
        if value is None:
            value = default
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise self._wrong(key, f"Write a whole number from 1 to {most}.")
        return value

    def amount(self, key: str) -> float | None:
        """A sum of money above zero, or nothing."""
        value = self._front.values.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and value is not True and 0 < value <= MOST_MONEY:
            return float(value)
        raise self._wrong(key, f"Write a number above 0 and at most {MOST_MONEY}.")

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, each once."""
        value = self._front.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self._wrong(key, f"Write a list: `{key}: [one, two]`.")
        words: list[str] = []
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self._fail(key, f"`{key}` holds `{item}`, which is no text", "Quote it.")
            if item in words:
                raise self._fail(key, f"`{key}` names `{item}` twice", "Remove one of them.")
            words.append(item)
        return tuple(words)

    def paths(self, key: str) -> tuple[str, ...]:
        """A list of paths that stay inside the folder they are used in."""
        return tuple(self._inside(key, path) for path in self.words(key))

    def path(self, key: str) -> str | None:
        """A path that stays inside the folder it is used in, or nothing."""
        given = self.text(key)
        return self._inside(key, given) if given else None

    def schema(self, key: str) -> dict[str, Value] | None:
        """A JSON Schema object, or nothing."""
        value = self._front.values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._wrong(key, "Write a JSON Schema: an object that begins with `type`.")
        kinds = value.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if not kinds or any(kind not in SCHEMA_TYPES for kind in kinds):
            listed = ", ".join(f"`{kind}`" for kind in SCHEMA_TYPES)
            raise self._fail(key, f"`{key}` has no valid `type`", f"Choose one of {listed}.")
        return value

    def _inside(self, key: str, path: str) -> str:
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or "\\" in path or "\0" in path:
            hint = "Write it relative to the workspace, with `/`, without `..`."
            raise self._fail(key, f"`{key}` names `{path}`, which leads out", hint)
        return path

    def _wrong(self, key: str, hint: str) -> BadInput:
        return self._fail(key, f"`{key}` is `{self._front.values.get(key)}`", hint)

    def _fail(self, key: str, message: str, hint: str) -> BadInput:
        return BadInput(f"{self._front.place(key)}: {message}", hint=hint)


Provider = Literal["anthropic", "openai", "openai-compatible", "local"]
Mode = Literal["single", "interactive"]

PROVIDERS: tuple[Provider, ...] = ("anthropic", "openai", "openai-compatible", "local")
MODES: tuple[Mode, ...] = ("single", "interactive")
MAX_TURNS = 1000
_AGENT_KEYS = (
    "model",
    "provider",
    "workspace",
    "skills",
    "tools",
    "hooks",
    "memory",
    "handoffs",
    "outputSchema",
    "maxTurns",
    "maxBudgetUsd",
)


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent: which model it asks, what it may use, and its instructions."""

    name: str
    model: str
    provider: Provider
    body: str
    file: str
    digest: str
    description: str = ""
    workspace: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # empty: every built-in tool but bash
    hooks: tuple[str, ...] = ()
    memory: bool = True
    handoffs: tuple[str, ...] = ()
    output_schema: dict[str, Value] | None = None
    max_turns: int = 25
    max_budget_usd: float | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


@dataclass(frozen=True, slots=True)
class CommandDefinition:
    """A command: which agent carries it out, and the framing of its task."""

    name: str
    agent: str
    description: str
    body: str
    file: str
    digest: str
    mode: Mode = "single"
    writes: str | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


@dataclass(frozen=True, slots=True)
class SkillDefinition:
    """A skill: a folder with SKILL.md and reference files, which are read when asked for."""

    name: str
    description: str
    body: str
    folder: Path
    digest: str
    files: tuple[str, ...] = ()
    metadata: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plugin:
    """A folder of agents, commands and skills."""

    name: str
    version: str
    description: str
    body: str
    folder: Path
    agents: Mapping[str, AgentDefinition] = field(default_factory=dict)
    commands: Mapping[str, CommandDefinition] = field(default_factory=dict)
    skills: Mapping[str, SkillDefinition] = field(default_factory=dict)


def read_agent(text: str, file: str) -> AgentDefinition:
    """Read an agent; its name is the file's. Raises: BadInput with file and line."""
    keys = Keys(text, file, _AGENT_KEYS)
    return AgentDefinition(
        name=keys.name(Path(file).stem),
        model=keys.required("model"),
        provider=keys.choice("provider", PROVIDERS),
        body=keys.body,
        file=file,
        digest=_digest(text),
        description=keys.text("description"),
        workspace=keys.paths("workspace"),
        skills=keys.words("skills"),
        tools=keys.words("tools"),
        hooks=keys.words("hooks"),
        memory=keys.flag("memory", default=True),
        handoffs=keys.words("handoffs"),
        output_schema=keys.schema("outputSchema"),
        max_turns=keys.number("maxTurns", default=25, most=MAX_TURNS),
        max_budget_usd=keys.amount("maxBudgetUsd"),
        metadata=keys.metadata(),
        lines=keys.lines,
    )


def read_command(text: str, file: str) -> CommandDefinition:
    """Read a command; its name is the file's. Raises: BadInput with file and line."""
    keys = Keys(text, file, ("agent", "mode", "writes"))
    return CommandDefinition(
        name=keys.name(Path(file).stem),
        agent=keys.required("agent"),
        description=keys.required("description"),
        body=keys.body,
        file=file,
        digest=_digest(text),
        mode=keys.choice("mode", MODES, default="single"),
        writes=keys.path("writes"),
        metadata=keys.metadata(),
        lines=keys.lines,
    )


def read_skill_file(text: str, folder: Path, files: tuple[str, ...] = ()) -> SkillDefinition:
    """Read a SKILL.md; its name is the folder's. Raises: BadInput with file and line."""
    keys = Keys(text, str(folder / "SKILL.md"), ())
    return SkillDefinition(
        name=keys.name(folder.name),
        description=keys.required("description"),
        body=keys.body,
        folder=folder,
        digest=_digest(text),
        files=files,
        metadata=keys.metadata(),
    )


def read_plugin_file(text: str, folder: Path) -> Plugin:
    """Read a PLUGIN.md; what the plugin adds is in its folder. Raises: BadInput."""
    keys = Keys(text, str(folder / "PLUGIN.md"), ("version",))
    return Plugin(
        name=keys.name(keys.required("name")),
        version=keys.required("version"),
        description=keys.required("description"),
        body=keys.body,
        folder=folder,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
