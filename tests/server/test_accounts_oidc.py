"""Signing in at a provider of identities, over a real connection, and what may go wrong."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import OctKey
from starlette.testclient import TestClient

from paige.app.accounts import people
from paige.app.accounts.oidc import (
    NotVouched,
    Oidc,
    StatementTerms,
    kid_of,
    read_provider,
    read_statement,
)
from paige.app.accounts.people import PersonNew
from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.base.settings import Settings
from paige.doors.people.oidc_people import is_allowed, roles_told, wanted_id
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.server.identity_provider import CLIENT, SECRET, IdentityProvider, identity_provider

BASE = "http://127.0.0.1:3000"
ADMIN = Actor("local", "root", frozenset({"admin"}))
ADA = {
    "sub": "248289761001",
    "name": "Ada Lovelace",
    "preferred_username": "Ada.L",
    "email": "Ada@School.org",
    "email_verified": True,
    "roles": ["paige-teacher", "everything else"],
}


class Place:
    """A site whose people are vouched for elsewhere."""

    def __init__(self, provider: IdentityProvider) -> None:
        self.provider = provider
        self.at = NOON
        self.opened: TestClient
        self.site: Site

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)
        self.provider.now = self.at

    def run(self, work: Callable[..., Any], *arguments: object) -> Any:
        assert self.opened.portal is not None
        return self.opened.portal.call(work, self.site.app, *arguments)

    def browser(self) -> TestClient:
        client = TestClient(self.site.asgi, base_url=BASE, follow_redirects=False)
        client.portal = self.opened.portal
        return client

    def enter(self, browser: TestClient | None = None, back: str = "/plan") -> TestClient:
        """Go to the provider, agree, come back; where one lands is in `landed`."""
        client = browser or self.browser()
        away = client.get("/api/session/oidc", params={"back": back})
        assert away.status_code == 303, away.text
        there = self.provider.agree(away.headers["location"])
        self.landed = client.get(there).headers["location"]
        return client

    def who(self, client: TestClient) -> dict[str, Any] | None:
        return client.get("/api/session").json()["person"]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with open_place(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def one_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_place(tmp_path_factory.mktemp("place")) as opened:
        yield opened


@pytest.fixture
def closed_place(one_place: Place) -> Place:
    """For tests that let nobody in: nothing of it changes but what the provider says."""
    said = one_place.provider
    said.changes, said.header, said.token = {}, {}, None
    said.codes.clear()
    return one_place


@contextmanager
def open_place(folder: Path) -> Iterator[Place]:
    """A site beside its provider."""
    with identity_provider(NOON) as provider:
        provider.claims = dict(ADA)
        here = Place(provider)
        settings = Settings(
            environ={"HOME": str(folder)},
            cwd=folder,
            given_data_dir=folder / "data",
            accounts="on",
            oidc_issuer=provider.address,
            oidc_client_id=CLIENT,
            oidc_client_secret=SECRET,
            oidc_allowed_domains=("school.org",),
        )
        with open_app(settings, strict=False, now=here.now) as app:
            here.site = Site(app)
            here.opened = TestClient(here.site.asgi, base_url=BASE)
            with here.opened:
                yield here


def test_the_first_sign_in_makes_the_person_and_the_next_finds_them(place: Place) -> None:
    assert place.browser().get("/api/session").json()["provider"] == "127.0.0.1"
    client = place.enter()
    assert place.landed == "/plan"
    person = place.who(client)
    assert person is not None
    assert (person["id"], person["name"]) == ("ada-l", "Ada Lovelace")
    assert (person["email"], person["roles"]) == ("ada@school.org", ["teacher"])
    assert (person["hasPassword"], person["provider"]) == (False, place.provider.address)
    assert client.get("/api/me").status_code == 200

    again = place.who(place.enter())
    assert again is not None
    assert again["id"] == "ada-l"
    assert len(place.run(people.people_of, ADMIN)) == 1


@pytest.mark.parametrize(
    ("changes", "header"),
    [
        ({"nonce": "another"}, {}),
        ({"nonce": None}, {}),
        ({"aud": "somebody-else"}, {}),
        ({"aud": [CLIENT, "other"]}, {}),
        ({"aud": [CLIENT, "other"], "azp": "other"}, {}),
        ({"azp": "other"}, {}),
        ({"aud": None}, {}),
        ({"iss": "https://evil.example"}, {}),
        ({"iss": None}, {}),
        ({"exp": 1}, {}),
        ({"exp": int(NOON.timestamp()) - 61}, {}),
        ({"exp": None}, {}),
        ({"exp": "soon"}, {}),
        ({"iat": int(NOON.timestamp()) + 3600}, {}),
        ({"sub": None}, {}),
        ({"sub": 7}, {}),
        ({"nbf": int(NOON.timestamp()) + 3600}, {}),
        ({}, {"kid": "no such key"}),
    ],
)
def test_a_statement_that_does_not_fit_lets_nobody_in(
    closed_place: Place, changes: dict[str, Any], header: dict[str, Any]
) -> None:
    closed_place.provider.changes, closed_place.provider.header = changes, header
    client = closed_place.enter()
    assert closed_place.landed == "/?problem=not_vouched"
    assert closed_place.who(client) is None
    assert len(closed_place.run(people.people_of, ADMIN)) == 0


def forged(algorithm: str, provider: IdentityProvider, nonce: str) -> str:
    """A token that nobody with the provider's key made."""
    right = provider.signed(nonce)
    _, payload, signature = right.split(".")
    if algorithm == "none":
        header = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
        return f"{header}.{payload}."
    if algorithm == "HS256":  # the public key taken for a shared secret
        key = OctKey.import_key(json.dumps(provider.published()["keys"][0]))
        claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
        return jwt.encode({"alg": "HS256"}, claims, key, algorithms=["HS256"])
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    claims["roles"] = ["admin"]
    changed = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"{right.split('.')[0]}.{changed}.{signature}"


