"""Values that operations of several subjects give, and what the server says of itself."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from paige.base.wire import wire

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Download:
    """A file to give out; `inline` is shown in the page, others are saved under their name."""

    content: bytes
    media_type: str
    name: str = ""
    inline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookie:
    """A cookie for the browser that asks, which no script can read; empty, it is dropped."""

    name: str
    value: str = ""
    seconds: int = 0
    secure: bool
    same_site: Literal["lax", "strict"] = "lax"
    path: str = "/"


@dataclass(frozen=True, slots=True)
class WithCookies(Generic[T]):
    """A value, and the cookies that go with it."""

    value: T
    cookies: tuple[Cookie, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    """Another address to go to, with cookies."""

    address: str
    cookies: tuple[Cookie, ...] = ()


UNDESCRIBED = (Download, Redirect)
"""What is answered with something other than JSON."""


@wire(kw_only=True)
class Health:
    """The server lives."""

    status: Literal["ok"] = "ok"
    uptime: float


@wire
class Ready:
    """Whether everything the server depends on answers."""

    status: Literal["ok", "unavailable"]
    dependencies: dict[str, str]


@wire
class ErrorDetail:
    """What happened and what to do; `field` is what of the request it is about, where one is."""

    code: str
    message: str
    hint: str | None
    field: str | None = None


@wire
class ErrorBody:
    """The body of every error answer."""

    error: ErrorDetail
