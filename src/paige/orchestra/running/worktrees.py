"""A worktree for each feature: agents build apart, and the base branch only gets what was tested.

Every function may be called again after a kill at any moment: what is there already stays, what is
half done is done again. The files that Paige and its hooks keep in a worktree are never committed.
"""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paige.base.errors import BadInput, Conflict, Unavailable
from paige.base.files import write_atomic, write_error
from paige.guard.state.tree import LEFT_OUT, LEFT_OUT_FILES
from paige.orchestra.running.git import GitResult, git, must

FOLDER = ".claude/worktrees"
BRANCHES = "paige/"
TRAILER = "Paige-Task"
MOST_DIFF = 200_000
_KEPT = (".claude/worktrees/", ".claude/progress/", ".claude/.delegation-state/")
_MOST_NAME = 60
_MOST_LISTED = 5
MergeStatus = Literal["merged", "already", "conflict", "moved"]


@dataclass(frozen=True, slots=True)
class Repository:
    """A project under Git: its folder, the top of the repository, and the branch to merge into."""

    root: Path
    top: Path
    base: str

    @property
    def below(self) -> str:
        """Where the project lies in its repository; empty at the top."""
        return "" if self.root == self.top else self.root.relative_to(self.top).as_posix()


@dataclass(frozen=True, slots=True)
class Worktree:
    """Where a feature is built: the checkout, the project's folder in it, and the branch."""

    feature: str
    checkout: Path
    folder: Path
    branch: str


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What came of a merge; `files` are those in conflict, `commit` is the base's tip then."""

    status: MergeStatus
    commit: str = ""
    files: tuple[str, ...] = ()


def find_repository(root: Path) -> Repository:
    """The repository of a project. Raises: BadInput when nothing can be built there."""
    root = root.resolve()
    found = git(root, "rev-parse", "--show-toplevel")
    if not found.good:
        raise BadInput(
            f"`{root}` is not in a Git repository, and every feature is built in a worktree of one",
            hint="Run `git init`, then `git add -A` and `git commit -m start`.",
        )
    top = Path(found.line).resolve()
    if not git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").good:
        raise BadInput(
            f"The repository of `{root}` has no commit yet, so there is nothing to branch from",
            hint="Run `git add -A` and `git commit -m start`.",
        )
    branch = git(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    if not branch.good:
        raise BadInput(
            f"No branch is checked out in `{top}`, so there is nothing to merge into",
            hint="Check one out: `git switch <branch>`, or make one: `git switch -c <name>`.",
        )
    return Repository(root, top, branch.line)


def require_clean(repository: Repository) -> None:
    """Refuse a project with changes that are not committed. Raises: Conflict."""
    changed = uncommitted(repository)
    if not changed:
        return
    listed = ", ".join(f"`{each}`" for each in changed[:_MOST_LISTED])
    more = f" and {len(changed) - _MOST_LISTED} more" if len(changed) > _MOST_LISTED else ""
    raise Conflict(
        f"The project has changes that are not committed: {listed}{more}",
        hint="Commit them or put them away with `git stash -u`: agents build on what is committed.",
    )


def uncommitted(repository: Repository) -> tuple[str, ...]:
    """What is not committed, without what Paige, its hooks and tools leave there."""
    said = must(repository.top, "status", "--porcelain", "-z", "--untracked-files=all")
    found: list[str] = []
    entries = iter(said.out.split("\0"))
    for entry in entries:
        if not entry:
            continue
        state, path = entry[:2], entry[3:]
        if "R" in state or "C" in state:
            next(entries, None)  # where it came from
        if not _is_left_out(path, tracked=state != "??", below=repository.below):
            found.append(path)
    return tuple(found)


def add(repository: Repository, feature: str, *, start: str = "") -> Worktree:
    """The worktree of a feature; a new one begins at `start`, else at the base branch."""
    _exclude(repository)
    worktree = worktree_of(repository, feature)
    if is_whole(worktree):
        return worktree
    _forget(repository, worktree)
    there = _tip(repository, worktree.branch)
    new = () if there else ("-b", worktree.branch)
    begin = worktree.branch if there else (start or repository.base)
    words = ("worktree", "add", "--force", *new, str(worktree.checkout), begin)
    must(repository.top, *words)
    return worktree


def worktree_of(repository: Repository, feature: str) -> Worktree:
    """Where the worktree of a feature is or would be."""
    name = name_of(feature)
    checkout = repository.root / FOLDER / name
    folder = checkout / repository.below if repository.below else checkout
    return Worktree(feature, checkout, folder, f"{BRANCHES}{name}")


def name_of(feature: str) -> str:
    """The name of a feature's folder and branch; two features never share one."""
    plain = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "-" for sign in feature
    )
    if plain == feature and 0 < len(plain) <= _MOST_NAME and not plain.startswith("-"):
        return plain
    digest = hashlib.sha256(feature.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain.strip('-')[:_MOST_NAME] or 'feature'}-{digest}"


