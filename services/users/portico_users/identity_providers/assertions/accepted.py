from __future__ import annotations

import msgspec


class AssertionRule(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a client may use for linked users: an API by its resource, with these scopes at most."""

    client_id: str
    resource: str
    scopes: tuple[str, ...] = ()


class AcceptedAssertions(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Empty for a provider whose assertions are not accepted.

    Attributes:
        tenant_claim: the claim that names the tenant, for issuers that tenants share; empty for others.
        tenant: the value that it must have.
    """

    rules: tuple[AssertionRule, ...] = ()
    tenant_claim: str = ""
    tenant: str = ""

    def rules_of(self, client_id: str) -> tuple[AssertionRule, ...]:
        return tuple(rule for rule in self.rules if rule.client_id == client_id)


NONE_ACCEPTED = AcceptedAssertions()
