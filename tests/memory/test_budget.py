from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from paige.base.tokens import count_tokens_bound
from paige.memory.finding.budget import Limits, choose_within, class_of, cost


@dataclass(frozen=True)
class Offer:
    tokens: int
    scope: str = "project"
    memory_class: str = "knowledge"


OFFERS = st.lists(
    st.builds(
        Offer,
        tokens=st.integers(1, 60),
        scope=st.sampled_from(["global", "project"]),
        memory_class=st.sampled_from(["knowledge", "conversation"]),
    )
)


@given(OFFERS, st.integers(0, 200), st.integers(0, 3), st.integers(0, 60))
def test_no_limit_is_ever_exceeded(
    offers: list[Offer], tokens: int, in_global: int, talk: int
) -> None:
    limits = Limits(
        tokens=tokens, by_scope={"global": in_global}, tokens_by_class={"conversation": talk}
    )
    chosen = choose_within(offers, limits).results

    assert sum(each.tokens for each in chosen) <= tokens
    assert sum(each.scope == "global" for each in chosen) <= in_global
    assert sum(e.tokens for e in chosen if e.memory_class == "conversation") <= talk


@given(OFFERS, st.integers(0, 200))
def test_what_does_not_fit_is_skipped_and_smaller_ones_still_come(
    offers: list[Offer], tokens: int
) -> None:
    chosen = choose_within(offers, Limits(tokens=tokens))
    left = tokens - sum(each.tokens for each in chosen.results)

    missing = [each for each in offers if not any(each is got for got in chosen.results)]
    assert left < 3 or all(each.tokens > left for each in missing)


def test_without_limits_everything_is_chosen() -> None:
    assert len(choose_within([Offer(9)] * 50, Limits()).results) == 50


def test_no_more_results_than_wanted() -> None:
    assert choose_within([Offer(1)] * 5, Limits(results=2)).results == [Offer(1)] * 2
    assert choose_within([Offer(1)] * 5, Limits(results=0)).results == []


@given(st.lists(st.text() | st.text(" \n\r\t-=.a1"), max_size=6))
def test_texts_on_lines_of_their_own_cost_no_more_than_their_sum(texts: list[str]) -> None:
    assert count_tokens_bound("\n".join(texts)) <= sum(map(cost, texts))


def test_every_type_has_a_class() -> None:
    assert class_of("turn") == "conversation"
    assert class_of("something new") == "knowledge"