def is_whole(worktree: Worktree) -> bool:
    """Whether a worktree is there, with its own branch checked out."""
    if not (worktree.checkout / ".git").is_file():
        return False
    top = git(worktree.checkout, "rev-parse", "--show-toplevel")
    head = git(worktree.checkout, "symbolic-ref", "--quiet", "--short", "HEAD")
    same = top.good and Path(top.line).resolve() == worktree.checkout.resolve()
    return same and head.line == worktree.branch and worktree.folder.is_dir()


def commit(
    worktree: Worktree, message: str, *, key: str, author: str = "Paige", merging: bool = False
) -> str:
    """Commit what an agent made; the tip of the branch then. Nothing new makes no commit.

    With `merging` the merge that `begin_merge` began is ended by it.
    """
    _on_branch(worktree)
    if not merging:
        _give_up_merge(worktree.checkout)
    must(worktree.checkout, "add", "--all", "--", ".", *_excluding())
    new = not git(worktree.checkout, "diff", "--cached", "--quiet").good
    if new or _is_merging(worktree.checkout):
        text = f"{message}\n\n{TRAILER}: {key}\n"
        must(worktree.checkout, "commit", "--quiet", "--no-verify", "-m", text, author=author)
    return must(worktree.checkout, "rev-parse", "HEAD").line


def tip(worktree: Worktree) -> str:
    """The commit a worktree stands on."""
    return must(worktree.checkout, "rev-parse", "HEAD").line


def changed_files(repository: Repository, worktree: Worktree) -> tuple[str, ...]:
    """The files a feature changes, from the project's folder, by what is committed."""
    said = must(
        worktree.folder, "diff", "--name-only", "--relative", "-z",
        f"{repository.base}...{worktree.branch}", "--", ".",
    )  # fmt: skip
    return tuple(each for each in said.out.split("\0") if each)


def changed_since(worktree: Worktree, commit: str) -> tuple[str, ...]:
    """The files that changed in a worktree since a commit, by what is committed."""
    words = ("diff", "--name-only", "--relative", "-z", f"{commit}..HEAD", "--", ".")
    said = must(worktree.folder, *words)
    return tuple(each for each in said.out.split("\0") if each)


def conflicted_files(worktree: Worktree) -> tuple[str, ...]:
    """The files that a merge could not bring together and nobody has resolved yet."""
    said = git(worktree.checkout, "diff", "--name-only", "--diff-filter=U", "-z")
    return tuple(each for each in said.out.split("\0") if each)


def is_clean(worktree: Worktree) -> bool:
    """Whether everything in a worktree that belongs to the project is committed."""
    words = ("status", "--porcelain", "--untracked-files=all", "--", ".", *_excluding())
    return must(worktree.checkout, *words).line == ""


