"""The receipt as text, one line an item."""

from basket import Basket


def receipt(basket: Basket) -> str:
    """A receipt with a total."""
    lines = [f"{item.name}: {item.price / 100:.2f}" for item in basket.items]
    return "\n".join([*lines, f"Total: {basket.total() / 100:.2f}"])


def split(total: int, people: int) -> list[int]:
    """Divide an amount among people."""
    return [round(total / people) for _ in range(people)]
