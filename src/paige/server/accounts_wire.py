"""Shapes of accounts: signing in, oneself, people, limits and the audit log."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from paige.server.wire import Asked, Wire

MOST_PASSWORD = 1024
_SHELL = "A developer or admin of the tenant `local` gets a shell on the server."


def _amount(given: object, check: ValidatorFunctionWrapHandler) -> float | None:
    """Say in words for people what is wrong with a figure, however it is wrong."""
    try:
        return check(given)
    except ValidationError:
        words = "give US dollars as a number, 0 or more, such as 2.5"
        raise PydanticCustomError("amount", words) from None


_FIGURE = Field(ge=0, lt=1e9, allow_inf_nan=False)
Amount = Annotated[float | None, _FIGURE, WrapValidator(_amount)]


class AccountSignIn(Asked):
    """An id or e-mail address and a password, to be signed in."""

    name: str = Field(min_length=1, max_length=300)
    password: str = Field(min_length=1, max_length=MOST_PASSWORD)
    tenant: str = Field(default="local", max_length=63)


class AccountPerson(Wire):
    """An account as others of the tenant may see it."""

    id: str
    name: str
    email: str | None
    roles: list[str]
    state: Literal["active", "disabled"]
    has_password: bool
    provider: str | None
    created_at: datetime | None


class AccountSession(Wire):
    """Whether somebody is signed in, who, and how else one may; `provider` is asked elsewhere."""

    required: Literal[True] = True
    signed_in: bool
    csrf: str | None
    accounts: Literal[True] = True
    person: AccountPerson | None
    tenant: str
    rights: list[str]
    provider: str | None


class SpendState(Wire):
    """What was spent, what may be, and when counting begins anew; all in US dollars and UTC."""

    whose: Literal["person", "everyone"]
    period: Literal["day", "month"]
    spent_usd: float
    limit_usd: float
    until: datetime


class AboutMe(Wire):
    """Oneself: name, roles, what one may do, and what one has spent against which limits."""

    accounts: bool
    tenant: str
    person: AccountPerson
    rights: list[str]
    spend: list[SpendState]


class MyChange(Asked):
    """Another name for oneself."""

    name: str = Field(max_length=200)


class MyPassword(Asked):
    """Another password, and the one of now."""

    current: str = Field(default="", max_length=MOST_PASSWORD)
    new: str = Field(max_length=MOST_PASSWORD)


class MySignIn(Wire):
    """One browser or program that is signed in."""

    id: str
    kind: Literal["browser", "token"]
    label: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime
    this: bool


class MySignIns(Wire):
    """Everything that one is signed in with."""

    sign_ins: list[MySignIn]


class NewToken(Asked):
    """A token for a program, with a label to know it by."""

    label: str = Field(max_length=100)
    days: int = Field(default=365, ge=1, le=730)


class MadeToken(Wire):
    """A new token; its secret is shown this once."""

    secret: str
    sign_in: MySignIn


class PeoplePage(Wire):
    """Accounts by id; `next` is where the next page begins."""

    people: list[AccountPerson]
    next: str | None


class PersonNew(Asked):
    """An account to be made; without a password one is made up and told once."""

    id: str = Field(max_length=64)
    name: str = Field(default="", max_length=200)
    email: str | None = Field(default=None, max_length=254)
    roles: list[str] = Field(default=["learner"], description=_SHELL)
    password: str | None = Field(default=None, max_length=MOST_PASSWORD)


class PersonMade(Wire):
    """The account, and the password that was made up for it."""

    person: AccountPerson
    password: str | None


class PersonChange(Asked):
    """What changes about an account; what is left out stays."""

    name: str | None = Field(default=None, max_length=200)
    email: str | None = Field(default=None, max_length=254)
    roles: list[str] | None = Field(default=None, description=_SHELL)
    state: Literal["active", "disabled"] | None = None


class PersonPassword(Asked):
    """Another password for somebody; without one it is made up."""

    password: str | None = Field(default=None, max_length=MOST_PASSWORD)


class SignInsEnded(Wire):
    """How many sign-ins were ended."""

    ended: int


class LimitOnSpend(Wire):
    """What one person may spend on models, and has; the empty person is everyone together."""

    person: str
    usd_per_day: float | None
    usd_per_month: float | None
    spent_usd_today: float
    spent_usd_this_month: float


class LimitsOnSpend(Wire):
    """Every limit of the tenant."""

    limits: list[LimitOnSpend]


class LimitAsked(Asked):
    """A limit to be set; without figures there is none."""

    person: str = Field(default="", max_length=254)
    usd_per_day: Amount = None
    usd_per_month: Amount = None


class AuditRow(Wire):
    """Who did what, when, to whom."""

    seq: int
    at: datetime
    person: str
    action: str
    target: str
    detail: dict[str, Any]


class AuditPage(Wire):
    """The audit log, the newest first; `next` is what to ask for the older ones with."""

    entries: list[AuditRow]
    next: int | None


OUT = (
    AccountSession,
    AboutMe,
    MySignIns,
    MadeToken,
    PeoplePage,
    PersonMade,
    SignInsEnded,
    LimitsOnSpend,
    AuditPage,
)
IN = (
    AccountSignIn,
    MyChange,
    MyPassword,
    NewToken,
    PersonNew,
    PersonChange,
    PersonPassword,
    LimitAsked,
)
