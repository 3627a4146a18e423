"""The four verdicts: what is denied, asked, left to the host, and proven harmless."""

from pathlib import Path

import pytest

from paige.base.events import Allow, Ask, Deny
from paige.guard.fast.place import Place
from paige.guard.fast_path import outcome_of
from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS, Judgement, judge
from paige.guard.shell.proof import unknown_kinds
from tests.guard.shell_place import book, judged, said

PRINTING = (
    "env", "env -0", "env | sort", "printenv", "set", "export -p", "declare -p", "typeset -x",
    "readonly -p", "compgen -v", "compgen -e", "echo $AWS_SECRET_ACCESS_KEY", "echo ${TOKEN}",
    'echo "${KEY:0:8}"', "echo ${!AWS*}", 'printf %s "$DATABASE_URL"', "cat <<< $SECRET",
    "cat <<E\n$GH_TOKEN\nE", "git config --list", "git config --get-regexp .", "git remote -v",
    "git credential fill", "npm config ls -l", "pip config debug", "docker inspect web",
    "docker exec web env", "kubectl get secret", "cat /proc/self/environ", "ps auxe", "ps eww",
    "jq -n env", "jq -n '$ENV'", "awk 'BEGIN{print ENVIRON[\"X\"]}'", "go env", "history", "fc -l",
    "make -pn", "terraform show", "node -p process.env", "bash -lc env", "timeout 5 env",
)  # fmt: skip
UNRESOLVED = (
    "cat $X", 'cat "$1"', "cat $(cat list)", "cat ../*", "cat *", "cat .*", "cat ${A:-README.md}",
    "ls ${X}", "head -n $N x", "sort < $F", "cat < ../x", "ls | xargs cat", "grep foo $FILES",
    "find .. -name x", "find / -name '*.pem'", "rg foo ../other", "cat ~root/.profile",
    "cat ~+/../x", "sed 'r /etc/passwd' x", "awk 'BEGIN{ARGV[1]=\"/etc/passwd\";ARGC=2}1'",
    "cat .git/config", "yq 'load(\"/etc/passwd\")' a.yml", "diff -r a b", "file -m ../magic x",
    "cat src/../../x",
)  # fmt: skip
OUTSIDE = (
    "npm test --prefix /elsewhere", "npm -C /elsewhere run test", "npm test -- --config /tmp/x",
    "pytest /elsewhere", "pytest ../x::test", "pytest -p plugin", "pytest -pevil tests",
    "pytest -c /elsewhere/x.ini", "pytest --rootdir=/elsewhere", "pytest -o addopts='-p evil'",
    "pytest @/tmp/args", "pytest --pyargs os", "python -m pytest -c /elsewhere/x",
    "python3 -X importtime -m pytest", "/tmp/evil/python -m pytest", "/tmp/timeout 5 ls",
    "make -C /elsewhere", "make -f x test", "make test CC=/tmp/cc", "make --eval='$(shell id)'",
    "make -j deploy-all", "cargo test --manifest-path ../x/Cargo.toml", "cargo --config x test",
    "cargo +evil test", "go test /elsewhere/...", "go test -exec /tmp/x ./...",
    "go test example.com/x", "node --require /tmp/x.js a.js", "node -r ./x -e 'console.log(1)'",
    "ruff check --config /x .", "eslint -c /elsewhere/x.js .", "tsc -p ../x",
    "uv run --directory /elsewhere pytest", "uv run --with evil pytest",
    "NODE_OPTIONS='--require /tmp/x' npm test", "PYTHONPATH=/tmp pytest",
    "PYTEST_ADDOPTS='-p evil' pytest", "LD_PRELOAD=/tmp/x ls", "FOO=bar pytest", "IFS=/ ls",
    "PAGER=/tmp/x git log", "HUSKY=0 git commit -m x", "git -c core.hooksPath=/tmp status",
    "git --exec-path=/tmp status", "git -c alias.x='!id' x", "git commit --no-verify -m x",
    "git -C /elsewhere status", "git diff --no-index a /etc/passwd", "cd .. && npm test",
    "cd /tmp/x; pytest", "npx evil-package", "npx -y tsc", "./nowhere.sh", "../x.sh", "/tmp/ls",
    "ls() { id; }; ls", "alias ls=id; ls", "env -C /tmp ls", "export PATH=/tmp:$PATH; ls",
)  # fmt: skip
TAMPERING = (
    "perl -i -pe 's/deny/allow/' .claude/settings.json", "dd if=/dev/null of=.claude/settings.json",
    'dd of="$HOME/.codex/config.toml" if=/dev/null', 'sed -Ei d "$HOME"/.claude/settings.json',
    "for f in ~/.claude/*.json; do : > $f; done", "jq . x | sponge .claude/settings.json",
    "tar -xf a.tar -C .claude", "tar --directory=$HOME/.claude -xf c.tar",
    "unzip -o a.zip -d .claude", "7z x a.7z -o.claude", "rsync -a /tmp/evil/ .claude/",
    "cp -t ~/.claude /tmp/settings.json", "ln -sfn /tmp/evil ~/.claude", "rm .cl*/settings.json",
    "rm .claude/sett?ngs.json", "awk -i inplace 1 .claude/settings.json",
    "ruby -i -pe 1 .claude/settings.json",
    "python3 -c \"p='.claude/'+'settings.json';open(p,'w')\"",
    "node -p \"fs.truncateSync('.claude/settings.json')\"",
    "python3 -c \"import os; os.chdir('.claude'); open('settings.json','w')\"",
    "bun -e \"await Bun.write('.claude/settings.json','{}')\"",
    "vim -c %d -c wq .claude/settings.json", "emacs --batch .claude/settings.json -f save-buffer",
    "git stash push -- .claude/settings.json", "cd .claude && git stash",
    "cd ~/.claude; tar xf /tmp/a.tar", "patch .claude/settings.json < p",
    "curl http://x -o ~/.claude/settings.json", "aria2c -d ~/.claude -o settings.json http://x",
    "find .claude -name '*.json' -exec sed -i d {} +", "ls .claude/settings.json | xargs sed -i d",
    "bash -c ': > \"$1\"' _ .claude/settings.json",
    "bash -c 'for f; do : > \"$f\"; done' _ .claude/settings.json",
    "time -o .claude/settings.json ls", "docker run -v ~/.claude:/x alpine rm /x/settings.json",
    "chmod a-x ~/.paige", "chattr +i .claude/settings.json", "split -b 1 x .claude/settings.json",
    "echo '{}' > .mcp.json", "rm ~/.copilot/mcp-config.json",
    "sqlite3 x '.output .claude/settings.json'", "kill $(pgrep -f paige)",
    "pgrep paige | xargs kill -9", "systemctl --user stop paige", "PAIGE_GUARD=off git push",
    "PAIGE_GUARD=off; git push", "export CLAUDE_CONFIG_DIR=/tmp/x",
    "env CLAUDE_CONFIG_DIR=/tmp claude -p x", "paige guard allow 1 --always", "paige guard trust x",
    "claude config set hooks '{}'", "claude --settings /tmp/s.json -p x",
    "codex -c hooks=[] exec x",
)  # fmt: skip
READING = (
    "cat .claude/settings.json", "jq .hooks .claude/settings.json", "ls -la .claude",
    "grep -n hooks .claude/settings.json", "git diff .claude/settings.json", "cd .claude && ls",
    "git add .claude/settings.json", "head -5 .mcp.json", "sed -n 1,5p .claude/settings.json",
)  # fmt: skip
UNKNOWN = (
    "frobnicate --all", "ls --frobnicate", "pytest --some-flag", "docker compose up -d",
    "npm install lodash", "pip install requests", "curl https://example.com", "cp a.py b.py",
    "source .venv/bin/activate", "python scripts/x.py", "bash scripts/x.sh", "echo x > notes.txt",
    "cat /etc/hosts", "python3 -c 'import os; os.listdir()'", "(ls)",
)  # fmt: skip


