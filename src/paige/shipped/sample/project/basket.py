"""A shop basket: items, a voucher, a total."""

from dataclasses import dataclass, field


@dataclass
class Item:
    """One line of the basket; prices are in pence."""

    name: str
    price: int
    quantity: int = 1


@dataclass
class Basket:
    """What a customer is about to buy."""

    items: list[Item] = field(default_factory=list)
    voucher: int = 0  # percent

    def add(self, name: str, price: int, quantity: int = 1) -> None:
        """Put something into the basket."""
        self.items.append(Item(name, price, quantity))

    def total(self) -> int:
        """What has to be paid, in pence."""
        full = sum(item.price for item in self.items)
        return full - full * self.voucher // 100

    def receipt(self) -> str:
        """The basket as text, one line an item."""
        lines = [f"{item.name}: {item.price / 100:.2f}" for item in self.items]
        return "\n".join([*lines, f"Total: {self.total() / 100:.2f}"])
