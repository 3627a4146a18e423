"""The same places are protected whatever tool touches them: shell, file tools, strangers' tools."""

import json
import os
from pathlib import Path

import pytest

from paige.base.events import Ask, Decision, Deny
from paige.guard.fast.place import Place
from paige.guard.protection import judge_call
from paige.guard.rules.loader import PROTECTED
from paige.guard.rules.powershell import judge_powershell
from tests.guard.gate_project import new_project
from tests.guard.shell_place import PLACE, book, said

READ, WRITE = "read", "write"
# A place, what is done there, and what is said of it. `pass` means that nobody minds.
PLACES = [
    (".env", READ, "deny"),
    (".env.local", READ, "deny"),
    ("services/api/.env.production", READ, "deny"),
    (".env.example", READ, "pass"),
    (".env.sample", READ, "pass"),
    (".env.template", READ, "pass"),
    (".env.dist", READ, "pass"),
    ("~/.ssh/id_ed25519", READ, "deny"),
    ("~/.ssh/id_ed25519.pub", READ, "pass"),
    ("~/.aws/credentials", READ, "deny"),
    ("~/.config/gcloud/application_default_credentials.json", READ, "deny"),
    ("~/.kube/config", READ, "deny"),
    ("~/.npmrc", READ, "deny"),
    ("~/.pypirc", READ, "deny"),
    ("~/.netrc", READ, "deny"),
    ("~/.docker/config.json", READ, "deny"),
    ("~/.gnupg/private-keys-v1.d/A.key", READ, "deny"),
    ("~/.git-credentials", READ, "deny"),
    ("~/.config/git/credentials", READ, "deny"),
    ("~/.mozilla/firefox/a.default/cookies.sqlite", READ, "deny"),
    ("~/.config/google-chrome/Default/Cookies", READ, "deny"),
    ("~/Library/Keychains/login.keychain-db", READ, "deny"),
    ("~/.bash_history", READ, "deny"),
    ("certs/server.pem", READ, "deny"),
    ("/etc/shadow", READ, "deny"),
    ("/proc/self/environ", READ, "deny"),
    ("src/app.py", READ, "pass"),
    ("/etc/hosts", READ, "pass"),
    ("~/.ssh/config", READ, "pass"),
    ("~/.claude/settings.json", READ, "pass"),
    (".env", WRITE, "ask"),
    (".env.example", WRITE, "pass"),
    ("src/app.py", WRITE, "pass"),
    ("~/notes/today.md", WRITE, "pass"),
    ("/tmp/scratch.txt", WRITE, "pass"),
    ("~/.ssh/authorized_keys", WRITE, "deny"),
    ("~/.ssh/id_rsa", WRITE, "deny"),
    ("~/.aws/credentials", WRITE, "deny"),
    ("/etc/hosts", WRITE, "deny"),
    ("/etc/cron.d/job", WRITE, "deny"),
    ("/usr/local/bin/tool", WRITE, "deny"),
    ("~/.bashrc", WRITE, "deny"),
    ("~/.profile", WRITE, "deny"),
    ("~/.zshrc", WRITE, "deny"),
    ("~/.config/fish/config.fish", WRITE, "deny"),
    ("~/.config/powershell/Microsoft.PowerShell_profile.ps1", WRITE, "deny"),
    (".git/hooks/pre-commit", WRITE, "deny"),
    (".git/config", WRITE, "deny"),
    ("~/.gitconfig", WRITE, "deny"),
    ("/var/spool/cron/crontabs/u", WRITE, "deny"),
    ("~/.config/systemd/user/a.service", WRITE, "deny"),
    ("~/Library/LaunchAgents/a.plist", WRITE, "deny"),
    ("~/.config/autostart/a.desktop", WRITE, "deny"),
    ("~/.claude/settings.json", WRITE, "deny"),
    (".claude/settings.local.json", WRITE, "deny"),
    ("~/.codex/config.toml", WRITE, "deny"),
    ("~/.gemini/settings.json", WRITE, "deny"),
    ("~/.copilot/hooks/paige.json", WRITE, "deny"),
    ("~/.paige/guard/guard-1.bin", WRITE, "deny"),
    ("~/.paige/paige.db", WRITE, "deny"),
    (".ai/guard/rules/git.toml", WRITE, "deny"),
]  # fmt: skip