def same_files(repository: Repository, worktree: Worktree) -> bool:
    """Whether base branch and feature hold the very same files."""
    base = git(repository.top, "rev-parse", f"{repository.base}^{{tree}}")
    own = git(repository.top, "rev-parse", f"{worktree.branch}^{{tree}}")
    return base.good and own.good and base.line == own.line


def has_branch(repository: Repository, branch: str) -> bool:
    """Whether a branch is there."""
    return bool(_tip(repository, branch))


def difference(repository: Repository, worktree: Worktree) -> str:
    """What a feature changes, as a patch; the end is cut where it is very long."""
    said = must(
        worktree.folder, "diff", "--no-color", "--no-ext-diff", "--no-textconv",
        f"{repository.base}...{worktree.branch}", "--", ".",
    )  # fmt: skip
    return said.out[:MOST_DIFF]


def has_base(repository: Repository, worktree: Worktree) -> bool:
    """Whether a branch holds all of the base branch, so that merging it gives its very files."""
    words = ("merge-base", "--is-ancestor", repository.base, worktree.branch)
    return git(repository.top, *words).good


def take_base(repository: Repository, worktree: Worktree) -> MergeResult:
    """Bring the base branch into a feature's branch; a conflict leaves it as it was."""
    _on_branch(worktree)
    _give_up_merge(worktree.checkout)
    if has_base(repository, worktree):
        return MergeResult("already", tip(worktree))
    words = ("merge", "--no-edit", "--no-verify", "-m", f"Take in {repository.base}")
    said = git(worktree.checkout, *words, repository.base)
    return _merged(worktree.checkout, said)


def discard(worktree: Worktree, commit: str) -> None:
    """Take back everything in a worktree since a commit."""
    _on_branch(worktree)
    must(worktree.checkout, "reset", "--quiet", "--hard", commit)
    kept = [each for name in sorted(LEFT_OUT) for each in ("-e", name)]
    must(worktree.checkout, "clean", "--quiet", "-ffd", *kept)


def begin_merge(repository: Repository, worktree: Worktree) -> None:
    """Bring the base branch in and leave what does not go together to whoever works there."""
    _on_branch(worktree)
    if _is_merging(worktree.checkout) or has_base(repository, worktree):
        return
    words = ("merge", "--no-edit", "--no-verify", "-m", f"Take in {repository.base}")
    said = git(worktree.checkout, *words, repository.base)
    if not said.good and not _is_merging(worktree.checkout):
        must(worktree.checkout, *words, repository.base)


