from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.learner.concepts import Graph, load_graph

COURSE = [
    {"id": "loops", "title": "Loops", "prerequisites": ["numbers", "booleans"], "level": 2},
    {"id": "numbers", "title": "Numbers"},
    {"id": "booleans", "prerequisites": ["numbers"]},
    {"id": "lists", "prerequisites": ["loops"]},
]


def kinds(graph: Graph) -> list[tuple[str, str]]:
    return [(problem.kind, problem.concept) for problem in graph.problems]


def test_prerequisites_come_first_and_the_course_decides_the_rest() -> None:
    graph = load_graph(COURSE)
    assert graph.order == ("numbers", "booleans", "loops", "lists")
    assert graph.problems == ()
    assert graph.get("loops").extra == {"level": 2}


def test_concepts_may_be_an_object_or_stand_in_a_course() -> None:
    by_id = {each["id"]: {k: v for k, v in each.items() if k != "id"} for each in COURSE}
    assert load_graph(by_id) == load_graph({"name": "x", "concepts": COURSE}) == load_graph(COURSE)


def test_ready_is_what_can_be_learned_next() -> None:
    graph = load_graph(COURSE)
    assert graph.ready(set()) == ("numbers",)
    assert graph.ready({"numbers"}) == ("booleans",)
    assert graph.ready({"numbers", "booleans"}) == ("loops",)
    assert graph.ready({"loops", "booleans"}) == ("numbers", "lists")


def test_what_is_missing_before_a_concept_is_in_the_order_to_learn_it() -> None:
    graph = load_graph(COURSE)
    assert graph.missing("lists", {"numbers"}) == ("booleans", "loops")
    assert graph.before("lists") == {"numbers", "booleans", "loops"}
    with pytest.raises(NotFound, match="tuples"):
        graph.missing("tuples", set())


def test_a_circle_is_named_and_what_hangs_on_it_cannot_be_reached() -> None:
    graph = load_graph(
        [
            {"id": "a", "prerequisites": ["c"]},
            {"id": "b", "prerequisites": ["a"]},
            {"id": "c", "prerequisites": ["b"]},
            {"id": "d", "prerequisites": ["c"]},
            {"id": "e"},
        ]
    )
    assert graph.order == ("e",)
    circle = graph.problems[0]
    assert circle.kind == "cycle"
    assert circle.message == "These need each other in a circle: `a` -> `c` -> `b` -> `a`"
    assert "`c` is part of a circle" in graph.problems[-1].message


def test_a_concept_that_needs_itself_is_a_circle() -> None:
    graph = load_graph([{"id": "a", "prerequisites": ["a"]}])
    assert kinds(graph) == [("cycle", "a"), ("unreachable", "a")]


def test_unknown_and_untaught_prerequisites_are_told_with_what_they_block() -> None:
    graph = load_graph(
        [
            {"id": "sets", "prerequisites": ["comprehensions"]},
            {"id": "classes", "prerequisites": ["functions", "numbers"]},
            {"id": "functions", "taught": False},
            {"id": "numbers"},
            {"id": "methods", "prerequisites": ["classes"]},
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


def test_the_first_of_two_concepts_with_one_id_counts() -> None:
    graph = load_graph([{"id": "a", "title": "One"}, {"id": "a", "title": "Two"}])
    assert kinds(graph) == [("duplicate", "a")]
    assert graph.get("a").title == "One"


@pytest.mark.parametrize(
    "data", ["loops", 5, [5], [{"title": "x"}], [{"id": "a", "prerequisites": "b"}], {"a": 1}]
)
def test_what_is_no_course_is_refused(data: object) -> None:
    with pytest.raises(BadInput):
        load_graph(data)


def test_a_chain_of_many_thousand_concepts_is_no_problem() -> None:
    chain = [{"id": f"c{n}", "prerequisites": [f"c{n - 1}"] if n else []} for n in range(20_000)]
    graph = load_graph(reversed(chain))
    assert graph.order[:2] == ("c0", "c1")
    closed = load_graph([*chain[1:], {"id": "c0", "prerequisites": ["c19999"]}])
    assert closed.problems[0].kind == "cycle"
    assert len(closed.problems[0].others) == 20_000


names = st.sampled_from("abcdefgh")
graphs = st.lists(
    st.builds(
        lambda name, needed, taught: {"id": name, "prerequisites": needed, "taught": taught},
        names,
        st.lists(names | st.just("nowhere"), max_size=3, unique=True),
        st.sampled_from((True, True, True, False)),
    ),
    max_size=8,
    unique_by=lambda each: each["id"],
).map(load_graph)


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
