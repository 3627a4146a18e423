from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import NotFound
from paige.learner.concepts import Concept, Graph, build_graph


def concept(name: str, *needed: str, taught: bool = True) -> Concept:
    return Concept(name, name.title(), needed, taught)


COURSE = (
    concept("loops", "numbers", "booleans"),
    concept("numbers"),
    concept("booleans", "numbers"),
    concept("lists", "loops"),
)


def kinds(graph: Graph) -> list[tuple[str, str]]:
    return [(problem.kind, problem.concept) for problem in graph.problems]


def test_prerequisites_come_first_and_the_course_decides_the_rest() -> None:
    graph = build_graph(COURSE)
    assert graph.order == ("numbers", "booleans", "loops", "lists")
    assert graph.problems == ()


def test_ready_is_what_can_be_learned_next() -> None:
    graph = build_graph(COURSE)
    assert graph.ready(set()) == ("numbers",)
    assert graph.ready({"numbers"}) == ("booleans",)
    assert graph.ready({"numbers", "booleans"}) == ("loops",)
    assert graph.ready({"loops", "booleans"}) == ("numbers", "lists")


def test_what_comes_before_a_concept_is_everything_near_and_far() -> None:
    graph = build_graph(COURSE)
    assert graph.before("lists") == {"numbers", "booleans", "loops"}
    with pytest.raises(NotFound, match="tuples"):
        graph.before("tuples")


def test_a_circle_is_named_and_what_hangs_on_it_cannot_be_reached() -> None:
    graph = build_graph(
        [concept("a", "c"), concept("b", "a"), concept("c", "b"), concept("d", "c"), concept("e")]
    )
    assert graph.order == ("e",)
    circle = graph.problems[0]
    assert circle.kind == "cycle"
    assert circle.message == "These need each other in a circle: `a` -> `c` -> `b` -> `a`"
    assert "`c` is part of a circle" in graph.problems[-1].message


def test_a_concept_that_needs_itself_is_a_circle() -> None:
    graph = build_graph([concept("a", "a")])
    assert kinds(graph) == [("cycle", "a"), ("unreachable", "a")]


def test_unknown_and_untaught_prerequisites_are_told_with_what_they_block() -> None:
    graph = build_graph(
        [
            concept("sets", "comprehensions"),
            concept("classes", "functions", "numbers"),
            concept("functions", taught=False),
            concept("numbers"),
            concept("methods", "classes"),
        ]
    )
    assert graph.order == ("numbers",)
    assert kinds(graph) == [
        ("unknown_prerequisite", "sets"),
        ("never_taught", "functions"),
        ("unreachable", "sets"),
        ("unreachable", "classes"),
        ("unreachable", "methods"),
    ]
    assert "`functions` is never taught, but needed by `classes`" in graph.problems[1].message
    assert graph.problems[3].message == "`classes` cannot be reached: `functions` is never taught"
    assert graph.ready({"functions", "numbers"}) == ("classes",)


def test_a_chain_of_many_thousand_concepts_is_no_problem() -> None:
    chain = [concept(f"c{n}", *([f"c{n - 1}"] if n else [])) for n in range(20_000)]
    graph = build_graph(reversed(chain))
    assert graph.order[:2] == ("c0", "c1")
    closed = build_graph([*chain[1:], concept("c0", "c19999")])
    assert closed.problems[0].kind == "cycle"
    assert len(closed.problems[0].others) == 20_000


names = st.sampled_from("abcdefgh")
graphs = st.lists(
    st.builds(
        lambda name, needed, taught: concept(name, *needed, taught=taught),
        names,
        st.lists(names | st.just("nowhere"), max_size=3, unique=True),
        st.sampled_from((True, True, True, False)),
    ),
    max_size=8,
    unique_by=lambda each: each.id,
).map(build_graph)


@given(graphs)
def test_the_order_respects_prerequisites_and_the_rest_is_explained(graph: Graph) -> None:
    seen: set[str] = set()
    for name in graph.order:
        assert set(graph.get(name).prerequisites) <= seen
        seen.add(name)
    unreachable = {problem.concept for problem in graph.problems if problem.kind == "unreachable"}
    taught = {name for name, concept in graph.concepts.items() if concept.taught}
    assert seen | unreachable == taught
    assert not seen & unreachable


@given(graphs)
def test_every_named_circle_is_one(graph: Graph) -> None:
    for problem in graph.problems:
        if problem.kind == "cycle":
            following = (*problem.others[1:], problem.others[0])
            for name, needed in zip(problem.others, following, strict=True):
                assert needed in graph.get(name).prerequisites


@given(graphs)
def test_learning_what_is_ready_again_and_again_reaches_exactly_the_order(graph: Graph) -> None:
    known: set[str] = set()
    step: Callable[[], tuple[str, ...]] = lambda: graph.ready(known)  # noqa: E731
    while ready := step():
        known.add(ready[0])
    assert known == set(graph.order)
