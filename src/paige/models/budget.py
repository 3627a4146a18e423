"""What may be spent on models: looked up before every call, and said when it is used up.

A limit holds for one person or for everyone of a tenant together, for a day or a month of UTC.
Calls that are under way are not counted yet, so a limit may be passed by what they cost together.
A limit holds only what can be counted: under one, a model whose price nobody knows is not asked.
"""

import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, NamedTuple

from pydantic import Field
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.wire import wire
from paige.models.errors import ModelError
from paige.models.local import LOCAL
from paige.models.prices import Prices, shipped_prices
from paige.models.queries import billed, billed_by_person, unbilled
from paige.models.requests import Provider, Request
from paige.store.engine import Database
from paige.store.people_queries import EVERYONE, SpendLimit, all_spend_limits, spend_limits

Period = Literal["day", "month"]
BELIEVED_SECONDS = 5.0
MOST_REMEMBERED = 10_000
FREE = (LOCAL, "scripted")  # who answers without anybody else's server
_UNLIMITED: dict[tuple[str, str, str], float] = {}
"""Who had no limit when it was last looked up, and until when that is believed."""


class SpendLimitReached(ModelError):
    """Nothing more may be spent for now; `retry_after` are the seconds until it may.

    No provider has failed, so nothing stands in: whoever asked is told.
    """

    status = 429
    code = "spend_limit"
    exit_code = 3

    def __init__(self, message: str, *, hint: str, retry_after: int) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class PriceUnknown(ModelError):
    """A limit binds, and nobody knows what this model costs: it is not asked."""

    status = 403
    code = "price_unknown"
    exit_code = 3

    def __init__(self, model: str) -> None:
        super().__init__(
            f"There is a limit on spending, and no price is known for the model `{model}`",
            hint=f"Set `PAIGE_MODEL_PRICES`, such as `{model}=0.5/2`: US dollars per million tokens"
            f" of input and output; `{model}=0` if it costs you nothing.",
        )


class Payable(NamedTuple):
    """A model that is to be asked, and the prices that are known; empty when nobody has to pay."""

    model: str
    prices: Prices

    @property
    def unpriced(self) -> bool:
        """Whether nobody knows what it costs."""
        return bool(self.model) and self.prices.find(self.model) is None


def payable(provider: Provider, request: Request, prices: Prices) -> Payable:
    """What a request is going to be paid for."""
    model = "" if provider.name in FREE else provider.model_for(request)
    return Payable(model, prices)


@wire
class SpendState:
    """What was spent, what may be, and when counting begins anew; all in US dollars and UTC."""

    whose: Literal["person", "everyone"]
    period: Period
    spent_usd: float
    limit_usd: float
    until: datetime
    unpriced: Annotated[str, Field(exclude=True)] = ""
    """A model that was asked in this time, and nobody knows what it cost."""

    @property
    def used_up(self) -> bool:
        """Whether nothing is left."""
        return self.spent_usd >= self.limit_usd


@wire
class LimitOnSpend:
    """What one person may spend on models, and has; the empty person is everyone together."""

    person: str
    usd_per_day: float | None
    usd_per_month: float | None
    spent_usd_today: float
    spent_usd_this_month: float


async def check_spending(
    db: Database,
    actor: Actor,
    *,
    own_day: float | None,
    now: datetime,
    asked: "Payable | None" = None,
    timer: Callable[[], float] = time.monotonic,
) -> None:
    """Let a call of a model be made. Raises: SpendLimitReached, PriceUnknown.

    Whoever has no limit is believed to have none for some seconds: most people never have one, and
    a run asks before each of its turns.
    """
    whose = (db.location, actor.tenant, actor.person)
    if own_day is None and _UNLIMITED.get(whose, -math.inf) > timer():
        return
    prices = asked.prices if asked else None
    found = await spending(db, actor, own_day=own_day, now=now, prices=prices)
    for spent in found:
        if spent.used_up:
            raise reached(spent, now=now)
    unpriced = [each.unpriced for each in found if each.unpriced]
    if found and asked and asked.unpriced:
        unpriced.append(asked.model)
    if unpriced:
        raise PriceUnknown(unpriced[-1])
    if not found:
        if len(_UNLIMITED) >= MOST_REMEMBERED:
            _UNLIMITED.clear()
        _UNLIMITED[whose] = timer() + BELIEVED_SECONDS