def _patch(path: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch"


TOOLS = {
    READ: [
        ("Read", lambda p: {"file_path": p}),
        ("Grep", lambda p: {"pattern": "x", "path": p, "output_mode": "content"}),
        ("read_file", lambda p: {"file_path": p}),
        ("read_many_files", lambda p: {"include": ["README.md", p]}),
        ("read_many_files", lambda p: {"paths": [p]}),
        ("grep_search", lambda p: {"pattern": "x", "dir_path": p}),
        ("view", lambda p: {"path": p, "view_range": [1, 5]}),
        ("rg", lambda p: {"pattern": "x", "paths": [p]}),
        ("view_image", lambda p: {"path": p}),
        ("read", lambda p: {"filePath": p}),
        ("mcp__filesystem__read_text_file", lambda p: {"path": p}),
        ("mcp__filesystem__read_multiple_files", lambda p: {"paths": ["a.md", p]}),
        ("mcp_files_read_file", lambda p: {"path": p}),
        ("github-mcp-server-read_file", lambda p: {"input": {"file": {"path": p}}}),
        ("mcp__drive__upload", lambda p: {"file": p}),
    ],
    WRITE: [
        ("Write", lambda p: {"file_path": p, "content": "x"}),
        ("Edit", lambda p: {"file_path": p, "old_string": "a", "new_string": "b"}),
        ("MultiEdit", lambda p: {"file_path": p, "edits": [{"new_string": "b"}]}),
        ("NotebookEdit", lambda p: {"notebook_path": p, "new_source": "x"}),
        ("apply_patch", lambda p: {"command": _patch(p)}),
        ("apply_patch", lambda p: {"command": ["apply_patch", _patch(p)]}),
        ("write_file", lambda p: {"file_path": p, "content": "x"}),
        ("replace", lambda p: {"file_path": p, "old_string": "a", "new_string": "b"}),
        ("create", lambda p: {"path": p, "file_text": "x"}),
        ("edit", lambda p: {"path": p, "old_str": "a", "new_str": "b"}),
        ("write", lambda p: {"filePath": p, "content": "x"}),
        ("mcp__filesystem__write_file", lambda p: {"path": p, "content": "x"}),
        ("mcp__filesystem__edit_file", lambda p: {"path": p, "edits": []}),
        ("mcp__x__save", lambda p: {"arguments": json.dumps({"target": {"path": p}})}),
        ("mcp__x__patch", lambda p: {"diff": f"--- a/x\n+++ {p}\n@@ -1 +1 @@\n-a\n+b\n"}),
        ("mcp__x__write_files", lambda p: {"files": {"a.md": "x", p: "y"}}),
        ("Write", lambda p: {"file_path": "file://" + p.replace("~", "/home/u"), "content": "x"}),
    ],
}  # fmt: skip


def verdict(decision: Decision | None) -> str:
    """The word for what was decided."""
    return {Deny: "deny", Ask: "ask"}.get(type(decision), "pass")  # type: ignore[arg-type]


def by_tool(tool: str, given: dict[str, object], place: Place = PLACE) -> str:
    """What is said of a call in the project."""
    outcome = judge_call(tool, given, place, book())
    return verdict(outcome.decision if outcome else None)


@pytest.mark.parametrize(("path", "does", "expected"), PLACES)
def test_every_tool_hears_the_same_of_a_place(path: str, does: str, expected: str) -> None:
    for tool, shape in TOOLS[does]:
        given = shape(path)
        if "file://" in str(given) and not path.startswith(("~", "/")):
            continue
        assert by_tool(tool, given) == expected, (tool, given)


@pytest.mark.parametrize(("path", "does", "expected"), PLACES)
def test_the_shell_hears_the_same_of_a_place(path: str, does: str, expected: str) -> None:
    told = said(f"cat {path}" if does == READ else f"echo x > {path}")
    # Of what nobody minds a shell may be more careful: it may be anything that is no refusal.
    assert told == expected if expected == "deny" else told != "deny"
    if does == READ:
        assert said(f"wc -l < {path}") == told or expected == "pass"


SPELLINGS = [
    "$HOME/.ssh/id_rsa", "${HOME}/.ssh/id_rsa", "/home/u/project/../.ssh/id_rsa", "../.ssh/id_rsa",
    "./../.ssh/./id_rsa", "//home//u/.ssh/id_rsa", "file:///home/u/.ssh/id_rsa",
    "file://localhost/home/u/.ssh/id_rsa", "file:///home/u/%2essh/id%5Frsa", "~/.SSH/ID_RSA",
    "C:\\Users\\u\\.ssh\\id_rsa", "..\\.ssh\\id_rsa", "%USERPROFILE%\\.ssh\\id_rsa",
    "~/.ssh/id_*", "~/.ss?/id_rsa", "~/.{ssh,config}/id_rsa", " ~/.ssh/id_rsa ",
    "file:/home/u/.ssh/id_rsa", "FILE:///home/u/.ssh/id_rsa",
]  # fmt: skip


@pytest.mark.parametrize("path", SPELLINGS)
def test_a_secret_is_one_however_its_path_is_spelt(path: str) -> None:
    for tool, shape in TOOLS[READ]:
        assert by_tool(tool, shape(path)) == "deny", (tool, path)


def test_a_search_over_everything_is_asked_and_over_secrets_refused() -> None:
    for tool in ("Grep", "rg", "grep_search", "mcp__x__search_code"):
        for path in ("~", "/", "/home/u", "$HOME", "/home", "../.."):
            assert by_tool(tool, {"pattern": "x", "path": path}) == "ask", (tool, path)
        for path in ("~/.ssh", "~/.aws/", "~/.gnupg"):
            assert by_tool(tool, {"pattern": "x", "path": path}) == "deny", (tool, path)
        for path in (".", "src", "/home/u/project", "~/other"):
            assert by_tool(tool, {"pattern": "x", "path": path}) == "pass", (tool, path)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"pattern": "KEY", "glob": ".env*"}, "deny"),
        ({"pattern": "KEY", "glob": "**/.env"}, "deny"),
        ({"pattern": "KEY", "glob": "{.env,*.md}"}, "deny"),
        ({"pattern": "KEY", "path": "~", "glob": "*"}, "ask"),
        ({"pattern": "KEY", "path": "~", "glob": "*.md"}, "pass"),
        ({"pattern": "KEY", "glob": "*.py"}, "pass"),
        ({"pattern": "KEY", "glob": ".env.example"}, "pass"),
    ],
)
def test_a_search_is_judged_by_the_files_it_is_narrowed_to(given: dict, expected: str) -> None:
    assert by_tool("Grep", given) == expected


