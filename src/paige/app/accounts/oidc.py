"""Somebody else vouches for people: OpenID Connect, authorization code with PKCE.

The browser goes to the provider with a state, a nonce and the hash of a verifier, and comes back
with a code; the server trades it for a signed statement of who that is. What the browser took along
is kept in the database, so that it may come back to another server.
"""

import base64
import hashlib
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from paige.app.accounts.sign_ins import secret_id
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.base.settings import LOOPBACK, Settings
from paige.store.people_queries import OidcStart, insert_start, prune_starts, take_start

logger = logging.getLogger(__name__)
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Signatures of a key that only the provider has; never `none`, never a shared secret."""
KEY_TYPES = ("RSA", "EC")
SECONDS = 10.0
MOST_BYTES = 2**20
KEPT = timedelta(hours=1)
KEYS_AGAIN = timedelta(seconds=30)
"""A key that is not known is asked for anew, but not more often than this."""
AWAY = timedelta(minutes=10)
LEEWAY = 60
Randomness = Callable[[int], bytes]


class SignInExpired(PaigeError):
    """The browser came back too late, twice, or without what it took along."""

    status = 400
    code = "sign_in_expired"


class NotVouched(Refused):
    """What the provider said cannot be trusted."""

    code = "not_vouched"


@dataclass(frozen=True, slots=True)
class Provider:
    """What a provider says about itself."""

    issuer: str
    authorize: str
    token: str
    keys: str
    methods: tuple[str, ...]
    algorithms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and the state that it must bring back."""

    address: str
    state: str


class Oidc:
    """One provider of identities, as the settings name it."""

    def __init__(self, settings: Settings) -> None:
        if not settings.oidc_client_id:
            raise BadInput(
                "`PAIGE_OIDC_ISSUER` is set and `PAIGE_OIDC_CLIENT_ID` is not",
                hint="Set the name under which the provider knows Paige.",
            )
        _check_address(settings.oidc_issuer, "`PAIGE_OIDC_ISSUER`")
        self._settings = settings
        self._provider: tuple[Provider, datetime] | None = None
        self._keys: tuple[list[dict[str, Any]], datetime] | None = None

    @property
    def name(self) -> str:
        """What people read on the button: the provider's host."""
        return urlsplit(self._settings.oidc_issuer).hostname or ""

    async def begin(
        self,
        app: App,
        actor: Actor,
        *,
        returns: str,
        back: str,
        randomness: Randomness = os.urandom,
    ) -> Departure:
        """Send a browser to the provider; `returns` is where it comes back to us."""
        provider = await self._known(app.now())
        state, nonce, verifier = (_text(randomness(32)) for _ in range(3))
        state = f"{actor.tenant}.{state}"
        start = OidcStart(nonce, verifier, back, app.now() + AWAY)
        await app.database.write_quietly(prune_starts, actor, now=app.now())
        await app.database.write_durably(insert_start, actor, secret_id(state), start)
        asked = {
            "response_type": "code",
            "client_id": self._settings.oidc_client_id,
            "redirect_uri": returns,
            "scope": "openid profile email",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge_of(verifier),
            "code_challenge_method": "S256",
        }
        mark = "&" if "?" in provider.authorize else "?"
        return Departure(f"{provider.authorize}{mark}{urlencode(asked)}", state)

    async def finish(
        self, app: App, actor: Actor, *, state: str, code: str, returns: str
    ) -> tuple[Mapping[str, Any], str]:
        """Who came back, and the page they wanted. Raises: SignInExpired, NotVouched."""
        start = await app.database.write_durably(take_start, actor, secret_id(state))
        if start is None or start.expires_at <= app.now():
            raise SignInExpired("Signing in took too long", hint="Begin again.")
        provider = await self._known(app.now())
        token = await self._trade(provider, code, start.verifier, returns)
        claims = await self._read(provider, token, start.nonce, now=app.now())
        return claims, start.back

    async def _known(self, now: datetime) -> Provider:
        if self._provider is None or now - self._provider[1] >= KEPT:
            issuer = self._settings.oidc_issuer
            said = await _ask(f"{issuer}/.well-known/openid-configuration")
            self._provider = (read_provider(said, issuer), now)
        return self._provider[0]

    async def _trade(self, provider: Provider, code: str, verifier: str, returns: str) -> str:
        """Trade the code for the signed statement."""
        settings = self._settings
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": returns,
            "code_verifier": verifier,
            "client_id": settings.oidc_client_id,
        }
        basic = None
        if settings.oidc_client_secret and "client_secret_basic" in provider.methods:
            # Both are written as in a form before they are joined (RFC 6749, 2.3.1).
            named = (settings.oidc_client_id, settings.oidc_client_secret)
            basic = (quote_plus(named[0]), quote_plus(named[1]))
        elif settings.oidc_client_secret:
            form["client_secret"] = settings.oidc_client_secret
        said = await _ask(provider.token, form, basic)
        token = said.get("id_token")
        if not isinstance(token, str):
            raise NotVouched("The provider gave no statement of who you are")
        return token

    async def _read(
        self, provider: Provider, token: str, nonce: str, *, now: datetime
    ) -> Mapping[str, Any]:
        keys = await self._known_keys(provider, now, kid_of(token))
        wanted = StatementTerms(
            provider.issuer, self._settings.oidc_client_id, nonce, provider.algorithms
        )
        return read_statement(token, keys, wanted, now=now)

    async def _known_keys(
        self, provider: Provider, now: datetime, kid: str | None
    ) -> list[dict[str, Any]]:
        known = self._keys
        there = known is not None and (kid is None or any(k.get("kid") == kid for k in known[0]))
        age = now - known[1] if known else KEPT
        # Keys are changed now and then; a key nobody knows is looked for once more.
        if known is None or age >= KEPT or (not there and age >= KEYS_AGAIN):
            said = await _ask(provider.keys)
            self._keys = known = (read_keys(said), now)
        return known[0]


