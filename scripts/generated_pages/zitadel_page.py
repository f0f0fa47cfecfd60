"""docs/generated/zitadel-calls.md: the methods of ZITADEL's SDKs, with the results that `make test-all` expects."""

from __future__ import annotations

import json
from typing import Final

from generated_files import ROOT

from generated_pages.markdown import page_of, table

CALLS: Final = ROOT / "tests-e2e/clients/zitadel_calls.json"

_INTRODUCTION: Final = """With `PORTICO_ZITADEL_NAMES=true`, Portico serves these methods of ZITADEL's SDKs
([decision 0105](../decisions/0105-names-of-zitadel.md), [guide](../guides/moving-from-zitadel.md)). `make test-all`
calls each of them with `zitadel-client` for Python (Connect with JSON) and `@zitadel/client` for TypeScript (gRPC and
gRPC-web), both unmodified. All other methods are `unimplemented` (USER-220)."""


def zitadel_page() -> str:
    services = json.loads(CALLS.read_text())
    parts = [_INTRODUCTION]
    for service, methods in services.items():
        served = sum(call["result"] != "unimplemented" for call in methods.values())
        parts.append(f"## {service}\n\n{served} of {len(methods)} methods are served.")
        rows = [(f"`{name}`", call["result"], call.get("because", "")) for name, call in methods.items()]
        parts.append(table(("Method", "Result of the test", "Note"), rows))
    return page_of("Calls of ZITADEL's SDKs", *parts)
