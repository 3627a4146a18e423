"""The dashboard and the alerts ask only for metrics, labels and values that there are."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from paige.doors.frame.metrics.exposed import PREFIX, Family, read_families
from paige.doors.frame.metrics.queries import STATES
from tests.docs.pages import ROOT

FAMILIES, PROCESS = read_families(), read_families("process")
DEPLOY = ROOT / "deploy"
BOARD = json.loads((DEPLOY / "dashboard.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))
SCRAPING = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
# Given by Prometheus itself.
COMMON = {"instance", "job", "le"}
SELECTOR = re.compile(r"\b(?P<name>paige_\w+)(?:\{(?P<labels>[^}]*)\})?")
GROUPED = re.compile(r"\bby \((?P<labels>[\w, ]*)\)")


def known() -> dict[str, Family]:
    """Every name that a query may use."""
    found: dict[str, Family] = {}
    for family in (*FAMILIES, *PROCESS):
        ends = ("_bucket", "_count", "_sum") if family.kind == "durations" else ("",)
        found |= {f"{PREFIX}{family.name}{end}": family for end in ends}
    return found


def panels() -> Iterator[dict[str, Any]]:
    """Every panel that draws something."""
    yield from (panel for panel in BOARD["panels"] if panel["type"] != "row")


def queries() -> list[str]:
    """Every query of the dashboard and of the alerts."""
    drawn = [target["expr"] for panel in panels() for target in panel["targets"]]
    variables = [
        item["query"]["query"] for item in BOARD["templating"]["list"] if item["type"] == "query"
    ]
    rules = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    return [*drawn, *variables, *rules]


@pytest.mark.parametrize("query", queries())
def test_a_query_asks_for_metrics_and_labels_that_there_are(query: str) -> None:
    asked = list(SELECTOR.finditer(query))

    assert asked or "up{" in query
    labels = set(COMMON)
    for match in asked:
        assert match["name"] in known(), match["name"]
        family = known()[match["name"]]
        used = set(re.findall(r"(\w+)\s*(?:=~|!=|!~|=)", match["labels"] or ""))
        assert used <= {*family.labels, *COMMON}
        labels |= set(family.labels)
    for grouped in GROUPED.finditer(query):
        assert {label.strip() for label in grouped["labels"].split(",")} <= labels
    assert query.count("(") == query.count(")")


def test_states_that_are_asked_for_exist() -> None:
    asked = {state for query in queries() for state in re.findall(r'state="(\w+)"', query)}

    assert asked
    assert asked <= {*STATES, "in_use", "idle"}


def test_rates_are_taken_of_counters_and_quantiles_of_histograms() -> None:
    for query in queries():
        for name in re.findall(r"(?:rate|increase)\((paige_\w+)", query):
            assert known()[name].kind != "gauge", query
        for inner in re.findall(r"histogram_quantile\([^,]+,(.*)", query):
            assert "_bucket" in inner


def test_every_metric_of_ours_is_drawn() -> None:
    drawn = {match["name"] for query in queries() for match in SELECTOR.finditer(query)}
    families = {known()[name].name for name in drawn}

    assert {family.name for family in FAMILIES} - families == set()


def test_the_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(ids) == len(set(ids))
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells


def test_every_alert_says_how_urgent_it_is_and_what_is_wrong() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]

    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]


def test_prometheus_reads_the_servers_with_a_token_from_a_file() -> None:
    [job] = SCRAPING["scrape_configs"]

    assert job["metrics_path"] == "/metrics"
    assert "credentials" not in job["authorization"]
    assert job["authorization"]["credentials_file"].startswith("/")
    assert SCRAPING["rule_files"] == ["alerts.yml"]
