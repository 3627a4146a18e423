"""`paige completion`, and what a shell offers at the Tab key.

Commands and options come from click. Names of courses, classes, guards and plugin commands are read
from folders, without importing the command they are for: a person who presses Tab waits for it.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

from paige.base.errors import BadInput, PaigeError
from paige.base.paths import SHIPPED, layers
from paige.base.settings import Settings, own_file
from paige.doors.frame.cli import command_settings

Names = Callable[[Settings], Iterable[str]]
GUARD_COMMANDS = ("guards", "replay", "shadow", "promote", "rollback")


def courses(settings: Settings) -> Iterator[str]:
    """Courses that come with Paige, and the person's own."""
    for folder in (SHIPPED / "courses", settings.teaching_dir / "courses"):
        yield from (path.name for path in _entries(folder) if path.is_dir())


def classes(settings: Settings) -> Iterator[str]:
    """Classes of the workspace; before its first use those it will be filled with."""
    folder = settings.workspace / "classes"
    places = folder if folder.is_dir() else SHIPPED / "workspace" / "classes"
    yield from (path.stem for path in _entries(places) if path.suffix == ".md")


def guards(settings: Settings) -> Iterator[str]:
    """Learned guards of this project and of the person."""
    # Only whoever asks for a guard waits for these.
    from paige.guard.fast.place import place_of  # noqa: PLC0415
    from paige.guard.guards.files import guard_files  # noqa: PLC0415

    place = place_of(str(settings.cwd), str(settings.data_dir))
    yield from (path.stem for _, path in guard_files(place))


def plugin_commands(settings: Settings) -> Iterator[str]:
    """Commands of plugins: ours, the person's, the project's."""
    own = own_file(settings.environ)
    for layer in layers(settings.project_dir or settings.cwd, own.parent if own else None):
        for plugin in _entries(layer / "plugins"):
            yield from (path.stem for path in _entries(plugin / "commands"))


BY_OPTION: dict[str, Names] = {"--course": courses, "--class": classes}
BY_COMMAND: dict[tuple[str, ...], Names] = {
    **{("guard", name): guards for name in GUARD_COMMANDS},
    ("plan",): plugin_commands,
}


def own_names(args: list[str]) -> Names | None:
    """What the word after these is the name of; nothing when click knows it."""
    if args and args[-1] in BY_OPTION:
        return BY_OPTION[args[-1]]
    return BY_COMMAND.get(tuple(args))


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _found(names: Names, incomplete: str) -> list[CompletionItem[str]]:
    try:
        listed = sorted(set(names(command_settings())))
    except (PaigeError, OSError):
        return []  # a shell is no place for complaints; the command itself has them
    return [CompletionItem(name) for name in listed if name.startswith(incomplete)]


class _OwnNames(ShellComplete):
    """Completion that knows names of things besides commands and options."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """What may stand in place of the unfinished word."""
        names = own_names(args)
        if names is None:
            return super().get_completions(args, incomplete)
        found = [] if incomplete.startswith("-") else _found(names, incomplete)
        if args[-1] in BY_OPTION:
            return found
        return [*found, *super().get_completions(args, incomplete)]


def complete_own_names() -> None:
    """Let click use these classes; called when a shell asks."""
    for shell in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(type(shell.__name__, (_OwnNames, shell), {}))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script: `paige completion bash >> ~/.bashrc`.

    zsh: `>> ~/.zshrc`, below `compinit`. fish: `> ~/.config/fish/completions/paige.fish`.
    """
    script = get_completion_class(shell)
    if script is None:
        raise BadInput(f"There is no completion for `{shell}`")
    root = ctx.find_root()
    click.echo(script(root.command, {}, "paige", "_PAIGE_COMPLETE").source())
