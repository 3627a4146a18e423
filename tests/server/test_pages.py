"""How the files of the web app are sent: compressed, kept for as long as is right, and guarded."""

import gzip
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from paige.doors.frame.web.pages import WebApp, takes_gzip

TEXT = b"export const words = 1;\n" * 100


@pytest.fixture
def site(tmp_path: Path) -> TestClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "app-1a2b.js").write_bytes(TEXT)
    (tmp_path / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(TEXT))
    (tmp_path / "assets" / "tiny-3c4d.js").write_bytes(b"1;\n")
    (tmp_path / "index.html").write_text("<title>Paige</title>", encoding="utf-8")
    (tmp_path / "sw.js").write_text("1;\n", encoding="utf-8")
    (tmp_path / "manifest.webmanifest").write_text("{}", encoding="utf-8")
    return TestClient(Starlette(routes=[Mount("/", WebApp(tmp_path))]))


def test_a_browser_that_takes_gzip_gets_the_compressed_copy(site: TestClient) -> None:
    packed = site.get("/assets/app-1a2b.js", headers={"accept-encoding": "gzip, br"})
    plain = site.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity"})

    assert packed.content == plain.content == TEXT
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(TEXT) / 10
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert packed.headers["etag"] != plain.headers["etag"]


def test_an_unchanged_file_is_not_sent_again_in_either_form(site: TestClient) -> None:
    for accepted in ("gzip", "identity"):
        first = site.get("/assets/app-1a2b.js", headers={"accept-encoding": accepted})
        again = {"accept-encoding": accepted, "if-none-match": first.headers["etag"]}
        answer = site.get("/assets/app-1a2b.js", headers=again)
        assert (answer.status_code, answer.content) == (304, b"")


def test_a_file_without_a_copy_is_sent_as_it_is(site: TestClient) -> None:
    answer = site.get("/assets/tiny-3c4d.js", headers={"accept-encoding": "gzip"})

    assert answer.content == b"1;\n"
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/sw.js", "/manifest.webmanifest", "/plan"])
def test_what_has_no_hash_in_its_name_is_asked_for_again(site: TestClient, path: str) -> None:
    assert site.get(path).headers["cache-control"] == "no-cache"


def test_a_hashed_file_is_kept_for_a_year_and_a_missing_one_is_not_the_index(
    site: TestClient,
) -> None:
    assert "immutable" in site.get("/assets/app-1a2b.js").headers["cache-control"]
    assert site.get("/assets/app-0000.js").status_code == 404
    assert site.get("/assets/a%00b.js").status_code == 404


def test_worker_and_manifest_come_only_from_here_and_as_what_they_are(site: TestClient) -> None:
    policy = site.get("/sw.js").headers["content-security-policy"]

    assert "worker-src 'self'" in policy
    assert "manifest-src 'self'" in policy
    assert "javascript" in site.get("/sw.js").headers["content-type"]
    assert "manifest+json" in site.get("/manifest.webmanifest").headers["content-type"]


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=1.0", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
    ],
)
def test_gzip_is_sent_only_to_those_who_name_it(accepted: str, *, taken: bool) -> None:
    assert takes_gzip(accepted) is taken
