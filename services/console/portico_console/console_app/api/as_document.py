from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from portico_contracts.apply import Document
from portico_contracts.management import Method

from portico_console.request_context import RequestContext

_MANAGEMENT: Final = "portico.management.v1"
_LISTS: Final = {
    f"{_MANAGEMENT}.ProjectService.AddProject": "projects",
    "portico.user.v2.UserService.AddHumanUser": "humans",
    f"{_MANAGEMENT}.ServiceUserService.AddMachineUser": "serviceUsers",
    f"{_MANAGEMENT}.WebhookService.AddWebhook": "webhooks",
    f"{_MANAGEMENT}.ScimService.AddScimConnection": "scimConnections",
}

_IN_PROJECT: Final = {
    f"{_MANAGEMENT}.ProjectService.AddProjectRole": "roles",
    f"{_MANAGEMENT}.AppService.AddOIDCApp": "oidcApps",
    f"{_MANAGEMENT}.AppService.AddAPIApp": "apiApps",
}

_RULES: Final = {
    f"{_MANAGEMENT}.PolicyService.AddCustomPasswordComplexityPolicy": "passwordPolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomPasswordAgePolicy": "passwordAgePolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomLockoutPolicy": "lockoutPolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomPrivacyPolicy": "privacyPolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomLabelPolicy": "labelPolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomTextPolicy": "textPolicy",
    f"{_MANAGEMENT}.PolicyService.AddCustomClientMetadataPolicy": "clientMetadataPolicy",
}

_RENAMED: Final = {"userName": "username", "userId": "id"}
_ELSEWHERE: Final = frozenset({"projectId", "organisation", "version"})
"""Request fields that locate the object, which a document shows by its structure."""

DOCUMENTED: Final = frozenset({*_LISTS, *_IN_PROJECT, *_RULES})


async def as_document(ctx: RequestContext, method: Method, message: Mapping[str, Any], org: str) -> str:
    """Returns YAML; empty where a document cannot express it."""
    if method.name not in DOCUMENTED:
        return ""
    org = org or message.get("organisation", {}).get("orgId", "")
    found = await ctx.api.call(f"{_MANAGEMENT}.OrganizationService/GetMyOrg", {}, org=org)
    made = {_RENAMED.get(name, name): value for name, value in message.items() if name not in _ELSEWHERE}
    organization = {
        "id": found["org"]["id"],
        "name": found["org"]["name"],
        **await _inside(ctx, method, message, made, org),
    }
    document = {"organizations": [organization]}
    try:
        msgspec.convert(document, Document)
    except msgspec.ValidationError:
        return ""
    return _yaml(document)


async def _inside(
    ctx: RequestContext, method: Method, message: Mapping[str, Any], made: Mapping[str, Any], org: str
) -> dict[str, Any]:
    if method.name in _LISTS:
        return {_LISTS[method.name]: [made]}
    if method.name in _RULES:
        return {_RULES[method.name]: made}
    fields = {"projectId": message.get("projectId", "")}
    project = (await ctx.api.call(f"{_MANAGEMENT}.ProjectService/GetProjectByID", fields, org=org))["project"]
    same = ("projectRoleAssertion", "projectRoleCheck", "hasProjectCheck", "privateLabelingSetting")
    settings = {name: project[name] for name in ("id", "name", *same) if name in project}
    return {"projects": [{**settings, _IN_PROJECT[method.name]: [made]}]}


def _yaml(document: Mapping[str, Any]) -> str:
    import yaml  # noqa: PLC0415 - see above

    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    return text
