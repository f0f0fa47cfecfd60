from __future__ import annotations

from typing import Any

from portico_fakes.management_api import ApiResponse, call_as

CODE: dict[str, Any] = {
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    "redirectUris": ["https://shop.example/cb"],
}


async def on_apps(
    managed: Any, method: str, path: str, *, project: str = "", by: str = "owner", **body: Any
) -> ApiResponse:
    address = f"/management/v1/projects/{project or f'p-owner-{managed.tag}'}/apps{path}"
    return await call_as(managed, f"portico.management.v1.AppService.{method}", body, path=address, by=by)
