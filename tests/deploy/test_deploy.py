"""The files for a server: they can be read, hold no secrets, and do what the Makefile does."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
import yaml

from paige.base.settings import SETTINGS
from tests.docs.pages import ROOT
from tests.live import live_paige, run_paige
from tests.pgvector import temp_pgvector
from tests.postgres import program

DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
VARIABLES = {setting.variable for setting in SETTINGS}
# Written in parts, so that this file does not name them either.
HOSTS = [
    ".".join(parts) for parts in (("docker", "io"), ("ghcr", "io"), ("quay", "io"), ("gcr", "io"))
]
FILES = sorted(
    path for path in DEPLOY.rglob("*") if path.is_file() and path.name not in (".env", "paige.env")
)
INSTRUCTION = re.compile(r"^([A-Z]+)\s+(.*)$", re.DOTALL)


def instructions() -> list[tuple[str, str]]:
    """The container file, an instruction each, without comments and with lines joined."""
    plain = "\n".join(line for line in CONTAINER.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", plain)
    found = [INSTRUCTION.match(line) for line in joined.splitlines() if line.strip()]
    assert all(found)
    return [(match[1], match[2].strip()) for match in found if match]


def compose() -> dict[str, Any]:
    """The compose file."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


# --- All files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_names_a_registry_or_holds_a_secret(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert [host for host in HOSTS if host in text] == []
    assert re.findall(r"sk-[a-z]|\$argon2|BEGIN [A-Z ]*PRIVATE KEY|password=\w", text) == []
    assert text.endswith("\n")


@pytest.mark.parametrize("name", ["compose.env.example", "paige.env.example"])
def test_an_example_of_settings_has_no_secret_filled_in(name: str) -> None:
    pairs = [
        line.partition("=")[::2]
        for line in (DEPLOY / name).read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]

    assert {value for key, value in pairs if key != "PAIGE_ACCOUNTS"} == {""}
    if name.startswith("paige"):
        assert {key for key, _ in pairs} <= VARIABLES


# --- The container --------------------------------------------------------------------------------


def test_the_container_has_stages_and_the_last_one_gets_only_what_was_installed() -> None:
    stages = [text for name, text in instructions() if name == "FROM"]
    names = [name for name, _ in instructions()]
    begin = len(names) - names[::-1].index("FROM")
    copied = [text for name, text in instructions()[begin:] if name == "COPY"]

    assert [stage.rpartition(" AS ")[2] for stage in stages[:2]] == ["web", "install"]
    assert stages[2] == stages[1].partition(" AS ")[0]  # what was built fits what runs it
    assert all(":" in stage and not stage.endswith(":latest") for stage in stages)
    assert copied == ["--from=install /opt/paige /opt/paige"]


def test_the_container_runs_as_nobody_special_and_says_how_it_is() -> None:
    last = dict(instructions())  # of each instruction the last one

    assert last["USER"] == "10001:10001"
    assert "/health'" in last["HEALTHCHECK"]
    assert (last["ENTRYPOINT"], last["CMD"]) == ('["paige"]', '["serve"]')
    assert last["VOLUME"] == "/data"
    assert last["STOPSIGNAL"] == "SIGTERM"


def test_the_container_sets_known_settings_and_no_secret() -> None:
    secret = {setting.variable for setting in SETTINGS if setting.kind == "secret"}
    names = {
        pair.partition("=")[0]
        for name, text in instructions()
        if name == "ENV"
        for pair in text.split()
    }

    assert names <= VARIABLES | {"PATH", "HOME"}
    assert names & secret == set()
    assert [name for name, _ in instructions() if name in ("ARG", "ADD")] == []


def test_the_steps_of_the_container_are_those_of_the_makefile() -> None:
    def steps(text: str) -> set[str]:
        """Every call of pip and npm, whatever the program is called."""
        joined = re.sub(r"\\\n\s*", " ", text)
        pip = re.findall(r"-m pip (install .+)", joined)
        npm = re.findall(r"(?:npm --prefix web|\$\(NPM\)) ((?:ci|run --silent).+)", joined)
        return {each.replace(" -e .", " .").strip() for each in (*pip, *npm)}

    run = MAKEFILE.partition("$(VENV)/.run:")[2].partition("$(VENV)/.test:")[0]
    web = MAKEFILE.partition("web/node_modules/.ready:")[2].partition("# A browser")[0]
    assert steps(CONTAINER) == steps(run) | steps(web)
    assert len(steps(CONTAINER)) == 4