def limits_changed() -> None:
    """Look again at once: somebody set a limit in this process."""
    _UNLIMITED.clear()


async def spending(
    db: Database,
    actor: Actor,
    *,
    own_day: float | None,
    now: datetime,
    prices: Prices | None = None,
) -> list[SpendState]:
    """What was spent against every limit that binds somebody; `own_day` is the setting's."""
    # What everyone has spent is the tenant's to know, so the tenant is who asks.
    return await db.of_tenant(actor.tenant).read(
        spent_by, actor, own_day=own_day, now=now, prices=prices or shipped_prices()
    )


def spent_by(
    connection: Connection,
    actor: Actor,
    *,
    own_day: float | None,
    now: datetime,
    prices: Prices,
) -> list[SpendState]:
    """The same as a query; without any limit nothing is added up."""
    limits = spend_limits(connection, actor)
    if own_day is not None:
        limits = [*limits, SpendLimit(actor.person, own_day, None)]
    return [
        _spent(connection, actor, limit, span_of(period, now), period, prices)
        for limit in limits
        for period in ("day", "month")
        if _figure(limit, period) is not None
    ]


def counted_limits(connection: Connection, actor: Actor, *, now: datetime) -> list[LimitOnSpend]:
    """Every limit of the actor's tenant with what counts against it; everyone's first."""
    limits = all_spend_limits(connection, actor)
    if not limits:
        return []
    today = billed_by_person(connection, actor, since=span_of("day", now)[0])
    month = billed_by_person(connection, actor, since=span_of("month", now)[0])
    return [
        LimitOnSpend(*limit, _of(today, limit.person), _of(month, limit.person)) for limit in limits
    ]


def reached(spent: SpendState, *, now: datetime) -> SpendLimitReached:
    """What somebody is told whose limit is used up."""
    who = "You have" if spent.whose == "person" else "Everyone here together has"
    when = "today" if spent.period == "day" else "this month"
    return SpendLimitReached(
        f"{who} spent {spent.spent_usd:.2f} of {spent.limit_usd:.2f} US dollars on models {when}",
        hint=f"It goes on at {spent.until:%Y-%m-%d %H:%M} UTC, or ask an admin for more.",
        retry_after=max(1, int((spent.until - now).total_seconds())),
    )


def span_of(period: Period, now: datetime) -> tuple[datetime, datetime]:
    """When the day or month of a moment began, and when it ends."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "day":
        return day, day + timedelta(days=1)
    first = day.replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1)


def _spent(
    connection: Connection,
    actor: Actor,
    limit: SpendLimit,
    span: tuple[datetime, datetime],
    period: Period,
    prices: Prices,
) -> SpendState:
    since, until = span
    everyone = limit.person == EVERYONE
    usd, unpriced = billed(connection, actor, since=since, everyone=everyone), ""
    for model, usage in unbilled(connection, actor, since=since, everyone=everyone).items():
        cost = prices.cost(model, usage)  # it may have got a price since
        usd, unpriced = usd + (cost or 0.0), unpriced if cost is not None else model
    figure = _figure(limit, period) or 0.0
    return SpendState("everyone" if everyone else "person", period, usd, figure, until, unpriced)


def _of(billed_to: Mapping[str, float], person: str) -> float:
    return sum(billed_to.values()) if person == EVERYONE else billed_to.get(person, 0.0)


def _figure(limit: SpendLimit, period: str) -> float | None:
    return limit.usd_per_day if period == "day" else limit.usd_per_month
