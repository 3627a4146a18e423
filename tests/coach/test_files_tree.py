"""The tree: what is shown, in which order, and what is left out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paige.coach.files.folders import Root
from paige.coach.files.project import ProjectFiles, read_tree
from paige.coach.files.scan import read_rules
from paige.coach.files.values import TreeNode

GIT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


def make(folder: Path, *paths: str) -> None:
    for path in paths:
        place = folder / path
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("x")


def lines(node: TreeNode) -> list[str]:
    """The paths in the order they are shown; folders end with `/`."""
    shown = [] if not node.path else [node.path + ("/" if node.type == "directory" else "")]
    return shown + [line for child in node.children or () for line in lines(child)]


def shown(folder: Path) -> list[str]:
    return lines(ProjectFiles(folder).tree().root)


def test_folders_come_first_and_all_are_sorted(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "A.py", "src/z.py", "src/deep/x.py", "docs/", ".env", "a.py")
    assert shown(tmp_path) == [
        "docs/",
        "src/",
        "src/deep/",
        "src/deep/x.py",
        "src/z.py",
        ".env",
        "A.py",
        "a.py",
        "b.py",
    ]


def test_the_root_has_the_name_of_the_folder_and_an_empty_path(tmp_path: Path) -> None:
    project = tmp_path / "my project"
    make(project, "a.py")
    tree = ProjectFiles(project).tree()
    assert tree.root == TreeNode("my project", "", "directory", (TreeNode("a.py", "a.py", "file"),))
    assert (tree.entries, tree.truncated) == (1, False)


NOISE = ["node_modules", ".git", "dist", "build", "coverage", ".next", ".cache", "__pycache__"]


@pytest.mark.parametrize("name", [*NOISE, ".venv"])
def test_noise_is_left_out_at_every_depth(tmp_path: Path, name: str) -> None:
    make(tmp_path, f"{name}/a.js", f"packages/one/{name}/b.js", "packages/one/c.js")
    assert shown(tmp_path) == ["packages/", "packages/one/", "packages/one/c.js"]


def test_a_file_named_like_a_noisy_folder_is_shown(tmp_path: Path) -> None:
    make(tmp_path, "build", "bin/dist")
    assert shown(tmp_path) == ["bin/", "bin/dist", "build"]


def test_what_gitignore_names_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "keep.log", "src/b.log", "src/c.py", "secret/x", "out/x", "src/out/y")
    (tmp_path / ".gitignore").write_text("# logs\n*.log\n!keep.log\n\n/out\nsecret/\n")
    assert shown(tmp_path) == [
        "src/",
        "src/out/",
        "src/out/y",
        "src/c.py",
        ".gitignore",
        "keep.log",
    ]


def test_a_deeper_gitignore_has_the_last_word_below_it(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "src/a.log", "src/b.txt", "src/in/b.txt", "src/in/c.log", "b.txt")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbf*.log\r\n")
    (tmp_path / "src" / ".gitignore").write_text("!a.log\n/b.txt\n")
    assert shown(tmp_path) == [
        "src/",
        "src/in/",
        "src/in/b.txt",
        "src/.gitignore",
        "src/a.log",
        ".gitignore",
        "b.txt",
    ]


def test_nothing_comes_back_from_an_ignored_folder(tmp_path: Path) -> None:
    make(tmp_path, "out/keep.txt", "out/.gitignore", "a.txt")
    (tmp_path / ".gitignore").write_text("out/\n!out/keep.txt\n")
    assert shown(tmp_path) == [".gitignore", "a.txt"]


def test_a_gitignore_that_is_a_link_does_not_count(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make(project, "a.txt", "b.txt", "sub/c.txt", "rules")
    (tmp_path / "elsewhere").write_text("*\n")
    (project / "rules").write_text("*\n")
    (project / ".gitignore").symlink_to("../elsewhere")
    (project / "sub" / ".gitignore").symlink_to("../rules")
    # The one that leads to a file of the project is shown, the other one is not.
    assert shown(project) == ["sub/", "sub/.gitignore", "sub/c.txt", "a.txt", "b.txt", "rules"]


def test_links_are_not_looked_into(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    make(project, "src/a.py", "src/deep/")
    make(outside, "secret.txt")
    for link, target in {
        "out": "../outside",
        "out_file": "../outside/secret.txt",
        "in": "src",
        "in_file": "src/a.py",
        "here": ".",
        "broken": "nothing",
        "self": "self",
        "src/deep/up": "../..",
        "src/deep/around": "../deep",
    }.items():
        (project / link).symlink_to(target)
    assert shown(project) == [
        "in/",
        "src/",
        "src/deep/",
        "src/deep/around/",
        "src/a.py",
        "in_file",
    ]


def test_names_that_cannot_be_sent_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "back\\slash", "new\nline", "tab\t", "ok ö.txt")
    (tmp_path / os.fsdecode(b"not-utf8-\xff")).write_text("x")
    assert shown(tmp_path) == ["a.txt", "ok ö.txt"]


def test_pipes_are_not_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert shown(tmp_path) == []


def test_a_tree_with_too_many_entries_loses_the_deepest_and_says_so(tmp_path: Path) -> None:
    make(tmp_path, *[f"big/{number:03}/file" for number in range(50)], "a.py", "zoo/b.py")
    tree = read_tree(Root(tmp_path), max_entries=60)
    assert (tree.entries, tree.truncated) == (60, True)
    assert {"a.py", "zoo/", "zoo/b.py", "big/049/"} <= set(lines(tree.root))
    whole = read_tree(Root(tmp_path), max_entries=104)
    assert (whole.entries, whole.truncated) == (104, False)
    assert read_tree(Root(tmp_path), max_entries=103).truncated


def test_a_very_deep_folder_does_no_harm(tmp_path: Path) -> None:
    deep = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=deep)
        below = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    tree = ProjectFiles(tmp_path).tree()
    assert tree.entries == 64
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True, timeout=60)


def test_a_folder_that_vanishes_meanwhile_is_simply_not_there(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "src/b.py")
    files = ProjectFiles(tmp_path)
    (tmp_path / "src" / "b.py").unlink()
    (tmp_path / "src").rmdir()
    assert lines(files.tree().root) == ["a.py"]


TOO_MANY_OPEN = """
import os, resource, sys
from pathlib import Path
from paige.base.errors import Unavailable
from paige.coach.files.project import ProjectFiles