def test_names_may_be_listed_where_contents_may_not_be_read() -> None:
    for tool in ("Glob", "list_directory", "mcp__filesystem__list_directory",
                 "mcp__filesystem__get_file_info", "mcp__filesystem__search_files"):  # fmt: skip
        assert by_tool(tool, {"pattern": "*", "path": "/home/u/.ssh"}) == "pass", tool


def test_a_tool_whose_verb_nobody_knows_may_do_anything() -> None:
    assert by_tool("mcp__x__frobnicate", {"path": "~/.bashrc"}) == "deny"
    assert by_tool("mcp__x__frobnicate", {"path": ".env"}) == "deny"
    assert by_tool("mcp__x__frobnicate", {"doc": "/home/u/.ssh/id_rsa"}) == "deny"
    assert by_tool("mcp__x__frobnicate", {"path": "/etc/passwd"}) == "deny"
    assert by_tool("mcp__x__frobnicate", {"path": "src/app.py"}) == "pass"
    assert by_tool("mcp__api__request", {"method": "POST", "path": "/users/1"}) == "pass"
    assert by_tool("mcp__api__request", {"route": "/etc"}) == "pass"


def test_what_is_copied_is_read_and_what_is_moved_or_deleted_is_gone() -> None:
    for tool in ("mcp__fs__move_file", "mcp__fs__copy_file", "mcp__fs__rename"):
        assert by_tool(tool, {"source": "a.py", "destination": "~/.bashrc"}) == "deny"
        assert by_tool(tool, {"source": "~/.ssh/id_rsa", "destination": "a.txt"}) == "deny"
        assert by_tool(tool, {"source": "a.py", "destination": "b.py"}) == "pass"
    for path in ("~", "/", "~/.ssh", ".claude/settings.json", "/home/u/project"):
        assert by_tool("mcp__fs__delete_directory", {"path": path}) == "deny", path
    assert by_tool("mcp__fs__delete_file", {"path": "src/old.py"}) == "pass"


