"""Signing in and out: with the passcode, with a password, or at a provider of identities."""

import logging

from paige.app.accounts.oidc import Oidc, SignInExpired
from paige.app.accounts.passcode import COOKIE, COOKIE_DAYS, CSRF_HEADER
from paige.app.accounts.people import TENANT
from paige.app.accounts.sign_ins import (
    BROWSER_DAYS,
    Credentials,
    NewSignIn,
    find_secret,
    open_for,
    sign_in,
    sign_out,
)
from paige.app.application import App
from paige.app.demo.installation import is_demo
from paige.base.actor import LOCAL_TENANT
from paige.base.errors import NotFound, PaigeError, Refused
from paige.base.rights import rights_of
from paige.doors.frame.operations import Subject
from paige.doors.frame.values import Cookie, Redirect, WithCookies
from paige.doors.frame.web.sign_in import SECURE_COOKIE, read_cookie
from paige.doors.people.oidc_people import person_of
from paige.doors.people.values import (
    AccountSession,
    AccountSignIn,
    Browser,
    ProviderRequest,
    ProviderReturn,
    Session,
    SessionRequest,
    SignIn,
    account,
)
from paige.store.people_queries import Person, doorkeeper
from paige.store.people_queries import SignIn as SignInRow

logger = logging.getLogger(__name__)
SESSION = Subject("session", anyone=True)
BACK = "/api/session/oidc/back"
STATE_COOKIE = "paige_oidc"
STATE_SECONDS = 600
MOST_LABEL = 120
MOST_CODE = 4096
DAY = 86_400
PROBLEMS = {"sign_in_expired", "not_vouched", "refused", "conflict", "unavailable"}
"""What the sign-in page has a sentence for."""


# --- without accounts ----------------------------------------------------------------------------


@SESSION.read
async def passcode_session(app: App, given: SessionRequest) -> Session:
    """Say whether a passcode is needed and was given."""
    return _session(app, read_cookie(given.browser.cookie, COOKIE))


@SESSION.change()
async def give_passcode(app: App, given: SignIn) -> WithCookies[Session]:
    """Sign in with the passcode."""
    passcode = app.server.passcode
    if passcode is None:
        return WithCookies(_session(app, None))
    passcode.check(given.passcode, now=app.now())  # not in a thread: guesses wait for each other
    cookie = Cookie(
        name=COOKIE,
        value=passcode.new_cookie(now=app.now()),
        seconds=COOKIE_DAYS * DAY,
        same_site="strict",
        secure=given.browser.secure,
    )
    return WithCookies(_session(app, cookie.value), (cookie,))


@SESSION.change()
async def forget_passcode(app: App, given: SessionRequest) -> WithCookies[Session]:
    """Sign out."""
    gone = Cookie(name=COOKIE, secure=given.browser.secure)
    return WithCookies(_session(app, None), (gone,))


def _session(app: App, cookie: str | None) -> Session:
    passcode, demo = app.server.passcode, is_demo(app.settings)
    if passcode is None:
        return Session(required=False, signed_in=True, csrf=None, demo=demo)
    if cookie and passcode.accepts_cookie(cookie, now=app.now()):
        csrf = passcode.csrf_of(cookie)
        return Session(required=True, signed_in=True, csrf=csrf, demo=demo)
    return Session(required=True, signed_in=False, csrf=None)


# --- with accounts -------------------------------------------------------------------------------


@SESSION.read
async def session(app: App, given: SessionRequest) -> AccountSession:
    """Say who is signed in, and how one can."""
    secret = read_cookie(given.browser.cookie, cookie_name(given.browser))
    found = await find_secret(app, secret) if secret else None
    return _account_session(app, found)


@SESSION.change()
async def begin(app: App, given: AccountSignIn) -> WithCookies[AccountSession]:
    """Sign in with a name or an e-mail address and a password."""
    typed = Credentials(
        tenant=given.tenant,
        name=given.name,
        password=given.password,
        address=given.browser.address,
        label=label_of(given.browser),
    )
    opened = await sign_in(app, typed)
    state = _account_session(app, (opened.person, opened.sign_in))
    return WithCookies(state, (_cookie(given.browser, opened),))


