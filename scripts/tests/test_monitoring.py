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
    """Returns the names of the metrics in an expression, without the suffixes of histograms."""
    promql_parser.parse(expression)
    return {_ENDINGS.sub("", name) for name in re.findall(r"\bportico_[a-z_]+", expression)}


def test_expression_uses_declared_metrics() -> None:
    """Every expression parses, and each of its metrics is in docs/metrics.md."""
    listed = (ROOT / "docs" / "metrics.md").read_text().partition("## Renamed")[0]
    declared = set(re.findall(r"`(portico_[a-z_]+)`", listed))
    for expression in EXPRESSIONS:
        names = metrics_in(expression)

        assert names, expression
        assert names <= declared, expression


def test_invalid_expression_is_detected() -> None:
    with pytest.raises(ValueError, match=r"."):
        promql_parser.parse("rate(portico_sign_ins_total[5m]")


def test_every_alert_has_its_runbook() -> None:
    text = (ROOT / "docs" / "guides" / "monitoring.md").read_text()
    headings = re.findall(r"^## (\w+)$", text, re.MULTILINE)

    assert headings == [rule["alert"] for rule in RULES]
    for rule in RULES:
        assert rule["annotations"]["runbook_url"] == f"docs/guides/monitoring.md#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("critical", "warning")


def test_every_alert_is_tested_both_ways() -> None:
    """`make alerts` has a time at which each alert fires and one at which it does not."""
    tests = yaml.safe_load((MONITORING / "rules.test.yaml").read_text())["tests"]
    looks = [look for test in tests for look in test["alert_rule_test"]]
    alerts = sorted(rule["alert"] for rule in RULES)

    assert sorted({look["alertname"] for look in looks if look["exp_alerts"]}) == alerts
    assert sorted({look["alertname"] for look in looks if not look["exp_alerts"]}) == alerts
