"""`paige install` and `paige uninstall`: put Paige into a coding CLI, and take it out again."""

import json
from pathlib import Path

import click

from paige.doors.frame.cli import command_settings
from paige.guard.compiler import compile_noting
from paige.guard.install.installer import (
    PARTS,
    InstallPlan,
    carry_out,
    plan_install,
    plan_uninstall,
)
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.install.targets import target_for, version_of
from paige.hooks.bundle import keep_bundle

_CLI = click.argument("cli", type=click.Choice(CLIS))
_PROJECT = click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Only for this project; without it for all of yours.",
)
_DRY = click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command()
@_CLI
@_PROJECT
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(PARTS),
    help="Leave a part out; may be given several times.",
)
@click.option("--cli-version", default="", metavar="V", help="Instead of asking the CLI itself.")
@_DRY
@_JSON
def install(
    cli: str,
    project: Path | None,
    without: tuple[str, ...],
    cli_version: str,
    *,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Guard a coding CLI: hooks, MCP entry, skills; agents and the coach where it has such."""
    settings = command_settings()
    version = cli_version or version_of(cli, settings.environ)
    target = target_for(settings, cli, project=project, without=without, version=version)
    planned = plan_install(target)
    notes = [*planned.notes, *_about_version(cli, version)]
    if not dry_run:
        carry_out(planned)
        keep_bundle()  # the first hook need not make it
        notes += compile_noting(target.project or target.home, target.data)
    _show(planned, notes, "installed", dry_run=dry_run, as_json=as_json)
    return 0


@click.command()
@_CLI
@_PROJECT
@_DRY
@_JSON
def uninstall(cli: str, project: Path | None, *, dry_run: bool, as_json: bool) -> int:
    """Take Paige out of a coding CLI; files nobody changed since are as they were."""
    planned = plan_uninstall(target_for(command_settings(), cli, project=project))
    if not dry_run:
        carry_out(planned)
    _show(planned, list(planned.notes), "uninstalled", dry_run=dry_run, as_json=as_json)
    return 0


def _about_version(cli: str, version: str) -> list[str]:
    if version:
        return []
    program = manifest(cli).program
    return [f"`{program}` was not found, so its version is unknown; see `paige doctor`."]


def _show(
    planned: InstallPlan, notes: list[str], done: str, *, dry_run: bool, as_json: bool
) -> None:
    target = planned.target
    if as_json:
        files = [
            {"path": str(each.path), "action": each.action, "diff": each.diff}
            for each in planned.changes
        ]
        made = {
            "cli": target.cli,
            "project": str(target.project) if target.project else None,
            "dry_run": dry_run,
            "files": files,
            "notes": notes,
        }
        click.echo(json.dumps(made, ensure_ascii=False))
        return
    changed = [each for each in planned.changes if each.action != "unchanged"]
    for each in changed:
        shown = each.diff or f"{each.path} (empty)"
        click.echo(shown if dry_run else f"{each.action}  {each.path}")
    where = f"in {target.project}" if target.project else "for all your projects"
    title = manifest(target.cli).title
    if dry_run:
        click.echo(f"Nothing was written. {len(changed)} files would change.")
    elif changed:
        click.echo(f"Paige is {done} {'from' if done == 'uninstalled' else 'for'} {title} {where}.")
    else:
        click.echo(f"Nothing to do: {title} {where} is as it should be.")
    for note in notes:
        click.echo(f"Note: {note}")
