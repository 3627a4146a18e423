"""Vouchers: an amount off the total, in pence."""


def amount_off(total: int, amount: int) -> int:
    """The total after a voucher; nobody gets money back."""
    return max(0, total - amount)


def best_of(total: int, amounts: list[int], used: list[int] = []) -> int:
    """The lowest total that one voucher gives; each can be used once."""
    best = total
    for amount in amounts:
        if amount not in used:
            best = min(best, amount_off(total, amount))
            used.append(amount)
    return best