files = ProjectFiles(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
held = []
while True:
    try:
        held.append(os.open("/", os.O_RDONLY))
    except OSError:
        break
os.close(held.pop())
try:
    print(files.tree())
except Unavailable as error:
    print(error.message.split(": ")[-1])
"""


def test_a_tree_that_could_not_be_read_is_not_an_empty_one(tmp_path: Path) -> None:
    make(tmp_path, "src/deep/a.py")
    done = subprocess.run(
        [sys.executable, "-c", TOO_MANY_OPEN, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "Too many open files\n", done.stdout + done.stderr


HOSTILE = ["*a" * 60 + "b", "*" * 200 + "b", "/".join(["**", "a"] * 40), "[" * 300, "\\"]
HOSTILE += ["?" * 900 + "*", "a" * 5_000, "[!a-", "[z-a]", "x**y" * 50, "**/**/**/**/a"]


@pytest.mark.parametrize("pattern", HOSTILE, ids=[each[:12] for each in HOSTILE])
def test_a_hostile_pattern_costs_nothing(pattern: str) -> None:
    rules = read_rules(f"{pattern}\n*.log\n".encode())
    assert rules is not None
    assert rules.verdict("a" * 255, folder=False) in (None, True)
    assert rules.verdict("/".join(["a" * 100] * 10), folder=True) in (None, True)
    assert rules.verdict("x.log", folder=False) is True


def test_a_gitignore_without_rules_ignores_nothing() -> None:
    assert read_rules(b"# only words\n\n   \n/\n") is None
    assert read_rules(b"\xff\xfe\x00") is not None  # no text, but harmless


def test_a_huge_gitignore_is_left_alone(tmp_path: Path) -> None:
    make(tmp_path, "a.log")
    (tmp_path / ".gitignore").write_text("*.log\n" * 100_000)
    assert shown(tmp_path) == [".gitignore", "a.log"]


# The same patterns given to git itself.

NAMES = ["a", "b", "ab", "a.x", "b.x", "c"]
PIECES = st.sampled_from([*NAMES, "*", "*.x", "a*", "*b", "?", "[ab]", "[!a]", "**", "a*.x"])
PATTERNS = st.builds(
    lambda negated, rooted, pieces, folder: (
        "!" * negated + "/" * rooted + "/".join(pieces) + "/" * folder
    ),
    st.booleans(),
    st.booleans(),
    st.lists(PIECES, min_size=1, max_size=3),
    st.booleans(),
)
RULES = st.lists(PATTERNS, max_size=5)
FOLDERS = ("", "a/", "a/b/", "b/", "ab/", "ab/c/")


@given(st.fixed_dictionaries(dict.fromkeys(("", "a/", "b/"), RULES)))
@example({"": ["*", "!*/", "!*.x"], "a/": [], "b/": []})
@example({"": ["/*", "!/a"], "a/": ["*"], "b/": []})
@example({"": ["a/**", "!a/b/"], "a/": [], "b/": []})
def test_git_ignores_the_same_files(tmp_path: Path, rules: dict[str, list[str]]) -> None:
    if not (tmp_path / ".git").exists():
        git(tmp_path, "init", "-q")
        files = [f"{folder}{name}" for folder in FOLDERS for name in ("f", "g.x", "h")]
        make(tmp_path, *files, *(f"{folder}c.x/b.x" for folder in FOLDERS))
    for folder, patterns in rules.items():
        (tmp_path / folder / ".gitignore").write_text("".join(f"{each}\n" for each in patterns))
    wanted = git(tmp_path, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    assert {path for path in shown(tmp_path) if not path.endswith("/")} == set(wanted) - {""}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=GIT, capture_output=True, check=True, timeout=60
    )
    return done.stdout.decode()


def test_lines_that_name_folders_twice_hide_no_tree(tmp_path: Path) -> None:
    make(tmp_path, "a/b", "c")
    (tmp_path / ".gitignore").write_text("a//\nb//\nc\n")

    assert "c" not in lines(ProjectFiles(tmp_path).tree().root)
