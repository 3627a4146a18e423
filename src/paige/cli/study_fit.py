"""`paige study fit`: a forgetting curve of one's own."""

import json
from typing import TYPE_CHECKING, Any

import click

from paige.cli.console import process_console
from paige.cli.settings import command_settings
from paige.cli.study_session_options import JSON, LEARNER

if TYPE_CHECKING:
    from paige.study.own_curve import Fitted


@click.command()
@LEARNER
@click.option("--reset", is_flag=True, help="Go back to the usual curve.")
@JSON
def fit(learner: str | None, *, reset: bool, as_json: bool) -> None:
    """Fit the forgetting curve to what you remembered, if that predicts better."""
    # The optimiser is native code, which `--help` does without.
    from paige.store.documents import DirectoryDocuments  # noqa: PLC0415
    from paige.study.own_curve import fit_learner, forget_curve  # noqa: PLC0415
    from paige.study.session.room import learner_root  # noqa: PLC0415

    documents, root = DirectoryDocuments(command_settings().teaching_dir), learner_root(learner)
    console = process_console()
    if reset:
        forget_curve(documents, root)
        console.say("Reviews follow the usual curve again.")
        return
    done = fit_learner(documents, root)
    if as_json:
        console.give(json.dumps(_dumped(done)))
        return
    console.give(_sentence(done))


def _dumped(done: "Fitted") -> dict[str, Any]:
    fit = done.fit
    return {
        "adopted": fit.adopted,
        "reason": fit.reason,
        "reviews": fit.reviews,
        "log_loss_before": fit.log_loss_before,
        "log_loss_after": fit.log_loss_after,
        "parameters": list(fit.parameters),
    }


def _sentence(done: "Fitted") -> str:
    fit = done.fit
    if fit.adopted:
        return (
            f"Your reviews follow a curve of your own now. {fit.reason}, in {fit.reviews} reviews."
        )
    kept = "your own curve stays" if done.own_before else "the usual curve stays"
    return f"{fit.reason}: {kept}."