@SESSION.change()
async def end(app: App, given: SessionRequest) -> WithCookies[AccountSession]:
    """Sign out."""
    browser = given.browser
    secret = read_cookie(browser.cookie, cookie_name(browser))
    found = await find_secret(app, secret) if secret else None
    if secret and found is not None:
        if browser.csrf != found[1].csrf:
            raise Refused(
                f"The header `{CSRF_HEADER}` is missing or wrong", hint="Load the page again."
            )
        await sign_out(app, secret)
    gone = Cookie(name=cookie_name(browser), secure=browser.secure)
    return WithCookies(_account_session(app, None), (gone,))


@SESSION.change()
async def leave(app: App, given: ProviderRequest) -> Redirect:
    """Go to the provider of identities."""
    oidc = _provider(app)
    keeper = doorkeeper(given.tenant if TENANT.fullmatch(given.tenant) else LOCAL_TENANT)
    returns = given.browser.home + BACK
    try:
        going = await oidc.begin(app, keeper, returns=returns, back=local_path(given.back))
    except PaigeError as error:
        return _problem(error)
    cookie = _state_cookie(given.browser, going.state, STATE_SECONDS)
    return Redirect(going.address, (cookie,))


@SESSION.change()
async def come(app: App, given: ProviderReturn) -> Redirect:
    """Come back from the provider of identities."""
    oidc = _provider(app)
    try:
        opened, back = await _arrive(app, oidc, given)
    except PaigeError as error:
        return _problem(error)
    return Redirect(back, (_state_cookie(given.browser), _cookie(given.browser, opened)))


async def _arrive(app: App, oidc: Oidc, given: ProviderReturn) -> tuple[NewSignIn, str]:
    """Let somebody in who was at the provider, in the same browser that went there."""
    tenant = given.state.partition(".")[0]
    same = given.state and read_cookie(given.browser.cookie, STATE_COOKIE) == given.state
    code = given.code
    if not same or not code or len(code) > MOST_CODE or not TENANT.fullmatch(tenant):
        raise SignInExpired("Signing in was not begun in this browser", hint="Begin again.")
    keeper, returns = doorkeeper(tenant), given.browser.home + BACK
    claims, back = await oidc.finish(app, keeper, state=given.state, code=code, returns=returns)
    person = await person_of(app, keeper, claims)
    return await open_for(app, person, label_of(given.browser)), back


def _provider(app: App) -> Oidc:
    if app.server.oidc is None:
        raise NotFound("Nobody else vouches for people here", hint="Use a password.")
    return app.server.oidc


def _problem(error: PaigeError) -> Redirect:
    # A page must not show sentences from an address that anybody can write.
    logger.warning("Somebody could not sign in: %s", error.message)
    code = error.code if error.code in PROBLEMS else "failed"
    return Redirect(f"/?problem={code}")


def _account_session(app: App, found: tuple[Person, SignInRow] | None) -> AccountSession:
    person, opened = found or (None, None)
    return AccountSession(
        signed_in=person is not None,
        csrf=opened.csrf if opened else None,
        person=account(person) if person else None,
        tenant=person.tenant if person else "",
        rights=tuple(rights_of(person.roles)) if person else (),
        provider=app.server.oidc.name if app.server.oidc else None,
    )


def local_path(back: str) -> str:
    """The page to go to afterwards: one of ours, whatever was asked."""
    plain = back.startswith("/") and back.isprintable() and "\\" not in back
    return back if plain and not back.startswith("//") and len(back) <= 2000 else "/"


def label_of(browser: Browser) -> str:
    """What a browser calls itself, so that its owner knows it again."""
    return "".join(each for each in browser.agent if each.isprintable())[:MOST_LABEL] or "?"


def cookie_name(browser: Browser) -> str:
    """The name of our cookie; over https one that no other site can have set."""
    return SECURE_COOKIE if browser.secure else COOKIE


def _cookie(browser: Browser, opened: NewSignIn) -> Cookie:
    return Cookie(
        name=cookie_name(browser),
        value=opened.secret,
        seconds=BROWSER_DAYS * DAY,
        secure=browser.secure,
        same_site="lax",  # a browser that comes back from the provider brings it along
    )


def _state_cookie(browser: Browser, state: str = "", seconds: int = 0) -> Cookie:
    return Cookie(
        name=STATE_COOKIE,
        value=state,
        seconds=seconds,
        secure=browser.secure,
        path="/api/session",
    )