@pytest.mark.parametrize("kind", ["none", "HS256", "changed", "x.y.z", "", "..", "a.b.c.d.e"])
def test_a_forged_statement_lets_nobody_in(closed_place: Place, kind: str) -> None:
    client = closed_place.browser()
    away = client.get("/api/session/oidc").headers["location"]
    back = closed_place.provider.agree(away)
    nonce = next(iter(closed_place.provider.codes.values()))["nonce"]
    known = kind in ("none", "HS256", "changed")
    closed_place.provider.token = (
        forged(kind, closed_place.provider, nonce) if known else kind or "."
    )
    assert client.get(back).headers["location"] == "/?problem=not_vouched"
    assert closed_place.who(client) is None


def test_a_new_key_of_the_provider_is_fetched_once_and_believed(place: Place) -> None:
    place.enter()
    place.move(minutes=1)
    place.provider.rotate(algorithm="ES256")
    fetched = place.provider.asked.count("/keys")

    assert place.who(place.enter()) is not None
    assert place.who(place.enter()) is not None
    assert place.provider.asked.count("/keys") == fetched + 1


def test_unknown_keys_do_not_make_us_ask_without_end(place: Place) -> None:
    place.enter()
    place.move(minutes=1)
    place.provider.header = {"kid": "no such key"}
    fetched = place.provider.asked.count("/keys")
    for _ in range(4):
        place.enter()
    assert place.provider.asked.count("/keys") == fetched + 1


def test_a_code_counts_once_in_the_browser_that_asked_and_for_ten_minutes(place: Place) -> None:
    client = place.browser()
    back = place.provider.agree(client.get("/api/session/oidc").headers["location"])
    elsewhere = place.browser().get(back)
    assert elsewhere.headers["location"] == "/?problem=sign_in_expired"
    assert client.get(back).headers["location"] == "/"
    assert client.get(back).headers["location"] == "/?problem=sign_in_expired"

    late = place.browser()
    there = place.provider.agree(late.get("/api/session/oidc").headers["location"])
    place.move(minutes=11)
    assert late.get(there).headers["location"] == "/?problem=sign_in_expired"


@pytest.mark.parametrize("query", ["", "?state=x", "?code=x", "?error=access_denied&state=local.x"])
def test_coming_back_with_nothing_lets_nobody_in(closed_place: Place, query: str) -> None:
    answer = closed_place.browser().get(f"/api/session/oidc/back{query}")
    assert answer.headers["location"] == "/?problem=sign_in_expired"
    assert "set-cookie" not in answer.headers


def test_after_the_provider_one_stays_here(place: Place) -> None:
    place.enter(back="//evil.example/x")
    assert place.landed == "/"


def test_without_a_role_only_confirmed_addresses_of_the_school_come_in(place: Place) -> None:
    said = place.provider
    said.changes = {"roles": None}
    learner = place.who(place.enter())
    assert learner is not None
    assert learner["roles"] == ["learner"]

    for number, changes in enumerate(
        (
            {"email": "eve@evil.example"},
            {"email_verified": False},
            {"email_verified": "true"},
            {"email": None},
            {"email": "eve@evil.school.org"},
        )
    ):
        said.changes = {"roles": None, "sub": f"eve{number}", **changes}
        place.enter()
        assert place.landed == "/?problem=refused", changes
    assert len(place.run(people.people_of, ADMIN)) == 1


