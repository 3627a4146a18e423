"""`paige doctor`."""

import json
from dataclasses import asdict

import click

from paige.app.doctor import healthy, run_checks
from paige.base.checks import Check
from paige.cli.settings import command_settings

SIGNS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(*, as_json: bool) -> int:
    """Check what is set up; exit 1 when something needed is broken."""
    checks = run_checks(command_settings())
    ok = healthy(checks)
    if as_json:
        click.echo(json.dumps({"ok": ok, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            _print(check)
    return 0 if ok else 1


def _print(check: Check) -> None:
    click.echo(f"{SIGNS[check.status]}  {check.name}: {check.message}")
    if check.fix and check.status != "ok":
        click.echo(f"      {check.fix}")
