"""What accounts are asked for and what they answer, where the application has no value for it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from paige.app.accounts.people import PersonChanges, PersonNew
from paige.base.actor import LOCAL_TENANT
from paige.base.wire import wire
from paige.models.budget import LimitOnSpend, SpendState
from paige.store.people_queries import AuditRow, Person, State
from paige.store.people_queries import SignIn as SignInRow

MOST_PASSWORD = 1024
MOST_SEQ = 2**62
Password = Annotated[str, Field(max_length=MOST_PASSWORD)]
Words = Annotated[str, Field(max_length=200)]
Limit = Annotated[int, Field(ge=1, le=500)]


def _amount(given: object, check: ValidatorFunctionWrapHandler) -> float | None:
    """Say in words for people what is wrong with a figure, however it is wrong."""
    try:
        return check(given)
    except ValidationError:
        words = "give US dollars as a number, 0 or more, such as 2.5"
        raise PydanticCustomError("amount", words) from None


_FIGURE = Field(ge=0, lt=1e9, allow_inf_nan=False)
Amount = Annotated[float | None, _FIGURE, WrapValidator(_amount)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """Who asks over HTTP, as far as the request itself tells: nothing of it is in what is sent."""

    address: str
    agent: str
    home: str
    """Scheme and host, as the request has them."""
    secure: bool
    cookie: str
    """The header, with every cookie in it."""
    csrf: str
    sign_in: str = ""
    """The id of the sign-in that asks."""


FromBrowser = SkipJsonSchema[Browser]


# --- signing in ----------------------------------------------------------------------------------


@wire(kw_only=True)
class SessionRequest:
    """Who asks whether they are signed in."""

    browser: FromBrowser


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(SessionRequest):
    """A passcode, to be signed in."""

    passcode: Annotated[str, Field(min_length=1, max_length=1024)]


@wire(kw_only=True)
class Session:
    """Whether a passcode is needed, whether it was given, and whether this is the demo."""

    required: bool
    signed_in: bool
    csrf: str | None
    demo: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSignIn(SessionRequest):
    """An id or e-mail address and a password, to be signed in."""

    name: Annotated[str, Field(min_length=1, max_length=300)]
    password: Annotated[str, Field(min_length=1, max_length=MOST_PASSWORD)]
    tenant: Annotated[str, Field(max_length=63)] = LOCAL_TENANT


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderRequest(SessionRequest):
    """Where to come back to from the provider of identities, and whose people are asked for."""

    back: str = "/"
    tenant: str = LOCAL_TENANT


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReturn(SessionRequest):
    """What the provider of identities sends a browser back with."""

    state: str = ""
    code: str = ""


@wire(kw_only=True)
class AccountPerson:
    """An account as others of the tenant may see it."""

    id: str
    name: str
    email: str | None
    roles: tuple[str, ...]
    state: State
    has_password: bool
    provider: str | None
    created_at: datetime | None


@wire(kw_only=True)
class AccountSession:
    """Whether somebody is signed in, who, and how else one may; `provider` is asked elsewhere."""

    required: Literal[True] = True
    signed_in: bool
    csrf: str | None
    accounts: Literal[True] = True
    person: AccountPerson | None
    tenant: str
    rights: tuple[str, ...]
    provider: str | None


# --- oneself -------------------------------------------------------------------------------------


@wire(kw_only=True)
class AboutMe:
    """Oneself: name, roles, what one may do, and what one has spent against which limits."""

    accounts: bool
    tenant: str
    person: AccountPerson
    rights: tuple[str, ...]
    spend: tuple[SpendState, ...]


@wire(kw_only=True)
class MyChange:
    """Another name for oneself."""

    name: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class MyPassword(SessionRequest):
    """Another password, and the one of now."""

    current: Password = ""
    new: Password


@dataclass(frozen=True, slots=True, kw_only=True)
class MySignInEnd(SessionRequest):
    """One sign-in, to be ended."""

    id: str


@wire(kw_only=True)
class MySignIn:
    """One browser or program that is signed in."""

    id: str
    kind: Literal["browser", "token"]
    label: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime
    this: bool


@wire
class MySignIns:
    """Everything that one is signed in with."""

    sign_ins: tuple[MySignIn, ...]


@wire(kw_only=True)
class NewToken:
    """A token for a program, with a label to know it by."""

    label: Annotated[str, Field(max_length=100)]
    days: Annotated[int, Field(ge=1, le=730)] = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonToken(NewToken):
    """The same for a program of somebody."""

    id: str


@wire
class MadeToken:
    """A new token; its secret is shown this once."""

    secret: str
    sign_in: MySignIn


# --- people --------------------------------------------------------------------------------------


@wire(kw_only=True)
class PeopleRequest:
    """Which accounts: those that hold some words, a page at a time."""

    after: Words = ""
    words: Words = ""
    limit: Limit = 100


@wire
class PeoplePage:
    """Accounts by id; `next` is where the next page begins."""

    people: tuple[AccountPerson, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonNewHere(PersonNew):
    """The same from whoever sits at this machine."""

    elsewhere: bool = False
    """Whether they sign in elsewhere, and have no password here."""


@wire
class PersonMade:
    """The account, and the password that was made up for it."""

    person: AccountPerson
    password: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChange(PersonChanges):
    """What changes about an account; what is left out stays."""

    id: str


@wire(kw_only=True)
class PersonId:
    """One account."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonExport(PersonId):
    """Everything of one account, and the file to write it into."""

    file: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPassword(PersonId):
    """Another password for somebody; without one it is made up."""

    password: Password | None = None


@wire
class SignInsEnded:
    """How many sign-ins were ended."""

    ended: int


@wire
class LimitsOnSpend:
    """Every limit of the tenant."""

    limits: tuple[LimitOnSpend, ...]


@wire(kw_only=True)
class LimitChange:
    """A limit to be set; without figures there is none."""

    person: Annotated[str, Field(max_length=254)] = ""
    usd_per_day: Amount = None
    usd_per_month: Amount = None


@wire(kw_only=True)
class AuditRequest:
    """Which entries: the newest, or those before one."""

    before: Annotated[int | None, Field(ge=1, le=MOST_SEQ)] = None
    limit: Limit = 100


@wire
class AuditPage:
    """The audit log, the newest first; `next` is what to ask for the older ones with."""

    entries: tuple[AuditRow, ...]
    next: int | None


def account(person: Person) -> AccountPerson:
    """An account, without what is secret about it."""
    return AccountPerson(
        id=person.id,
        name=person.name,
        email=person.email,
        roles=person.roles,
        state=person.state,
        has_password=person.password_hash is not None,
        provider=person.oidc_issuer,
        created_at=person.created_at,
    )


def sign_in_view(row: SignInRow, this: str) -> MySignIn:
    """One sign-in; `this` is the id of the one that asks."""
    return MySignIn(
        id=row.id,
        kind=row.kind,
        label=row.label,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        this=row.id == this,
    )
