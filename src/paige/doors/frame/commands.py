"""Commands that are imported when they are used: `--help` needs only their names."""

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Table = Mapping[str, tuple[str, str]]
"""By name: module and attribute, and what `--help` says."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is run."""

    def __init__(self, *args: Any, table: Table, **options: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(*args, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name][0].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The commands by name, without importing one, and the options of the group."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only for a shell

        commands = [
            CompletionItem(name, help=sentence)
            for name, (_, sentence) in self.table.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in self.table.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the closest command when there is none of that name."""
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            import difflib  # noqa: PLC0415 - only for a mistyped command

            close = difflib.get_close_matches(name, self.table, n=1)
            hint = (
                f" Did you mean `{close[0]}`?"
                if close
                else f" `{ctx.command_path} --help` lists them."
            )
            ctx.fail(f"There is no command `{name}`.{hint}")
        return super().resolve_command(ctx, args)
