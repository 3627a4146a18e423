import os
from pathlib import Path
from typing import Any

import pytest

from paige.base.checks import Check
from paige.base.settings import Settings
from paige.doors.setup.doctor import healthy, run_checks
from paige.memory.checks import checks
from paige.memory.embedding import StaticEmbedder
from paige.memory.log.log import Log
from paige.memory.vectors.chroma import ChromaVectors
from tests.chroma import temp_chroma
from tests.memory.plain_http import serving
from tests.memory.remembering import event
from tests.pgvector import temp_pgvector
from tests.postgres import execute, free_port
from tests.processes import obeying_permissions, run_python


def asked(folder: Path, **values: Any) -> dict[str, Check]:
    found = checks(settings(folder, **values))
    return {check.name: check for check in found}


def settings(folder: Path, **values: Any) -> Settings:
    paths = {"given_data_dir": folder / "data", "given_memory_path": folder / "ai" / "events.jsonl"}
    return Settings(cwd=folder, environ={"HOME": str(folder)}, **{**paths, **values})


def test_a_new_machine_is_fine_and_nothing_is_created(tmp_path: Path) -> None:
    found = asked(tmp_path)
    assert {name: check.status for name, check in found.items()} == {
        "memory log": "ok",
        "embedder": "ok",
    }
    assert "static-256" in found["embedder"].message
    assert list(tmp_path.iterdir()) == []


def test_doctor_asks_the_memory_too(tmp_path: Path) -> None:
    found = run_checks(settings(tmp_path))
    assert {"memory log", "embedder"} <= {check.name for check in found}
    assert healthy(found)


def test_a_log_says_how_much_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "ai" / "events.jsonl"
    path.parent.mkdir()
    log = Log(path)
    log.append(lambda first: [event(first, "a"), event(first + 1, "b")])
    log.close()
    assert "holds 2 events" in asked(tmp_path)["memory log"].message


def test_a_folder_in_place_of_the_log_fails(tmp_path: Path) -> None:
    (tmp_path / "ai" / "events.jsonl").mkdir(parents=True)
    assert asked(tmp_path)["memory log"].status == "fail"


def test_a_log_below_a_file_fails(tmp_path: Path) -> None:
    (tmp_path / "ai").write_text("")
    assert asked(tmp_path)["memory log"].status == "fail"


ASK = """
import sys
from pathlib import Path
from tests.memory.test_checks import asked
check = asked(Path(sys.argv[1]))["memory log"]
print(check.status, check.message)
"""


@pytest.mark.parametrize("mode", ["file", "folder"])
def test_a_log_that_may_not_be_written_fails(tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "ai"
    folder.mkdir()
    if mode == "file":
        Log(folder / "events.jsonl").append(lambda first: [event(first, "a")])
        os.chmod(folder / "events.jsonl", 0o400)
    else:
        os.chmod(folder, 0o500)
    said = run_python(ASK, tmp_path, prefix=obeying_permissions())
    os.chmod(folder, 0o700)
    assert said.startswith("fail")


def test_no_embedder_is_a_choice(tmp_path: Path) -> None:
    assert asked(tmp_path, embedder="none")["embedder"].status == "ok"


def test_an_embedder_that_lacks_a_setting_fails(tmp_path: Path) -> None:
    check = asked(tmp_path, embedder="openai-compatible")["embedder"]
    assert (check.status, "PAIGE_EMBEDDER_URL" in (check.fix or "")) == ("fail", True)


def test_an_embedder_that_does_not_answer_is_a_warning(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    check = asked(tmp_path, embedder="ollama", embedder_url=address)["embedder"]
    assert check.status == "warn"
    assert "words only" in check.message


def test_chroma_is_looked_for_when_it_is_set(tmp_path: Path) -> None:
    with temp_chroma(tmp_path) as server:
        check = asked(tmp_path, chromadb_url=server.url)["chroma"]
        assert (check.status, "makes its collection" in check.message) == ("ok", True)
        assert server.call("GET", "collections") == []
        backend = ChromaVectors(server.url, embedder=StaticEmbedder.name)
        backend.connect()
        backend.close()
        check = asked(tmp_path, chromadb_url=server.url)["chroma"]
        assert (check.status, check.message) == ("ok", f"Chroma at {server.url} answers")
    check = asked(tmp_path, chromadb_url=server.url)["chroma"]
    assert check.status == "warn"
    assert "does not answer" in check.message


def test_another_program_in_place_of_chroma_is_a_warning(tmp_path: Path) -> None:
    with serving(lambda _: (404, b"not here")) as url:
        check = asked(tmp_path, chromadb_url=url)["chroma"]
    assert (check.status, "no Chroma server" in check.message) == ("warn", True)


def test_pgvector_is_looked_for_when_the_database_is_postgresql(
    tmp_path: Path, postgres_server: str
) -> None:
    check = asked(tmp_path, database_url=postgres_server)["pgvector"]
    assert (check.status, "no pgvector" in check.message) == ("warn", True)
    with temp_pgvector() as server:
        check = asked(tmp_path, database_url=server)["pgvector"]
        assert (check.status, "offers" in check.message) == ("ok", True)
        execute(server, "CREATE EXTENSION vector")
        check = asked(tmp_path, database_url=server)["pgvector"]
        assert (check.status, "has pgvector 0.8" in check.message) == ("ok", True)
    nobody = f"postgresql://postgres@127.0.0.1:{free_port()}/postgres"
    assert asked(tmp_path, database_url=nobody)["pgvector"].status == "warn"