def test_roles_at_the_provider_are_followed(place: Place) -> None:
    place.enter()
    place.provider.changes = {"roles": ["learner", "researcher"]}
    person = place.who(place.enter())
    assert person is not None
    assert person["roles"] == ["learner", "researcher"]
    place.provider.changes = {"roles": [], "email_verified": False}
    place.enter()
    assert place.landed == "/?problem=refused"


def test_an_account_made_here_is_joined_by_a_confirmed_address_only(place: Place) -> None:
    new = PersonNew(id="countess", email="ada@school.org", roles=("learner",))
    place.run(people.add_person, ADMIN, new)
    place.provider.changes = {"email_verified": False}
    stranger = place.who(place.enter())
    assert stranger is not None
    assert (stranger["id"], stranger["email"]) == ("ada-l", None)

    place.provider.changes = {"sub": "another"}
    person = place.who(place.enter())
    assert person is not None
    assert (person["id"], person["roles"]) == ("countess", ["teacher"])
    place.provider.changes = {"sub": "a third"}
    place.enter()
    assert place.landed == "/?problem=conflict"


def test_nobody_becomes_the_person_from_before_accounts(place: Place) -> None:
    place.provider.changes = {"preferred_username": "me"}
    person = place.who(place.enter())
    assert person is not None
    assert person["id"] == "me-2"


def test_a_disabled_person_stays_out(place: Place) -> None:
    place.enter()
    place.run(people.add_person, ADMIN, PersonNew(id="root", roles=("admin",)))
    place.run(people.change, ADMIN, "ada-l", people.PersonChanges(state="disabled"))
    client = place.enter()
    assert place.landed == "/?problem=refused"
    assert place.who(client) is None


def test_a_provider_that_is_gone_is_told(place: Place) -> None:
    place.provider.metadata = {"token_endpoint": "http://127.0.0.1:1/token"}
    place.enter()
    assert place.landed == "/?problem=unavailable"


@pytest.mark.parametrize(
    "said",
    [
        {"issuer": "https://evil.example"},
        {"jwks_uri": "http://evil.example/keys"},
        {"token_endpoint": None},
        {"authorization_endpoint": 7},
        {"id_token_signing_alg_values_supported": ["none", "HS256"]},
    ],
)
def test_a_provider_that_says_something_strange_is_not_used(said: dict[str, Any]) -> None:
    right = IdentityProvider(address="https://id.school.org")
    read_provider(right.discovery(), "https://id.school.org")
    with pytest.raises(PaigeError):
        read_provider({**right.discovery(), **said}, "https://id.school.org")


def test_an_issuer_that_can_be_listened_to_is_refused(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, oidc_issuer="http://id.school.org", oidc_client_id="x")
    with pytest.raises(BadInput, match="not encrypted"):
        Oidc(settings)
    with pytest.raises(BadInput, match="PAIGE_OIDC_CLIENT_ID"):
        Oidc(replace(settings, oidc_client_id=""))


@given(st.text(max_size=60) | st.from_regex(r"[A-Za-z0-9_-]{1,20}(\.[A-Za-z0-9_-]{0,20}){1,4}"))
def test_no_text_breaks_the_reading_of_statements(token: str) -> None:
    kid_of(token)
    with pytest.raises(NotVouched):
        read_statement(token, [], StatementTerms("https://id", "paige", "n"), now=NOON)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["roles", "realm", "email", "name"]), JSON), st.text())
def test_no_claims_break_the_reading_of_roles(claims: dict[str, Any], claim: str) -> None:
    for name in ("roles", "realm.roles", claim):
        told = roles_told(claims, name)
        assert told is None or set(told) <= {
            "teacher",
            "learner",
            "developer",
            "researcher",
            "admin",
        }
    assert is_allowed(claims, ("school.org",)) is False
    people.checked_id(wanted_id(claims))


@pytest.mark.parametrize(
    ("claims", "claim", "roles"),
    [
        ({"roles": "teacher learner"}, "roles", ("teacher", "learner")),
        ({"realm_access": {"roles": ["ADMIN"]}}, "realm_access.roles", ("admin",)),
        ({"https://x/roles": ["paige:developer"]}, "https://x/roles", ("developer",)),
        ({"groups": ["x"]}, "groups", ()),
        ({}, "roles", None),
        ({"roles": 7}, "roles", None),
    ],
)
def test_roles_are_read_as_providers_write_them(
    claims: dict[str, Any], claim: str, roles: tuple[str, ...] | None
) -> None:
    assert roles_told(claims, claim) == roles
