"""What is on the shelves."""


def shelf_page(names: list[str], page: int, size: int = 10) -> list[str]:
    """One page of the list; the first page is 1."""
    return names[page * size : (page + 1) * size]


def low(counts: dict[str, int], least: int = 3) -> list[str]:
    """What should be ordered."""
    return [name for name in counts if counts[name] < least]


def count_of(counts: dict[str, int], name: str) -> int:
    """How many there are of something."""
    return counts[name]
