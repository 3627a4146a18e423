"""`paige memory`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "add": ("paige.doors.memory.cli_changes:add", "Remember a text."),
    "import": ("paige.doors.memory.cli_changes:import_", "Take in memories of other programs."),
    "search": ("paige.doors.memory.cli_search:search", "Find memories, best first."),
    "show": ("paige.doors.memory.cli_search:show", "Show one memory and its history."),
    "profile": ("paige.doors.memory.cli_search:profile", "Show what is known about you."),
    "forget": ("paige.doors.memory.cli_changes:forget", "Forget memories for good."),
    "files": ("paige.doors.memory.cli_upkeep:files", "List or print memory documents."),
    "rebuild": ("paige.doors.memory.cli_upkeep:rebuild", "Make the index again from the log."),
    "verify": ("paige.doors.memory.cli_upkeep:verify", "Check the log, and the index against it."),
    "migrate": (
        "paige.doors.memory.cli_upkeep:migrate_",
        "Write the log anew in the newest schema.",
    ),
    "compact": ("paige.doors.memory.cli_upkeep:compact", "Organise: summarise, promote, learn."),
    "stats": (
        "paige.doors.memory.cli_upkeep:stats",
        "Say how much there is and whether it helps.",
    ),
    "policy": ("paige.doors.memory.cli_upkeep:policy", "Show how retrieval is steered, and why."),
    "export": ("paige.doors.memory.cli_upkeep:export_", "Write out what you may see."),
    "names": ("paige.doors.memory.cli_search:names", "Say whether a text names somebody."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def memory() -> None:
    """What Paige remembers: search it, add to it, correct it, forget."""
