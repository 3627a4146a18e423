"""Starting again in the same process: same address, changed settings, and ways it may not go."""

import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Refused
from paige.base.settings import Settings
from paige.doors.settings.operations import project_for, settings_again
from tests.live import Live, live_paige

SAMPLE = Path("/data/sample/project")


def ask(paige: Live, method: str, path: str, **body: object) -> Any:
    headers = {"origin": paige.url}
    url = f"{paige.url}/api/settings{path}"
    answer = httpx2.request(method, url, json=body, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def start_again(paige: Live, project: str = "keep") -> dict[str, Any]:
    """Ask for it, and wait until another one answers at the same address."""
    before = ask(paige, "POST", "/restart", project=project)["boot"]
    for _ in range(200):
        try:
            answer = httpx2.get(f"{paige.url}/api/settings", timeout=30)
        except httpx2.TransportError:
            continue  # the connection was the old one's
        if answer.json()["boot"] != before:
            return answer.json()
    raise AssertionError("it never started again")


def test_changed_settings_count_after_a_restart_at_the_same_address(tmp_path: Path) -> None:
    with live_paige(tmp_path) as paige:
        first = httpx2.get(f"{paige.url}/api/settings").json()
        values = {"openai_api_key": "sk-proj-not-a-real-key-0123456789"}
        changed = ask(paige, "PATCH", "", version=first["version"], values=values)
        after = start_again(paige)
        setup = httpx2.get(f"{paige.url}/api/setup").json()
        code, output = paige.stop()

    assert (first["running"], changed["running"], after["running"]) == ("local", "local", "openai")
    assert not any(each["waiting"] for each in after["entries"])
    assert setup["project"] == str(tmp_path)
    assert code == 0
    assert output.count("Paige is ready at") == 1
    assert "Started again" in output
    assert "not-a-real-key" not in output


def test_the_sample_project_is_taken_and_left_again(tmp_path: Path) -> None:
    with live_paige(tmp_path) as paige:
        project = ask(paige, "POST", "/sample")["project"]
        start_again(paige, "sample")
        with_sample = httpx2.get(f"{paige.url}/api/setup").json()["project"]
        start_again(paige)
        kept = httpx2.get(f"{paige.url}/api/setup").json()["project"]
        refused = httpx2.delete(f"{paige.url}/api/settings/sample", headers={"origin": paige.url})
        start_again(paige, "own")
        own = httpx2.get(f"{paige.url}/api/setup").json()["project"]

    assert (with_sample, kept, own) == (project, project, str(tmp_path))
    assert refused.status_code == 409


def test_settings_that_cannot_be_used_are_left_again(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "ai" / "paige.toml"
    file.parent.mkdir(parents=True)
    with live_paige(tmp_path) as paige:
        file.write_text('passcode = "$argon2id$half"\n')
        after = start_again(paige)
        code, output = paige.stop(signal.SIGINT)

    assert after["passcode"]["inForce"] is False
    assert "not a whole argon2 hash" in output
    assert code == 0


def test_a_file_that_cannot_be_read_keeps_the_server_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "ai" / "paige.toml"
    file.parent.mkdir(parents=True)
    with live_paige(tmp_path) as paige:
        file.write_text("provider = \n")
        answer = httpx2.post(
            f"{paige.url}/api/settings/restart", json={}, headers={"origin": paige.url}
        )

        assert answer.status_code == 400
        assert httpx2.get(f"{paige.url}/health").status_code == 200


def settings(**more: Any) -> Settings:
    return Settings(cwd=Path("/work"), **more)


def test_other_machines_never_find_a_server_without_a_passcode() -> None:
    with pytest.raises(Refused, match="other machines"):
        settings_again(settings(host="0.0.0.0", passcode="open sesame"), settings(), None)


def test_what_belongs_to_the_address_and_the_data_stays() -> None:
    running = settings(host="0.0.0.0", port=4000, given_data_dir=Path("/data"), passcode="a")
    now = settings(port=5000, given_data_dir=Path("/other"), passcode="b", provider="local")
    after = settings_again(running, now, SAMPLE)

    assert (after.host, after.port, after.data_dir) == ("0.0.0.0", 4000, Path("/data"))
    assert (after.passcode, after.provider, after.project_dir) == ("b", "local", SAMPLE)


PROJECTS = st.sampled_from([None, Path("/mine"), Path("/other"), SAMPLE])


@given(running=PROJECTS, now=PROJECTS, strict=st.booleans())
def test_the_project_is_the_one_that_was_asked_for(
    running: Path | None, now: Path | None, strict: bool
) -> None:
    before, files = settings(project_dir=running), settings(project_dir=now)

    assert project_for("sample", before, files, SAMPLE, strict=strict) == SAMPLE
    own = project_for("own", before, files, SAMPLE, strict=strict)
    assert own != SAMPLE or now == SAMPLE
    kept = project_for("keep", before, files, SAMPLE, strict=strict)
    assert running != SAMPLE or kept == SAMPLE
    if now is None and running is not None:
        assert kept == running
