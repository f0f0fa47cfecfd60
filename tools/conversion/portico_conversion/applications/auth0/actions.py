"""Code of an Auth0 tenant that sets claims: actions and rules. It is named with its claims, and never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from portico_conversion.findings import Findings
from portico_conversion.reading.records import Record
from portico_conversion.reading.yaml_files import Object, records_in

ACTION: Final = "code: it does not run here; give its claims by claim rules, or by a token hook"
ADDRESSES: Final = "code that reads the address or country of the user: add rules by network and country (signInFrom)"

_MOST: Final = 100_000
_SETS: Final = re.compile(r"""\.setCustomClaim\(\s*(["'`])(.{1,200}?)\1\s*,\s*([^\n;]{0,200})""")
"""``api.idToken.setCustomClaim(name, value)`` and ``api.accessToken.…``."""
_SET_BY_RULE: Final = re.compile(r"""\b(?:idToken|accessToken)\[(["'`])(.{1,200}?)\1\]\s*=\s*([^\n;]{0,200})""")
"""``context.idToken[name] = value`` of rules."""
_READS_ADDRESSES: Final = re.compile(r"\brequest\??\.(?:ip|geoip)\b")
"""``event.request.ip``, ``context.request.geoip``."""
_METADATA: Final = re.compile(r"\b(?:user_metadata|app_metadata)\??\.([A-Za-z_]\w{0,99})")


class _Trigger(Record, frozen=True, rename=None):
    id: str = ""

    usual = frozenset({"version"})


class _Action(Record, frozen=True, rename=None):
    name: str = ""
    code: str = ""
    script: str = ""
    supported_triggers: list[_Trigger] = []

    usual = frozenset(
        {
            "dependencies",
            "deployed",
            "enabled",
            "modules",
            "order",
            "runtime",
            "secrets",
            "stage",
            "status",
            "triggerId",
        }
    )

    @property
    def title(self) -> str:
        return f"action {self.name}"


PARTS: Final = ("actions", "rules")


def report_code(document: Object, findings: Findings) -> None:
    """Names each action and rule, its triggers, and the claims that it sets."""
    for part in PARTS:
        for value, action in records_in(document.get(part), _Action, findings):
            triggers = [one.id for one in action.supported_triggers if one.id]
            code, title = (action.code or action.script)[:_MOST], f"{part[:-1]} {action.name}"
            told = [*triggers, *dict.fromkeys(_claims_of(code))]
            findings.not_moved(value.place, title, ACTION, ", ".join(told))
            if _READS_ADDRESSES.search(code):
                findings.not_moved(value.place, title, ADDRESSES)


def _claims_of(code: str) -> Iterator[str]:
    for pattern in (_SETS, _SET_BY_RULE):
        for found in pattern.finditer(code):
            key = _METADATA.search(found[3])
            yield f"{found[2]} of the metadata {key[1]}" if key else found[2]