def test_a_folder_of_what_is_protected_is_not_unpacked_into() -> None:
    for path in ("~/.claude", ".codex", "/home/u/.paige/guard", "~/.config/ai/guard"):
        assert by_tool("mcp__fs__unzip", {"archive": "x.zip", "dest": path}) == "deny", path
        assert by_tool("mcp__fs__extract", {"file": "x.zip", "target_dir": path}) == "deny", path
    assert by_tool("mcp__fs__create_directory", {"path": ".claude/agents"}) == "pass"
    assert by_tool("mcp__fs__unzip", {"archive": "x.zip", "dest": "vendor"}) == "pass"


def test_a_field_is_a_files_however_it_is_called() -> None:
    for key in ("localPath", "config_file", "inputFiles", "docUri", "working-folder", "dbFilename"):
        assert by_tool("mcp__x__load", {key: "config/.env"}) == "deny", key
    assert by_tool("mcp__x__load", {"which": "config/.env"}) == "deny"
    assert by_tool("mcp__x__load", {"profile": "default", "file": "a.txt"}) == "pass"
    assert by_tool("mcp__x__load", {"glob": "!**/.env", "exclude_files": ["a/.env"]}) == "pass"
    assert by_tool("mcp__x__load", {"site": "https://a.example/.env", "key": "a.key"}) == "pass"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("Get-Content .env", "deny"),
        ("gc ~/.ssh/id_rsa | Out-Host", "deny"),
        ("Get-Content $env:USERPROFILE\\.aws\\credentials", "deny"),
        ("Set-Content -Path $HOME\\.claude\\settings.json -Value '{}'", "deny"),
        ("'{}' > ~/.claude/settings.json", "deny"),
        ("[IO.File]::WriteAllText('/home/u/.claude/settings.json','')", "deny"),
        ("Out-File -FilePath $PROFILE -InputObject x", "deny"),
        ("Copy-Item x .git\\hooks\\pre-commit", "deny"),
        ("Get-Content .claude/settings.json", "pass"),
        ("Get-ChildItem ~/.ssh", "pass"),
        ("type .env.example", "pass"),
        ("npm test", "pass"),
        ("Get-ChildItem", "allow"),
    ],
)
def test_powershell_goes_by_the_same_places(command: str, expected: str) -> None:
    assert judge_powershell(command, book(), PLACE).decision == expected


def test_text_that_only_speaks_of_a_place_is_no_touch() -> None:
    for tool, given in [
        ("Write", {"file_path": "a.md", "content": "/home/u/.ssh/id_rsa"}),
        ("Write", {"file_path": "a.json", "content": '{"command": "rm -rf /", "path": "/etc/x"}'}),
        ("TodoWrite", {"todos": [{"content": "read .env", "file": ".env"}]}),
        ("Task", {"prompt": "cat ~/.ssh/id_rsa", "description": "x"}),
        ("mcp__mem__add_note", {"text": "~/.ssh/id_rsa", "title": ".env"}),
        ("WebFetch", {"url": "https://example.com/.env", "prompt": "x"}),
        ("mcp__web__fetch", {"url": "https://example.com/.ssh/id_rsa"}),
    ]:
        assert by_tool(tool, given) == "pass", (tool, given)
    assert by_tool("WebFetch", {"url": "file:///home/u/.ssh/id_rsa", "prompt": "x"}) == "deny"


def test_links_are_followed(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "home" / "app"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "deploy").write_text("key")
    root.mkdir()
    (root / "keys").symlink_to(home / ".ssh")
    (root / "rc").symlink_to("../.bashrc")
    (root / "around").symlink_to("keys")
    (root / "etc").symlink_to("/etc")
    (root / "loop").symlink_to("loop")
    (root / "lib").mkdir()
    (root / "dep").symlink_to("lib")
    place = Place(str(root), str(root), str(home), str(home / ".paige"), False)
    assert by_tool("Read", {"file_path": "keys/deploy"}, place) == "deny"
    assert by_tool("Read", {"file_path": "around/deploy"}, place) == "deny"
    assert by_tool("Grep", {"pattern": "x", "path": "keys"}, place) == "deny"
    assert by_tool("Write", {"file_path": "rc", "content": "x"}, place) == "deny"
    assert by_tool("Write", {"file_path": "etc/new.conf", "content": "x"}, place) == "deny"
    assert by_tool("Write", {"file_path": "loop/a", "content": "x"}, place) == "pass"
    assert by_tool("Write", {"file_path": "dep/a.py", "content": "x"}, place) == "pass"


