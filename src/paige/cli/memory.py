"""`paige memory`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "add": ("paige.cli.memory_writing:add", "Remember a text."),
    "import": ("paige.cli.memory_writing:import_", "Take in memories of other programs."),
    "search": ("paige.cli.memory_finding:search", "Find memories, best first."),
    "show": ("paige.cli.memory_finding:show", "Show one memory and its history."),
    "profile": ("paige.cli.memory_finding:profile", "Show what is known about you."),
    "forget": ("paige.cli.memory_writing:forget", "Forget memories for good."),
    "files": ("paige.cli.memory_keeping:files", "List or print memory documents."),
    "rebuild": ("paige.cli.memory_keeping:rebuild", "Make the index again from the log."),
    "verify": ("paige.cli.memory_keeping:verify", "Check the log, and the index against it."),
    "migrate": ("paige.cli.memory_keeping:migrate_", "Write the log anew in the newest schema."),
    "compact": ("paige.cli.memory_keeping:compact", "Organise: summarise, promote, learn."),
    "stats": ("paige.cli.memory_keeping:stats", "Say how much there is and whether it helps."),
    "policy": ("paige.cli.memory_keeping:policy", "Show how retrieval is steered, and why."),
    "export": ("paige.cli.memory_keeping:export_", "Write out what you may see."),
    "names": ("paige.cli.memory_finding:names", "Say whether a text names somebody."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def memory() -> None:
    """What Paige remembers: search it, add to it, correct it, forget."""