def end_cut_merge(repository: Repository) -> None:
    """Take back a merge of a feature that was cut off in the project itself."""
    head = git(repository.top, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")
    if head.good:
        ours = must(repository.top, "for-each-ref", "--format=%(objectname)", "refs/heads/paige/")
        if head.line in ours.out.split():
            git(repository.top, "merge", "--abort")


def is_merged(repository: Repository, worktree: Worktree) -> bool:
    """Whether the base branch holds all of a feature's branch."""
    if not _tip(repository, worktree.branch):
        return False
    words = ("merge-base", "--is-ancestor", worktree.branch, repository.base)
    return git(repository.top, *words).good


def merge(repository: Repository, worktree: Worktree, message: str, *, key: str) -> MergeResult:
    """Merge a feature with a merge commit of its own. Raises: Conflict where the tree is not clean.

    `moved` says that the base branch has something the feature has not: nothing was merged.
    """
    _give_up_merge(repository.top, of=_tip(repository, worktree.branch))
    if find_repository(repository.root).base != repository.base:
        raise Conflict(
            f"Another branch than `{repository.base}` is checked out now",
            hint=f"Go back to it with `git switch {repository.base}`.",
        )
    if is_merged(repository, worktree):
        return MergeResult("already", _tip(repository, repository.base))
    if not has_base(repository, worktree):
        return MergeResult("moved", _tip(repository, repository.base))
    require_clean(repository)
    text = f"{message}\n\n{TRAILER}: {key}\n"
    words = ("merge", "--no-ff", "--no-edit", "--no-verify", "-m", text, worktree.branch)
    return _merged(repository.top, git(repository.top, *words))


def remove(repository: Repository, worktree: Worktree) -> None:
    """Take a worktree away; its branch goes too when the base branch holds all of it."""
    merged = is_merged(repository, worktree)
    _forget(repository, worktree)
    if merged:
        git(repository.top, "branch", "--delete", "--force", worktree.branch)


def _forget(repository: Repository, worktree: Worktree) -> None:
    """Remove a worktree's folder and what Git knows of it, whole or half made."""
    git(repository.top, "worktree", "unlock", str(worktree.checkout))
    git(repository.top, "worktree", "remove", "--force", "--force", str(worktree.checkout))
    try:
        if worktree.checkout.is_dir():
            shutil.rmtree(worktree.checkout)
    except OSError as error:
        raise write_error(worktree.checkout, error) from error
    git(repository.top, "worktree", "prune")


def _merged(folder: Path, said: GitResult) -> MergeResult:
    if said.good:
        return MergeResult("merged", must(folder, "rev-parse", "HEAD").line)
    listed = git(folder, "diff", "--name-only", "--diff-filter=U", "-z").out.split("\0")
    files = tuple(each for each in listed if each)
    _give_up_merge(folder)
    if not files:
        raise Unavailable(
            f"`git merge` in `{folder}` ended with {said.code}: {said.complaint()}",
            hint="Look at the repository with `git status`, then run `paige orchestra run` again.",
        )
    return MergeResult("conflict", files=files)


def _give_up_merge(folder: Path, *, of: str = "") -> None:
    """End a merge that was cut off; with `of` only when it is the one of that commit."""
    head = git(folder, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")
    if head.good and (not of or head.line == of):
        git(folder, "merge", "--abort")


def _is_merging(folder: Path) -> bool:
    return git(folder, "rev-parse", "--verify", "--quiet", "MERGE_HEAD").good


def _on_branch(worktree: Worktree) -> None:
    head = git(worktree.checkout, "symbolic-ref", "--quiet", "--short", "HEAD")
    if head.line != worktree.branch:
        raise Conflict(
            f"The worktree of `{worktree.feature}` is on `{head.line or 'no branch'}`, "
            f"not on `{worktree.branch}`",
            hint=f"In `{worktree.checkout}` run `git switch {worktree.branch}`.",
        )


def _tip(repository: Repository, branch: str) -> str:
    said = git(repository.top, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    return said.line if said.good else ""


def _excluding() -> tuple[str, ...]:
    """Path specifications that keep what tools and Paige leave about out of a commit."""
    folders = sorted(LEFT_OUT - {".git"})
    names = [f":(exclude,glob)**/{name}/**" for name in folders]
    return (*names, *(f":(exclude,glob)**/{name}" for name in sorted(LEFT_OUT_FILES)))


def _is_left_out(path: str, *, tracked: bool, below: str) -> bool:
    inside = path.removeprefix(f"{below}/") if below else path
    if inside.startswith(_KEPT):
        return True
    parts = path.rstrip("/").split("/")
    return not tracked and (not LEFT_OUT.isdisjoint(parts) or parts[-1] in LEFT_OUT_FILES)


def _exclude(repository: Repository) -> None:
    """Let Git overlook what Paige keeps, in this repository only and without touching its files."""
    common = Path(must(repository.top, "rev-parse", "--git-common-dir").line)
    path = (repository.top / common).resolve() / "info" / "exclude"
    start = f"/{repository.below}/" if repository.below else "/"
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:
        text = ""
    missing = [line for each in _KEPT if (line := f"{start}{each}") not in text.splitlines()]
    if missing:
        head = text if not text or text.endswith("\n") else f"{text}\n"
        write_atomic(path, head + "\n".join(missing) + "\n")
