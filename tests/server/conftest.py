"""A site in this process, with an injected clock."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON

BASE = "http://127.0.0.1:3000"
Open = Callable[..., TestClient]


@pytest.fixture
def open_site(tmp_path: Path) -> Iterator[Open]:
    """A function that opens a site with other settings; all are closed at the end."""
    with sites(tmp_path) as opener:
        yield opener


@pytest.fixture(scope="module")
def quiet_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A site with the defaults for all tests of a file that change nothing."""
    with sites(tmp_path_factory.mktemp("quiet")) as opener:
        yield opener()


@contextmanager
def sites(folder: Path) -> Iterator[Open]:
    """A function that opens a site over a folder."""
    with ExitStack() as stack:

        def opener(**settings: object) -> TestClient:
            chosen = Settings(cwd=folder, given_data_dir=folder / "data", **settings)  # type: ignore[arg-type]
            app = stack.enter_context(open_app(chosen, strict=False, now=lambda: NOON))
            client = TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False)
            return stack.enter_context(client)

        yield opener


@pytest.fixture
def client(open_site: Open) -> TestClient:
    """A site with the defaults."""
    return open_site()
