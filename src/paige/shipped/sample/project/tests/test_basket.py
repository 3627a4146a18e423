from basket import Basket


def test_an_empty_basket_costs_nothing():
    assert Basket().total() == 0


def test_one_item_costs_its_price():
    basket = Basket()
    basket.add("Apple", 35)
    assert basket.total() == 35


def test_a_voucher_takes_its_share():
    basket = Basket(voucher=10)
    basket.add("Book", 1000)
    assert basket.total() == 900
