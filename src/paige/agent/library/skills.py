"""Skills in three tiers: a line in the prompt, SKILL.md on demand, then its reference files.

A skill's text may name others, `[skill:name]` or `[skill:name/file.md]`, and these are put in place
when it is read. Nothing that is wrong with them stops a run: a circle, a file that is missing, a
path that leads out of the folder become a short note in the text, and a problem in the result.
"""

import difflib
import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from paige.agent.library.definitions import SkillDefinition
from paige.agent.library.plugins import read_inside
from paige.agent.library.prompt import ManifestEntry, neutral
from paige.base.errors import BadInput, NotFound, PaigeError
from paige.language.front_matter import read_front_matter

MAX_REFERENCE_DEPTH = 5
MAX_CHARACTERS = 48_000
"""A little less than the longest result of a tool, so that nothing is cut off unseen."""
_MAX_PROBLEMS = 50
_REFERENCE = re.compile(r"\[skill:([^\[\]\n]{1,200})\]")


@dataclass(frozen=True, slots=True)
class SkillText:
    """What reading a skill gave: always a text, and what was wrong on the way."""

    text: str
    tier: Literal[2, 3]
    loaded: tuple[str, ...]  # every reference whose text is in it, in order
    problems: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the skill or file that was asked for could be read."""
        return bool(self.loaded)


def manifest(skills: Iterable[SkillDefinition]) -> tuple[ManifestEntry, ...]:
    """Tier 1: the skills as the system prompt lists them."""
    return tuple(ManifestEntry(skill.name, skill.description) for skill in skills)


def read_skill(
    skills: Mapping[str, SkillDefinition],
    reference: str,
    *,
    max_reference_depth: int = MAX_REFERENCE_DEPTH,
    max_characters: int = MAX_CHARACTERS,
) -> SkillText:
    """Tier 2 (`name`) or 3 (`name/file.md`), with what the text refers to put in place.

    The files are read now, so that a change on disk is seen. This never raises.
    """
    asked = _asked(reference)
    reading = _SkillCall(skills, max_reference_depth, max_characters)
    text = reading.expanded(asked, ())
    return SkillText(text, tier_of(asked), tuple(reading.loaded), tuple(reading.problems))


def tier_of(reference: str) -> Literal[2, 3]:
    """3 for a file of a skill, 2 for the skill itself however it is written."""
    return 3 if "/" in _asked(reference) else 2


@dataclass(slots=True)
class _SkillCall:
    """One call of `read_skill`: what is loaded so far, and how much room is left."""

    skills: Mapping[str, SkillDefinition]
    depth: int
    room: int
    loaded: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def expanded(self, key: str, above: tuple[str, ...]) -> str:
        """The text of a reference that stands inside those `above`, or a note in its place."""
        if key in above:
            return self.note(key, f"it refers to itself ({' → '.join((*above, key))})")
        if key in self.loaded:
            return f"[{key}: see above]"
        if len(above) > self.depth:
            return self.note(key, f"references are followed {self.depth} deep and not further")
        try:
            text = neutral(self.read(key))
        except PaigeError as error:
            return self.note(key, error.message)
        if above and len(text) > self.room:
            return self.note(key, "there is no room for it here; read it by itself")
        self.loaded.append(key)
        end = ""
        if len(text) > self.room:
            text = text[: self.room]
            end = "\n" + self.note(key, "it is too long and ends here")
        self.room -= len(text)
        inside = _REFERENCE.sub(lambda found: self.replaced(found, (*above, key)), text) + end
        return f'<skill name="{html.escape(key)}">\n{inside}\n</skill>' if above else inside

    def replaced(self, found: re.Match[str], above: tuple[str, ...]) -> str:
        # A text of nothing but bad references must not grow into a far longer text of notes.
        if len(self.problems) >= _MAX_PROBLEMS:
            return found[0]
        return self.expanded(_key(found[1]), above)

    def read(self, key: str) -> str:
        """The text of a skill or of one of its files, as it is on disk now."""
        name, _, path = key.partition("/")
        skill = self.skills.get(name)
        if skill is None:
            raise NotFound(f"there is no such skill{_instead(name, self.skills)}")
        try:
            text = read_inside(skill.folder, path or "SKILL.md")
            return text if path else read_front_matter(text, f"{skill.folder}/SKILL.md").body
        except NotFound as error:
            known = [f"{name}/{file}" for file in skill.files]
            raise NotFound(f"there is no such file{_instead(key, known)}") from error
        except PaigeError as error:
            # Where the folder lies is nobody's business but the person's who put it there.
            message = error.message.replace(f"{skill.folder}/", "").replace(str(skill.folder), name)
            raise BadInput(message) from error

    def note(self, key: str, why: str) -> str:
        """Record a problem and say it in place."""
        self.problems.append(f"`{key}`: {why}")
        return f"[{key}: {why}]"


def _asked(reference: str) -> str:
    return _key(reference.strip().removeprefix("[skill:").removesuffix("]"))


def _key(reference: str) -> str:
    """One spelling for one file, so that a circle is seen."""
    path = PurePosixPath(reference.strip().removesuffix("/SKILL.md"))
    return path.as_posix()


def _instead(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    listed = ", ".join(f"`{item}`" for item in names[:20])
    return f"; there are {listed}" if listed else ""