def test_a_project_behind_a_link_is_still_the_project(tmp_path: Path) -> None:
    (tmp_path / "real" / "app").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "real")
    root = str(tmp_path / "home" / "app")
    place = Place(root, root, str(tmp_path / "home"), f"{tmp_path}/d", False)
    assert by_tool("Write", {"file_path": f"{root}/a.py", "content": "x"}, place) == "pass"
    assert by_tool("Write", {"file_path": f"{root}/../.bashrc", "content": "x"}, place) == "deny"


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Monitor", {"command": "tail -f x.log", "description": "x"}, "pass"),
        ("mcp__shell__run", {"command": "rm -rf ~"}, "deny"),
        ("mcp__shell__run", {"cmd": "git push --force origin main"}, "deny"),
        ("mcp__shell__run", {"command": ["rm", "-rf", "/"]}, "deny"),
        ("mcp__shell__run", {"command": "bash", "args": ["-c", "rm -rf ~"]}, "deny"),
        ("mcp__shell__run", {"argv": ["rm", "-rf", "/home/u"]}, "deny"),
        ("mcp__x__start_process", {"program": "rm", "args": ["-rf", "/"]}, "deny"),
        ("mcp__x__call", {"tool": "shell", "arguments": {"command": "rm -rf ~"}}, "deny"),
        ("mcp__x__call", {"request": {"params": {"cmd": "cat ~/.ssh/id_rsa"}}}, "deny"),
        ("mcp__x__call", {"arguments": '{"command": "rm -rf ~"}'}, "deny"),
        ("mcp__x__batch", {"commands": ["ls", "rm -rf ~"]}, "deny"),
        ("mcp__x__batch", {"steps": [{"cmd": "ls"}, {"cmd": "rm -rf ~"}]}, "deny"),
        ("mcp__x__run", {"command": "cat id_rsa", "cwd": "/home/u/.ssh"}, "deny"),
        ("mcp__git__git", {"args": ["push", "--force", "origin", "main"]}, "deny"),
        ("mcp__term__send_to_terminal", {"text": "rm -rf ~"}, "deny"),
        ("mcp__dc__interact_with_process", {"pid": 1, "input": "rm -rf ~\n"}, "deny"),
        ("mcp__py__run_python", {"code": "import shutil; shutil.rmtree('/')"}, "deny"),
        ("mcp__x__run_code", {"language": "bash", "code": "rm -rf ~"}, "deny"),
        ("mcp__x__run_code", {"code": "import shutil; shutil.rmtree('/')"}, "deny"),
        ("mcp__x__run_script", {"script": "cd / && rm -rf *"}, "deny"),
        ("mcp__db__execute", {"sql": "DROP TABLE users"}, "deny"),
        ("mcp__sqlite__write_query", {"query": "DELETE FROM users"}, "deny"),
        ("mcp__sqlite__write_query", {"query": "delete from users where id = 3"}, "pass"),
        ("mcp__pg__query", {"query": "SELECT 1; DROP TABLE users"}, "deny"),
        ("mcp__pg__query", {"query": "-- tidy\nTRUNCATE users"}, "deny"),
        ("mcp__pg__query", {"query": "SELECT * FROM users"}, "pass"),
        ("mcp__pg__execute", {"statements": ["SELECT 1", "UPDATE users SET admin = true"]}, "deny"),
        ("sql", {"description": "x", "query": "DROP TABLE todos"}, "deny"),
        ("mcp__x__run", {"cmdline": "cat .env"}, "deny"),
        ("mcp__x__run", {"shellCmd": "cat .env"}, "deny"),
        ("mcp__x__run", {"bash_script": "cat .env"}, "deny"),
        ("mcp__x__run", {"cli_command": "aws s3 rb s3://x --force"}, "deny"),
        ("mcp__x__run", {"command_description": "rm -rf ~", "command_id": "rm -rf ~"}, "pass"),
        ("mcp__x__get", {"language_code": "de", "transcript": "rm -rf ~"}, "pass"),
        ("mcp__shell__run", {"args": ["bash", "-lc", "rm -rf ~/"]}, "deny"),
        ("mcp__x__run", {"args": ["build", "--release"]}, "pass"),
        ("mcp__tmux__send_keys", {"pane": "0", "keys": "rm -rf ~ Enter"}, "deny"),
        ("mcp__terminal__type", {"text": "rm -rf ~"}, "deny"),
        ("mcp__applescript__run", {"script": 'do shell script "rm -rf ~"'}, "deny"),
        ("exec", {"input": "await tools.exec_command({cmd: 'rm -rf ~'})"}, "deny"),
        ("exec", {"input": "await tools.exec_command({cmd: 'ls -la'})"}, "pass"),
        ("mcp__jupyter__execute_code", {"code": "x = 1\n!rm -rf ~"}, "deny"),
        ("mcp__jupyter__execute_code", {"code": "%%bash\nrm -rf ~"}, "deny"),
        ("mcp__jupyter__execute_code", {"code": "!ls\nimport shutil; shutil.rmtree('/')"}, "deny"),
        ("mcp__jupyter__execute_code", {"code": "x = 1\nprint(x != 2)"}, "pass"),
        ("mcp__pg__query", {"sql": "SELECT pg_read_file('/etc/shadow')"}, "deny"),
        ("mcp__pg__query", {"sql": "COPY t TO '/home/u/.bashrc'"}, "deny"),
        ("mcp__duckdb__query", {"query": "SELECT * FROM read_text('.env')"}, "deny"),
        ("mcp__pg__query", {"sql": "SELECT * FROM t WHERE path = '/api/users'"}, "pass"),
        ("mcp__shell__run", {"command": "ls -la"}, "pass"),
        ("mcp__shell__run", {"command": "cargo build"}, "pass"),
        ("mcp__editor__text", {"command": "view", "path": "src/app.py"}, "pass"),
        ("mcp__editor__text", {"command": "delete", "path": "src/app.py"}, "pass"),
        ("mcp__web__search", {"query": "how to rm -rf"}, "pass"),
        ("mcp__web__search", {"query": "DROP TABLE users syntax"}, "pass"),
        ("mcp__docs__query_docs", {"query": "rm -rf / explained"}, "pass"),
        ("mcp__x__ask", {"query": "what does rm -rf ~ do"}, "pass"),
        ("mcp__x__ask", {"query": "drop me a line about tables"}, "pass"),
        ("WebSearch", {"query": "how to rm -rf /"}, "pass"),
        ("ToolSearch", {"query": "drop table"}, "pass"),
        ("mcp__browser__evaluate", {"function": "() => document.title"}, "pass"),
    ],
)  # fmt: skip
def test_a_tool_with_a_command_in_it_is_judged_as_that_command(
    tool: str, given: dict[str, object], expected: str
) -> None:
    assert by_tool(tool, given) == expected


