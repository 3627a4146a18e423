"""Signing in and out with an account: by password here, or at a provider of identities."""

import logging

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from paige.app.application import App
from paige.app.oidc import Going, Oidc, SignInExpired
from paige.app.oidc_people import person_of
from paige.app.people import TENANT
from paige.app.signing_in import (
    BROWSER_DAYS,
    Given,
    Opened,
    find_secret,
    open_for,
    sign_in,
    sign_out,
)
from paige.base.actor import LOCAL_TENANT
from paige.base.errors import NotFound, PaigeError, Refused
from paige.base.rights import rights_of
from paige.server import accounts_wire as wire
from paige.server.accounts import COOKIE, SECURE_COOKIE, read_cookie
from paige.server.accounts_views import person_view
from paige.server.passcode import CSRF_HEADER
from paige.server.routes import Routes
from paige.store.people_queries import Person, SignIn, doorkeeper

logger = logging.getLogger(__name__)
BACK = "/api/session/oidc/back"
STATE_COOKIE = "paige_oidc"
STATE_SECONDS = 600
MOST_LABEL = 120
MOST_CODE = 4096
PROBLEMS = {"sign_in_expired", "not_vouched", "refused", "conflict", "unavailable"}
"""What the sign-in page has a sentence for."""


def session_routes(app: App) -> Routes:
    """The addresses under `/session` when people have accounts."""
    routes = Routes(prefix="/session", tags=["session"])
    oidc = Oidc(app.settings) if app.settings.oidc_issuer else None
    _add_session(routes, app, oidc)
    _add_oidc(routes, app, oidc)
    return routes


def _add_session(routes: Routes, app: App, oidc: Oidc | None) -> None:
    @routes.get("")
    async def session(request: Request) -> wire.AccountSession:
        """Say who is signed in, and how one can."""
        secret = _secret(request)
        found = await find_secret(app, secret) if secret else None
        return _state(found, oidc)

    @routes.post("")
    async def begin(
        asked: wire.AccountSignIn, request: Request, response: Response
    ) -> wire.AccountSession:
        """Sign in with a name or an e-mail address and a password."""
        given = Given(
            tenant=asked.tenant,
            name=asked.name,
            password=asked.password,
            address=request.client.host if request.client else "",
            label=label_of(request),
        )
        opened = await sign_in(app, given)
        _set_cookie(request, response, opened)
        return _state((opened.person, opened.sign_in), oidc)

    @routes.delete("")
    async def end(request: Request, response: Response) -> wire.AccountSession:
        """Sign out."""
        secret = _secret(request)
        found = await find_secret(app, secret) if secret else None
        if secret and found is not None:
            if request.headers.get(CSRF_HEADER, "") != found[1].csrf:
                raise Refused(
                    f"The header `{CSRF_HEADER}` is missing or wrong", hint="Load the page again."
                )
            await sign_out(app, secret)
        response.delete_cookie(
            _cookie_name(request), path="/", secure=_is_secure(request), httponly=True
        )
        return _state(None, oidc)


def _add_oidc(routes: Routes, app: App, oidc: Oidc | None) -> None:
    @routes.get("/oidc", response_class=RedirectResponse, status_code=303)
    async def leave(request: Request, back: str = "/", tenant: str = LOCAL_TENANT) -> Response:
        """Go to the provider of identities."""
        if oidc is None:
            raise NotFound("Nobody else vouches for people here", hint="Use a password.")
        keeper = doorkeeper(tenant if TENANT.fullmatch(tenant) else LOCAL_TENANT)
        try:
            going = await oidc.begin(app, keeper, returns=_returns(request), back=local_path(back))
        except PaigeError as error:
            return _problem(error)
        return _to_provider(request, going)

    @routes.get("/oidc/back", response_class=RedirectResponse, status_code=303)
    async def come(request: Request, state: str = "", code: str = "") -> Response:
        """Come back from the provider of identities."""
        if oidc is None:
            raise NotFound("Nobody else vouches for people here", hint="Use a password.")
        try:
            opened, back = await _arrive(app, oidc, request, state, code)
        except PaigeError as error:
            return _problem(error)
        answer = RedirectResponse(back, status_code=303)
        answer.delete_cookie(STATE_COOKIE, path="/api/session")
        _set_cookie(request, answer, opened)
        return answer


async def _arrive(
    app: App, oidc: Oidc, request: Request, state: str, code: str
) -> tuple[Opened, str]:
    """Let somebody in who was at the provider, in the same browser that went there."""
    tenant = state.partition(".")[0]
    same = state and request.cookies.get(STATE_COOKIE) == state
    if not same or not code or len(code) > MOST_CODE or not TENANT.fullmatch(tenant):
        raise SignInExpired("Signing in was not begun in this browser", hint="Begin again.")
    keeper = doorkeeper(tenant)
    claims, back = await oidc.finish(app, keeper, state=state, code=code, returns=_returns(request))
    person = await person_of(app, keeper, claims)
    return await open_for(app, person, label_of(request)), back


def _to_provider(request: Request, going: Going) -> Response:
    answer = RedirectResponse(going.address, status_code=303)
    answer.set_cookie(
        STATE_COOKIE,
        going.state,
        max_age=STATE_SECONDS,
        path="/api/session",
        httponly=True,
        samesite="lax",
        secure=_is_secure(request),
    )
    return answer


def _problem(error: PaigeError) -> Response:
    # A page must not show sentences from an address that anybody can write.
    logger.warning("Somebody could not sign in: %s", error.message)
    code = error.code if error.code in PROBLEMS else "failed"
    return RedirectResponse(f"/?problem={code}", status_code=303)


def _state(found: tuple[Person, SignIn] | None, oidc: Oidc | None) -> wire.AccountSession:
    provider = oidc.name if oidc else None
    if found is None:
        return wire.AccountSession(
            signed_in=False, csrf=None, person=None, tenant="", rights=[], provider=provider
        )
    person, opened = found
    return wire.AccountSession(
        signed_in=True,
        csrf=opened.csrf,
        person=person_view(person),
        tenant=person.tenant,
        rights=list(rights_of(person.roles)),
        provider=provider,
    )


def local_path(back: str) -> str:
    """The page to go to afterwards: one of ours, whatever was asked."""
    plain = back.startswith("/") and back.isprintable() and "\\" not in back
    return back if plain and not back.startswith("//") and len(back) <= 2000 else "/"


def label_of(request: Request) -> str:
    """What a browser calls itself, so that its owner knows it again."""
    said = request.headers.get("user-agent", "")
    return "".join(each for each in said if each.isprintable())[:MOST_LABEL] or "?"


def _set_cookie(request: Request, response: Response, opened: Opened) -> None:
    response.set_cookie(
        _cookie_name(request),
        opened.secret,
        max_age=BROWSER_DAYS * 86400,
        path="/",
        httponly=True,
        samesite="lax",  # a browser that comes back from the provider brings it along
        secure=_is_secure(request),
    )


def _secret(request: Request) -> str | None:
    return read_cookie(request.headers.get("cookie", ""), secure=_is_secure(request))


def _cookie_name(request: Request) -> str:
    return SECURE_COOKIE if _is_secure(request) else COOKIE


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"


def _returns(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}{BACK}"
