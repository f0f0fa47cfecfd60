"""Alerts and dashboards: every expression is one, names only metrics there are, and every alert has its runbook."""

from __future__ import annotations

import json
import re
from typing import Any

import promql_parser
import pytest
import yaml
from generated_files import ROOT

MONITORING = ROOT / "deploy" / "monitoring"
RULES: list[dict[str, Any]] = yaml.safe_load((MONITORING / "rules.yaml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((MONITORING / "dashboards" / "overview.json").read_text())
EXPRESSIONS = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]),
]
_ENDINGS = re.compile(r"_(bucket|count|sum)\Z")


def metrics_in(expression: str) -> set[str]:
    """The names of the metrics of an expression, without what histograms add to theirs."""
    promql_parser.parse(expression)
    return {_ENDINGS.sub("", name) for name in re.findall(r"\bportico_[a-z_]+", expression)}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_names_metrics_that_services_declare(expression: str) -> None:
    """It can be parsed, and an operator finds each of its metrics in docs/metrics.md."""
    listed = (ROOT / "docs" / "metrics.md").read_text().partition("## Renamed")[0]
    names = metrics_in(expression)

    assert names
    assert names <= set(re.findall(r"`(portico_[a-z_]+)`", listed))


def test_a_broken_expression_would_be_noticed() -> None:
    """The parser is a real one."""
    with pytest.raises(ValueError, match=r"."):
        promql_parser.parse("rate(portico_sign_ins_total[5m]")


def test_every_alert_has_its_runbook() -> None:
    """And no runbook is left over from an alert that was removed."""
    text = (ROOT / "docs" / "guides" / "monitoring.md").read_text()
    headings = re.findall(r"^## (\w+)$", text, re.MULTILINE)

    assert headings == [rule["alert"] for rule in RULES]
    for rule in RULES:
        assert rule["annotations"]["runbook_url"] == f"docs/guides/monitoring.md#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("critical", "warning")


def test_every_alert_is_tested_both_ways() -> None:
    """`make alerts` has a time at which each fires, and one at which it is silent."""
    tests = yaml.safe_load((MONITORING / "rules.test.yaml").read_text())["tests"]
    looks = [look for test in tests for look in test["alert_rule_test"]]
    alerts = sorted(rule["alert"] for rule in RULES)

    assert sorted({look["alertname"] for look in looks if look["exp_alerts"]}) == alerts
    assert sorted({look["alertname"] for look in looks if not look["exp_alerts"]}) == alerts
