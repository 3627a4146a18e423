"""A shop basket: items and a total. Prices are whole pence."""

from dataclasses import dataclass, field


@dataclass
class Item:
    """One line of the basket."""

    name: str
    price: int
    quantity: int = 1


@dataclass
class Basket:
    """What a customer is about to buy."""

    items: list[Item] = field(default_factory=list)

    def add(self, name: str, price: int, quantity: int = 1) -> None:
        """Put something into the basket."""
        self.items.append(Item(name, price, quantity))

    def total(self) -> int:
        """What has to be paid, in pence."""
        return sum(item.price for item in self.items)

    def without_gone(self, gone: set[str]) -> None:
        """Take out whatever is sold out."""
        for item in self.items:
            if item.name in gone:
                self.items.remove(item)
