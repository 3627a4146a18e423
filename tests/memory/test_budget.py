from hypothesis import given
from hypothesis import strategies as st

from paige.base.tokens import count_tokens_bound
from paige.memory.retrieval.answer import choose
from paige.memory.search_values import Ask, Result, cost
from tests.memory.remembering import event

OFFERS = st.lists(
    st.tuples(
        st.integers(1, 60),
        st.sampled_from(["global", "project"]),
        st.sampled_from(["fact", "turn"]),
    )
)
Offers = list[tuple[int, str, str]]


def found(offers: Offers) -> list[Result]:
    return [
        Result(event(number, f"{number} " + "tea " * words, scope=scope, type=kind), 1.0, {})
        for number, (words, scope, kind) in enumerate(offers, 1)
    ]


@given(OFFERS, st.integers(1, 400), st.integers(0, 3), st.integers(0, 120))
def test_no_limit_is_ever_exceeded(offers: Offers, tokens: int, in_global: int, talk: int) -> None:
    ask = Ask(
        query="tea",
        budget_tokens=tokens,
        scope_limits={"global": in_global},
        class_budgets={"conversation": talk},
    )
    chosen, left_out = choose(ask, found(offers))

    assert sum(each.tokens for each in chosen) <= tokens
    assert sum(each.scope == "global" for each in chosen) <= in_global
    assert sum(each.tokens for each in chosen if each.event.type == "turn") <= talk
    assert len(chosen) + left_out <= len(offers)


@given(OFFERS, st.integers(1, 400))
def test_what_does_not_fit_is_skipped_and_smaller_ones_still_come(
    offers: Offers, tokens: int
) -> None:
    offered = found(offers)
    chosen, _ = choose(Ask(query="tea", budget_tokens=tokens), offered)
    left = tokens - sum(each.tokens for each in chosen)

    missing = [each for each in offered if each not in chosen]
    assert left < 3 or all(each.tokens > left for each in missing)


def test_no_more_results_than_wanted() -> None:
    offered = found([(1, "global", "fact")] * 50)
    assert choose(Ask(query="tea", k=2), offered) == (offered[:2], 0)
    assert choose(Ask(query="tea", k=0), offered) == ([], 0)
    assert len(choose(Ask(query="tea", k=50), offered)[0]) == 50


@given(st.lists(st.text() | st.text(" \n\r\t-=.a1"), max_size=6))
def test_texts_on_lines_of_their_own_cost_no_more_than_their_sum(texts: list[str]) -> None:
    assert count_tokens_bound("\n".join(texts)) <= sum(map(cost, texts))


def test_a_type_nobody_knows_counts_as_knowledge() -> None:
    offered = [Result(event(1, "tea", type="something new"), 1.0, {})]
    ask = Ask(query="tea", budget_tokens=99, class_budgets={"knowledge": 0})
    assert choose(ask, offered) == ([], 1)
