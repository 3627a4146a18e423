from basket import Basket
from stock import low
from vouchers import amount_off


def test_an_empty_basket_costs_nothing():
    assert Basket().total() == 0


def test_one_item_costs_its_price():
    basket = Basket()
    basket.add("Apple", 35)
    assert basket.total() == 35


def test_a_voucher_takes_its_amount():
    assert amount_off(1000, 100) == 900


def test_what_is_low_is_ordered():
    assert low({"Milk": 2, "Bread": 9}) == ["Milk"]
