"""Policies of authentik about addresses and countries. Flows decide where they apply, which are not converted."""

from __future__ import annotations

import re
from typing import Final

from portico_conversion.applications.authentik.entries import Entry
from portico_conversion.findings import Findings, Reports

GEO: Final = "a GeoIP policy: add rules by country (signInFrom), with a database of countries"
ADDRESSES: Final = "an expression that reads the address or country of the user: add rules by network (signInFrom)"
REPUTATION: Final = "a reputation policy: repeated wrong passwords are slowed down without a setting"

_GEO: Final = "authentik_policies_geoip.geoippolicy"
_REPUTATION: Final = "authentik_policies_reputation.reputationpolicy"
_EXPRESSION: Final = "authentik_policies_expression.expressionpolicy"
_READS_ADDRESSES: Final = re.compile(r"\bak_client_ip\b|\bclient_ip\b|\bgeoip\b")


def report_place(findings: Findings, entry: Entry) -> bool:
    """Names such a policy with what it compares; reports whether it is one."""
    report = Reports(findings, entry.place, f"policy {entry.text('name')}")
    if entry.model == _GEO:
        report(GEO, ", ".join(_compared(entry)))
    elif entry.model == _REPUTATION:
        report(REPUTATION)
    elif entry.model == _EXPRESSION and _READS_ADDRESSES.search(entry.text("expression")):
        report(ADDRESSES)
    else:
        return False
    return True


def _compared(entry: Entry) -> list[str]:
    countries, numbers = entry.attrs.get("countries"), entry.attrs.get("asns")
    found = [one for one in countries if isinstance(one, str)] if isinstance(countries, list) else []
    found += [f"AS{one}" for one in numbers] if isinstance(numbers, list) else []
    return [*found, "impossible travel"] if entry.attrs.get("check_impossible_travel") is True else found
