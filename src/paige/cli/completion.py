"""`paige completion`."""

import click
from click.shell_completion import get_completion_class

from paige.base.errors import BadInput


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