def test_everything_the_container_copies_is_there_and_not_left_out() -> None:
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    taken = [line[1:] for line in ignored if line.startswith("!")]
    sources = [
        word
        for name, text in instructions()
        if name == "COPY" and not text.startswith("--from")
        for word in text.split()[:-1]
    ]

    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(source == each or source.startswith(f"{each}/") for each in taken), source


# --- compose --------------------------------------------------------------------------------------


def test_compose_has_a_database_with_vectors_two_servers_and_a_proxy() -> None:
    services = compose()["services"]

    assert set(services) == {"db", "paige-a", "paige-b", "proxy"}
    assert services["db"]["image"].startswith("pgvector/pgvector:pg")
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["db"]["networks"] == ["inside"]
    assert compose()["networks"]["inside"]["internal"] is True
    folders = [services[name]["volumes"] for name in ("paige-a", "paige-b")]
    assert folders[0] != folders[1]


@pytest.mark.parametrize("name", ["paige-a", "paige-b"])
def test_a_server_of_compose_is_held_in_and_works_as_a_plain_role(name: str) -> None:
    service = compose()["services"][name]
    settings = service["environment"]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == [
        "no-new-privileges:true",
        "seccomp:seccomp.json",
        "apparmor:unconfined",
        "systempaths=unconfined",
    ]
    assert set(settings) - {"FORWARDED_ALLOW_IPS"} <= VARIABLES
    assert "//paige_app:${APP_PASSWORD:?" in settings["DATABASE_URL"]
    assert "//paige_owner:${OWNER_PASSWORD:?" in settings["DATABASE_OWNER_URL"]
    assert name in settings["PAIGE_ALLOWED_HOSTS"]
    proxy = compose()["services"]["proxy"]["networks"]["inside"]["ipv4_address"]
    assert settings["FORWARDED_ALLOW_IPS"] == proxy


def test_every_variable_compose_asks_for_is_in_its_example() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    example = (DEPLOY / "compose.env.example").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))

    assert asked == set(re.findall(r"^(\w+)=", example, re.MULTILINE))
    assert re.findall(r"\$\{\w+\}", text) == []  # one that is missing is an error, not empty


# --- The proxies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_a_proxy_keeps_what_is_for_operators_inside_and_balances(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    plain = re.sub(r"#.*", "", text)

    assert plain.count("{") == plain.count("}")
    assert "/metrics" in plain
    assert "/health/ready" in plain
    assert "404" in plain
    assert "X-Request-Id" in plain
    assert len(re.findall(r"(?:paige-[ab]|127\.0\.0\.1):300[01]", plain)) == 2


# --- systemd --------------------------------------------------------------------------------------


def unit() -> str:
    """The unit, starting a program that is there."""
    text = (DEPLOY / "paige.service").read_text(encoding="utf-8")
    program = "/opt/paige/.venv/bin/paige serve"
    assert program in text
    return text.replace(program, f"{sys.executable} -c pass")


