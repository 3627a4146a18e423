"""Lets a model judge lessons: first the extracts that people have judged, then the lessons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paige.app.application import App
from paige.base.settings import Settings
from paige.doors.setup.eval_cases import LessonResult
from paige.models.calls import Call, Models, call_api_with_retry
from paige.models.errors import ApiKeyInvalid, ModelError
from paige.models.local import LOCAL, Registry
from paige.models.setup import choose, open_models
from paige.models.wrappers import AliasProvider
from paige.plan.evals.cases import Dimension, Evals
from paige.plan.evals.judges import (
    JUDGE,
    Calibration,
    Demand,
    Scores,
    Verdict,
    calibrate,
    check_verdict,
    judge_prompt,
    judge_question,
)

MAX_TOKENS = 4000
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a judge found: rows with their scores, and how far it can be trusted."""

    made: tuple[LessonResult, ...]
    calibration: Calibration
    who: str


def can_judge(settings: Settings) -> bool:
    """Whether a provider is set that could judge."""
    return choose(settings, strict=False).provider != LOCAL


def judging_settings(settings: Settings, folder: Path) -> Settings:
    """Settings with which calls of a judge are logged in a folder and nowhere else."""
    return replace(settings, given_data_dir=folder / "data", database_url="", fallback="none")


async def judge_all(
    app: App, evals: Evals, made: Sequence[LessonResult], model: str, tell: Tell
) -> Findings:
    """Calibrate a judge, then let it judge every lesson. Raises: ApiKeyInvalid."""
    models = open_models(app.settings, app.database, Registry(), strict=False, now=app.now)
    try:
        if model:
            models = replace(models, provider=AliasProvider(models.provider, model=model))
        judge = _Judge(app, models, evals.rubric)
        labelled = []
        for number, label in enumerate(evals.labels, 1):
            labelled.append((label, await judge.of(label.text, label.about)))
            tell(f"judge: extract {number}/{len(evals.labels)}")
        calibration = calibrate(labelled, Demand())
        judged: list[LessonResult] = []
        for number, each in enumerate(made, 1):
            found = await judge.of(each.markdown, each.about) if each.markdown else None
            judged.append(replace(each, row=replace(each.row, judged=found)))
            tell(f"judge: lesson {number}/{len(made)}")
        return Findings(tuple(judged), calibration, judge.who)
    finally:
        await models.aclose()


@dataclass(slots=True)
class _Judge:
    """Asks for one verdict after another; `who` is the model that answered."""

    app: App
    models: Models
    rubric: tuple[Dimension, ...]
    who: str = ""

    async def of(self, text: str, about: str) -> Scores:
        """The verdict on one text; an answer that is none is a problem, no verdict."""
        call = Call(
            call_type=JUDGE,
            model="sonnet",
            system_prompt=judge_prompt(self.rubric),
            user_message=judge_question(text, about),
            response_schema=Verdict,
            max_tokens=MAX_TOKENS,
        )
        try:
            called = await call_api_with_retry(self.models, self.app.actor, call)
        except ApiKeyInvalid:
            raise
        except ModelError as error:  # one answer that failed does not spoil the others
            return Scores({}, problems=(error.message,))
        self.who = called.model
        return check_verdict(called.value, self.rubric, text)
