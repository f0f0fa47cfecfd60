"""The table and the JSON of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.measuring import Place, Row, Sample
from bench.report import Findings, as_json, put_into, table
from bench.target import PEER
from bench.wrk import Load

USERINFO = Place("userinfo", "portico", 10_000)
LIMIT = Place("userinfo", "limit")
SERVICES = {"authz": 60.0, "token": 61.0, "keys": 50.0, "users": 90.0, "login-ui": 30.0, "console": 10.0}


def row(place: Place, *samples: dict[str, float], p99_us: float = 3_000, **load: object) -> Row:
    """One run of 5,000 requests in a second for each sample of CPU time by component."""
    found = Load(**{"duration_us": 1e6, "requests": 5_000, "operations": 5_000, "p50_us": 1_000, "p95_us": 2_000, "p99_us": p99_us, **load})  # type: ignore[arg-type]  # fmt: skip
    return Row(place, [Sample(found, cpu) for cpu in samples])


def findings(*rows: Row, **more: Any) -> Findings:
    return Findings({one.place: one for one in rows}, "portico", **more)


def cells(found: Findings, line: int = 2) -> list[str]:
    return [cell.strip() for cell in table(found).splitlines()[line].strip("|").split("|")]


def test_row_shows_medians_multiples_and_components() -> None:
    """The median of the rounds counts, all components together, as a multiple of the limit of the same run."""
    mine = row(USERINFO, *({"gateway": 100.0, "token": cpu, "redis": 2.0} for cpu in (70, 900, 80)), p99_us=4_001)
    direct = row(Place("userinfo", "portico", 10_000, direct=True), {"token": 60})
    peer = row(Place("userinfo", PEER, 600), {"node": 90, "redis": 10})
    found = findings(row(LIMIT, {"limit": 30, "redis": 10}), peer, mine, direct)

    assert cells(found)[:9] == ["userinfo", "10,000", "40", "182", "4.5", "2.8", "62 % over", "2.5", "60"]
    assert cells(found)[9:] == ["1.5", "100", "80", "2", "5,000", "1.00", "4.00!", "91%", "-"]
    assert found.ratios() == {"userinfo, 10,000 people, gateway": 4.55, "userinfo, 10,000 people, direct": 1.5}
    assert msgspec.json.decode(as_json(found))["rows"][2]["samples"][1]["cpu_us"]["token"] == 900


def test_operation_is_compared_with_another_one_of_the_same_target() -> None:
    """Its unit is what that one costs for as many people, whatever the limit is."""
    plain, bound = (row(Place(name, "portico", 100), {"token": cpu}) for name, cpu in (("refresh", 200), ("refresh with DPoP", 250)))  # fmt: skip
    found = findings(row(Place("refresh", "limit"), {"limit": 100}), plain, bound)

    assert cells(found, 3)[:7] == ["refresh with DPoP", "100", "-", "250", "1.25 ×", "1.4", "reached"]
    assert found.ratios() == {"refresh, 100 people, gateway": 2.0, "refresh with DPoP, 100 people, gateway": 1.25}


@pytest.mark.parametrize(("operations", "shown"), [(3_500, "3.00"), (2_500, "3.00 (50%)")])
def test_p99_at_a_part_of_the_load_shows_a_rate_that_was_missed(operations: int, shown: str) -> None:
    mine = row(USERINFO, {"token": 10})
    mine.part_load = row(USERINFO, {}, operations=operations).samples[0]

    assert cells(findings(mine))[-1] == shown


def test_notes_compare_populations_rest_and_memory() -> None:
    much = row(USERINFO, {"token": 150})
    much.first = row(USERINFO, {"token": 700, "users": 300}).samples[0]
    few = row(Place("userinfo", "portico", 100), {"token": 100})

    found = findings(much, few, memory_mib={**SERVICES, "gateway": 50.0, "redis": 9.0}, at_rest={"users": 0.012})

    said = " ".join(table(found).split())
    assert "userinfo: over 10,000 people 1.50 times what it costs over 100 (to reach 1.2)." in said
    assert "The first request of all about a person cost 1,000 µs." in said
    assert "services 301 (to reach 280), gateway 50 (to reach 40)" in said
    assert "At rest the components use 1.2% of a core: users 1.2%." in said
    assert found.ratios() == {"idle memory of the services": 1.07, "idle memory of the gateway": 1.25}


def test_operation_that_is_not_served_is_shown_with_its_reason() -> None:
    found = findings(Row(USERINFO, not_served="there is none"))

    assert "not served: there is none" in cells(found)
    assert found.failures() == []


def test_reason_why_the_peer_was_not_measured_is_shown() -> None:
    assert "node-oidc-provider was not measured: npm is not installed." in table(
        findings(row(USERINFO, {}), no_peer="npm is not installed")
    )


def test_any_error_and_a_run_without_an_operation_are_failures() -> None:
    """The figures do not count then, be it the limit that answered wrongly: it must not look fast."""
    wrong = row(LIMIT, {"limit": 22}, errors={"status": 1.0, "read": 0.0}, first_bad="request: 500")

    assert findings(wrong).failures() == ["userinfo on limit: 1 status of 5000 requests; request: 500"]
    assert findings(row(USERINFO, {}, operations=0)).failures()


def test_table_replaces_what_a_document_has_between_its_marks(tmp_path: Path) -> None:
    document, other = tmp_path / "document.md", tmp_path / "other.md"
    document.write_text("# A\n<!-- measured -->\nold\n<!-- end -->\n## B\n")
    other.write_text("# A\n")

    put_into(document, "new\n")

    assert document.read_text() == "# A\n<!-- measured -->\nnew\n<!-- end -->\n## B\n"
    with pytest.raises(ValueError, match="has no <!-- measured"):
        put_into(other, "new\n")