def test_systemd_takes_the_unit_without_a_word(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    path = tmp_path / "paige.service"
    path.write_text(unit())
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", str(path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_holds_the_server_in_and_sets_known_settings() -> None:
    lines = dict(
        line.split("=", 1) for line in unit().splitlines() if "=" in line and line[0] not in "#["
    )

    assert lines["User"] == "paige"
    assert lines["ProtectSystem"] == "strict"
    assert lines["NoNewPrivileges"] == "yes"
    assert lines["CapabilityBoundingSet"] == ""
    assert lines["EnvironmentFile"].startswith("/etc/")
    names = {pair.partition("=")[0] for pair in lines["Environment"].split()}
    assert names <= VARIABLES | {"HOME"}


# --- The sandbox inside ---------------------------------------------------------------------------

# As a unit or a container runs it: no root, no powers, and none to be had.
AS_NOBODY = ("--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set=-all",
             "--inh-caps=-all")  # fmt: skip
LEVEL = "from paige.sandbox.isolation import strongest; print(strongest())"


def level_under(usual: str, names: set[str]) -> str:
    """How well code is isolated where a filter lets only some system calls pass."""
    root = os.geteuid() == 0
    python = "/usr/bin/python3" if root else sys.executable  # nobody may not see root's own
    if shutil.which("setpriv") is None or not Path(python).exists():
        pytest.skip("there is no setpriv, or no Python of the system")
    become = ["setpriv", "--no-new-privs", *(AS_NOBODY if root else ())]
    restricted = str(Path(__file__).with_name("restricted.py"))
    done = subprocess.run(
        [*become, python, restricted, usual, ",".join(sorted(names)), python, "-c", LEVEL],
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"},
        cwd="/", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def expanded(*groups: str) -> set[str]:
    """The system calls of systemd's groups."""
    found, waiting = set[str](), list(groups)
    while waiting:
        group = waiting.pop()
        if not group.startswith("@"):
            found.add(group)
            continue
        told = subprocess.run(
            ["systemd-analyze", "syscall-filter", group],
            capture_output=True, text=True, timeout=30, check=True,
        ).stdout  # fmt: skip
        lines = [line.strip() for line in told.splitlines()[1:]]
        waiting += [line for line in lines if line and not line.startswith("#")]
    return found


def test_code_is_isolated_by_bubblewrap_under_the_filter_of_the_unit() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    line = next(each for each in unit().splitlines() if each.startswith("SystemCallFilter="))
    allowed = expanded(*line.partition("=")[2].split())
    forbidden = {"sethostname", "setdomainname"}  # by ProtectHostname
    for group in ("@clock", "@module", "@raw-io"):  # by ProtectClock and its kin
        forbidden |= expanded(group)

    assert level_under("deny", allowed - forbidden) == "bubblewrap"
    assert level_under("deny", allowed - forbidden - {"mount"}) == "limits"


def test_code_is_isolated_by_bubblewrap_under_the_profile_of_compose() -> None:
    profile = json.loads((DEPLOY / "seccomp.json").read_text(encoding="utf-8"))
    (rule,) = profile["syscalls"]
    denied = set(rule["names"])

    assert (profile["defaultAction"], rule["action"]) == ("SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO")
    assert level_under("allow", denied) == "bubblewrap"
    assert level_under("allow", denied | {"unshare", "pivot_root"}) == "limits"
    assert "bubblewrap" in CONTAINER  # it is installed there


def test_the_script_of_the_database_is_shell_and_makes_no_superuser() -> None:
    path = DEPLOY / "database.sh"
    done = subprocess.run(["bash", "-n", str(path)], capture_output=True, timeout=30, check=False)

    assert done.returncode == 0
    assert path.stat().st_mode & 0o100
    assert "SUPERUSER" not in path.read_text(encoding="utf-8").upper().replace("SUPERUSERS", "")


def test_the_roles_of_the_script_can_migrate_and_work(tmp_path: Path) -> None:
    words = {"OWNER_PASSWORD": "own'er-word", "APP_PASSWORD": "app-word"}
    with temp_pgvector() as server:
        address = urlsplit(server)
        where = {"PGHOST": str(address.hostname), "PGPORT": str(address.port)}
        path = f"{Path(program('psql')).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            [str(DEPLOY / "database.sh")],
            env={"PATH": path, "POSTGRES_USER": "postgres", **where, **words},
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        urls = {
            "DATABASE_URL": f"postgresql://paige_app:app-word@{where['PGHOST']}:{where['PGPORT']}/paige",
            "DATABASE_OWNER_URL": f"postgresql://paige_owner:own%27er-word@{where['PGHOST']}:{where['PGPORT']}/paige",
        }
        with live_paige(tmp_path, "up", fresh=False, **urls) as paige:
            ready = httpx2.get(f"{paige.url}/health/ready", timeout=30)
        told = run_paige(tmp_path, "doctor", fresh=False, **urls).stdout

    assert ready.status_code == 200, ready.text
    assert "row security" not in told or "bypass" not in told
    assert "word" not in told
