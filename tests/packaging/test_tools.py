"""The ways people install a program: pipx and uvx, from the wheel file, the real tools."""

import os
import subprocess
from pathlib import Path

import httpx2
import pytest

from tests.packaging.building import CACHE, TOOLS, Built, offline, run_tool, serving

pytestmark = pytest.mark.clients


@pytest.fixture
def environ(shared: Path, tmp_path: Path) -> dict[str, str]:
    """A person with these tools and an empty home."""
    return offline(tmp_path, shared / CACHE)


def test_pipx_installs_it_and_takes_it_out_again_without_the_data(
    built: Built, environ: dict[str, str], tmp_path: Path
) -> None:
    run_tool("pipx", "install", str(built.wheel), env=environ)
    paige = tmp_path / "bin" / "paige"
    assert paige.exists()
    typed = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    add = [str(paige), "memory", "add", "The harbour freezes in winter."]
    done = subprocess.run(
        add, env=typed, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    log = tmp_path / ".config" / "ai" / "memory" / "events.jsonl"
    assert "harbour" in log.read_text()

    run_tool("pipx", "uninstall", "paige", env=environ)

    assert not paige.exists()
    assert "harbour" in log.read_text()


def test_pipx_runs_it_once_without_installing_it(
    built: Built, environ: dict[str, str], tmp_path: Path
) -> None:
    said = run_tool("pipx", "run", "--spec", str(built.wheel), "paige", "--version", env=environ)
    assert said.startswith("paige, version")
    assert not (tmp_path / "bin").exists() or os.listdir(tmp_path / "bin") == []


def test_uvx_starts_it_from_the_file(built: Built, environ: dict[str, str], tmp_path: Path) -> None:
    command = [str(TOOLS / "uvx"), "--from", str(built.wheel), "paige", "up"]
    with serving(command, environ, tmp_path) as live:
        assert httpx2.get(f"{live.url}/health", timeout=60).json()["status"] == "ok"
        live.stop()


def test_uv_installs_it_as_a_tool(built: Built, environ: dict[str, str], tmp_path: Path) -> None:
    environ = {**environ, "UV_TOOL_DIR": str(tmp_path / "tools")}
    environ["UV_TOOL_BIN_DIR"] = str(tmp_path / "bin")
    run_tool("uv", "tool", "install", "--quiet", str(built.wheel), env=environ)
    done = subprocess.run(
        [str(tmp_path / "bin" / "paige"), "doctor"],
        env={"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout
