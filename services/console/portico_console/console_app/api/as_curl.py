from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from portico_contracts.management import Method

_FIELD: Final = re.compile(r"\{(\w+)\}")
_TOKEN: Final = '-H "Authorization: Bearer $TOKEN"'


def as_curl(issuer: str, method: Method, message: Mapping[str, Any], org: str) -> str:
    """The curl command, with the token as a shell variable; `org` is empty for the caller's organization."""
    left = dict(message)
    names = {field.name: field.json_name for field in method.request.DESCRIPTOR.fields}
    path = _FIELD.sub(lambda found: quote(str(left.pop(names[found[1]], found[0])), safe="{}"), method.template)
    parts = [f"curl -X {method.verb} {shlex.quote(issuer + path + _query(method, left))}", _TOKEN]
    if org:
        parts.append(f"-H {shlex.quote(f'x-service-orgid: {org}')}")
    if method.has_body:
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(left, ensure_ascii=False))}"]
    return " \\\n  ".join(parts)


def _query(method: Method, left: Mapping[str, Any]) -> str:
    if method.has_body or not left:
        return ""
    return "?" + urlencode(list(_flat("", left)), doseq=True)


def _flat(prefix: str, message: Mapping[str, Any]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in message.items():
        here = f"{prefix}{name}"
        if isinstance(value, Mapping):
            found += _flat(f"{here}.", value)
        else:
            found.append((here, str(value).lower() if isinstance(value, bool) else value))
    return found