@dataclass(frozen=True, slots=True)
class StatementTerms:
    """What a statement must say to count."""

    issuer: str
    audience: str
    nonce: str
    algorithms: tuple[str, ...] = ALGORITHMS


def read_provider(said: Mapping[str, Any], issuer: str) -> Provider:
    """Read what a provider says about itself. Raises: NotVouched."""
    named = said.get("issuer")
    if not isinstance(named, str) or named.rstrip("/") != issuer:
        raise NotVouched(f"`{issuer}` calls itself `{str(named)[:200]}`")
    methods = _texts(said.get("token_endpoint_auth_methods_supported")) or ("client_secret_basic",)
    offered = _texts(said.get("id_token_signing_alg_values_supported")) or ("RS256",)
    algorithms = tuple(name for name in ALGORITHMS if name in offered)
    if not algorithms:
        raise NotVouched(f"`{issuer}` signs with none of {', '.join(ALGORITHMS)}")
    return Provider(
        issuer=named,
        authorize=_endpoint(said, "authorization_endpoint"),
        token=_endpoint(said, "token_endpoint"),
        keys=_endpoint(said, "jwks_uri"),
        methods=methods,
        algorithms=algorithms,
    )


def read_keys(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The keys for signatures that a provider publishes."""
    keys = said.get("keys")
    if not isinstance(keys, list):
        raise NotVouched("The provider publishes no keys")
    usable = [key for key in keys if isinstance(key, dict) and key.get("kty") in KEY_TYPES]
    return [key for key in usable if key.get("use", "sig") == "sig"]


def read_statement(
    token: str, keys: list[dict[str, Any]], wanted: StatementTerms, *, now: datetime
) -> Mapping[str, Any]:
    """Check a signed statement and read it. Raises: NotVouched."""
    from joserfc import jwt  # noqa: PLC0415 - only who signs in elsewhere needs it
    from joserfc.errors import JoseError  # noqa: PLC0415 - as above
    from joserfc.jwk import KeySet  # noqa: PLC0415 - as above

    checks = jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY,
        iss={"essential": True, "value": wanted.issuer},
        aud={"essential": True, "value": wanted.audience},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": wanted.nonce},
    )
    try:
        known = KeySet.import_key_set({"keys": keys})  # type: ignore[typeddict-item] # JSON
        claims = jwt.decode(token, known, algorithms=list(wanted.algorithms)).claims
        checks.validate(claims)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        logger.warning("A statement of the provider was refused: %s", error)
        raise NotVouched(
            "What the provider says about you cannot be trusted", hint="Sign in again."
        ) from error
    audience = claims["aud"]
    others = isinstance(audience, list) and len(audience) > 1
    if (others or "azp" in claims) and claims.get("azp") != wanted.audience:
        raise NotVouched("The provider's statement was made for somebody else")
    return claims


def kid_of(token: str) -> str | None:
    """Which key a statement says it is signed with; it is not believed yet."""
    from joserfc.errors import JoseError  # noqa: PLC0415 - as above
    from joserfc.jws import extract_compact  # noqa: PLC0415 - as above

    try:
        kid = extract_compact(token.encode()).headers().get("kid")
    except (JoseError, ValueError, TypeError, AttributeError):
        return None
    return kid if isinstance(kid, str) else None


def challenge_of(verifier: str) -> str:
    """The hash that the browser shows to the provider (PKCE, S256)."""
    return _text(hashlib.sha256(verifier.encode()).digest())


def _text(random: bytes) -> str:
    return base64.urlsafe_b64encode(random).rstrip(b"=").decode()


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _endpoint(said: Mapping[str, Any], name: str) -> str:
    address = said.get(name)
    if not isinstance(address, str):
        raise NotVouched(f"The provider does not say its `{name}`")
    _check_address(address, f"The provider's `{name}`")
    return address


def _check_address(address: str, what: str) -> None:
    """Nobody on the way may read or change what is said. Raises: BadInput."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        parts, host = None, ""
    if parts is None or not host or parts.scheme not in ("https", "http"):
        raise BadInput(f"{what} is not an address")
    if parts.scheme == "http" and host not in LOOPBACK:
        raise BadInput(f"{what} is not encrypted", hint="Use `https://…`.")


async def _ask(
    address: str, form: Mapping[str, str] | None = None, basic: tuple[str, str] | None = None
) -> Mapping[str, Any]:
    """Ask the provider, with a form where one is sent. Raises: Unavailable, NotVouched."""
    import httpx2  # noqa: PLC0415 - only who signs in elsewhere needs it

    method, accept = "GET" if form is None else "POST", {"accept": "application/json"}
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            answer = await client.request(method, address, data=form, headers=accept, auth=basic)
            body = answer.json() if len(answer.content) <= MOST_BYTES else None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
        logger.warning("The provider of identities failed: %s", type(error).__name__)
        raise Unavailable(
            f"`{urlsplit(address).hostname}` does not answer", hint="Try again in a moment."
        ) from error
    if answer.status_code != 200 or not isinstance(body, dict):
        said = body.get("error") if isinstance(body, dict) else ""
        logger.warning("The provider of identities said %s %s", answer.status_code, str(said)[:80])
        raise NotVouched(
            f"`{urlsplit(address).hostname}` refused (status {answer.status_code})",
            hint="Begin again; an admin finds more in the log.",
        )
    return body
