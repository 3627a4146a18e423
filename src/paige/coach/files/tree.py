"""The tree of a project: folders first, then files, each sorted by name."""

import os

from paige.coach.files.folders import Root
from paige.coach.files.scanning import MAX_ENTRIES, Scan, scan
from paige.coach.files.values import Tree, TreeNode


def read_tree(root: Root, *, max_entries: int = MAX_ENTRIES) -> Tree:
    """The tree of the project as it is now. Raises: NotFound when its folder is gone."""
    return tree_of(scan(root, max_entries=max_entries), os.path.basename(root.given))


def tree_of(found: Scan, name: str) -> Tree:
    """The tree of what was found; `name` is the name of the project folder."""
    children: dict[str, list[TreeNode]] = {}
    # From the longest way to the shortest: a folder's children are complete when it is made.
    for path in sorted(found.entries, key=lambda each: each.count("/"), reverse=True):
        folder, _, own = path.rpartition("/")
        below = _sorted(children.pop(path, []))
        node = TreeNode(own, path, found.entries[path].kind, below)
        children.setdefault(folder, []).append(node)
    root = TreeNode(name, "", "directory", _sorted(children.pop("", [])))
    return Tree(root, len(found.entries), found.truncated)


def _sorted(nodes: list[TreeNode]) -> tuple[TreeNode, ...]:
    return tuple(sorted(nodes, key=lambda n: (n.type == "file", n.name.casefold(), n.name)))
