"""Runs a page: every command in its order, in one shell, and compares what the page shows."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.docs.clicks import Click
from tests.docs.pages import Page
from tests.docs.reader import Reader, make_repository, new_reader
from tests.docs.recipes import SECONDS, PageRecipe, Recipe, recipe_of
from tests.docs.session import Outcome, Session, Staying, TooSlow, open_session
from tests.docs.shown import missing
from tests.docs.steps import Keep, Run, steps_of, words_of
from tests.docs.supplies import SUPPLIES
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import served_model, spoken
from tests.fakes.wire_bodies import ANTHROPIC

SERVER = "paige up"
READY = "Press Ctrl+C to stop"
# What pages may start without a word in `commands.toml`; everything stays below the reader's home.
PROGRAMS = {
    "cat", "cd", "chmod", "claude", "cp", "curl", "echo", "export", "git", "ls", "make", "mkdir",
    "npx", "paige", "printf", "python", "python3", "tee", "tr",
}  # fmt: skip
ELSEWHERE = ("/etc", "/opt", "/usr", "/var", "/root", "/home")
_PORT = re.compile(r"(?<=127\.0\.0\.1:)(?:3000|3001)\b|(?<=PORT=)3001\b")
_DATABASE = re.compile(r"postgresql://[^\s\"']+")
_REPOSITORY = re.compile(r"<(?:this|the) repository>")


@dataclass(slots=True)
class Reading:
    """A page that is being read."""

    page: Page
    recipe: PageRecipe
    reader: Reader
    session: Session
    new_database: Callable[[], str] = str
    click: Callable[[str, Click], None] | None = None
    databases: dict[str, str] = field(default_factory=dict)
    outputs: list[tuple[str, Outcome | Staying]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def all_steps(self) -> list[str]:
        """Do everything the page says; what was not as it says."""
        for step in steps_of(self.page):
            match step:
                case Run():
                    self._try(step)
                case Click():
                    assert self.click is not None, "a page with clicks needs a browser"
                    self.click(f"http://127.0.0.1:{self.reader.ports['3000']}", step)
                case Keep(block, text) if block in self.recipe.keeps:
                    self._keep(self.recipe.keeps[block], text)
                case Keep(block, text) if block in self.recipe.shows:
                    self._compare(text, self.recipe.shows[block], f"{block} of the page")
        return self.complaints

    def _try(self, step: Run) -> None:
        try:
            self._run(step)
        except TooSlow as error:
            self.complaints.append(f"{self.page.name}:{step.line}: {error}")

    def _run(self, step: Run) -> None:
        recipe = self.recipe.of(step.command)
        if recipe.before:
            self.prepare(recipe.before)
        if recipe.alone:
            for program in list(self.session.staying):
                self.session.stop(program)
        if recipe.server:
            self.session.stay(SERVER, READY, SECONDS)
        if not recipe.instead and (why := unsafe(step.command)):
            self.complaints.append(f"{self.page.name}:{step.line}: {why}; say `instead` and `why`")
            return
        command = self.ready_to_type(f"{recipe.instead or step.command} {recipe.more}".strip())
        where = f"{self.page.name}:{step.line}: `{command}`"
        if recipe.ready:
            started = self.session.stay(command, recipe.ready, recipe.seconds)
            self.outputs.append((step.command, started))
        else:
            done = self._done(command, recipe)
            self.outputs.append((step.command, done))
            if done.code != recipe.exit:
                expected = f"ended with {done.code}, not {recipe.exit}"
                self.complaints.append(f"{where} {expected}:\n{done.output[-2000:]}")
        if step.shown and not recipe.example:
            self._compare(step.shown, step.command, where)

    def _done(self, command: str, recipe: Recipe) -> Outcome:
        if recipe.talk:
            return self.session.talk(command, recipe.talk)
        return self.session.run(command, typed=recipe.typed, seconds=recipe.seconds)

    def prepare(self, command: str) -> None:
        """Do what a reader has done before."""
        done = self.session.run(self.ready_to_type(command), seconds=SECONDS)
        assert done.code == 0, f"{self.page.name}: {command}\n{done.output}"

    def _keep(self, name: str, text: str) -> None:
        """Save a block as the file that the page says it is."""
        path = self.reader.scratch / "block"
        path.write_text(f"{self.ready_to_type(text)}\n", encoding="utf-8")
        self.prepare(f'mkdir -p "$(dirname "{name}")" && cp "{path}" "{name}"')

    def _compare(self, shown: str, command: str, where: str) -> None:
        outputs = [came for typed, came in self.outputs if typed.startswith(command)]
        assert outputs, f"{where}: `{command}` has not run yet"
        came = outputs[-1]
        if isinstance(came, Staying) and came in self.session.staying and "Stopping" in shown:
            self.session.stop(came)
        lost = missing(shown, came.output)
        if lost:
            lines = "\n".join(lost)
            self.complaints.append(f"{where}: not shown:\n{lines}\n--- but:\n{came.output[-3000:]}")

    def ready_to_type(self, command: str) -> str:
        """A command with everything in it that a reader would have put there."""
        for name, value in self.recipe.stand_ins.items():
            command = command.replace(name, value)
        command = _REPOSITORY.sub(str(self.reader.scratch / "repository"), command)
        if self.recipe.postgres:
            command = _DATABASE.sub(lambda found: self._database(found[0]), command)
        return _PORT.sub(lambda found: self.reader.ports[found[0]], command)

    def _database(self, shown: str) -> str:
        """A database of the test for each that the page names."""
        if shown not in self.databases:
            self.databases[shown] = self.new_database()
        return self.databases[shown]


def unsafe(command: str) -> str:
    """Why a command may not be run on the machine of who runs the tests; nothing when it may."""
    for words in words_of(command):
        program = words[0].rpartition("/")[2]
        if program not in PROGRAMS:
            return f"`{program}` is none of the programs that a test may start"
        if found := next((word for word in words if word.startswith(ELSEWHERE)), None):
            return f"`{found}` belongs to the machine"
    return ""


def read_page_aloud(page: Page, home: Path, new_database: Callable[[], str] = str) -> list[str]:
    """Run a page in an empty home; everything that was not as the page says."""
    with reading(page, home, new_database) as opened:
        return opened.all_steps()


def _answer(text: str, request: Recorded) -> Reply:
    """A model that looks at a file first, where it may, and then says its text."""
    tools = {tool["name"] for tool in request.body.get("tools", ())}
    if "read_file" in tools and b"tool_result" not in request.raw:
        given = {"path": "plan.md"}
        if request.body.get("stream"):
            return ANTHROPIC.tool_stream("toolu_1", "read_file", json.dumps(given))
        return ANTHROPIC.tool_call("toolu_1", "read_file", given)
    return spoken(request, text)


@contextmanager
def reading(page: Page, home: Path, new_database: Callable[[], str] = str) -> Iterator[Reading]:
    """Open a page in an empty home, with the programs that its recipe names."""
    recipe, reader = recipe_of(page.name), new_reader(home)
    if _REPOSITORY.search(page.text):
        make_repository(reader.scratch / "repository", home)
    for name in recipe.supplies:
        SUPPLIES[name](reader)
    with ExitStack() as stack:
        variables = {**reader.variables(recipe.programs), **recipe.environment}
        if recipe.model:
            model = stack.enter_context(served_model())
            model.answers_with(partial(_answer, recipe.model))
            variables |= model.variables
        folder = reader.place(recipe.place)
        session = stack.enter_context(open_session(folder, reader.scratch, variables))
        opened = Reading(page, recipe, reader, session, new_database)
        if recipe.before:
            opened.prepare(recipe.before)
        if recipe.server:
            session.stay(SERVER, READY, SECONDS)
        yield opened