@pytest.mark.parametrize("command", [*PRINTING, *UNRESOLVED, *OUTSIDE])
def test_nothing_is_allowed_that_tells_secrets_or_leads_out(command: str):
    assert said(command) != ALLOW, judged(command)


@pytest.mark.parametrize("command", TAMPERING)
def test_no_program_may_change_what_paige_and_the_hosts_rest_on(command: str):
    assert said(command) == DENY, judged(command)


@pytest.mark.parametrize("command", READING)
def test_what_is_protected_may_be_read(command: str):
    assert said(command) == ALLOW, judged(command)


@pytest.mark.parametrize("command", UNKNOWN)
def test_of_what_is_not_known_paige_has_no_opinion(command: str):
    assert said(command) == PASS, judged(command)


@pytest.mark.parametrize("command", ["$CMD x", "$(cat x) y", '"$EDITOR" x', 'eval "$X"', "rm x"])
def test_a_command_word_nobody_can_resolve_is_asked(command: str):
    assert said(command) == ASK, judged(command)


@pytest.mark.parametrize("command", ["echo 'never closed", 'cat "x', "ls; echo `x '"])
def test_a_text_nobody_can_read_to_its_end_is_denied(command: str):
    assert said(command) == DENY, judged(command)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name in ("src", "scripts", "node_modules/.bin", ".git"):
        (tmp_path / "app" / name).mkdir(parents=True)
    for name in ("scripts/build.sh", "scripts/deploy.sh", "node_modules/.bin/tsc", "src/a.py"):
        (tmp_path / "app" / name).touch()
    root = str(tmp_path / "app")
    return Place(root, root, str(tmp_path), str(tmp_path / ".paige"), own=False)


