"""The table and the JSON of a run."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bench.measuring import Place, Row, Sample, Way
from bench.report import Findings, as_json
from bench.table import markdown_table, put_into, text_table
from bench.tests.samples import findings, limit_row, portico_row, sample
from bench.wrk import Errors, Load


def _cells(found: Findings, operation: str) -> list[str]:
    line = next(line for line in text_table(found).splitlines() if line.startswith(operation))
    return line.split()


def test_row_shows_medians_multiples_and_components() -> None:
    """The median of the rounds counts, all components together, as a multiple of the limit of the same run."""
    mine = portico_row("userinfo", *(sample({"gateway": 100, "token": cpu, "redis": 2}) for cpu in (70, 900, 80)))
    limit = limit_row("userinfo", sample({"limit": 30, "redis": 10}))

    cells = _cells(findings(limit, mine), "userinfo")

    assert cells[:4] == ["userinfo", "40", "182", "4.5"]
    assert cells[4:8] == ["3.8", "20", "%", "over"]
    assert cells[8:13] == ["-", "-", "100", "80", "2"]
    assert cells[13:] == ["5,000", "1.00", "3.00", "91%"]


def test_both_ways_share_one_row() -> None:
    """What the services cost alone is shown beside what they cost through the gateway."""
    front = portico_row("keys", sample({"gateway": 60, "keys": 40}))
    direct = portico_row("keys", sample({"gateway": 0, "keys": 30}), way=Way.DIRECT)

    cells = _cells(findings(limit_row("keys", sample({"limit": 20})), front, direct), "keys")

    assert cells[:5] == ["keys", "20", "100", "5.0", "2.4"]
    assert cells[8:10] == ["30", "1.5"]


def test_population_is_compared_with_a_hundred_people() -> None:
    """What more people cost is stated as a multiple, beside the figure to reach."""
    much = portico_row("userinfo", sample({"token": 150}), people=10_000)
    much.first.append(sample({"token": 700, "users": 300}))
    few = portico_row("userinfo", sample({"token": 100}), people=100)

    said = text_table(findings(much, few))

    assert "userinfo: over 10,000 people 1.50 times what it costs over 100 (to reach 1.2)." in said
    assert "The first request of all about a person cost 1,000 µs." in said


def test_memory_is_stated_for_the_services_and_the_gateway() -> None:
    """The five services are added up; stores are named and not part of the sum."""
    memory = {
        "gateway": 50.0,
        "authz": 60.0,
        "token": 61.0,
        "keys": 50.0,
        "users": 90.0,
        "login-ui": 40.0,
        "redis": 9.0,
    }
    found = Findings([], "portico", "limit", [], {}, memory_mib=memory)

    assert "five services 301 (to reach 300), gateway 50 (to reach 40)" in text_table(found)
    assert found.ratios() == {"idle memory of the services": 1.0, "idle memory of the gateway": 1.25}


def test_operation_that_is_not_served_is_shown_with_its_reason() -> None:
    """What the target does not offer is neither left out nor given a figure."""
    row = Row(Place("refresh", "portico"), not_served="discovery does not name the grant refresh_token")

    line = next(line for line in text_table(findings(row)).splitlines() if line.startswith("refresh"))

    assert "not served: discovery does not name the grant refresh_token" in line
    assert not findings(row).failures()


def test_long_tail_is_marked() -> None:
    """p99 above four times p50 is marked in the report."""
    said = text_table(findings(portico_row("keys", sample({"keys": 35}, p99_us=4_001))))

    assert "4.00!" in said
    assert "! keys: p99 is more than 4 × p50." in said


def test_any_error_on_any_target_is_a_failure() -> None:
    """One wrong answer in one round, of the limit too, and the figures do not count."""
    row = limit_row("keys", sample({"limit": 22}), sample({"limit": 22}, errors=Errors(status=1, answer=1)))

    failures = findings(row).failures()

    assert failures == ["keys on limit: 1 status, 1 answer of 5000 requests; request: 500"]


def test_run_without_a_single_operation_is_a_failure() -> None:
    """A target that answered nothing must not look fast."""
    load = Load(duration_us=1e6, requests=0, operations=0, p50_us=0, p95_us=0, p99_us=0)

    assert findings(portico_row("keys", Sample(load, {}))).failures()


def test_target_without_known_processes_has_no_cpu_figures() -> None:
    """Another provider is measured by rate and latency alone unless its processes are named."""
    cells = _cells(findings(portico_row("keys", sample({}))), "keys")

    assert cells == ["keys", "-", "-", "-", "2.4", "-", "-", "-", "5,000", "1.00", "3.00", "-"]


def test_markdown_has_the_same_rows() -> None:
    """The table of a document is written by the run, never by hand."""
    found = findings(limit_row("keys", sample({"limit": 20})), portico_row("keys", sample({"keys": 30})))

    lines = markdown_table(found).splitlines()

    assert lines[0].startswith("| operation | people | limit µs | gateway µs | limits | reach |")
    assert lines[2].startswith("| keys |  | 20 | 30 | 1.5 | 2.4 | reached |")
    assert lines[4].startswith("- µs of processor time per request")


def test_json_holds_every_sample() -> None:
    """Machines get all of it: conditions, rates, each round, the multiples by name."""
    row = portico_row("userinfo", sample({"token": 35}), sample({"token": 37}), people=100)

    found = msgspec.json.decode(as_json(findings(limit_row("userinfo", sample({"limit": 20})), row)))

    operation = found["operations"][1]
    assert operation["cpu_us"] == 36
    assert operation["verdict"] == "reached"
    assert [one["load"]["requests"] for one in operation["samples"]] == [5000, 5000]
    assert found["rates"][0]["sign_us"]["RS256"] == 250
    assert found["conditions"]["rounds"] == 3
    assert found["ratios"] == {"userinfo, 100 people, gateway": 1.8}


def test_what_it_costs_with_much_stored_is_compared() -> None:
    """A row that was measured again with much stored is a note, and no row of the table."""
    full = Row(Place("userinfo", "portico", stored=1_000_000), [sample({"token": 120})])

    said = text_table(findings(portico_row("userinfo", sample({"token": 100})), full))

    assert (
        "userinfo: with 1,000,000 users and grants stored 1.20 times what it costs without them (to reach 1.1)." in said
    )
    assert len([line for line in said.splitlines() if line.startswith("userinfo ")]) == 1


def test_table_replaces_what_a_document_had_between_its_marks(tmp_path: Path) -> None:
    """What is around the marks stays, and a document without them is not touched."""
    document = tmp_path / "document.md"
    document.write_text("# A\n<!-- measured -->\nold\n<!-- end -->\n## B\n")
    other = tmp_path / "other.md"
    other.write_text("# A\n")

    put_into(document, "new\n")

    assert document.read_text() == "# A\n<!-- measured -->\nnew\n<!-- end -->\n## B\n"
    with pytest.raises(ValueError, match="has no <!-- measured"):
        put_into(other, "new\n")
    assert other.read_text() == "# A\n"


def test_what_is_used_at_rest_is_stated() -> None:
    """What components use without a request is no part of what a request costs, so it is shown beside it."""
    found = Findings([], "portico", "limit", [], {}, at_rest={"users": 0.012, "mongo": 0.02})

    assert "At rest the components use 3.2% of a core: users 1.2%, mongo 2.0%." in text_table(found)
