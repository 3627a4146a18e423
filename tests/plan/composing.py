"""What tests of the composer share: the sample workspace, and engines that work in it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from paige.agent.memories import MemoryAccess
from paige.base.actor import Actor
from paige.base.paths import shipped
from paige.models.local import Registry
from paige.models.messages import Message, Text, user_message
from paige.models.requests import Request
from paige.plan.lessons.lesson import Lesson
from paige.plan.lessons.parser import parse
from paige.plan.lessons.sections import sections
from paige.plan.local.brief import Sources
from paige.plan.local.engines import PLUGIN, register
from paige.plan.services import SECTION, SectionTexts, SectionWish
from paige.store.documents import DirectoryDocuments
from tests.conftest import NOON

ME = Actor()


class Composer:
    """The engines over a copy of the sample workspace, as a run would ask them."""

    def __init__(self, folder: Path, memory: MemoryAccess | None = None) -> None:
        workspace = folder / "sample"
        if not workspace.exists():
            shutil.copytree(shipped("workspace"), workspace)
        self.documents = DirectoryDocuments(workspace)
        self.sources = Sources(self.documents, memory, ME)
        self.registry = Registry()
        register(self.registry, self.documents, memory, ME, lambda: NOON)

    def say(self, command: str, *said: str, before: tuple[str, ...] = ()) -> str:
        """The answer to a conversation: what was answered before, then what the teacher says."""
        messages: list[Message] = []
        for answer in before:
            messages += [user_message("Earlier"), Message("assistant", (Text(answer),))]
        messages.append(user_message("\n\n".join(said)))
        answer = self.registry.run(Request(purpose=f"{PLUGIN}:{command}", messages=tuple(messages)))
        assert isinstance(answer, str)
        return answer

    def lesson(self, request: str) -> Lesson:
        """The lesson on a request."""
        return lesson_in(self.say("create-lesson", request))

    def section(
        self, markdown: str, id: str, wish: str = "", alternatives: int = 0
    ) -> tuple[str, ...]:
        """One section of a lesson written anew."""
        part = next(each for each in sections(markdown) if each.id == id)
        answer = self.registry.run(
            Request(
                purpose=SECTION,
                messages=(),
                inputs=SectionWish(
                    markdown=markdown,
                    section=id,
                    title=part.title,
                    text=part.text,
                    wish=wish,
                    alternatives=alternatives,
                    class_id="3B",
                ),
            )
        )
        assert isinstance(answer, SectionTexts)
        return answer.texts


def lesson_in(markdown: str) -> Lesson:
    """The lesson in a markdown text, or a failed test."""
    found = parse(markdown)
    assert isinstance(found, Lesson), str(found)
    return found


def code_blocks(text: str, language: str) -> Iterator[str]:
    """The programs in a text."""
    for part in text.split(f"```{language}\n")[1:]:
        yield part.split("\n```", 1)[0]
