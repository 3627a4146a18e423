"""`paige plan`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "answers": (
        "paige.doors.plan.cli_class:answers",
        "Take in, look at and keep a class's answers.",
    ),
    "check-evidence": (
        "paige.doors.plan.cli_lesson:check_evidence",
        "Check the curriculum claims of a lesson.",
    ),
    "curriculum": (
        "paige.doors.plan.cli_curriculum:curriculum",
        "List and import curriculum files.",
    ),
    "export": ("paige.doors.plan.cli_lesson:export", "Give out a lesson in another form."),
    "handout": ("paige.doors.plan.cli_class:handout", "Hand a worksheet out to a class."),
    "handouts": ("paige.doors.plan.cli_class:handouts", "List what was handed out, newest first."),
    "list": ("paige.doors.plan.cli_lists:list_", "List the commands of all plugins."),
    "misconceptions": (
        "paige.doors.plan.cli_class:misconceptions",
        "Show what a class gets wrong, and never who.",
    ),
    "repl": ("paige.doors.plan.cli_commands:repl", "Talk with the agent of a command."),
    "research": (
        "paige.doors.plan.cli_folders:research",
        "Give out what happened as research data.",
    ),
    "resume": ("paige.doors.plan.cli_commands:resume_", "Go on with a session or a run."),
    "sessions": ("paige.doors.plan.cli_lists:sessions", "List recent sessions, newest first."),
    "trace": (
        "paige.doors.plan.cli_lists:trace",
        "Show what a run, or every run of a session, did.",
    ),
    "workspace": (
        "paige.doors.plan.cli_folders:workspace",
        "Copy a workspace to and from a folder.",
    ),
}


class PlanGroup(LazyGroup):
    """A group where a name that is none of its own is a command of a plugin."""

    stand_ins = ("COMMAND",)
    """What the reference shows for the commands that plugins bring."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of our own, or one that is looked up among the plugins when it runs."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        from paige.doors.plan.cli_commands import plugin_command  # noqa: PLC0415 - as the others

        return plugin_command(cmd_name, besides=list(self.table))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Every name means something here: plugins are not asked before it runs."""
        return click.Group.resolve_command(self, ctx, args)


@click.group(cls=PlanGroup, table=COMMANDS, subcommand_metavar="COMMAND [INPUT] [OPTIONS]...")
def plan() -> None:
    """Run a command of a plugin on your workspace: `paige plan COMMAND "what to do"`.

    `paige plan list` shows the commands that plugins bring; `PLUGIN:COMMAND` names one exactly.
    Besides, there are:
    """
