"""Whatever is sent to the API, it answers with a status that says what is wrong, never with a 500.

schemathesis makes requests of its description: such as fit it, and such as do not.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON, TEMPLATE
from tests.depth import examples
from tests.postgres import temp_database
from tests.server.conftest import BASE

_NAMES = {"data": "content"}
"""One library's word for what another one takes."""
_QUICKLY = settings(
    max_examples=examples(6),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# It would start the program again, or ask a model somewhere else.
NOT_ASKED = r"^/settings/(restart|check)$"


@schemathesis.serializer("application/x-ndjson")
def _lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@pytest.fixture
def site(
    engine: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[TestClient]:
    """A server with the defaults on an engine, whose home is a folder of the test."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "project").mkdir()
    chosen = Settings(
        cwd=folder / "project",
        environ={"HOME": str(folder), "PATH": ""},
        given_data_dir=folder / "data",
        project_dir=folder / "project",
    )
    with ExitStack() as stack:
        if engine == "postgresql":
            server = request.getfixturevalue("postgres_server")
            url = stack.enter_context(temp_database(server, template=TEMPLATE))
            chosen = replace(chosen, database_url=url)
        app = stack.enter_context(open_app(chosen, strict=False, now=lambda: NOON))
        client = TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False)
        yield stack.enter_context(client)


@pytest.mark.parametrize(
    ("engine", "mode"),
    [
        ("sqlite", GenerationMode.POSITIVE),
        ("postgresql", GenerationMode.NEGATIVE),
        pytest.param("sqlite", GenerationMode.NEGATIVE, marks=pytest.mark.soak),
        pytest.param("postgresql", GenerationMode.POSITIVE, marks=pytest.mark.soak),
    ],
)
def test_no_request_fails_inside(site: TestClient, mode: GenerationMode) -> None:
    described = site.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(described).exclude(path_regex=NOT_ASKED)
    found = list(schema.get_all_operations())
    asked = [each.ok() for each in found if isinstance(each, Ok)]
    assert len(asked) == len(found)
    assert len(asked) > 80
    failed: list[str] = []
    for operation in asked:
        send = _sending(site, failed)
        wanted = operation.as_strategy(generation_mode=mode)
        with suppress(Unsatisfiable):  # nothing about it could be wrong
            settings(_QUICKLY)(given(case=wanted)(send))()
    assert failed == []


def _sending(site: TestClient, failed: list[str]) -> Callable[[schemathesis.Case], None]:
    def send(case: schemathesis.Case) -> None:
        given = case.as_transport_kwargs(base_url=f"{BASE}/api")
        given = {_NAMES.get(name, name): value for name, value in given.items()}
        given.pop("cookies", None)
        answer = site.request(**given)
        if answer.status_code == 500:
            failed.append(f"{case.method} {case.path} {given}: {answer.text}")

    return send
