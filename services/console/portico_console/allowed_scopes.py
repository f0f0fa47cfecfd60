from __future__ import annotations

from typing import Any


def shown_allowed(access: dict[str, Any]) -> list[str]:
    """What a user allowed an application: scopes, and those of APIs with the name of the API."""
    of_apis = access.get("allowedApiScopes", [])
    return [
        *access.get("allowedScopes", []),
        *(f"{one['scope']} ({one.get('apiName') or one['apiClientId']})" for one in of_apis),
    ]
