"""The table and the JSON of a run."""

from __future__ import annotations

import msgspec

from bench.measuring import Row, Sample
from bench.rates import Rates
from bench.report import Findings, as_json, table
from bench.wrk import Errors, Load

RATES = Rates(sign_us={"RS256": 250, "ES256": 30}, verify_us=25, hash_us=20_000, redis_us=90, redis_cpu_us=40)


def _sample(cpu_us: dict[str, float], *, p99_us: float = 3_000, errors: Errors | None = None) -> Sample:
    load = Load(
        duration_us=1e6, requests=5_000, operations=5_000, p50_us=1_000, p95_us=2_000, p99_us=p99_us,
        errors=errors or Errors(), first_bad="request: 500" if errors else "",
    )  # fmt: skip
    return Sample(load, cpu_us)


def _findings(*rows: Row) -> Findings:
    return Findings(rows, subject="portico", limit="limit", rates=[RATES], conditions={"rounds": 3})


def _cells(findings: Findings, operation: str) -> list[str]:
    line = next(line for line in table(findings).splitlines() if line.startswith(operation))
    return line.split()


def test_row_shows_medians_ratio_and_services() -> None:
    """The median of the rounds counts; the ratio is against the limit of the same run; small change is left out."""
    mine = Row("userinfo", "portico", [_sample({"token": cpu, "keys": 0.2}) for cpu in (70, 900, 80)])
    limit = Row("userinfo", "limit", [_sample({"limit": 40})])

    cells = _cells(_findings(limit, mine), "userinfo")

    assert cells[:5] == ["userinfo", "5,000", "1.00", "2.00", "3.00"]
    assert cells[5:11] == ["40%", "80", "40", "2.0", "95", "60"]
    assert cells[11:] == ["landed,", "34", "%", "to", "go", "token", "80"]


def test_operation_that_is_not_served_is_shown_with_its_reason() -> None:
    """What the target does not offer is neither left out nor given a figure."""
    row = Row("refresh", "portico", not_served="discovery does not name the grant refresh_token")

    line = next(line for line in table(_findings(row)).splitlines() if line.startswith("refresh"))

    assert "not served" in line
    assert line.endswith("discovery does not name the grant refresh_token")
    assert not _findings(row).failures()


def test_long_tail_is_marked() -> None:
    """p99 above four times p50 is marked in the report."""
    row = Row("keys", "portico", [_sample({"keys": 35}, p99_us=4_001)])

    said = table(_findings(row))

    assert "4.00!" in said
    assert "! keys: p99 is more than 4 × p50." in said


def test_any_error_on_any_target_is_a_failure() -> None:
    """One wrong answer in one round, of the limit too, and the figures do not count."""
    row = Row("keys", "limit", [_sample({"limit": 22}), _sample({"limit": 22}, errors=Errors(status=1, answer=1))])

    failures = _findings(row).failures()

    assert failures == ["keys on limit: 1 status, 1 answer of 5000 requests; request: 500"]


def test_run_without_a_single_operation_is_a_failure() -> None:
    """A target that answered nothing must not look fast."""
    load = Load(duration_us=1e6, requests=0, operations=0, p50_us=0, p95_us=0, p99_us=0)

    assert _findings(Row("keys", "portico", [Sample(load, {})])).failures()


def test_target_without_known_processes_has_no_cpu_figures() -> None:
    """Another provider is measured by rate and latency alone unless its processes are named."""
    cells = _cells(_findings(Row("keys", "portico", [_sample({})])), "keys")

    assert cells == ["keys", "5,000", "1.00", "2.00", "3.00", "-", "-", "-", "-", "40", "30", "-"]


def test_json_holds_every_sample() -> None:
    """Machines get all of it: conditions, rates, each round."""
    row = Row("keys", "portico", [_sample({"keys": 35}), _sample({"keys": 37})])

    found = msgspec.json.decode(as_json(_findings(row)))

    operation = found["operations"][0]
    assert operation["cpu_us"] == 36
    assert operation["stands"] == "landed, 20 % to go"
    assert [sample["load"]["requests"] for sample in operation["samples"]] == [5000, 5000]
    assert found["rates"][0]["sign_us"]["RS256"] == 250
    assert found["conditions"]["rounds"] == 3
