"""Tenants of Microsoft Entra ID: a choice in messages, and an issuer in the configuration."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as pb

_BEFORE: Final = "https://login.microsoftonline.com/"
_AFTER: Final = "/v2.0"
_TYPES: Final[dict[pb.AzureADTenantType, str]] = {
    pb.AZURE_AD_TENANT_TYPE_COMMON: "common",
    pb.AZURE_AD_TENANT_TYPE_ORGANISATIONS: "organizations",
    pb.AZURE_AD_TENANT_TYPE_CONSUMERS: "consumers",
}
_BY_NAME: Final = {name: number for number, name in _TYPES.items()}


def issuer_of(tenant: pb.AzureADTenant) -> str:
    """The issuer whose discovery document is read; without a tenant that of all tenants. An issuer is taken as it is."""
    name = tenant.tenant_id if tenant.WhichOneof("type") == "tenant_id" else _TYPES[tenant.tenant_type]
    return name if name.startswith("https://") else f"{_BEFORE}{name}{_AFTER}"


def tenant_of(issuer: str) -> pb.AzureADTenant:
    """The tenant of an issuer; the whole issuer where it is at another address (national clouds)."""
    if not (issuer.startswith(_BEFORE) and issuer.endswith(_AFTER)):
        return pb.AzureADTenant(tenant_id=issuer)
    name = issuer.removeprefix(_BEFORE).removesuffix(_AFTER)
    return pb.AzureADTenant(tenant_type=_BY_NAME[name]) if name in _BY_NAME else pb.AzureADTenant(tenant_id=name)
