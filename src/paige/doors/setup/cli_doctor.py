"""`paige doctor`."""

import json
import sys
from collections.abc import Callable, Mapping

import click

from paige.base.checks import Check
from paige.base.errors import BadInput
from paige.doors.frame.cli import command_settings
from paige.doors.setup.doctor import RepairReport, examine, healthy, mend

SIGNS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--fix", is_flag=True, help="Repair what Paige can repair; asks before each.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask.")
def doctor(*, as_json: bool, fix: bool, yes: bool) -> int:
    """Check what is set up; exit 1 when something needed is broken."""
    if yes and not fix:
        raise BadInput("`--yes` says yes to repairs, and there are none", hint="Add `--fix`.")
    if fix and as_json and not yes:
        raise BadInput("`--json` cannot ask", hint="Add `--yes`.")
    settings = command_settings()
    if fix:
        done = mend(settings, (lambda _: True) if yes else _ask())
    else:
        done = RepairReport(examine(settings), frozenset(), {})
    if as_json:
        click.echo(json.dumps(_report(done, fix=fix), ensure_ascii=False))
    else:
        for check in done.checks:
            _print(check, done)
        _count(done, fix=fix)
    return 0 if healthy(done.checks) else 1


def _ask() -> Callable[[Check], bool]:
    """Ask once for each repair."""
    answers: dict[str, bool] = {}

    def wanted(check: Check) -> bool:
        says = check.repair.says if check.repair else ""
        if says not in answers:
            try:
                answers[says] = click.confirm(f"{says}?", default=True, err=True)
            except click.Abort:
                if sys.stdin.isatty():
                    raise
                raise BadInput("Nobody answers here", hint="Add `--yes`.") from None
        return answers[says]

    return wanted


def _report(done: RepairReport, *, fix: bool) -> Mapping[str, object]:
    checks = [
        {
            "name": check.name,
            "status": check.status,
            "message": check.message,
            "fix": check.fix,
            "fixable": check.fixable,
            **({"fixed": check.name in done.fixed} if fix else {}),
        }
        for check in done.checks
    ]
    return {
        "ok": healthy(done.checks),
        "checks": checks,
        **({"fixed": sorted(done.fixed), "not_fixed": done.failures} if fix else {}),
    }


def _print(check: Check, done: RepairReport) -> None:
    sign = "done" if check.name in done.fixed and check.status == "ok" else SIGNS[check.status]
    click.echo(f"{sign}  {check.name}: {check.message}")
    if check.fix and check.status != "ok":
        click.echo(f"      {check.fix}")
    if why := done.failures.get(check.name):
        click.echo(f"      It could not be repaired: {why}")


def _count(done: RepairReport, *, fix: bool) -> None:
    fixable = sum(check.fixable and check.status != "ok" for check in done.checks)
    if fix:
        gone = done.fixed - {check.name for check in done.checks}
        for name in sorted(gone):
            click.echo(f"done  {name}")
    elif fixable:
        click.echo("`paige doctor --fix` can repair what is wrong above.", err=True)