def decided(command: str, place: Place) -> str:
    return judge(command, place, book()).decision


def test_npx_runs_only_what_the_project_has_installed(place: Place):
    assert decided("npx tsc --noEmit", place) == ALLOW
    assert decided("npx eslint .", place) == PASS
    assert decided("cd src && npx tsc --noEmit", place) == ALLOW


def test_a_program_by_its_path_must_be_a_file_of_the_project(place: Place):
    assert decided("./scripts/build.sh", place) == ALLOW
    assert decided("./scripts/build.sh test", place) == ALLOW
    assert decided("./scripts/build.sh --to /x", place) == PASS
    assert decided("./scripts/deploy.sh", place) == PASS
    assert decided("./scripts/none.sh", place) == PASS
    (Path(place.root) / "evil").symlink_to("/tmp/evil.sh")
    assert decided("./evil", place) == PASS


def test_a_link_that_leads_out_is_not_read(place: Place):
    (Path(place.root) / "out").symlink_to(place.home)
    (Path(place.root) / "in").symlink_to("src")
    assert decided("cat out/x", place) == PASS
    assert decided("cat in/a.py", place) == ALLOW


def test_a_search_through_a_folder_meets_no_secret(place: Place):
    assert decided("grep -rn foo .", place) == ALLOW
    (Path(place.root) / "src" / ".env").write_text("KEY=1")
    for command in ("grep -rn foo .", "grep -r foo", "grep -rn foo src"):
        assert decided(command, place) == PASS, command
    assert decided("grep -n foo src/a.py", place) == ALLOW
    assert decided("rg foo", place) == ALLOW  # it passes by what is hidden
    (Path(place.root) / "src" / "server.key").touch()
    assert decided("rg foo", place) == PASS


def test_a_variable_that_is_not_known_takes_the_allow_away(place: Place):
    assert decided("CI=1 ls", place) == ALLOW
    assert decided("GIT_PAGER=cat git log", place) == ALLOW
    assert decided("ANYTHING=1 ls", place) == PASS
    assert decided("x=1; ls", place) == ALLOW
    assert decided("PYTEST_ADDOPTS=x; pytest", place) == PASS


def test_only_an_allow_spares_a_question_and_a_pass_says_nothing():
    verdicts = {each: Judgement(each, "x", "So.") for each in (ALLOW, PASS, ASK, DENY)}
    asked = {each: outcome_of(one, unasked=True).decision for each, one in verdicts.items()}
    assert asked == {ALLOW: Allow(), PASS: None, ASK: Ask("So."), DENY: Deny("So.")}
    before = {each: outcome_of(one, unasked=False).decision for each, one in verdicts.items()}
    assert before == {ALLOW: None, PASS: None, ASK: Ask("So."), DENY: Deny("So.")}


def test_a_line_of_the_table_with_a_kind_nobody_checks_is_found():
    assert unknown_kinds("-f=pth : path*") == {"pth"}
    assert [line for line in book()["harmless"].values() if unknown_kinds(line)] == []
