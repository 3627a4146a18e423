"""The parser of shell commands, as far as a release of it may break it."""

import subprocess
import sys

READ = """
import tree_sitter, tree_sitter_bash
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
nodes = parser.parse(b"echo one two\\n" * 2000).root_node.children
for _ in range(20):
    points = [each.end_point for each in nodes[:1000]]
    rows = [point.row for point in points]
    others = [row + 100_000 for row in range(3000)]
    assert rows == list(range(1000)) == [point.row for point in points]
    assert others == list(range(100_000, 103_000))
    del points, rows, others
print("fine")
"""


def test_a_thousand_points_of_a_long_file_are_read_without_a_crash() -> None:
    made = subprocess.run(
        [sys.executable, "-c", READ], capture_output=True, text=True, check=False, timeout=60
    )
    assert made.returncode == 0, made.stderr[-500:]
    assert made.stdout == "fine\n"
