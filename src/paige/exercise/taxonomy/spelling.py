"""How far two words are apart, and what a typing slip looks like."""

import unicodedata


def folded(text: str) -> str:
    """A text without case and accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


def distance(one: str, other: str) -> int:
    """Letters to add, drop, change or swap with their neighbour to get from one to the other."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def is_slip(written: str, meant: str) -> bool:
    """Whether a text is another one misspelt: one slip in a short word, more in a long text."""
    if not written or not meant or written.casefold() == meant.casefold():
        return False
    one, other = folded(written), folded(meant)
    longest = max(len(one), len(other))
    if longest > 200 or abs(len(one) - len(other)) > longest // 4:
        return False
    if one == other:
        return True  # only accents are missing
    allowed = 0 if longest < 4 else 1 if longest < 6 else max(2, longest // 6)
    return distance(one, other) <= allowed
