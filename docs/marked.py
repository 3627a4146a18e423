"""The parts of hand-written pages that `make docs` writes: what stands between two marks."""

BEGIN = "<!-- Written by `make docs` from the code: begin -->"
END = "<!-- Written by `make docs` from the code: end -->"


def with_part(page: str, lines: list[str]) -> str:
    """The page with its part written anew; everything around it stays."""
    before, begun, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"A page has lost its marks `{BEGIN}` and `{END}`")
    return "\n".join([before + BEGIN, "", *lines, "", END]) + after