def test_what_paige_rests_on_is_refused_in_the_hooks_own_process(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (project.root / "data").symlink_to(project.data)
    assert not project.before("Edit", file_path="src/a.py", old_string="a", new_string="b").denied
    for path in (
        f"{project.data}/guard/x.bin",
        "data/guard/x.bin",
        f"{project.data}/paige.db",
        f"{os.path.dirname(os.path.dirname(__import__('paige').__file__))}/paige/hooks/entry.py",
        f"{__import__('sys').prefix}/lib/python3/site-packages/x.pth",
        str(tmp_path / "home" / ".config" / "ai" / "guard" / "trusted.json"),
    ):
        assert project.before("Write", file_path=path, content="x").denied, path
    assert project.before("Monitor", command="cat ~/.ssh/id_rsa", description="x").denied
    assert project.before("Bash", command="cat id_rsa", workdir="~/.ssh").denied
    assert not project.before("Monitor", description="x", ws={"url": "wss://example.com"}).denied


def test_where_paiges_checkout_is_the_project_writing_asks() -> None:
    place = Place("/home/u/paige", "/home/u/paige", "/home/u", "/home/u/.paige", False)
    rules = {
        **book(),
        "protected": (*PROTECTED, "/home/u/paige/src/paige/**", "/home/u/paige/.venv/**"),
    }

    def told(path: str, at: Place) -> str:
        outcome = judge_call("Edit", {"file_path": path}, at, rules)
        return verdict(outcome.decision if outcome else None)

    assert told("src/paige/guard/fast_path.py", place) == "ask"
    assert told(".venv/lib/x.py", place) == "ask"
    assert told("tests/test_x.py", place) == "pass"
    assert told(".claude/settings.json", place) == "deny"
    assert told("/home/u/paige/src/paige/guard/fast_path.py", PLACE) == "deny"
